// List, detail, status and registration.
import type { Directory } from '../directory.ts'
import { Encoded } from '../domain/encoded.ts'
import { invalid } from '../domain/errors.ts'
import { parseListQuery } from '../domain/queries.ts'
import { answerJson, JSON_TYPE } from './answer.ts'
import { authorizeToRegister, type KeyCheck } from './auth.ts'
import { readJsonObject } from './body.ts'
import { toFieldsHeader, toNoticeHeader } from './header-text.ts'
import { toLinkHeader } from './links.ts'
import { queryOf, readParameters, readQuery } from './query-string.ts'
import type { Exchange, Handler, Route } from './route.ts'

const SERVICES = '/api/services'

export type ServiceRouteParts = {
  readonly directory: Directory
  readonly keys: KeyCheck
  /** What stands before the path in links; empty: links are relative. */
  readonly publicUrl: string
}

export function createServiceRoutes({ directory, keys, publicUrl }: ServiceRouteParts): Route[] {
  return [
    {
      path: SERVICES,
      methods: { GET: createList(directory, publicUrl), POST: createRegister(directory, keys, publicUrl) },
    },
    {
      path: `${SERVICES}/:id`,
      methods: {
        GET: async ({ request }) => answerJson(request, await directory.get(idOf(request))),
      },
    },
    {
      path: `${SERVICES}/:id/status`,
      methods: {
        GET: async ({ request }) => answerJson(request, await directory.status(idOf(request))),
      },
    },
    {
      path: '/api/categories',
      methods: {
        GET: async ({ request }) => {
          const categories = await directory.categories()
          const address = `${publicUrl}/api/categories`
          return answerJson(request, Encoded.of(categories), {
            Link: `<${address}>; rel="first", <${address}>; rel="last"`,
            'X-Total-Count': String(categories.length),
          })
        },
      },
    },
  ]
}

const idOf = (request: Exchange['request']): string => (request.params as { id: string }).id

function createList(directory: Directory, publicUrl: string): Handler {
  const address = `${publicUrl}${SERVICES}`
  return async ({ request }) => {
    const { parsed, parameters } = readQuery(queryOf(request.url), parseListQuery)
    const { services, total } = await directory.list(parsed)
    const { offset, limit } = parsed
    return answerJson(request, services, {
      Link: toLinkHeader({ address, parameters, offset, limit, total, depth: Number.POSITIVE_INFINITY }),
      ...(total !== undefined && { 'X-Total-Count': String(total) }),
    })
  }
}

/** Judged in this order: 401, 415, 413, 400. So the key comes before the first byte of the body. */
function createRegister(directory: Directory, keys: KeyCheck, publicUrl: string): Handler {
  return async ({ request }) => {
    const key = await authorizeToRegister(request, keys)
    const body = await readJsonObject(request)
    refuseParameters(queryOf(request.url))
    const once = request.headers.get('idempotency-key')
    const { service, ignored, notices } = await directory.register(body, {
      key,
      ...(once !== null && { once }),
    })
    return {
      status: 201,
      headers: {
        'Content-Type': JSON_TYPE,
        'Cache-Control': 'no-store',
        Location: `${publicUrl}${SERVICES}/${service.decode().id}`,
        ...(ignored.length > 0 && { 'X-Ignored-Fields': toFieldsHeader(ignored) }),
        ...(notices.length > 0 && { 'X-Notice': toNoticeHeader(notices) }),
      },
      body: service.bytes as Uint8Array<ArrayBuffer>,
    }
  }
}

/** A change takes no parameters; one that is accepted and does nothing would mislead. */
function refuseParameters(query: string): void {
  if (query === '') return
  const { parameters, problems } = readParameters(query)
  const unknown = Object.keys(parameters).map(path => ({
    path,
    message: 'is not a parameter here; send it in the body',
  }))
  if (unknown.length + problems.length > 0) throw invalid([...unknown, ...problems])
}
