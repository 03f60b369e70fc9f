// Where a service is: the domain of its host, the URL of its endpoint, and the place of a URL among endpoints.
import { readFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { z } from 'zod'
import { lazily, memoize } from '../../memory/memoize.ts'
import { type Message, say } from '../../messages/message.ts'
import { packageFile } from '../../package/files.ts'
import { expecting } from '../problems.ts'

// The registrable domain of a host: one label below a public suffix, by the Public Suffix List. Platforms that give names to their
// customers, like vercel.app, are suffixes too, so that their customers count as different sellers.

const FILE = packageFile('data/public-suffixes.txt')
const IP_ADDRESS = /^\[|^\d{1,3}(\.\d{1,3}){3}$/
const WILDCARD = '*.'
const EXCEPTION = '!'

const readRules = lazily((): ReadonlySet<string> => new Set(readFileSync(FILE, 'utf8').trimEnd().split('\n')))

const isSuffix = (all: ReadonlySet<string>, name: string, parent: string): boolean =>
  all.has(name) || (parent !== '' && all.has(WILDCARD + parent) && !all.has(EXCEPTION + name))

/** Of an address its network, of a mere suffix the suffix itself. @param host as URL writes it: lower case, in ASCII */
export function registrableDomain(host: string): string {
  if (IP_ADDRESS.test(host)) return networkOf(host)
  const rules = readRules()
  const name = host.endsWith('.') ? host.slice(0, -1) : host
  // Longest first: the registrable domain ends with the first suffix that is found, plus one label.
  let domain = name
  for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
    const suffix = name.slice(at + 1)
    const end = suffix.indexOf('.')
    if (isSuffix(rules, suffix, end < 0 ? '' : suffix.slice(end + 1))) return domain
    domain = suffix
  }
  return lastTwo(name)
}

/** For a name below no listed suffix: its last label counts as the suffix. */
function lastTwo(name: string): string {
  const last = name.lastIndexOf('.')
  return last < 0 ? name : name.slice(name.lastIndexOf('.', last - 1) + 1)
}

// The base URL of a service, validated by its text alone: no name is resolved at registration.

/** In UTF-16 units. */
const MAX_URL_LENGTH = 2048

function endpointProblem(text: string): Message | undefined {
  if (text.length > MAX_URL_LENGTH) return say('text_too_long', { max: MAX_URL_LENGTH })
  if (isPlain(text)) return undefined
  if (!/^https?:\/\/[^/?#\\]/i.test(text)) return say('url_expected')
  if (/[\p{Z}\p{C}]/u.test(text) || !text.isWellFormed()) return say('url_with_space')
  const url = URL.parse(text)
  if (!url) return say('url_expected')
  if (url.username !== '' || url.password !== '') return say('url_with_user')
  return undefined
}

export const endpointSchema = z
  .string({ error: expecting('url_expected') })
  .superRefine((text, context) => {
    const problem = endpointProblem(text)
    if (problem) context.addIssue(JSON.stringify(problem))
  })
  .meta({ format: 'uri', maxLength: MAX_URL_LENGTH })

/** Why an endpoint may not be listed on a public directory: a literal private, loopback or link-local address. */
export function privateEndpointProblem(endpoint: string): Message | undefined {
  const host = URL.parse(endpoint)?.hostname
  return host === undefined ? undefined : privateAddressProblem(host)
}

export const endpointHost = (endpoint: string): string => URL.parse(endpoint)?.hostname ?? ''

/** A lower-case host whose last label is not a number, and path segments that are not empty and do not start with a dot. */
const PLAIN = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z][a-z-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/

/**
 * Whether the text is already a URL in canonical form. A fast path: a million URLs are read at every start and one with every payment
 * query, and nearly all are canonical. A Punycode name may be invalid, so it is not accepted here.
 */
const isPlain = (url: string): boolean => PLAIN.test(url) && !url.includes('xn--')

/**
 * The key that all spellings of a URL share: scheme, case of the host, default port, needless escapes, and doubled and trailing
 * slashes do not distinguish endpoints.
 */
export function endpointKey(endpoint: string): string {
  if (isPlain(endpoint)) return endpoint.slice(endpoint.indexOf('//') + 2)
  const url = URL.parse(endpoint)
  if (!url) return endpoint
  const host = url.hostname.replace(/\.$/, '')
  const port = url.port === '' || url.port === '80' || url.port === '443' ? '' : `:${url.port}`
  const path = withoutNeedlessEscapes(url.pathname)
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
  return host + port + path + withoutNeedlessEscapes(url.search)
}

const withoutNeedlessEscapes = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (escaped, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16))
    return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase()
  })

/** Names reserved for documentation and tests resolve nowhere, so they are never probed. */
export const isNeverProbed = (endpoint: string): boolean => isReservedName(endpointHost(endpoint))

// Places: URLs compared by path, and the endpoints that they are below.

/** The key of an endpoint and of the URLs below it, by path alone. */
export function placeOf(url: string): string {
  const key = endpointKey(url)
  const query = key.indexOf('?')
  // Before a query, `endpointKey` leaves the slash at the end of the path.
  return query < 0 ? key : key.slice(0, query).replace(/\/$/, '')
}

/** The query of an endpoint, empty if it has none. A listing with a query represents only that query: the seller may depend on the query. */
export function queryOf(url: string): string {
  if (!url.includes('?')) return ''
  const query = URL.parse(url)?.search.slice(1) ?? ''
  // `?&` has no parameters: every URL of the path would have all of them.
  return query.replaceAll('&', '') === '' ? '' : query
}

/** Parameters of a listed query that are compared one by one; a longer query must be the same text. */
const MAX_PARAMETERS = 32

/** The query of a URL, parsed once for all listings that it is compared with. */
export type QueryValues = { readonly text: string; readonly values: ReadonlyMap<string, readonly string[]> }

export const readQueryValues = (url: string): QueryValues => {
  const text = queryOf(url)
  return { text, values: toValues(text) }
}

const toValues = (query: string): ReadonlyMap<string, readonly string[]> => {
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(query))
    values.getOrInsertComputed(name, () => []).push(value)
  return values
}

/** Returns whether a URL has all parameters of a query with the same values. With a further value, the server might read that one. */
export function hasQuery({ text, values }: QueryValues, query: string): boolean {
  if (query === '' || query === text) return true
  if (query.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS) return false
  return [...toValues(query)].every(([name, listed]) => isSameValues(listed, values.get(name) ?? []))
}

/** Returns whether a URL that has all parameters of a query has no others. */
export const isWholeQuery = ({ text }: QueryValues, query: string): boolean =>
  query === text || new URLSearchParams(query).size === new URLSearchParams(text).size

const isSameValues = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted())

/** Its own place first, then its parents. */
export function placesOf(url: string): string[] {
  const own = placeOf(url)
  const places = [own]
  for (let end = own.lastIndexOf('/'); end > 0; end = own.lastIndexOf('/', end - 1))
    places.push(own.slice(0, end))
  return places
}

/** Whether scheme, host and port of a URL equal those of an endpoint. */
export function isSameOrigin(url: string, endpoint: string): boolean {
  // The usual case: the URL starts with the endpoint, followed by its end or by a character that ends a host.
  if (url.startsWith(endpoint) && '/\\?#'.includes(url.charAt(endpoint.length))) return true
  const [first, second] = [URL.parse(url), URL.parse(endpoint)]
  return first !== null && first.origin === second?.origin
}

// IP addresses in any spelling: by which key they are counted, and which of them the Internet can reach.

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
