// Who asks: a verified key, or else an address.
import { bearerOf, type KeyCheck } from './auth.ts'
import type { Exchange } from './route.ts'

export type Caller = { readonly kind: 'key' | 'address'; readonly name: string }

export function createCallerReader({ keys, trustProxy }: { keys: KeyCheck; trustProxy: number }) {
  return ({ request, server }: Exchange): Caller => {
    const bearer = bearerOf(request.headers.get('authorization'))
    // An unverified key must not count as a caller: whoever invents keys would have no limit.
    const key = bearer === undefined ? undefined : keys.peek(bearer)
    if (key) return { kind: 'key', name: `key ${key.id}` }
    const forwarded =
      trustProxy > 0 ? forwardedAddress(request.headers.get('x-forwarded-for'), trustProxy) : undefined
    return { kind: 'address', name: forwarded ?? server.requestIP(request)?.address ?? 'unknown' }
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

/** Asks whether a process of this machine calls by itself, not through a proxy that stands on it. */
export function isLocal({ request, server }: Exchange): boolean {
  const address = server.requestIP(request)?.address ?? ''
  return (
    /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(address) &&
    !PROXY_HEADERS.some(name => request.headers.has(name))
  )
}
