// What owners do with their services, and how wallets become owners.
import type { Directory } from '../../directory/directory.ts'
import { Encoded } from '../../domain/encoded.ts'
import { answerJson, JSON_TYPE } from '../pipeline/answer.ts'
import { authorizeToChange, authorizeToRegister, type KeyCheck } from '../pipeline/auth.ts'
import { readJsonObject } from '../pipeline/body.ts'
import { toFieldsHeader, toNoticeHeader } from '../pipeline/header-text.ts'
import { queryOf, refuseParameters } from '../pipeline/query-string.ts'
import type { Answer, Exchange, Handler, Route } from '../pipeline/route.ts'

type Parts = { readonly directory: Directory; readonly keys: KeyCheck }
type Written = Awaited<ReturnType<Directory['edit']>>
type By = Parameters<Directory['restore']>[1]

/** What is done to the service itself: its route has them beside the reading. Judged in this order: 401, 415, 413, 400. */
export const createOwnerHandlers = ({ directory, keys }: Parts): { PATCH: Handler; DELETE: Handler } => ({
  PATCH: async ({ request }) => {
    const by = await authorizeToChange(request, keys)
    const patch = await readJsonObject(request)
    refuseParameters(queryOf(request.url))
    return answerWritten(request, await directory.edit(idOf(request), patch, by))
  },
  DELETE: async ({ request }) => {
    const by = await authorizeToChange(request, keys)
    refuseParameters(queryOf(request.url))
    await directory.remove(idOf(request), by)
    return NO_CONTENT()
  },
})

export function createOwnerRoutes({ directory, keys }: Parts): Route[] {
  const act = (name: string, run: (id: string, by: By) => Promise<Written>): Route => ({
    path: `/api/services/:id/${name}`,
    methods: {
      POST: async ({ request }) => {
        const by = await authorizeToChange(request, keys)
        refuseParameters(queryOf(request.url))
        return answerWritten(request, await run(idOf(request), by))
      },
    },
  })
  return [
    {
      path: '/api/services/:id/retire',
      methods: {
        POST: async ({ request }) => {
          const by = await authorizeToChange(request, keys)
          const body = await readJsonObject(request)
          refuseParameters(queryOf(request.url))
          return answerWritten(request, await directory.retire(idOf(request), body, by))
        },
      },
    },
    act('restore', (id, by) => directory.restore(id, by)),
    act('claim', (id, by) => directory.claim(id, by)),
  ]
}

export function createAuthRoutes({
  directory,
  keys,
  publicUrl,
}: Parts & { readonly publicUrl: string }): Route[] {
  const address = `${publicUrl}/api/auth/keys`
  return [
    {
      path: '/api/auth/challenge',
      methods: {
        POST: async ({ request }) => {
          const body = await readJsonObject(request)
          refuseParameters(queryOf(request.url))
          return answerSecret(200, await directory.challenge(body))
        },
      },
    },
    {
      path: '/api/auth/keys',
      methods: {
        GET: async ({ request }) => {
          const own = await directory.listKeys({ key: await authorizeToRegister(request, keys) })
          const links = `<${address}>; rel="first", <${address}>; rel="last"`
          return answerSecret(200, own, { Link: links, 'X-Total-Count': String(own.length) })
        },
        POST: async ({ request }) => {
          const body = await readJsonObject(request)
          refuseParameters(queryOf(request.url))
          const created = await directory.signIn(body)
          return answerSecret(201, created, { Location: `${address}/${created.id}` })
        },
      },
    },
    {
      path: '/api/auth/keys/:id',
      methods: {
        DELETE: async ({ request }) => {
          const by = await authorizeToChange(request, keys)
          refuseParameters(queryOf(request.url))
          await directory.revokeKey(idOf(request), by)
          return NO_CONTENT()
        },
      },
    },
  ]
}

const idOf = (request: Exchange['request']): string => (request.params as { id: string }).id

const NO_CONTENT = (): Answer => ({ status: 204, headers: { 'Cache-Control': 'no-store' }, body: null })

/** With its new ETag, so that the next change can build on it. */
function answerWritten(request: Request, { service, ignored, notices }: Written): Answer {
  return answerJson(request, service, {
    'Cache-Control': 'no-store',
    ...(ignored.length > 0 && { 'X-Ignored-Fields': toFieldsHeader(ignored) }),
    ...(notices.length > 0 && { 'X-Notice': toNoticeHeader(notices) }),
  })
}

const answerSecret = (status: number, value: unknown, extra: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', ...extra },
  body: Encoded.of(value).bytes as Uint8Array<ArrayBuffer>,
})
