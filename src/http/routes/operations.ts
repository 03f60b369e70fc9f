// The routes of the table of operations: arguments from the request, the response from the result.
import { OPERATIONS } from '../../directory/operations.ts'
import { type OperationName, WIRE, type WireForm } from '../../directory/wire.ts'
import { Encoded } from '../../domain/json/encoded.ts'
import { describeOperation } from '../openapi/describe.ts'
import { answerBytes, answerJson, JSON_TYPE } from '../pipeline/answer.ts'
import { bearerOf } from '../pipeline/auth.ts'
import { readJsonObject } from '../pipeline/body.ts'
import { toFieldsHeader, toNoticeHeader } from '../pipeline/header-text.ts'
import { queryOf, readQuery, refuseParameters } from '../pipeline/query-string.ts'
import type { Answer, Exchange, Handler } from '../pipeline/route.ts'
import { type ApiParts, type ApiRoute, type Endpoint, idOf } from './api-route.ts'

type Run = (...args: readonly unknown[]) => Promise<unknown>
type Noted = { readonly ignored: readonly string[]; readonly notices?: readonly string[] } & Readonly<
  Record<string, unknown>
>

export const OPERATION_ROUTES: readonly ApiRoute[] = (Object.keys(WIRE) as OperationName[]).map(name => ({
  path: WIRE[name].path,
  methods: { [WIRE[name].method]: createEndpoint(name) },
}))

function createEndpoint(name: OperationName): Endpoint {
  return {
    operation: () => describeOperation(WIRE[name], OPERATIONS[name]),
    create: parts => (isPublicRead(WIRE[name]) ? createRead(name, parts) : createPrivate(name, parts)),
  }
}

const isPublicRead = ({ method, scope }: WireForm): boolean => method === 'GET' && scope === undefined

/** Reads of the catalog have an ETag. Where memory has the answer no promise is made: it would cost more than the read. */
function createRead(name: OperationName, { directory, publicUrl }: ApiParts): Handler {
  const wire: WireForm = WIRE[name]
  const { query } = OPERATIONS[name]
  const fromMemory = directory.fromMemory[name] as ((...args: readonly unknown[]) => unknown) | undefined
  const takesId = wire.path.includes(':id')
  const respond = (request: Request, result: unknown): Answer => {
    if (wire.gives === 'text')
      return answerBytes(request, new TextEncoder().encode(result as string), 'text/plain; charset=utf-8')
    if (wire.gives === 'list')
      return answerJson(request, Encoded.of(result), listHeaders(result as unknown[], publicUrl + wire.path))
    return answerJson(request, result as Encoded<unknown>)
  }
  return ({ request }) => {
    const args: unknown[] = takesId ? [idOf(request)] : []
    if (query) args.push(readQuery(queryOf(request.url), query.parse).parsed)
    const known = fromMemory?.(...args)
    if (known !== undefined) return respond(request, known)
    return (directory[name] as Run)(...args).then(result => respond(request, result))
  }
}

/** Errors are checked in this order: 401, 415, 413, 400. So the key is verified before the body is read. */
function createPrivate(name: OperationName, { directory, keys, publicUrl, readOrigin }: ApiParts): Handler {
  const wire: WireForm = WIRE[name]
  const { query, errors, timeoutSeconds } = OPERATIONS[name]
  const takesId = wire.path.includes(':id')

  async function readCaller(exchange: Exchange) {
    const { headers } = exchange.request
    const key = wire.scope && bearerOf(headers.get('authorization'))
    // An operation for operators checks their scope itself.
    if (wire.scope) await keys.authorize(key, 'register')
    return {
      key,
      from: readOrigin(exchange),
      once: headers.get('idempotency-key') ?? undefined,
      ifMatch: headers.get('if-match') ?? undefined,
      ifNoneMatch: headers.get('if-none-match') ?? undefined,
    }
  }

  return async exchange => {
    const { request, server } = exchange
    const by = await readCaller(exchange)
    const args: unknown[] = takesId ? [idOf(request)] : []
    if (wire.takes === 'body') args.push(await readJsonObject(request))
    const queryText = queryOf(request.url)
    if (query) args.push(readQuery(queryText, query.parse).parsed)
    else if (errors.includes('invalid_request')) refuseParameters(queryText)
    if (timeoutSeconds !== undefined) server.timeout(request, timeoutSeconds)
    const result = await (directory[name] as Run)(...args, by)
    return toPrivateAnswer(request, wire, result, publicUrl + wire.path)
  }
}

/** For the caller only. A changed service has its new ETag, for the next change. */
function toPrivateAnswer(request: Request, wire: WireForm, result: unknown, address: string): Answer {
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
