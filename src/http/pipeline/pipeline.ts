// The pipeline that every request passes, one function around every handler: caller, rate limit, method, errors, log and metrics.
import type { BunRequest, Server } from 'bun'
import { DirectoryError } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { answerProblem, COMPARED_HEADERS, JSON_TYPE, toDirectoryError } from './answer.ts'
import type { Requester } from './caller.ts'
import { type Allowance, isTurnFull, nextTurn, type RateLimiter, toRateLimitHeader } from './limits.ts'
import { pathOf } from './request.ts'
import {
  type Answer,
  allowedMethods,
  type Exchange,
  type Handler,
  type Incoming,
  type Method,
  type Route,
} from './route.ts'

export type PipelineDeps = {
  readonly clock: Clock
  readonly log: Log
  readonly meter: RequestMeter
  /** Whether to close every connection after its response, so that clients reconnect to another process. */
  readonly isLeaving?: () => boolean
  /** undefined: no rate limit. */
  readonly limiter: RateLimiter | undefined
  readonly readRequester: (incoming: Incoming) => Requester
  /** The page for a browser instead of a problem document; undefined for programs. */
  readonly toFailurePage?: (
    route: Route,
    exchange: Exchange,
    error: DirectoryError,
    requestId: string,
  ) => Promise<Answer> | undefined
}

/** What one further unit of the rate limit pays for. */
const BYTES_PER_COST = 64 * 1024
const EXPOSED_HEADERS =
  'X-Total-Count, Link, ETag, RateLimit, RateLimit-Policy, Retry-After, X-Ignored-Fields, X-Notice, X-Suppressed'
const PRIVATE_HEADERS = { 'X-Content-Type-Options': 'nosniff' }
const COMMON_HEADERS = {
  ...PRIVATE_HEADERS,
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
}
const COMPARED_JSON_HEADERS = { ...COMPARED_HEADERS, 'Content-Type': JSON_TYPE }
/** Matches every path without a route. */
export const UNKNOWN_ROUTE: Route = { path: 'unknown', methods: {} }

const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id, ' +
  'Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id'
const SANE_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/
const PLAIN_ID = /^[\w.~-]*$/

/** Wraps a route into the one function that `Bun.serve` calls for its path, whatever the method. */
export function createPipeline({
  clock,
  log,
  meter,
  isLeaving = () => false,
  limiter,
  readRequester,
  toFailurePage,
}: PipelineDeps) {
  const nextRequestId = createRequestIds()
  const isLogged = log.isEnabled('info')
  return (route: Route) => {
    const { path, methods, isUnlimited = false, isPrivate = false, cost = 1 } = route
    const common = isPrivate ? PRIVATE_HEADERS : COMMON_HEADERS
    const dispatch = createDispatch(route)
    const counts = meter.route(path)
    const readPath = createPathReader(route)
    const isLimited = limiter !== undefined && !isUnlimited
    const shared = new Headers({ ...common, ...(isLimited && { 'RateLimit-Policy': limiter.policy }) })
    const compared = new Headers([...shared, ...Object.entries(COMPARED_JSON_HEADERS)])

    function respond({ id, allowance }: RequestState, { status, headers: own, body, tag }: Answer): Response {
      // A copy of prepared headers takes two thirds of the time of new ones.
      const response = new Response(body, { status, headers: tag === undefined ? shared : compared })
      const { headers } = response
      headers.set('X-Request-Id', id)
      if (allowance) headers.set('RateLimit', toRateLimitHeader(allowance))
      if (isLeaving()) headers.set('Connection', 'close')
      if (tag !== undefined) headers.set('ETag', tag)
      // The handler's headers win, whatever the case of their names.
      for (const name in own) headers.set(name, own[name]!)
      return response
    }

    function finish(state: RequestState, request: BunRequest, answer: Answer): Response {
      const { at, id, method } = state
      const { status, body } = answer
      // Until its client has read it, an answer is in memory.
      if (isLimited && state.requester && body instanceof Uint8Array && body.byteLength >= BYTES_PER_COST)
        state.allowance = limiter.take(state.requester.name, at, Math.floor(body.byteLength / BYTES_PER_COST))
      const response = respond(state, answer)
      const ms = performance.now() - state.startedAt
      counts.end(method, status, ms)
      if (isLogged) {
        const caller = state.requester?.kind ?? 'address'
        const bytes = toByteLength(method, body)
        log.request({ at, id, ms, status, method, route: path, path: readPath(request), bytes, caller })
      }
      return response
    }

    function fail(state: RequestState, exchange: Exchange, error: unknown): Response | Promise<Response> {
      const { request } = exchange
      const page = toFailurePage?.(route, exchange, toDirectoryError(error), state.id)
      if (!page) return finish(state, request, completeFailure(state, error, answerProblem(error)))
      return page.then(
        answer => finish(state, request, completeFailure(state, error, answer)),
        fault => {
          log.error('page of a failure failed', { requestId: state.id, route: path, error: fault })
          return finish(state, request, completeFailure(state, error, answerProblem(error)))
        },
      )
    }

    /** Logs a failure and completes its headers. */
    function completeFailure({ id, allowance }: RequestState, error: unknown, answer: Answer): Answer {
      if (answer.status === 500) log.error('request failed', { requestId: id, route: path, error })
      const headers = {
        ...answer.headers,
        ...(allowance?.isExceeded && { 'Retry-After': String(allowance.resetSeconds) }),
        ...(answer.status === 405 && { Allow: allowedMethods(route) }),
      }
      return { ...answer, headers }
    }

    // Not async: a read from memory needs no promise.
    return (request: BunRequest, server: Server<undefined>): Response | Promise<Response> => {
      counts.begin()
      const given = request.headers.get('x-request-id')
      const { method } = request
      const state: RequestState = {
        method,
        startedAt: performance.now(),
        at: clock.now(),
        id: given !== null && SANE_REQUEST_ID.test(given) ? given : nextRequestId(),
        requester: undefined,
        allowance: undefined,
      }
      const charge = (cost: number) => {
        if (!isLimited) return
        state.requester ??= readRequester(exchange)
        state.allowance = limiter.take(state.requester.name, state.at, cost)
        if (state.allowance.isExceeded) throw tooMany(state.allowance)
      }
      const exchange: Exchange = { request, server, charge }
      const handle = methods[method as Method] ?? dispatch
      try {
        const due = method === 'OPTIONS' ? 1 : typeof cost === 'number' ? cost : cost(request)
        charge(due)
        const isWaiting = !isUnlimited && (due > 1 || isTurnFull())
        const answer = isWaiting ? waitAndHandle(handle, exchange, state.requester) : handle(exchange)
        if (!(answer instanceof Promise)) return finish(state, request, answer)
        return answer.then(
          late => finish(state, request, late),
          error => fail(state, exchange, error),
        )
      } catch (error) {
        // A refusal costs its caller nothing, and a page that tells of it is made each time.
        if (state.requester && state.allowance?.isExceeded && isTurnFull())
          return nextTurn(state.requester.name).then(() => fail(state, exchange, error))
        return fail(state, exchange, error)
      }
    }
  }
}

/** Costly work waits for a turn, and is not begun for a client that has left meanwhile. */
async function waitAndHandle(
  handle: Handler,
  exchange: Exchange,
  caller: Requester | undefined,
): Promise<Answer> {
  await nextTurn(caller?.name ?? '')
  return exchange.request.signal.aborted ? NOBODY : handle(exchange)
}

const NOBODY: Answer = { status: 204, headers: {}, body: null }

/** The state of one request. */
type RequestState = {
  readonly method: string
  readonly startedAt: number
  readonly at: Date
  readonly id: string
  requester: Requester | undefined
  allowance: Allowance | undefined
}

/** Methods without a handler of the route. */
function createDispatch(route: Route): Handler {
  const allow = allowedMethods(route)
  return exchange => {
    const { method } = exchange.request
    if (route === UNKNOWN_ROUTE) throw new DirectoryError('not_found', say('path_unknown'))
    if (method === 'HEAD' && route.methods.GET) return route.methods.GET(exchange)
    if (method === 'OPTIONS') return answerOptions(allow)
    throw new DirectoryError(
      'method_not_allowed',
      say('method_not_possible', { method, path: route.path, possible: allow }),
    )
  }
}

const answerOptions = (allow: string): Answer => ({
  status: 204,
  headers: {
    Allow: allow,
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': REQUEST_HEADERS,
    'Access-Control-Max-Age': '86400',
  },
  body: null,
})

const tooMany = ({ resetSeconds }: Allowance): DirectoryError =>
  new DirectoryError('rate_limited', say('requests_spent', { seconds: resetSeconds }))

/** The random part distinguishes processes. */
function createRequestIds(): () => string {
  const process = crypto.randomUUID().slice(0, 8)
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

/** The path without the query. Only an unknown path requires parsing the whole URL. */
function createPathReader({ path }: Route): (request: BunRequest) => string {
  if (path === UNKNOWN_ROUTE.path) return request => pathOf(request.url)
  const [before, after] = path.split(':id')
  if (after === undefined) return () => path
  return request => {
    const id = request.params.id!
    return before + (PLAIN_ID.test(id) ? id : encodeURIComponent(id.toWellFormed())) + after
  }
}

function toByteLength(method: string, body: Answer['body']): number | undefined {
  if (body === null || method === 'HEAD') return 0
  if (body instanceof Uint8Array) return body.byteLength
  return typeof body === 'string' ? Buffer.byteLength(body) : undefined
}

// The counts of requests and their durations, formatted only when scraped.

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']
const BUCKETS_MS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000]

/** The counts of one route. */
class RouteMeter {
  /** By method and status. */
  readonly #counts = new Map<string, number>()
  readonly #buckets = new Float64Array(BUCKETS_MS.length + 1)
  #sumMs = 0
  #begun = 0
  #ended = 0

  constructor(readonly path: string) {}

  get inFlight(): number {
    return this.#begun - this.#ended
  }

  begin(): void {
    this.#begun++
  }

  end(method: string, status: number, ms: number): void {
    this.#ended++
    const labels = `method="${METHODS.includes(method) ? method : 'other'}",status="${status}"`
    this.#counts.set(labels, (this.#counts.get(labels) ?? 0) + 1)
    let bucket = 0
    while (bucket < BUCKETS_MS.length && ms > BUCKETS_MS[bucket]!) bucket++
    this.#buckets[bucket]!++
    this.#sumMs += ms
  }

  requestLines(): string[] {
    return [...this.#counts].map(
      ([labels, count]) => `shirube_http_requests_total{route="${this.path}",${labels}} ${count}`,
    )
  }

  /** Also before the first request: a rate needs a start. */
  durationLines(): string[] {
    const name = 'shirube_http_request_duration_seconds'
    const route = `route="${this.path}"`
    let total = 0
    const lines = BUCKETS_MS.map((ms, bucket) => {
      total += this.#buckets[bucket]!
      return `${name}_bucket{${route},le="${ms / 1000}"} ${total}`
    })
    return [
      ...lines,
      `${name}_bucket{${route},le="+Inf"} ${this.#ended}`,
      `${name}_sum{${route}} ${this.#sumMs / 1000}`,
      `${name}_count{${route}} ${this.#ended}`,
    ]
  }
}

export type RequestMeter = {
  route(path: string): RouteMeter
  /** In the Prometheus text format. */
  toLines(): string[]
}

export function createRequestMeter(): RequestMeter {
  const routes: RouteMeter[] = []
  return {
    route(path) {
      const meter = new RouteMeter(path)
      routes.push(meter)
      return meter
    },
    toLines: () => [
      '# HELP shirube_http_requests_total Answered requests.',
      '# TYPE shirube_http_requests_total counter',
      ...routes.flatMap(route => route.requestLines()),
      '# HELP shirube_http_request_duration_seconds Time from the request to its answer; of a stream, to its first byte.',
      '# TYPE shirube_http_request_duration_seconds histogram',
      ...routes.flatMap(route => route.durationLines()),
      '# HELP shirube_http_requests_in_flight Requests that wait for their answer.',
      '# TYPE shirube_http_requests_in_flight gauge',
      `shirube_http_requests_in_flight ${routes.reduce((sum, route) => sum + route.inFlight, 0)}`,
    ],
  }
}
