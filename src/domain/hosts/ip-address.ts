// IP addresses in any spelling: by which key they are counted, and which of them the Internet can reach.
import { BlockList } from 'node:net'
import { memoize } from '../../memory/memoize.ts'
import { type Message, say } from '../../messages/message.ts'

/** The first six groups of `::ffff:0:0/96`, the form of IPv4 addresses in IPv6, and of `64:ff9b::/96`, which a gateway translates to them. */
const EMBEDDED = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0']

/**
 * The key by which addresses are counted and limited. IPv4: the address, however it is embedded. IPv6: its /64 block, because the owner
 * of one address in it has all others at no cost. Other texts are returned unchanged.
 * Cached, because every request needs it.
 */
export const networkOf = memoize(4_096, toNetwork)

function toNetwork(address: string): string {
  const host = canonicalHost(address)
  if (!host?.startsWith('[')) return host ?? address
  return `${groupsOf(host).slice(0, 4).join(':')}::/64`
}

/** The /48 block of an IPv6 network, as its holder may have all 65,536 networks in it; other names are returned unchanged. */
export const blockOf = (network: string): string =>
  network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : network

/**
 * The host as a browser's URL parser reads it, without a final dot: decimal, hexadecimal, octal and shortened IPv4,
 * full-width digits and percent escapes all become dotted decimal, and so does IPv4 inside of IPv6; names become lower-case ASCII.
 */
function canonicalHost(host: string): string | undefined {
  const bare = host.trim().replace(/^\[(.*)\]$/, '$1')
  // A zone names a network interface of this machine and is not part of the address.
  const text = bare.includes(':') ? `[${bare.replace(/%.*$/, '')}]` : bare
  if (text === '' || /[/?#@\\]/.test(text)) return undefined
  const name = URL.parse(`http://${text}/`)?.hostname.replace(/\.+$/, '')
  if (!name?.startsWith('[')) return name || undefined
  const groups = groupsOf(name)
  if (!EMBEDDED.includes(groups.slice(0, 6).join(':'))) return name
  const [high, low] = groups.slice(6).map(group => Number.parseInt(group, 16)) as [number, number]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The eight groups of an IPv6 address as URLs write it: in hexadecimal, without leading zeros. */
function groupsOf(host: string): string[] {
  const [before, after = []] = host
    .slice(1, -1)
    .split('::')
    .map(part => (part === '' ? [] : part.split(':')))
  return [...before!, ...Array<string>(8 - before!.length - after.length).fill('0'), ...after]
}

// Classifies a host by its text alone: no name is resolved here.

function toBlocks(...ranges: readonly string[]): (address: string) => boolean {
  const blocks = new BlockList()
  for (const range of ranges) {
    const [base, length] = range.split('/') as [string, string]
    blocks.addSubnet(base, Number(length), familyOf(base))
  }
  return address => blocks.check(address, familyOf(address))
}

const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4')

/** Addresses that nobody has. */
const isForDocumentation = toBlocks(
  ...['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
)
/** What IANA lists as not globally reachable, in IPv4 and in the one part of IPv6 that is. */
const isLocal = toBlocks(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4'],
  // A public address, but within Azure it serves secrets to every virtual machine.
  '168.63.129.16/32',
  ...['2001::/23', '2002::/16'],
)
const isGlobalUnicast = toBlocks('2000::/3')

type Judgement = { readonly kind: 'local' | 'documentation'; readonly why: Message }

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
  if (!/^\[|^\d+\.\d+\.\d+\.\d+$/.test(name)) return undefined
  const address = name.replace(/^\[|\]$/g, '')
  const why = say('not_public', { address })
  if (isForDocumentation(address)) return { kind: 'documentation', why }
  const isOutside = address.includes(':') && !isGlobalUnicast(address)
  return isOutside || isLocal(address) ? { kind: 'local', why } : undefined
}
