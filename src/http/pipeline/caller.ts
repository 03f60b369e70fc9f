// Who calls: a verified key from the operator, else the network; whether from this machine; and at which address of ours.
import type { Keyring } from '../../directory/keys.ts'
import { networkOf, privateAddressProblem } from '../../domain/hosts/endpoint.ts'
import type { Incoming } from './route.ts'

export type KeyCheck = Pick<Keyring, 'authorize' | 'peek'>

/** The API key: `Authorization: Bearer <key>`, with a case-insensitive scheme (RFC 6750, RFC 9110). */
export function bearerOf(authorization: string | null): string | undefined {
  if (authorization === null) return undefined
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1]
}

/** Whose requests are counted together. What a key may do is in `Caller` (directory/keys.ts). */
export type Requester = { readonly kind: 'key' | 'address'; readonly name: string }

/** Returns the network of the caller for rate limits: its address, or the block of addresses where one holder has many. */
export type ReadCallerNetwork = (incoming: Incoming) => string

/** @param onUnnamedProxy called once if a local proxy forwards requests and none is trusted */
export function createCallerNetworkReader(trustProxy: number, onUnnamedProxy: () => void): ReadCallerNetwork {
  let isReported = false
  return ({ request, server }) => {
    const peer = server.requestIP(request)?.address ?? 'unknown'
    if (trustProxy > 0)
      return networkOf(forwardedAddress(request.headers.get('x-forwarded-for'), trustProxy) ?? peer)
    if (!isReported && request.headers.has('x-forwarded-for') && privateAddressProblem(peer) !== undefined) {
      isReported = true
      onUnnamedProxy()
    }
    return networkOf(peer)
  }
}

export function createRequesterReader({
  keys,
  readCallerNetwork,
}: {
  keys: KeyCheck
  readCallerNetwork: ReadCallerNetwork
}) {
  return (incoming: Incoming): Requester => {
    const bearer = bearerOf(incoming.request.headers.get('authorization'))
    // An unverified key must not identify a caller: invented keys would evade the limit.
    const key = bearer === undefined ? undefined : keys.peek(bearer)
    // Nor does a wallet's key: wallets cost nothing to create.
    if (key && key.wallet === null) return { kind: 'key', name: `key ${key.id}` }
    return { kind: key ? 'key' : 'address', name: readCallerNetwork(incoming) }
  }
}

/** Counted from the right: our own proxies appended those entries; entries further left can be forged. */
function forwardedAddress(header: string | null, hops: number): string | undefined {
  if (header === null) return undefined
  const chain = header.split(',').map(item => toAddress(item.trim()))
  return chain[Math.max(0, chain.length - hops)]
}

/** Without port, brackets and IPv4-in-IPv6 prefix; undefined if it is not an address. */
function toAddress(text: string): string | undefined {
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
  const address = bare.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  return ADDRESS.test(address) ? address : undefined
}

/** Only used as a key for counting, so number ranges are not checked. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=[^:]*:)[\da-f:.]{2,45})$/

const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** Whether a URL names this machine itself. Another name may have been re-pointed to it by a stranger's page (DNS rebinding). */
export const isLoopback = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(url)?.hostname ?? '')

/** Whether a process on this machine calls directly, by an address of the machine and not through a local proxy. */
export function isLocal({ request, server }: Incoming): boolean {
  const address = server.requestIP(request)?.address ?? ''
  return (
    /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(address) &&
    isLoopback(request.url) &&
    !PROXY_HEADERS.some(name => request.headers.has(name))
  )
}

/**
 * Without a public URL, the host that the client requested, else the listening address. Only for text to copy and uncached responses:
 * the client chooses its Host header.
 */
export const addressFor = ({ request, server }: Incoming, publicUrl: string | undefined): string =>
  publicUrl || (URL.parse(request.url)?.origin ?? server.url.origin)
