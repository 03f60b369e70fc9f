// IP addresses as numbers, in any spelling.
import { memoize } from '../../memory/memoize.ts'

/** IPv6 ranges whose addresses a gateway or the kernel translates to the IPv4 address in their last 32 bits. */
export const EMBEDDING_IPV4 = ['::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '::/96']

const SIX_TO_FOUR = '2002::/16'

/**
 * The key by which addresses are counted and limited. IPv4: the address, however it is embedded. IPv6: its /64 block, because the owner
 * of one address in it has all others at no cost. Other texts are returned unchanged.
 * Cached, because every request needs it: parsing an IPv6 address takes 80 µs, more than a whole request.
 */
export const networkOf = memoize(4_096, toNetwork)

function toNetwork(address: string): string {
  const host = canonicalHost(address)
  if (host === undefined || !host.startsWith('[')) return host ?? address
  const number = ipv6Number(host.slice(1, -1))
  if (number > 1n && EMBEDDING_IPV4.some(range => isWithin(number, range)))
    return dotted(number & 0xffff_ffffn)
  // 6to4: a /48 block belongs to the IPv4 address in it.
  if (isWithin(number, SIX_TO_FOUR)) return dotted((number >> 80n) & 0xffff_ffffn)
  const groups = [112n, 96n, 80n, 64n].map(shift => ((number >> shift) & 0xffffn).toString(16))
  return `${groups.join(':')}::/64`
}

/** The /48 block of an IPv6 network, as its holder may have all 65,536 networks in it; other names are returned unchanged. */
export const blockOf = (network: string): string =>
  network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : network

/**
 * The host as a browser's URL parser reads it, without a final dot: decimal, hexadecimal, octal and shortened IPv4,
 * full-width digits and percent escapes all become dotted decimal; names become lower-case ASCII.
 */
export function canonicalHost(host: string): string | undefined {
  const bare = host.trim().replace(/^\[(.*)\]$/, '$1')
  // A zone names a network interface of this machine and is not part of the address.
  const text = bare.includes(':') ? `[${bare.replace(/%.*$/, '')}]` : bare
  if (text === '' || /[/?#@\\]/.test(text)) return undefined
  const parsed = URL.parse(`http://${text}/`)
  return parsed?.hostname.replace(/\.+$/, '') || undefined
}

export function isWithin(number: bigint, range: string): boolean {
  const [base, bits] = range.split('/') as [string, string]
  return hasSamePrefix(number, ipv6Number(base), 128, Number(bits))
}

export const hasSamePrefix = (a: bigint, b: bigint, width: number, bits: number) =>
  a >> BigInt(width - bits) === b >> BigInt(width - bits)

export const ipv4Number = (dottedText: string) =>
  dottedText.split('.').reduce((number, octet) => (number << 8n) | BigInt(octet), 0n)

export const dotted = (number: bigint) => [24n, 16n, 8n, 0n].map(shift => (number >> shift) & 0xffn).join('.')

/** @param address in canonical form: hexadecimal groups, at most one `::` */
export function ipv6Number(address: string): bigint {
  const [head = '', tail] = address.split('::') as [string, string?]
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].reduce((number, group) => (number << 16n) | BigInt(`0x${group}`), 0n)
}
