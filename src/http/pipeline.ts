// What happens around every handler, in one plain function: who asks, how often, which method, what went wrong, what it cost.
import type { BunRequest, Server } from 'bun'
import type { Clock } from '../clock.ts'
import { DirectoryError } from '../domain/errors.ts'
import type { Log } from '../log.ts'
import type { Caller } from './caller.ts'
import { toProblem } from './errors.ts'
import { type Allowance, type RateLimiter, toRateLimitHeader } from './rate-limit.ts'
import type { RequestMeter } from './request-meter.ts'
import { type Answer, allowedMethods, type Exchange, type Handler, type Method, type Route } from './route.ts'

export type PipelineParts = {
  readonly clock: Clock
  readonly log: Log
  readonly meter: RequestMeter
  /** undefined: everybody may ask as often as they like. */
  readonly limiter: RateLimiter | undefined
  readonly readCaller: (exchange: Exchange) => Caller
}

export const EXPOSED_HEADERS =
  'X-Total-Count, Link, ETag, RateLimit, RateLimit-Policy, Retry-After, X-Ignored-Fields, X-Notice'
/** Whatever no other route answers. */
export const UNKNOWN_ROUTE: Route = { path: 'unknown', methods: {} }

const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id'
const SANE_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/

/** Wraps a route into the one function that `Bun.serve` calls for its path, whatever the method. */
export function createPipeline({ clock, log, meter, limiter, readCaller }: PipelineParts) {
  const nextRequestId = createRequestIds()
  const isLogged = log.isEnabled('info')

  return (route: Route) => {
    const { path, methods, isUnlimited = false } = route
    const dispatch = createDispatch(route)
    const counts = meter.route(path)
    const isCounted = limiter !== undefined && !isUnlimited

    return async (request: BunRequest, server: Server<undefined>): Promise<Response> => {
      const startedAt = performance.now()
      const at = clock.now()
      counts.begin()
      const exchange: Exchange = { request, server }
      const given = request.headers.get('x-request-id')
      const id = given !== null && SANE_REQUEST_ID.test(given) ? given : nextRequestId()
      let caller: Caller | undefined
      let allowance: Allowance | undefined
      let answer: Answer
      try {
        if (isCounted) {
          caller = readCaller(exchange)
          allowance = limiter.take(caller.name, at)
          if (allowance.isExceeded) throw tooMany(allowance)
        }
        answer = await (methods[request.method as Method] ?? dispatch)(exchange)
      } catch (error) {
        answer = toProblem(error)
        if (allowance?.isExceeded) answer.headers['Retry-After'] = String(allowance.resetSeconds)
        if (answer.status === 405) answer.headers.Allow = allowedMethods(route)
        if (answer.status === 500) log.error('request failed', { requestId: id, route: path, error })
      }

      const { status, headers, body } = answer
      headers['X-Request-Id'] = id
      headers['X-Content-Type-Options'] = 'nosniff'
      headers['Access-Control-Allow-Origin'] = '*'
      headers['Access-Control-Expose-Headers'] = EXPOSED_HEADERS
      if (allowance) {
        headers.RateLimit = toRateLimitHeader(allowance)
        headers['RateLimit-Policy'] = limiter!.policy
      }
      const ms = performance.now() - startedAt
      counts.end(request.method, status, ms)
      if (isLogged) {
        const bytes = toByteLength(request.method, body)
        const { method } = request
        log.request({
          at,
          id,
          method,
          route: path,
          path: pathOf(path, request),
          status,
          ms,
          bytes,
          caller: caller?.kind ?? 'address',
        })
      }
      return new Response(body, { status, headers })
    }
  }
}

/** For the methods that are no handler of the route's own. */
function createDispatch(route: Route): Handler {
  const allow = allowedMethods(route)
  return exchange => {
    const { method } = exchange.request
    if (route === UNKNOWN_ROUTE)
      throw new DirectoryError('not_found', 'There is nothing at this path. See /docs.')
    if (method === 'HEAD' && route.methods.GET) return route.methods.GET(exchange)
    if (method === 'OPTIONS') return answerOptions(allow)
    throw new DirectoryError(
      'method_not_allowed',
      `${method} is not possible on ${route.path}. Possible: ${allow}.`,
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
  new DirectoryError('rate_limited', `Too many requests. Ask again in ${resetSeconds} s.`)

/** The random half keeps ids of different processes apart. */
function createRequestIds(): () => string {
  const process = crypto.randomUUID().slice(0, 8)
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

/** Without the query string. Only a path that no route knows is worth the cost of reading the whole URL. */
function pathOf(route: string, request: BunRequest): string {
  if (route === UNKNOWN_ROUTE.path) return URL.parse(request.url)?.pathname ?? ''
  const id = request.params?.id
  return id === undefined ? route : route.replace(':id', () => encodeURIComponent(id.toWellFormed()))
}

function toByteLength(method: string, body: Answer['body']): number | undefined {
  if (body === null || method === 'HEAD') return 0
  if (body instanceof Uint8Array) return body.byteLength
  return typeof body === 'string' ? Buffer.byteLength(body) : undefined
}
