/**
 * The only way out to strangers' servers: every address is judged before it is connected to, redirects are followed here
 * and judged again, and time, headers and body are limited. What the remote does wrong is an answer, never an exception.
 */

import { isReservedName, unroutableAddressProblem } from '../domain/private-address.ts'
import { type Message, say } from '../messages/message.ts'
import { decodeBody } from './content-coding.ts'
import { drawAddresses, type Spread } from './draw-addresses.ts'
import {
  type Answer,
  type Ask,
  connectTimeout,
  exchange,
  type Failed,
  type Limits,
  type ReadAlong,
  type ResponseHeaders,
  totalTimeout,
} from './exchange.ts'
import { type Failure, type FailureReason, failure } from './remote-failure.ts'
import { type Lookup, type ResolvedAddress, resolve } from './resolve.ts'
import { shown } from './untrusted-text.ts'

export const DEFAULT_LIMITS: Limits = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  totalMs: 15_000,
  bodyBytes: 256 * 1024,
  headerBytes: 128 * 1024,
  redirects: 3,
}

/** Where a request leads. */
export type ResolvedHost = {
  readonly host: string
  /** At least one; the first is tried first. */
  readonly addresses: readonly string[]
}

export type SafeRequest = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Raised by the caller, it ends the request with an exception: the remote is not to blame. */
  readonly signal?: AbortSignal
  /** Picks those of a host's addresses that may be connected to, one at least. What it throws ends the request. */
  readonly choose?: (addresses: readonly string[]) => readonly string[]
  /** Draws which of a host's addresses is asked; without it the resolver's order holds. */
  readonly spread?: Spread
  /** Whether a redirect may be followed; where not, it is the answer. It is judged like every other address all the same. */
  readonly mayFollow?: (to: URL, by: { readonly method: string; readonly status: number }) => boolean
  /** In place of the usual limit. */
  readonly maxBodyBytes?: number
  readonly readAlong?: ReadAlong
  /** Called before each place is asked, that of a redirect too, and what it resolves to afterwards. What it throws ends the request. */
  readonly enter?: (place: ResolvedHost) => Promise<() => void>
}

export type SafeResponse = {
  /** Where the answer or the failure came from, after redirects. */
  readonly url: string
  /** From the start to the headers of the last answer, or to the failure; the waits to be let in do not count. */
  readonly latencyMs: number
  /** Addresses that took no connection, so that the next was tried. */
  readonly unreached?: readonly string[]
} & (
  | {
      readonly ok: true
      readonly status: number
      readonly headers: ResponseHeaders
      readonly body: Uint8Array
      /** Where the host was found. */
      readonly address: string
    }
  /** `status` and `headers` are there where the remote got as far as its body. */
  | ({ readonly ok: false } & Failed)
)

export type SafeFetch = (url: string, request?: SafeRequest) => Promise<SafeResponse>

export type SafeFetchOptions = {
  /** Opens private and loopback addresses, for tests and intranets. */
  readonly allowPrivate: boolean
  /** Hosts that are let through although they are private. */
  readonly exempt?: readonly string[]
  /** Finds the addresses of a name; the system's resolver unless given. */
  readonly lookup?: Lookup
  readonly limits?: Partial<Limits>
  /** Certificate authorities to trust in place of the public ones, in PEM. */
  readonly ca?: readonly string[]
}

/** As names are limited to by DNS. */
const MAX_HOST_LENGTH = 253

/** A connection that takes longer is tried at the next address, where there is one. */
const MAX_CONNECT_MS = 2_000
const UNCONNECTED: ReadonlySet<FailureReason> = new Set(['connect', 'connect_timeout'])

/** The answers that lead a client on. */
export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const judge = (host: string) =>
    options.allowPrivate || options.exempt?.includes(host) ? undefined : unroutableAddressProblem(host)

  return async (address, request = {}) => {
    request.signal?.throwIfAborted()
    let startedAt = performance.now()
    const unreached = new Set<string>()
    const spentMs = () => Math.round(performance.now() - startedAt)
    const within = () => AbortSignal.timeout(Math.max(0, limits.totalMs - spentMs()))
    const exchangeWith = async (ask: Ask): Promise<Answer | Failed> => {
      const { hostname: host } = ask.url
      const { signal } = request
      const foundFrom = performance.now()
      const expiry = [
        { signal: AbortSignal.timeout(limits.connectMs), failure: connectTimeout(host, limits) },
        { signal: within(), failure: totalTimeout(host, limits) },
      ]
      const found = await resolve(host, { judge, lookup: options.lookup, expiry, signal })
      if ('reason' in found) return found
      const drawn = drawAddresses(found, request.spread)
      const chosen = request.choose?.(drawn.map(({ address }) => address))
      const addresses = chosen ? drawn.filter(({ address }) => chosen.includes(address)) : drawn
      const waitsFrom = performance.now()
      const connectMs = Math.max(0, limits.connectMs - Math.round(waitsFrom - foundFrom))
      const leave = await request.enter?.({ host, addresses: addresses.map(({ address }) => address) })
      startedAt += performance.now() - waitsFrom
      try {
        return await askEach(ask, addresses, connectMs)
      } finally {
        leave?.()
      }
    }
    /** One after the other, until one takes the connection: nothing was sent to those before it. */
    const askEach = async (
      ask: Ask,
      [address, ...others]: readonly ResolvedAddress[],
      connectMs: number,
    ): Promise<Answer | Failed> => {
      const from = performance.now()
      const { signal } = request
      const answer = await exchange(ask, {
        judge,
        address: address!,
        connectMs: others.length > 0 ? Math.min(connectMs, MAX_CONNECT_MS) : connectMs,
        limits,
        deadline: within(),
        signal,
        ...(options.ca && { ca: options.ca }),
      })
      if (others.length === 0 || !('reason' in answer) || !UNCONNECTED.has(answer.reason)) return answer
      unreached.add(address!.address)
      return askEach(ask, others, Math.max(0, connectMs - Math.round(performance.now() - from)))
    }
    const end = (url: string, found: Answer | Failed): SafeResponse => {
      const at = 'reason' in found ? performance.now() : found.firstByteAt
      const place = {
        url,
        latencyMs: Math.round(at - startedAt),
        ...(unreached.size > 0 && { unreached: [...unreached] }),
      }
      if ('reason' in found) return { ok: false, ...place, ...found }
      const { status, headers, body, address } = found
      return { ok: true, ...place, status, headers, body, address }
    }

    const first = toTarget(address)
    if ('reason' in first) return end(address, first)
    let ask: Ask = {
      url: first,
      method: (request.method ?? 'GET').toUpperCase(),
      headers: request.headers ?? {},
      body: request.body,
      maxBodyBytes: request.maxBodyBytes,
      readAlong: request.readAlong,
    }
    for (let redirects = 0; ; redirects++) {
      const found = await exchangeWith(ask)
      if ('reason' in found) return end(ask.url.href, found)
      const location = REDIRECTS.has(found.status) ? found.headers.get('location') : undefined
      if (location === undefined)
        return end(ask.url.href, await decoded(found, ask.maxBodyBytes ?? limits.bodyBytes))
      const { status, headers } = found
      const refused = (problem: Message) =>
        end(ask.url.href, { ...failure('redirect', problem), status, headers })
      if (redirects === limits.redirects)
        return refused(say('too_many_redirects', { count: limits.redirects }))
      const next = toTarget(location, ask.url)
      if ('reason' in next) return refused(say('bad_redirect', { problem: next.message }))
      const redirected = toRedirected(ask, next, found.status)
      if (request.mayFollow?.(next, { method: redirected.method, status: found.status }) === false)
        return end(ask.url.href, found)
      ask = redirected
    }
  }
}

async function decoded(answer: Answer, maxBytes: number): Promise<Answer | Failed> {
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
  // An endpoint is judged by whoever lists it; where it leads is not.
  if (base && isReservedName(url.hostname))
    return failure('not_a_url', say('reserved_name', { host: url.hostname }))
  if (url.username !== '' || url.password !== '') return failure('not_a_url', say('url_with_password'))
  return url
}

/** As browsers do: 303 always, 301 and 302 after a POST, turn into GET; a foreign origin is told no secret of the first. */
function toRedirected(ask: Ask, url: URL, status: number): Ask {
  const becomesGet =
    (status === 303 && ask.method !== 'HEAD') || ((status === 301 || status === 302) && ask.method === 'POST')
  const kept = Object.entries(ask.headers).filter(([name]) => {
    if (becomesGet && /^content-/i.test(name)) return false
    return url.origin === ask.url.origin || !/^(authorization|cookie|proxy-authorization)$/i.test(name)
  })
  return {
    ...ask,
    url,
    method: becomesGet ? 'GET' : ask.method,
    headers: Object.fromEntries(kept),
    body: becomesGet ? undefined : ask.body,
  }
}
