/** Judges a host by its text alone: nothing is resolved here. */
import {
  canonicalHost,
  dotted,
  EMBEDDING_IPV4,
  ipv4Number,
  ipv6Number,
  isWithin,
  shared,
} from './ip-address.ts'

type Kind = 'local' | 'documentation'
type Judgement = { readonly kind: Kind; readonly why: string }
type Block = readonly [range: string, kind: Kind, what: string]

// Everything IANA lists as not globally reachable. The first block that contains an address speaks for it.
const IPV4_BLOCKS: readonly Block[] = [
  ['0.0.0.0/8', 'local', 'an address of "this network"'],
  ['10.0.0.0/8', 'local', 'a private address'],
  ['100.64.0.0/10', 'local', 'a shared address behind a carrier (CGNAT)'],
  ['127.0.0.0/8', 'local', 'a loopback address'],
  ['169.254.0.0/16', 'local', 'a link-local address, where clouds keep their metadata'],
  ['172.16.0.0/12', 'local', 'a private address'],
  ['192.0.0.0/24', 'local', 'an address for protocol assignments'],
  ['192.0.2.0/24', 'documentation', 'an address for documentation'],
  ['192.88.99.0/24', 'local', 'a 6to4 relay address'],
  ['192.168.0.0/16', 'local', 'a private address'],
  ['198.18.0.0/15', 'local', 'an address for benchmarks'],
  ['198.51.100.0/24', 'documentation', 'an address for documentation'],
  ['203.0.113.0/24', 'documentation', 'an address for documentation'],
  ['224.0.0.0/4', 'local', 'a multicast address'],
  ['255.255.255.255/32', 'local', 'the broadcast address'],
  ['240.0.0.0/4', 'local', 'a reserved address'],
  // Publicly numbered, but inside Azure it answers every virtual machine with its secrets.
  ['168.63.129.16/32', 'local', 'a cloud metadata address'],
]

const IPV6_BLOCKS: readonly Block[] = [
  ['::/128', 'local', 'the unspecified address'],
  ['::1/128', 'local', 'the loopback address'],
  ['64:ff9b:1::/48', 'local', 'a local NAT64 address'],
  ['2001:db8::/32', 'documentation', 'an address for documentation'],
  ['3fff::/20', 'documentation', 'an address for documentation'],
  ['2001::/32', 'local', 'a Teredo tunnel address'],
  ['2001::/23', 'local', 'an address for protocol assignments'],
  ['2002::/16', 'local', 'a 6to4 tunnel address'],
  ['fc00::/7', 'local', 'a unique local address'],
  ['fe80::/10', 'local', 'a link-local address'],
  ['fec0::/10', 'local', 'a site-local address'],
  ['ff00::/8', 'local', 'a multicast address'],
]

const GLOBAL_UNICAST = '2000::/3'

/** A full sentence where the host is `localhost` or an address that only a machine's own network can reach, in whatever spelling. */
export function privateAddressProblem(host: string): string | undefined {
  const judgement = judge(host)
  return judgement?.kind === 'local' ? judgement.why : undefined
}

/** As `privateAddressProblem`, but addresses that belong to nobody (documentation) are refused too: for whoever is about to connect. */
export function unroutableAddressProblem(host: string): string | undefined {
  return judge(host)?.why
}

/** Asks whether the host is set aside for documentation and tests, so that no service can live there. */
export function isReservedName(host: string): boolean {
  const name = canonicalHost(host)
  if (name === undefined) return false
  return /(^|\.)(example(\.(com|net|org))?|test|invalid)$/.test(name) || judge(host)?.kind === 'documentation'
}

function judge(host: string): Judgement | undefined {
  const name = canonicalHost(host)
  if (name === undefined) return { kind: 'local', why: `${JSON.stringify(host)} is not a host name.` }
  if (/(^|\.)localhost$/.test(name))
    return { kind: 'local', why: `${name} is a name for the machine itself, which nobody else can reach.` }
  if (name.startsWith('[')) return judgeIpv6(name.slice(1, -1))
  return /^\d+\.\d+\.\d+\.\d+$/.test(name) ? judgeIpv4(name, name) : undefined
}

function judgeIpv4(address: string, shownAs: string): Judgement | undefined {
  const number = ipv4Number(address)
  const block = IPV4_BLOCKS.find(([range]) => {
    const [base, bits] = range.split('/') as [string, string]
    return shared(number, ipv4Number(base), 32, Number(bits))
  })
  return block && refusal(block, address === shownAs ? shownAs : `${shownAs} stands for ${address}, which`)
}

function judgeIpv6(address: string): Judgement | undefined {
  const number = ipv6Number(address)
  const block = IPV6_BLOCKS.find(([range]) => isWithin(number, range))
  if (block) return refusal(block, address)
  const isIsatap = ((number >> 32n) & 0xfdff_ffffn) === 0x0000_5efen
  if (isIsatap || EMBEDDING_IPV4.some(range => isWithin(number, range))) {
    const embedded = judgeIpv4(dotted(number & 0xffff_ffffn), address)
    if (embedded) return embedded
    // Only a NAT64 gateway carries such a packet to a public host, and mapped is how a dual-stack socket says IPv4.
    if (isWithin(number, '::ffff:0:0/96') || isWithin(number, '64:ff9b::/96')) return undefined
  }
  if (isWithin(number, GLOBAL_UNICAST)) return undefined
  return { kind: 'local', why: `${address} is outside the public address space (${GLOBAL_UNICAST}).` }
}

const refusal = ([range, kind, what]: Block, subject: string): Judgement => ({
  kind,
  why: `${subject} is ${what} (${range}), so no public service can be reached there.`,
})
