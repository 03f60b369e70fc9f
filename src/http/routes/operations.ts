// The routes of the API: those of the table of operations, with arguments from the request and the response from the result, and the
// others.
import { type LocalDirectory, OPERATIONS } from '../../directory/directory.ts'
import { listUnknownFilters } from '../../directory/lists.ts'
import { type OperationName, WIRE, type WireForm } from '../../directory/wire.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { Encoded } from '../../domain/json.ts'
import { createQueryReader } from '../../domain/problems.ts'
import type { Filters } from '../../domain/queries/filters.ts'
import { MAX_SEARCH_DEPTH, type Page } from '../../domain/queries/queries.ts'
import { tellInEnglish } from '../../messages/message.ts'
import { SUMMARY } from '../../package/version.ts'
import {
  CACHED_HEADERS,
  describeOperation,
  failures,
  IF_NONE_MATCH,
  json,
  notModified,
  ok,
} from '../openapi/describe.ts'
import {
  answerBytes,
  answerJson,
  answerProblem,
  answerReady,
  createResponseCache,
  JSON_TYPE,
  type Ready,
  toFieldsHeader,
  toLinkHeader,
  toLinkQuery,
  toNoticeHeader,
  toReady,
} from '../pipeline/answer.ts'
import { bearerOf } from '../pipeline/caller.ts'
import { type Parameters, queryIn, readJsonObject, readQuery, refuseParameters } from '../pipeline/request.ts'
import type { Answer, Exchange, Handler } from '../pipeline/route.ts'
import { type ApiDeps, type ApiRoute, type Endpoint, idOf } from './api-route.ts'
import { ARD_ROUTES } from './ard.ts'
import { createExport } from './export.ts'
import { createChanges, createEvents } from './feed.ts'
import { HEALTH_ROUTES } from './health.ts'

type PageQuery = { readonly offset: number; readonly limit: number } & Filters
type Operate = (...args: readonly unknown[]) => Promise<unknown>
type Noted = { readonly ignored: readonly string[]; readonly notices?: readonly string[] } & Readonly<
  Record<string, unknown>
>

/** Operations whose response is written while it is made, or waits. */
const STREAMED: Partial<Record<OperationName, (deps: ApiDeps) => Handler>> = {
  changes: createChanges,
  events: createEvents,
  export: createExport,
}

const OPERATION_ROUTES: readonly ApiRoute[] = (Object.keys(WIRE) as OperationName[]).map(name => ({
  path: WIRE[name].path,
  methods: { [WIRE[name].method]: createEndpoint(name) },
  ...(OPERATIONS[name].cost !== undefined && { cost: OPERATIONS[name].cost }),
}))

function createEndpoint(name: OperationName): Endpoint {
  const wire: WireForm = WIRE[name]
  const isPublicRead = wire.method === 'GET' && wire.scope === undefined
  const create =
    STREAMED[name] ?? (deps => (isPublicRead ? createCachedRead : createUncachedCall)(name, deps))
  return {
    operation: () => describeOperation(wire, OPERATIONS[name], { takesKey: isPublicRead && !STREAMED[name] }),
    create: isBazaar(wire.path) ? deps => withErrorText(create(deps)) : create,
  }
}

/** Reads the parameters of an operation; undefined if it has none. */
function parserOf(name: OperationName): ((input: unknown) => unknown) | undefined {
  const { query } = OPERATIONS[name]
  return query && (query.parse ?? createQueryReader(query.schema))
}

/**
 * A read of the catalog, with an ETag. Where memory has the answer and time does not change it, no promise is made, and the response is
 * kept as long as the catalog is unchanged.
 */
function createCachedRead(name: OperationName, deps: ApiDeps): Handler {
  const { directory } = deps
  const parse = parserOf(name)
  const takesId = WIRE[name].path.includes(':id')
  const prepare = createPreparation(name, deps)
  const cache =
    directory.fromMemory[name] && parse
      ? createResponseCache(() => directory.requireCatalog().generation)
      : undefined

  const answer = (view: LocalDirectory, request: Exchange['request']): Answer | Promise<Answer> => {
    const fromMemory = view.fromMemory[name] as ((...args: readonly unknown[]) => unknown) | undefined
    // The runtime makes the URL when it is asked for, which takes as long as reading a record.
    const queryText = parse ? queryIn(request.url) : ''
    if (cache) {
      // A query has no space, so that no two views share a response.
      const key = view.viewId === '' ? queryText : `${view.viewId} ${queryText}`
      return answerReady(
        request,
        cache(key, () => {
          const read = readQuery(queryText, parse!)
          return prepare(fromMemory!(read.parsed), read)
        }),
      )
    }
    const read = parse && readQuery(queryText, parse)
    const args: unknown[] = []
    if (takesId) args.push(idOf(request))
    if (read) args.push(read.parsed)
    const known = fromMemory?.(...args)
    if (known !== undefined) return answerReady(request, prepare(known, read))
    return (view[name] as Operate)(...args).then(result => answerReady(request, prepare(result, read)))
  }

  return ({ request }) => {
    const key = bearerOf(request.headers.get('authorization'))
    if (key === undefined && directory.isOpen) return answer(directory, request)
    return directory.forKey(key).then(async view => toOwnAnswer(await answer(view, request)))
  }
}

/** For the holder of a key only: caches must not give it to others. */
function toOwnAnswer({ headers, ...answer }: Answer): Answer {
  const own = { 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding, Authorization' }
  return { ...answer, headers: { ...headers, ...own } }
}

type ReadQuery = { readonly parsed: unknown; readonly parameters: Parameters }

/** Makes the complete body of a read, with its headers. */
function createPreparation(name: OperationName, { directory, publicUrl }: ApiDeps) {
  const { path, gives }: WireForm = WIRE[name]
  const { hasNotices } = OPERATIONS[name]
  const address = publicUrl + path
  return (result: unknown, read: ReadQuery | undefined): Ready => {
    if (gives === 'page') return toReadyPage(result as Page, address, read!)
    if (gives === 'text')
      return toReady(new TextEncoder().encode(result as string), 'text/plain; charset=utf-8')
    if (gives === 'list')
      return toReady(Encoded.of(result).bytes, JSON_TYPE, listHeaders(result as unknown[], address))
    const notice = hasNotices && toUnknownNotice(read!.parsed as Filters)
    return toReady((result as Encoded<unknown>).bytes, JSON_TYPE, notice || undefined)
  }

  function toReadyPage(page: Page, address: string, { parsed, parameters }: ReadQuery): Ready {
    const { services, total, suppressed } = page
    const { offset, limit, ...filters } = parsed as PageQuery
    const linkQuery = toLinkQuery(parameters)
    const depth = name === 'search' ? MAX_SEARCH_DEPTH : Number.POSITIVE_INFINITY
    const headers = {
      Link: toLinkHeader({ address, linkQuery, offset, limit, total, depth }),
      ...(total !== undefined && { 'X-Total-Count': String(total) }),
      ...(suppressed !== undefined && { 'X-Suppressed': `policy=${suppressed}` }),
      ...(total === 0 && toUnknownNotice(filters)),
    }
    return toReady(services.bytes, JSON_TYPE, headers)
  }

  /** Tells which values of filters are not known here, with the nearest known one. x402 lists call a chain network. */
  function toUnknownNotice(filters: Filters & { readonly network?: string }): Record<string, string> {
    const { chain = filters.network } = filters
    const unknown = listUnknownFilters(directory.requireCatalog(), { ...filters, chain })
    return unknown.length === 0
      ? {}
      : { 'X-Notice': toNoticeHeader(unknown.map(({ message }) => tellInEnglish(message))) }
  }
}

/**
 * What changes something, answers one caller alone, or signs in. Errors are checked in this order: 401, 415, 413, 400. So the key is
 * verified before the body is read.
 */
function createUncachedCall(
  name: OperationName,
  { directory, keys, publicUrl, readCallerNetwork }: ApiDeps,
): Handler {
  const wire: WireForm = WIRE[name]
  const { timeoutSeconds } = OPERATIONS[name]
  const parse = parserOf(name)
  const takesId = wire.path.includes(':id')

  async function readBy(exchange: Exchange) {
    const { headers } = exchange.request
    const key = wire.scope && bearerOf(headers.get('authorization'))
    // Whether the key is that of an operator, or has a policy, the operation checks, for every interface.
    if (wire.scope) await keys.authorize(key, wire.scope === 'agent' ? undefined : 'register')
    return {
      key,
      from: readCallerNetwork(exchange),
      idempotencyKey: headers.get('idempotency-key') ?? undefined,
    }
  }

  return async exchange => {
    const { request, server } = exchange
    const by = await readBy(exchange)
    const args: unknown[] = takesId ? [idOf(request)] : []
    if (wire.takes === 'body') args.push(await readJsonObject(request))
    const queryText = queryIn(request.url)
    if (parse) args.push(readQuery(queryText, parse).parsed)
    else if (wire.method !== 'GET') refuseParameters(queryText)
    if (timeoutSeconds !== undefined) server.timeout(request, timeoutSeconds)
    const result = await (directory[name] as Operate)(...args, by)
    return toUncachedAnswer(request, wire, result, publicUrl + wire.path)
  }
}

/** For the caller only. A changed service has its new ETag. */
function toUncachedAnswer(request: Request, wire: WireForm, result: unknown, address: string): Answer {
  const headers: Record<string, string> = { 'Cache-Control': 'no-store' }
  if (wire.gives === 'nothing') return { status: 204, headers, body: null }
  const value = wire.as === undefined ? result : (result as Noted)[wire.as]
  if (wire.gives === 'list') Object.assign(headers, listHeaders(value as unknown[], address))
  if (wire.gives === 'noted') {
    const { ignored, notices = [] } = result as Noted
    if (ignored.length > 0) headers['X-Ignored-Fields'] = toFieldsHeader(ignored)
    if (notices.length > 0) headers['X-Notice'] = toNoticeHeader(notices)
    if (value instanceof Encoded && wire.as === 'service' && !wire.creates)
      return answerJson(request, value, headers)
  }
  if (wire.gives === 'text')
    return {
      status: 200,
      headers: { ...headers, 'Content-Type': 'text/csv; charset=utf-8' },
      body: value as string,
    }
  const encoded = value instanceof Encoded ? value : Encoded.of(value)
  headers['Content-Type'] = JSON_TYPE
  if (wire.locates) headers.Location = `${address}/${idIn(result) ?? idIn(value)}`
  return { status: wire.creates ? 201 : 200, headers, body: encoded.bytes as Uint8Array<ArrayBuffer> }
}

const idIn = (value: unknown): string | undefined => (value as { readonly id?: string }).id

/** All values are in one response: it is the first and the last page. */
const listHeaders = (values: readonly unknown[], address: string): Record<string, string> => ({
  Link: `<${address}>; rel="first", <${address}>; rel="last"`,
  'X-Total-Count': String(values.length),
})

// The OpenAPI document itself.

const OPENAPI_ENDPOINT: Endpoint = {
  operation: () => ({
    operationId: 'getOpenApi',
    tags: ['operating'],
    summary: 'Get the OpenAPI document',
    description: 'OpenAPI 3.1, made from the schemas that read requests and shape answers.',
    responses: {
      200: ok('OpenAPI 3.1', CACHED_HEADERS, { 'application/json': { schema: { type: 'object' } } }),
      ...notModified(CACHED_HEADERS),
      ...failures('rate_limited', 'internal'),
    },
  }),
  create({ document }) {
    let bytes: Uint8Array | undefined
    return ({ request }) => {
      bytes ??= new TextEncoder().encode(JSON.stringify(document))
      return answerBytes(request, bytes, JSON_TYPE)
    }
  },
}

const OPENAPI_ROUTE: ApiRoute = { path: '/openapi.json', cost: 10, methods: { GET: OPENAPI_ENDPOINT } }

// The manifest of this origin in the format of x402, and its errors.

function isBazaar(path: string): boolean {
  return path.startsWith('/discovery/')
}

/** Clients of the format expect the sentence of an error as `error`. */
const withErrorText =
  (handle: Handler): Handler =>
  async exchange => {
    try {
      return await handle(exchange)
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      return answerProblem(error, { error: error.message })
    }
  }

/** The directory itself takes no payment: its manifest only points to the lists. */
const toManifest = (name: string, publicUrl: string) => ({
  version: 1,
  x402Version: 2,
  name,
  description: SUMMARY,
  resources: [],
  discovery: {
    resources: `${publicUrl}/discovery/resources`,
    search: `${publicUrl}/discovery/search`,
  },
  changes: `${publicUrl}/api/changes`,
  openapi: `${publicUrl}/openapi.json`,
})

const manifest: Endpoint = {
  operation: () => ({
    operationId: 'getManifest',
    tags: ['bazaar'],
    summary: 'Get the x402 manifest of this origin',
    description: 'The directory itself takes no payment; the manifest points to its lists.',
    parameters: [IF_NONE_MATCH],
    responses: {
      200: ok('The manifest', CACHED_HEADERS, json({ type: 'object' }, toManifest('Shirube', ''))),
      ...notModified(CACHED_HEADERS),
      ...failures('rate_limited', 'internal'),
    },
  }),
  create({ directoryName, publicUrl }) {
    const encoded = Encoded.of(toManifest(directoryName, publicUrl))
    return ({ request }) => answerJson(request, encoded)
  },
}

const MANIFEST_ROUTE: ApiRoute = { path: '/.well-known/x402', methods: { GET: manifest } }

// Every route of the API, in the order in which the OpenAPI document lists them.

export const API_ROUTES: readonly ApiRoute[] = joinPaths([
  ...OPERATION_ROUTES,
  MANIFEST_ROUTE,
  ...ARD_ROUTES,
  ...HEALTH_ROUTES,
  OPENAPI_ROUTE,
])

/** One route per path, with all its methods. */
function joinPaths(routes: readonly ApiRoute[]): ApiRoute[] {
  const joined = new Map<string, ApiRoute>()
  for (const route of routes) {
    const methods = { ...joined.get(route.path)?.methods, ...route.methods }
    joined.set(route.path, { ...joined.get(route.path), ...route, methods })
  }
  return [...joined.values()]
}
