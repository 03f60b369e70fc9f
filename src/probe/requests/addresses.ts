// Resolves a host before the connection and names what can fail on the way. The connection uses these
// addresses without another lookup: the address checked and counted is the address connected to.
import { isIP } from 'node:net'
import type { Word } from '../../messages/kinds.ts'
import { type Message, say } from '../../messages/message.ts'

// Failures of the remote server: a reason for decisions and a message for the owner, never an exception.

export type FailureReason =
  /** The URL must not be requested. */
  | 'not_a_url'
  | 'scheme'
  | 'private_address'
  /** No response. */
  | 'dns'
  | 'dns_temporary'
  | 'connect'
  | 'tls'
  | 'connect_timeout'
  | 'first_byte_timeout'
  | 'total_timeout'
  | 'closed'
  /** An unreadable response. */
  | 'protocol'
  | 'headers_too_large'
  | 'body_too_large'
  | 'content_coding'
  | 'redirect'

export type Failure = { readonly reason: FailureReason; readonly message: Message }

export const failure = (reason: FailureReason, message: Message): Failure => ({ reason, message })

/** Local resource errors: they are thrown, so that no remote is blamed. */
const OUR_FAULT = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EACCES', 'EPERM'])

export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''

const CERTIFICATES: Readonly<Record<string, Word<'certificate'>>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not_yet_valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'self_signed_chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'incomplete_chain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'other_name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no_tls',
}

/** A name without an address, as opposed to an unavailable resolver. */
export function dnsFailure(host: string, error: unknown): Failure {
  const code = codeOf(error).replace(/^DNS_/, '')
  if (OUR_FAULT.has(code)) throw error
  return code === 'ENOTFOUND' || code === 'ENODATA' || code === ''
    ? failure('dns', say('name_without_address', { host, errno: code || null }))
    : failure('dns_temporary', say('name_unresolved', { host, errno: code }))
}

/** How far an exchange has come: no connection, a TCP connection, the request sent (after TLS), headers received. */
export type Reached = 'nothing' | 'tcp' | 'request' | 'headers'

export function socketFailure(host: string, error: unknown, reached: Reached): Failure {
  const code = codeOf(error)
  if (OUR_FAULT.has(code)) throw error
  const broken = { host, errno: code || null }
  if (code === 'HPE_HEADER_OVERFLOW') return failure('headers_too_large', say('headers_too_large', { host }))
  if (code.startsWith('HPE_')) return failure('protocol', say('not_http', broken))
  if (reached === 'nothing') return failure('connect', say('connection_refused', broken))
  if (reached === 'tcp') {
    const certificate = CERTIFICATES[code]
    return failure(
      'tls',
      certificate ? say('bad_certificate', { host, certificate }) : say('tls_failed', broken),
    )
  }
  return failure('closed', say(reached === 'headers' ? 'closed_in_answer' : 'closed_without_answer', broken))
}

export type ResolvedAddress = { readonly address: string; readonly family: 4 | 6 }
export type Lookup = (host: string) => Promise<readonly ResolvedAddress[]>

type ResolveOptions = {
  /** @returns why a host or address must not be connected to */
  readonly judge: (host: string) => Message | undefined
  /** Defaults to the system's resolver. */
  readonly lookup?: Lookup | undefined
  /** Timeouts, with the failure of each. */
  readonly expiry: readonly { readonly signal: AbortSignal; readonly failure: Failure }[]
  /** The caller's; rejects with its reason. */
  readonly signal: AbortSignal | undefined
}

/**
 * Looks up each family separately: asked for both, a resolver may leave out the one that this machine cannot reach. Not by the C
 * library, which keeps a thread for each lookup: four names whose name server is silent would then hold up the lookups of all others.
 */
const systemLookup: Lookup = async host => {
  const found = await Promise.allSettled(
    ([4, 6] as const).map(async family =>
      (await Bun.dns.lookup(host, { family, backend: 'c-ares' })).map(({ address }) => ({ address, family })),
    ),
  )
  const addresses = found.flatMap(each => (each.status === 'fulfilled' ? each.value : []))
  // A name in the file of hosts may be listed twice.
  if (addresses.length > 0) return [...new Map(addresses.map(each => [each.address, each])).values()]
  throw found.find(each => each.status === 'rejected')?.reason
}

/** Rejects only for local reasons: the caller's signal, or no free sockets. */
export async function resolveHost(
  hostname: string,
  options: ResolveOptions,
): Promise<readonly ResolvedAddress[] | Failure> {
  const { judge, lookup = systemLookup } = options
  const problem = judge(hostname)
  if (problem) return failure('private_address', problem)
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  if (family) return [{ address: host, family: family === 6 ? 6 : 4 }]
  const found = await within(
    lookup(host).catch(error => dnsFailure(host, error)),
    options,
  )
  if ('reason' in found) return found
  if (found.length === 0) return dnsFailure(host, undefined)
  // One forbidden address among good ones rejects all: it shows that the owner of the name is attacking.
  const astray = found.map(({ address }) => judge(address)).find(problem => problem !== undefined)
  if (astray) return failure('private_address', say('name_leads_astray', { host, problem: astray }))
  return found
}

/** A lookup cannot be aborted, but the wait for it can. */
function within<T>(found: Promise<T>, { expiry, signal }: ResolveOptions): Promise<T | Failure> {
  const { promise, resolve, reject } = Promise.withResolvers<T | Failure>()
  const ended = new AbortController()
  const when = (by: AbortSignal, react: () => void) => {
    if (by.aborted) react()
    else by.addEventListener('abort', react, { once: true, signal: ended.signal })
  }
  found.then(resolve, reject)
  for (const { signal: by, failure } of expiry) when(by, () => resolve(failure))
  if (signal) when(signal, () => reject(signal.reason))
  return promise.finally(() => ended.abort())
}

/** Per family. Each address counts against its limit, and the others would only be tried after these. */
const MAX_ADDRESSES = 2

/** In the resolver's order, like any client. */
export const addressesToTry = (found: readonly ResolvedAddress[]): ResolvedAddress[] =>
  ([4, 6] as const)
    .flatMap(family => found.filter(each => each.family === family).slice(0, MAX_ADDRESSES))
    .toSorted((a, b) => found.indexOf(a) - found.indexOf(b))
