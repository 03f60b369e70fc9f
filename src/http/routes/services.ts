// List, detail, what was found out, registration and the check before it.
import type { Directory, LocalDirectory } from '../../directory/directory.ts'
import { Encoded } from '../../domain/encoded.ts'
import { readPlainList } from '../../domain/plain-list.ts'
import { parseHistoryQuery, parseListQuery } from '../../domain/queries.ts'
import { answerJson, JSON_TYPE } from '../pipeline/answer.ts'
import { authorizeToRegister, type KeyCheck } from '../pipeline/auth.ts'
import { readJsonObject } from '../pipeline/body.ts'
import type { ReadOrigin } from '../pipeline/caller.ts'
import { toFieldsHeader, toNoticeHeader } from '../pipeline/header-text.ts'
import { createKeptAnswers } from '../pipeline/kept-answers.ts'
import { toKept } from '../pipeline/links.ts'
import { createPageHandler, toReadyPage } from '../pipeline/page-answer.ts'
import { queryOf, readQuery, refuseParameters } from '../pipeline/query-string.ts'
import type { Exchange, Handler, Route } from '../pipeline/route.ts'
import { createOwnerHandlers } from './owners.ts'

const SERVICES = '/api/services'

export type ServiceRouteParts = {
  readonly directory: LocalDirectory
  readonly keys: KeyCheck
  /** What stands before the path in links; empty: links are relative. */
  readonly publicUrl: string
  readonly readOrigin: ReadOrigin
}

export function createServiceRoutes({ directory, keys, publicUrl, readOrigin }: ServiceRouteParts): Route[] {
  return [
    {
      path: SERVICES,
      methods: {
        GET: createList(directory, publicUrl),
        POST: createRegister(directory, keys, publicUrl),
      },
    },
    {
      path: `${SERVICES}/:id`,
      methods: {
        GET: ({ request }) => {
          const id = idOf(request)
          const known = directory.reads.find(id)
          return known
            ? answerJson(request, known)
            : directory.get(id).then(found => answerJson(request, found))
        },
        ...createOwnerHandlers({ directory, keys }),
      },
    },
    {
      path: `${SERVICES}/:id/status`,
      methods: {
        GET: ({ request }) => {
          const id = idOf(request)
          const known = directory.reads.findStatus(id)
          return known
            ? answerJson(request, known)
            : directory.status(id).then(found => answerJson(request, found))
        },
      },
    },
    {
      path: `${SERVICES}/:id/history`,
      methods: {
        GET: async ({ request }) => {
          const { parsed } = readQuery(queryOf(request.url), parseHistoryQuery)
          return answerJson(request, await directory.history(idOf(request), parsed))
        },
      },
    },
    {
      path: `${SERVICES}/:id/trust`,
      methods: {
        GET: async ({ request }) => answerJson(request, await directory.trust(idOf(request))),
      },
    },
    {
      path: `${SERVICES}/:id/provenance`,
      methods: {
        GET: async ({ request }) => answerJson(request, await directory.provenance(idOf(request))),
      },
    },
    { path: '/api/check', methods: { POST: createCheck(directory, keys, readOrigin) } },
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

function createList(directory: LocalDirectory, publicUrl: string): Handler {
  const { reads } = directory
  const address = `${publicUrl}${SERVICES}`
  const depth = Number.POSITIVE_INFINITY
  return createPageHandler({
    keep: createKeptAnswers(reads),
    read: question => readPlainList(question) ?? readList(question),
    page: query => reads.list(query),
    pageLater: query => directory.list(query),
    toReady: (page, { query, kept }) => toReadyPage(page, { publicUrl, address, kept, query, depth }),
  })
}

function readList(question: string) {
  const { parsed: query, parameters } = readQuery(question, parseListQuery)
  return { query, kept: toKept(parameters) }
}

/** Judged in this order: 401, 415, 413, 400. So the key comes before the first byte of the body. */
function createRegister(directory: Directory, keys: KeyCheck, publicUrl: string): Handler {
  return async ({ request }) => {
    const key = await authorizeToRegister(request, keys)
    const body = await readJsonObject(request)
    refuseParameters(queryOf(request.url))
    const once = request.headers.get('idempotency-key')
    const { id, service, ignored, notices } = await directory.register(body, {
      key,
      ...(once !== null && { once }),
    })
    return {
      status: 201,
      headers: {
        'Content-Type': JSON_TYPE,
        'Cache-Control': 'no-store',
        Location: `${publicUrl}${SERVICES}/${id}`,
        ...(ignored.length > 0 && { 'X-Ignored-Fields': toFieldsHeader(ignored) }),
        ...(notices.length > 0 && { 'X-Notice': toNoticeHeader(notices) }),
      },
      body: service.bytes as Uint8Array<ArrayBuffer>,
    }
  }
}

/** A stranger's server may be slow, and has to be waited for. */
const CHECK_TIMEOUT_SECONDS = 240

/** Nothing is made by it, so it answers 200; nor may it be kept, because the next answer can be another. */
function createCheck(directory: Directory, keys: KeyCheck, readOrigin: ReadOrigin): Handler {
  return async exchange => {
    const { request, server } = exchange
    const key = await authorizeToRegister(request, keys)
    const body = await readJsonObject(request)
    refuseParameters(queryOf(request.url))
    server.timeout(request, CHECK_TIMEOUT_SECONDS)
    const { report, ignored } = await directory.check(body, { key, from: readOrigin(exchange) })
    return {
      status: 200,
      headers: {
        'Content-Type': JSON_TYPE,
        'Cache-Control': 'no-store',
        ...(ignored.length > 0 && { 'X-Ignored-Fields': toFieldsHeader(ignored) }),
      },
      body: report.bytes as Uint8Array<ArrayBuffer>,
    }
  }
}
