// IP addresses as numbers, in any spelling.
import { memoize } from '../../memory/memoize.ts'
import type { Part } from '../../messages/kinds.ts'
import { type Message, say } from '../../messages/message.ts'

/** IPv6 ranges whose addresses a gateway or the kernel translates to the IPv4 address in their last 32 bits. */
const EMBEDDING_IPV4 = ['::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '::/96']

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
function canonicalHost(host: string): string | undefined {
  const bare = host.trim().replace(/^\[(.*)\]$/, '$1')
  // A zone names a network interface of this machine and is not part of the address.
  const text = bare.includes(':') ? `[${bare.replace(/%.*$/, '')}]` : bare
  if (text === '' || /[/?#@\\]/.test(text)) return undefined
  const parsed = URL.parse(`http://${text}/`)
  return parsed?.hostname.replace(/\.+$/, '') || undefined
}

function isWithin(number: bigint, range: string): boolean {
  const [base, bits] = range.split('/') as [string, string]
  return hasSamePrefix(number, ipv6Number(base), 128, Number(bits))
}

const hasSamePrefix = (a: bigint, b: bigint, width: number, bits: number) =>
  a >> BigInt(width - bits) === b >> BigInt(width - bits)

const ipv4Number = (dottedText: string) =>
  dottedText.split('.').reduce((number, octet) => (number << 8n) | BigInt(octet), 0n)

const dotted = (number: bigint) => [24n, 16n, 8n, 0n].map(shift => (number >> shift) & 0xffn).join('.')

/** @param address in canonical form: hexadecimal groups, at most one `::` */
function ipv6Number(address: string): bigint {
  const [head = '', tail] = address.split('::') as [string, string?]
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].reduce((number, group) => (number << 16n) | BigInt(`0x${group}`), 0n)
}

/** Classifies a host by its text alone: no name is resolved here. */

type Kind = 'local' | 'documentation'
type Judgement = { readonly kind: Kind; readonly why: Message }
type Block = readonly [range: string, kind: Kind, block: Part<'address_block'>]

// Everything that IANA lists as not globally reachable. The first block that contains an address decides.
const IPV4_BLOCKS: readonly Block[] = [
  ['0.0.0.0/8', 'local', 'this_network'],
  ['10.0.0.0/8', 'local', 'private'],
  ['100.64.0.0/10', 'local', 'carrier'],
  ['127.0.0.0/8', 'local', 'loopback'],
  ['169.254.0.0/16', 'local', 'link_local_metadata'],
  ['172.16.0.0/12', 'local', 'private'],
  ['192.0.0.0/24', 'local', 'protocol'],
  ['192.0.2.0/24', 'documentation', 'documentation'],
  ['192.88.99.0/24', 'local', 'relay_6to4'],
  ['192.168.0.0/16', 'local', 'private'],
  ['198.18.0.0/15', 'local', 'benchmark'],
  ['198.51.100.0/24', 'documentation', 'documentation'],
  ['203.0.113.0/24', 'documentation', 'documentation'],
  ['224.0.0.0/4', 'local', 'multicast'],
  ['255.255.255.255/32', 'local', 'broadcast'],
  ['240.0.0.0/4', 'local', 'reserved'],
  // A public address, but within Azure it serves secrets to every virtual machine.
  ['168.63.129.16/32', 'local', 'cloud_metadata'],
]

const IPV6_BLOCKS: readonly Block[] = [
  ['::/128', 'local', 'unspecified'],
  ['::1/128', 'local', 'loopback_ipv6'],
  ['64:ff9b:1::/48', 'local', 'nat64'],
  ['2001:db8::/32', 'documentation', 'documentation'],
  ['3fff::/20', 'documentation', 'documentation'],
  ['2001::/32', 'local', 'teredo'],
  ['2001::/23', 'local', 'protocol'],
  ['2002::/16', 'local', 'tunnel_6to4'],
  ['fc00::/7', 'local', 'unique_local'],
  ['fe80::/10', 'local', 'link_local'],
  ['fec0::/10', 'local', 'site_local'],
  ['ff00::/8', 'local', 'multicast'],
]

const GLOBAL_UNICAST = '2000::/3'

/** The reason to refuse `localhost` and addresses that only a local network can reach, in any spelling. */
export function privateAddressProblem(host: string): Message | undefined {
  const judgement = judge(host)
  return judgement?.kind === 'local' ? judgement.why : undefined
}

/** Like `privateAddressProblem`, but also refuses documentation addresses, which belong to nobody: checked before connecting. */
export function unroutableAddressProblem(host: string): Message | undefined {
  return judge(host)?.why
}

/** Returns whether the host is reserved for documentation and tests, so that no service can exist there. */
export function isReservedName(host: string): boolean {
  const name = canonicalHost(host)
  if (name === undefined) return false
  return /(^|\.)(example(\.(com|net|org))?|test|invalid)$/.test(name) || judge(host)?.kind === 'documentation'
}

function judge(host: string): Judgement | undefined {
  const name = canonicalHost(host)
  if (name === undefined) return { kind: 'local', why: say('not_a_host_name', { text: host }) }
  if (/(^|\.)localhost$/.test(name)) return { kind: 'local', why: say('own_machine', { host: name }) }
  if (name.startsWith('[')) return judgeIpv6(name.slice(1, -1))
  return /^\d+\.\d+\.\d+\.\d+$/.test(name) ? judgeIpv4(name, name) : undefined
}

function judgeIpv4(address: string, embeddedIn: string): Judgement | undefined {
  const number = ipv4Number(address)
  const block = IPV4_BLOCKS.find(([range]) => {
    const [base, bits] = range.split('/') as [string, string]
    return hasSamePrefix(number, ipv4Number(base), 32, Number(bits))
  })
  return block && refusal(block, address, embeddedIn)
}

function judgeIpv6(address: string): Judgement | undefined {
  const number = ipv6Number(address)
  const block = IPV6_BLOCKS.find(([range]) => isWithin(number, range))
  if (block) return refusal(block, address)
  const isIsatap = ((number >> 32n) & 0xfdff_ffffn) === 0x0000_5efen
  if (isIsatap || EMBEDDING_IPV4.some(range => isWithin(number, range))) {
    const embedded = judgeIpv4(dotted(number & 0xffff_ffffn), address)
    if (embedded) return embedded
    // A NAT64 gateway forwards such packets to public hosts, and a dual-stack socket uses the mapped form for IPv4.
    if (isWithin(number, '::ffff:0:0/96') || isWithin(number, '64:ff9b::/96')) return undefined
  }
  if (isWithin(number, GLOBAL_UNICAST)) return undefined
  return { kind: 'local', why: say('not_public', { address, range: GLOBAL_UNICAST }) }
}

const refusal = ([range, kind, block]: Block, address: string, embeddedIn = address): Judgement => ({
  kind,
  why:
    embeddedIn === address
      ? say('unroutable', { address, block, range })
      : say('unroutable_inside', { shownAs: embeddedIn, address, block, range }),
})
