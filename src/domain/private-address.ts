/** Judges a host by its text alone: nothing is resolved here. */
import type { Part } from '../messages/kinds.ts'
import { type Message, say } from '../messages/message.ts'
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
type Judgement = { readonly kind: Kind; readonly why: Message }
type Block = readonly [range: string, kind: Kind, block: Part<'address_block'>]

// Everything IANA lists as not globally reachable. The first block that contains an address speaks for it.
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
  // Publicly numbered, but inside Azure it answers every virtual machine with its secrets.
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

/** Why not, where the host is `localhost` or an address that only a machine's own network can reach, in whatever spelling. */
export function privateAddressProblem(host: string): Message | undefined {
  const judgement = judge(host)
  return judgement?.kind === 'local' ? judgement.why : undefined
}

/** As `privateAddressProblem`, but addresses that belong to nobody (documentation) are refused too: for whoever is about to connect. */
export function unroutableAddressProblem(host: string): Message | undefined {
  return judge(host)?.why
}

/** Returns whether the host is set aside for documentation and tests, so that no service can live there. */
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

function judgeIpv4(address: string, shownAs: string): Judgement | undefined {
  const number = ipv4Number(address)
  const block = IPV4_BLOCKS.find(([range]) => {
    const [base, bits] = range.split('/') as [string, string]
    return shared(number, ipv4Number(base), 32, Number(bits))
  })
  return block && refusal(block, address, shownAs)
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
  return { kind: 'local', why: say('not_public', { address, range: GLOBAL_UNICAST }) }
}

const refusal = ([range, kind, block]: Block, address: string, shownAs = address): Judgement => ({
  kind,
  why:
    shownAs === address
      ? say('unroutable', { address, block, range })
      : say('unroutable_inside', { shownAs, address, block, range }),
})
