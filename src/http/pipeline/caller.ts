// Who asks: a verified key that an operator gave, or else where the request comes from.
import { networkOf } from '../../domain/ip-address.ts'
import { privateAddressProblem } from '../../domain/private-address.ts'
import { bearerOf, type KeyCheck } from './auth.ts'
import type { Exchange } from './route.ts'

export type Caller = { readonly kind: 'key' | 'address'; readonly name: string }

/** Reads where a request comes from, as it is counted: the address, or the block of one that has many for nothing. */
export type ReadOrigin = (exchange: Exchange) => string

/** @param onUnnamedProxy called once, where a proxy in the own network forwards requests and none is trusted */
export function createOriginReader(trustProxy: number, onUnnamedProxy: () => void): ReadOrigin {
  let isTold = false
  return ({ request, server }) => {
    const peer = server.requestIP(request)?.address ?? 'unknown'
    if (trustProxy > 0)
      return networkOf(forwardedAddress(request.headers.get('x-forwarded-for'), trustProxy) ?? peer)
    if (!isTold && request.headers.has('x-forwarded-for') && privateAddressProblem(peer) !== undefined) {
      isTold = true
      onUnnamedProxy()
    }
    return networkOf(peer)
  }
}

export function createCallerReader({ keys, readOrigin }: { keys: KeyCheck; readOrigin: ReadOrigin }) {
  return (exchange: Exchange): Caller => {
    const bearer = bearerOf(exchange.request.headers.get('authorization'))
    // An unverified key must not count as a caller: whoever invents keys would have no limit.
    const key = bearer === undefined ? undefined : keys.peek(bearer)
    // Nor one that a wallet got: a wallet costs nothing, and with a new one for every minute there would be no limit either.
    if (key && key.wallet === null) return { kind: 'key', name: `key ${key.id}` }
    return { kind: key ? 'key' : 'address', name: readOrigin(exchange) }
  }
}

/** Counted from the right: what our own proxies wrote stands there, everything further left is hearsay. */
export function forwardedAddress(header: string | null, hops: number): string | undefined {
  if (header === null) return undefined
  const chain = header.split(',').map(item => toAddress(item.trim()))
  return chain[Math.max(0, chain.length - hops)]
}

/** Without port, brackets and the IPv4-in-IPv6 prefix; undefined where it is no address. */
function toAddress(text: string): string | undefined {
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
  const address = bare.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  return ADDRESS.test(address) ? address : undefined
}

/** Only a name to count by: its form matters, not whether every number in it is in range. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=[^:]*:)[\da-f:.]{2,45})$/

const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** Returns whether a process of this machine calls by itself, not through a proxy that stands on it. */
export function isLocal({ request, server }: Exchange): boolean {
  const address = server.requestIP(request)?.address ?? ''
  return (
    /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(address) &&
    !PROXY_HEADERS.some(name => request.headers.has(name))
  )
}
