// IP addresses as numbers, in any spelling.
import { memoize } from '../../memory/memoize.ts'
import type { Part } from '../../messages/kinds.ts'
import { type Message, say } from '../../messages/message.ts'

const LOW_32 = 0xffff_ffffn
/** `::ffff:0:0/96`, the form of IPv4 addresses in IPv6, and `64:ff9b::/96`, which a gateway translates to them. */
const MAPPED = 0xffffn << 32n
const NAT64 = 0x64_ff9bn << 96n

/**
 * The key by which addresses are counted and limited. IPv4: the address, however it is embedded. IPv6: its /64 block, because the owner
 * of one address in it has all others at no cost. Other texts are returned unchanged.
 * Cached, because every request needs it: parsing an IPv6 address takes 80 µs, more than a whole request.
 */
export const networkOf = memoize(4_096, toNetwork)

function toNetwork(address: string): string {
  const host = canonicalHost(address)
  if (host === undefined || !host.startsWith('[')) return host ?? address
  const number = toNumber(host)
  if (isIpv4(number)) return dotted(number)
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

/** @param host in canonical form @returns 128 bits, with IPv4 as it is mapped into IPv6 */
function toNumber(host: string): bigint {
  if (!host.startsWith('['))
    return host.split('.').reduce((number, octet) => (number << 8n) | BigInt(octet), 0n) | MAPPED
  const [head = '', tail] = host.slice(1, -1).split('::')
  const [before, after] = [head, tail ?? ''].map(part => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(8 - before!.length - after!.length).fill('0')
  const number = [...before!, ...zeros, ...after!].reduce(
    (number, group) => (number << 16n) | BigInt(`0x${group}`),
    0n,
  )
  return number - (number & LOW_32) === NAT64 ? MAPPED | (number & LOW_32) : number
}

const isIpv4 = (number: bigint): boolean => number - (number & LOW_32) === MAPPED

const dotted = (number: bigint) => [24n, 16n, 8n, 0n].map(shift => (number >> shift) & 0xffn).join('.')

/** @param range in CIDR notation */
function isWithin(number: bigint, range: string): boolean {
  const [base = '', length] = range.split('/')
  const isShort = !base.includes(':')
  const rest = BigInt((isShort ? 32 : 128) - Number(length))
  return number >> rest === toNumber(isShort ? base : `[${base}]`) >> rest
}

/** Classifies a host by its text alone: no name is resolved here. */

type Kind = 'local' | 'documentation'
type Judgement = { readonly kind: Kind; readonly why: Message }

/** What IANA lists as not globally reachable, in IPv4 and in the one part of IPv6 that is. The first block decides. */
const BLOCKS: readonly (readonly [range: string, kind: Kind, block: Part<'address_block'>])[] = [
  ['0.0.0.0/8', 'local', 'this_network'],
  ['10.0.0.0/8', 'local', 'private'],
  ['100.64.0.0/10', 'local', 'carrier'],
  ['127.0.0.0/8', 'local', 'loopback'],
  ['169.254.0.0/16', 'local', 'link_local_metadata'],
  ['172.16.0.0/12', 'local', 'private'],
  ['192.0.0.0/24', 'local', 'protocol'],
  ['192.0.2.0/24', 'documentation', 'documentation'],
  ['192.88.99.0/24', 'local', 'tunnel_6to4'],
  ['192.168.0.0/16', 'local', 'private'],
  ['198.18.0.0/15', 'local', 'benchmark'],
  ['198.51.100.0/24', 'documentation', 'documentation'],
  ['203.0.113.0/24', 'documentation', 'documentation'],
  ['224.0.0.0/4', 'local', 'multicast'],
  ['255.255.255.255/32', 'local', 'broadcast'],
  ['240.0.0.0/4', 'local', 'reserved'],
  // A public address, but within Azure it serves secrets to every virtual machine.
  ['168.63.129.16/32', 'local', 'cloud_metadata'],
  ['2001:db8::/32', 'documentation', 'documentation'],
  ['3fff::/20', 'documentation', 'documentation'],
  ['2001::/23', 'local', 'protocol'],
  ['2002::/16', 'local', 'tunnel_6to4'],
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
  return /^\[|^\d+\.\d+\.\d+\.\d+$/.test(name) ? judgeAddress(name) : undefined
}

function judgeAddress(name: string): Judgement | undefined {
  const number = toNumber(name)
  const shownAs = name.replace(/^\[|\]$/g, '')
  const address = isIpv4(number) ? dotted(number) : shownAs
  const found = BLOCKS.find(([range]) => isWithin(number, range))
  if (found) {
    const [range, kind, block] = found
    const why =
      address === shownAs
        ? say('unroutable', { address, block, range })
        : say('unroutable_inside', { shownAs, address, block, range })
    return { kind, why }
  }
  if (isIpv4(number) || isWithin(number, GLOBAL_UNICAST)) return undefined
  return { kind: 'local', why: say('not_public', { address, range: GLOBAL_UNICAST }) }
}
