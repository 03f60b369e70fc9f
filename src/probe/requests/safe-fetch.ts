// The only way to request strangers' servers: every address is checked before the connection, redirects are followed here and checked
// again, and time, headers and body are limited. A remote's failure is a result, never an exception.
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { isReservedName, unroutableAddressProblem } from '../../domain/hosts/endpoint.ts'
import { type Message, say } from '../../messages/message.ts'
import { shown, shownValue } from '../untrusted.ts'
import {
  addressesToTry,
  codeOf,
  type Failure,
  type FailureReason,
  failure,
  type Lookup,
  type ResolvedAddress,
  resolveHost,
} from './addresses.ts'
import {
  connectTimeout,
  exchange,
  type FailedExchange,
  type Limits,
  type OutgoingRequest,
  type ReadAlong,
  type ReceivedResponse,
  type ResponseHeaders,
  totalTimeout,
} from './exchange.ts'

export const DEFAULT_LIMITS: Limits = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  totalMs: 15_000,
  bodyBytes: 256 * 1024,
  headerBytes: 128 * 1024,
  redirects: 3,
}

/** A host with its addresses. */
export type ResolvedHost = {
  /** With the port, if it is not the usual one: a server of its own. */
  readonly host: string
  /** At least one, in the order of attempts. */
  readonly addresses: readonly string[]
}

export type SafeRequest = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The caller's; rejects with its reason, because the remote is not at fault. */
  readonly signal?: AbortSignal
  /** Whether to follow a redirect; if not, it is the response. The target is checked in any case. */
  readonly mayFollow?: (to: URL, by: { readonly method: string; readonly status: number }) => boolean
  /** Overrides the default limit. */
  readonly maxBodyBytes?: number
  readonly readAlong?: ReadAlong
  /**
   * Called before each request, including redirects; the function it resolves to is called afterwards. An exception ends the request.
   */
  readonly enter?: (host: ResolvedHost) => Promise<() => void>
}

export type SafeResponse = {
  /** The URL of the response or failure, after redirects. */
  readonly url: string
  /** From the start to the last response headers, or to the failure, without the waits in `enter`. */
  readonly latencyMs: number
} & (
  | {
      readonly ok: true
      readonly status: number
      readonly headers: ResponseHeaders
      readonly body: Uint8Array
    }
  /** `status` and `headers` are set if the failure occurred in the body. */
  | ({ readonly ok: false } & FailedExchange)
)

export type SafeFetch = (url: string, request?: SafeRequest) => Promise<SafeResponse>

export type SafeFetchOptions = {
  /** Allows private and loopback addresses, for tests and intranets. */
  readonly allowPrivate: boolean
  /** Private hosts that are allowed, with their ports as URLs write them, or without. */
  readonly exempt?: readonly string[]
  /** Resolves host names; defaults to the system's resolver. */
  readonly lookup?: Lookup
  readonly limits?: Partial<Limits>
  /** Certificate authorities to trust in place of the public ones, in PEM. */
  readonly ca?: readonly string[]
}

/** The limit of DNS. */
const MAX_HOST_LENGTH = 253

/** After this time the next address is tried, if there is one. */
const MAX_CONNECT_MS = 2_000
const UNCONNECTED: ReadonlySet<FailureReason> = new Set(['connect', 'connect_timeout'])

/** The statuses that a client follows. */
export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const { allowPrivate, exempt = [] } = options
  /** A name that resolves to the address of an exempt host is none. */
  const createJudge = ({ host: named }: URL) =>
    allowPrivate || exempt.includes(named)
      ? () => undefined
      : (host: string) => (exempt.includes(host) ? undefined : unroutableAddressProblem(host))

  return async (address, request = {}) => {
    request.signal?.throwIfAborted()
    let startedAt = performance.now()
    const spentMs = () => Math.round(performance.now() - startedAt)
    const within = () => AbortSignal.timeout(Math.max(0, limits.totalMs - spentMs()))
    const exchangeWith = async (outgoing: OutgoingRequest): Promise<ReceivedResponse | FailedExchange> => {
      const { hostname: host } = outgoing.url
      const judge = createJudge(outgoing.url)
      const { signal } = request
      const foundFrom = performance.now()
      const expiry = [
        { signal: AbortSignal.timeout(limits.connectMs), failure: connectTimeout(host, limits) },
        { signal: within(), failure: totalTimeout(host, limits) },
      ]
      const found = await resolveHost(host, { judge, lookup: options.lookup, expiry, signal })
      if ('reason' in found) return found
      const addresses = addressesToTry(found)
      const waitsFrom = performance.now()
      const connectMs = Math.max(0, limits.connectMs - Math.round(waitsFrom - foundFrom))
      const leave = await request.enter?.({
        host: outgoing.url.host,
        addresses: addresses.map(({ address }) => address),
      })
      startedAt += performance.now() - waitsFrom
      try {
        return await tryEach(outgoing, addresses, connectMs)
      } finally {
        leave?.()
      }
    }
    /** Tries addresses in order until one accepts the connection; nothing was sent to those before. */
    const tryEach = async (
      outgoing: OutgoingRequest,
      [address, ...others]: readonly ResolvedAddress[],
      connectMs: number,
    ): Promise<ReceivedResponse | FailedExchange> => {
      const from = performance.now()
      const { signal } = request
      const answer = await exchange(outgoing, {
        judge: createJudge(outgoing.url),
        address: address!,
        connectMs: others.length > 0 ? Math.min(connectMs, MAX_CONNECT_MS) : connectMs,
        limits,
        deadline: within(),
        signal,
        ...(options.ca && { ca: options.ca }),
      })
      if (others.length === 0 || !('reason' in answer) || !UNCONNECTED.has(answer.reason)) return answer
      return tryEach(outgoing, others, Math.max(0, connectMs - Math.round(performance.now() - from)))
    }
    const end = (url: string, found: ReceivedResponse | FailedExchange): SafeResponse => {
      const at = 'reason' in found ? performance.now() : found.firstByteAt
      const timed = { url, latencyMs: Math.round(at - startedAt) }
      if ('reason' in found) return { ok: false, ...timed, ...found }
      const { status, headers, body } = found
      return { ok: true, ...timed, status, headers, body }
    }

    const first = toTarget(address)
    if ('reason' in first) return end(address, first)
    let outgoing: OutgoingRequest = {
      url: first,
      method: (request.method ?? 'GET').toUpperCase(),
      headers: request.headers ?? {},
      body: request.body,
      maxBodyBytes: request.maxBodyBytes,
      readAlong: request.readAlong,
    }
    for (let redirects = 0; ; redirects++) {
      const found = await exchangeWith(outgoing)
      if ('reason' in found) return end(outgoing.url.href, found)
      const location = REDIRECTS.has(found.status) ? found.headers.get('location') : undefined
      if (location === undefined)
        return end(outgoing.url.href, await decoded(found, outgoing.maxBodyBytes ?? limits.bodyBytes))
      const { status, headers } = found
      const refused = (problem: Message) =>
        end(outgoing.url.href, { ...failure('redirect', problem), status, headers })
      if (redirects === limits.redirects)
        return refused(say('too_many_redirects', { count: limits.redirects }))
      const next = toTarget(location, outgoing.url)
      if ('reason' in next) return refused(say('bad_redirect', { problem: next.message }))
      const redirected = toRedirected(outgoing, next, found.status)
      if (request.mayFollow?.(next, { method: redirected.method, status: found.status }) === false)
        return end(outgoing.url.href, found)
      outgoing = redirected
    }
  }
}

async function decoded(
  answer: ReceivedResponse,
  maxBytes: number,
): Promise<ReceivedResponse | FailedExchange> {
  const { status, headers } = answer
  const found = await decodeBody(answer.body, headers.get('content-encoding'), maxBytes)
  return 'reason' in found ? { ...found, status, headers } : { ...answer, body: found.body }
}

function toTarget(address: string, base?: URL): URL | Failure {
  const url = URL.parse(address, base?.href)
  if (!url) return failure('not_a_url', say('not_a_url', { text: address.slice(0, 200) }))
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return failure('scheme', say('scheme_not_asked', { scheme: shown(url.protocol) }))
  if (url.hostname.length > MAX_HOST_LENGTH)
    return failure('not_a_url', say('host_name_too_long', { characters: url.hostname.length }))
  // An endpoint is checked when it is listed; a redirect target is not.
  if (base && isReservedName(url.hostname))
    return failure('not_a_url', say('reserved_name', { host: url.hostname }))
  if (url.username !== '' || url.password !== '') return failure('not_a_url', say('url_with_password'))
  return url
}

/** As in browsers: 303 always, and 301 and 302 after a POST, turn into GET; credentials are not sent to another origin. */
function toRedirected(outgoing: OutgoingRequest, url: URL, status: number): OutgoingRequest {
  const becomesGet =
    (status === 303 && outgoing.method !== 'HEAD') ||
    ((status === 301 || status === 302) && outgoing.method === 'POST')
  const kept = Object.entries(outgoing.headers).filter(([name]) => {
    if (becomesGet && /^content-/i.test(name)) return false
    return url.origin === outgoing.url.origin || !/^(authorization|cookie|proxy-authorization)$/i.test(name)
  })
  return {
    ...outgoing,
    url,
    method: becomesGet ? 'GET' : outgoing.method,
    headers: Object.fromEntries(kept),
    body: becomesGet ? undefined : outgoing.body,
  }
}

// Decodes Content-Encoding under a limit: a small body may decompress to gigabytes.

const DECODERS = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
] as const)

/** One is usual; each further coding multiplies the work per received byte. */
const MAX_CODINGS = 2

async function decodeBody(
  body: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<{ readonly body: Uint8Array } | Failure> {
  const codings = (contentEncoding ?? '')
    .split(',')
    .map(coding => coding.trim().toLowerCase())
    .filter(coding => coding !== '' && coding !== 'identity')
  if (codings.length > MAX_CODINGS)
    return failure('content_coding', say('body_undecodable', { coding: shownValue(codings.join(', ')) }))
  for (const coding of codings.reverse()) {
    const decode = DECODERS.get(coding as 'gzip')
    if (!decode) return failure('content_coding', say('body_undecodable', { coding: shownValue(coding) }))
    if (body.length === 0) break
    try {
      // On Bun 1.4.4 a bomb of 250 MB is stopped within 7 ms and 3 MB: the limit holds during decompression.
      body = await decode(body, { maxOutputLength: maxBytes })
    } catch (error) {
      return codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
        ? failure('body_too_large', say('body_too_large', { kib: maxBytes / 1024 }))
        : failure('content_coding', say('body_undecodable', { coding }))
    }
  }
  return { body }
}
