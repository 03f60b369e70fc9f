// Environment and flags become one frozen Config; nothing else in the project reads the environment. Bun itself adds
// the `.env` file of the working directory to it, where the real environment has no value.
import { isIP } from 'node:net'
import type { Caps } from '../domain/caps.ts'
import { CHAINS } from '../domain/chains.ts'
import { toMicroDollars } from '../domain/micro-dollars.ts'
import { DECIMAL } from '../domain/money.ts'
import { nearest } from '../domain/nearest.ts'
import { LOG_LEVELS } from '../runtime/log-level.ts'
import { Secret } from '../runtime/secret.ts'

const METRICS_READERS = ['local', 'open', 'off'] as const

/** Every setting with how it is read: text in, value out, or a sentence about what is wrong with it. */
const SETTINGS = {
  PORT: { standard: '4020', read: wholeNumber(0, 65_535) },
  HOST: { standard: '', read: readHosts },
  API_KEYS: { standard: '', read: readKeys },
  LOG_LEVEL: { standard: 'info', read: oneOf(LOG_LEVELS) },
  TRUST_PROXY: { standard: '0', read: wholeNumber(0, 32) },
  STRICT_ADDRESSES: { standard: 'off', read: onOrOff },
  METRICS: { standard: 'local', read: oneOf(METRICS_READERS) },
  DATABASE_URL: { standard: 'sqlite:./data/shirube.db', read: readDatabaseUrl },
  DATABASE_REPLICA_URL: { standard: '', read: readReplicaUrl },
  CATALOG_FILE: { standard: '', read: readCatalogFile },
  RATES: { standard: '', read: readRatesSource },
  DIRECTORY_NAME: { standard: 'Shirube', read: readName },
  SECURITY_CONTACT: { standard: '', read: readContact },
  PUBLIC_URL: { standard: '', read: (text: string) => (text === '' ? undefined : readUrl(text)) },
  PROBE: { standard: 'on', read: onOrOff },
  WEBHOOKS: { standard: 'on', read: onOrOff },
  ALLOW_PRIVATE_ENDPOINTS: { standard: 'off', read: onOrOff },
  CHAIN_CONFIRMATIONS: { standard: '12', read: wholeNumber(0, 10_000) },
  CHAIN_BACKFILL_BLOCKS: { standard: '50000', read: wholeNumber(0, 100_000_000) },
  ASSETS: { standard: '', read: (text: string) => (text === '' ? undefined : text) },
  FACILITATORS: { standard: '', read: (text: string) => (text === '' ? undefined : text) },
  BUYER_KEY_EVM: { standard: '', read: (text: string) => (text === '' ? undefined : new Secret(text)) },
  BUYER_KEY_FILE: { standard: '', read: (text: string) => (text === '' ? undefined : text) },
  BUDGET_PER_CALL: { standard: '0.01', read: readDollars },
  BUDGET_PER_SERVICE: { standard: '0.05', read: readDollars },
  BUDGET_PER_HOST: { standard: '0.25', read: readDollars },
  BUDGET_PER_DAY: { standard: '0', read: readDollars },
  SYNC_MAX_BYTES: { standard: String(256 * 1024 * 1024), read: wholeNumber(0, 9_999_999_999) },
  SYNC_MAX_ENTRIES: { standard: '200000', read: wholeNumber(0, 1_000_000_000) },
  RATE_LIMIT: { standard: '6000', read: wholeNumber(0, 1_000_000_000) },
  MAX_LISTENERS: { standard: '200', read: wholeNumber(0, 1_000_000) },
  SHIRUBE_URL: { standard: 'http://127.0.0.1:4020', read: readUrl },
  SHIRUBE_KEY: { standard: '', read: readKey },
} as const
type Name = keyof typeof SETTINGS

/** The names of all settings with their defaults as text; empty: none. */
export const SETTING_DEFAULTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { standard }]) => [name, standard]),
)

/** One setting for each network that is read: RPC_URL_BASE, RPC_URL_BASE_SEPOLIA, RPC_URL_SOLANA, … */
export const RPC_URL_PREFIX = 'RPC_URL_'
const READABLE_CHAINS = new Map(
  CHAINS.filter(({ family }) => family === 'evm' || family === 'solana').map(({ id, name }) => [
    RPC_URL_PREFIX + name.toUpperCase().replaceAll('-', '_'),
    id,
  ]),
)

export type Config = {
  /** 0: any free one. */
  readonly port: number
  readonly hosts: readonly string[]
  readonly apiKeys: readonly string[]
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Number of proxies in front. */
  readonly trustProxy: number
  readonly strictAddresses: boolean
  readonly metrics: (typeof METRICS_READERS)[number]
  readonly databaseUrl: string
  /** A standby of the same PostgreSQL database, read at boots and long catch-ups. */
  readonly databaseReplicaUrl: string | undefined
  /** Where a snapshot of the catalog is kept; `off`: nowhere; undefined: beside a database that is a file. */
  readonly catalogFile: string | undefined
  /** The path or address of a table of rates; undefined: none. */
  readonly rates: string | undefined
  readonly directoryName: string
  /** Without a trailing slash. */
  readonly publicUrl: string | undefined
  /** Where weaknesses are told to. */
  readonly securityContact: string | undefined
  readonly probe: boolean
  readonly webhooks: boolean
  readonly allowPrivateEndpoints: boolean
  /** Address of a node by the CAIP-2 id of its chain. */
  readonly rpcUrls: Readonly<Record<string, string>>
  /** A payment counts when so many blocks lie on top of its own. */
  readonly chainConfirmations: number
  /** How many blocks before its registration the payments to a new address are looked for. */
  readonly chainBackfillBlocks: number
  /** The operator's table of chains and assets, besides those that are known. */
  readonly assetsFile: string | undefined
  /** The operator's table of facilitators, besides those that are known. */
  readonly facilitatorsFile: string | undefined
  /** The key of the wallet that buys, or the file that holds it; at most one of them. */
  readonly buyerKey: Secret | undefined
  readonly buyerKeyFile: string | undefined
  readonly budget: Caps
  /** What one reading of a source may send, in bytes, and how many entries a source may have here; 0: no limit. */
  readonly syncMaxBytes: number
  readonly syncMaxEntries: number
  /** Requests a minute for one caller; 0: no limit. */
  readonly rateLimit: number
  /** Event streams and waiting requests that one caller may have open; 0: no limit. */
  readonly maxListeners: number
  /** The running directory that the client commands ask, without a trailing slash. */
  readonly url: string
  readonly key: string | undefined
}

/** What a command was told on its line; it goes before the environment. */
export type ConfigFlags = { readonly port?: string; readonly url?: string; readonly key?: string }
const FLAGS: Partial<Record<Name, keyof ConfigFlags>> = {
  PORT: 'port',
  SHIRUBE_URL: 'url',
  SHIRUBE_KEY: 'key',
}

/** Carries every problem of the settings at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

class Unreadable extends Error {}

export const loadConfig = (flags?: ConfigFlags): Config => readConfig(process.env, flags)

/** Set by the launcher for the process it starts, and by nobody else. */
export const launcherPid = (): number => Number(process.env.SHIRUBE_LAUNCHER)

/** @throws ConfigError */
export function readConfig(env: Record<string, string | undefined>, flags: ConfigFlags = {}): Config {
  const problems: string[] = []
  const read = <N extends Name>(name: N): ReturnType<(typeof SETTINGS)[N]['read']> => {
    const { standard, read } = SETTINGS[name]
    const flag = FLAGS[name]
    const told = flag && flags[flag]
    const text = told ?? env[name]?.trim() ?? ''
    try {
      return read(text === '' && told === undefined ? standard : text) as ReturnType<
        (typeof SETTINGS)[N]['read']
      >
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      problems.push(`${told === undefined ? name : `--${flag}`} ${error.message}.`)
      return undefined as never
    }
  }
  const config = {
    port: read('PORT'),
    hosts: read('HOST'),
    apiKeys: read('API_KEYS'),
    logLevel: read('LOG_LEVEL'),
    trustProxy: read('TRUST_PROXY'),
    strictAddresses: read('STRICT_ADDRESSES'),
    metrics: read('METRICS'),
    databaseUrl: read('DATABASE_URL'),
    databaseReplicaUrl: read('DATABASE_REPLICA_URL'),
    catalogFile: read('CATALOG_FILE'),
    rates: read('RATES'),
    directoryName: read('DIRECTORY_NAME'),
    publicUrl: read('PUBLIC_URL'),
    securityContact: read('SECURITY_CONTACT'),
    probe: read('PROBE'),
    webhooks: read('WEBHOOKS'),
    allowPrivateEndpoints: read('ALLOW_PRIVATE_ENDPOINTS'),
    rpcUrls: readRpcUrls(env, problems),
    chainConfirmations: read('CHAIN_CONFIRMATIONS'),
    chainBackfillBlocks: read('CHAIN_BACKFILL_BLOCKS'),
    assetsFile: read('ASSETS'),
    facilitatorsFile: read('FACILITATORS'),
    buyerKey: read('BUYER_KEY_EVM'),
    buyerKeyFile: read('BUYER_KEY_FILE'),
    budget: Object.freeze({
      perCall: read('BUDGET_PER_CALL'),
      perService: read('BUDGET_PER_SERVICE'),
      perHost: read('BUDGET_PER_HOST'),
      perDay: read('BUDGET_PER_DAY'),
    }),
    syncMaxBytes: read('SYNC_MAX_BYTES'),
    syncMaxEntries: read('SYNC_MAX_ENTRIES'),
    rateLimit: read('RATE_LIMIT'),
    maxListeners: read('MAX_LISTENERS'),
    url: read('SHIRUBE_URL'),
    key: read('SHIRUBE_KEY'),
  }
  if (config.buyerKey && config.buyerKeyFile) problems.push('Set BUYER_KEY_EVM or BUYER_KEY_FILE, not both.')
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config)
}

function readRpcUrls(
  env: Record<string, string | undefined>,
  problems: string[],
): Readonly<Record<string, string>> {
  const urls: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    const text = value?.trim() ?? ''
    if (!name.startsWith(RPC_URL_PREFIX) || text === '') continue
    const chain = READABLE_CHAINS.get(name)
    const isAddress = /^https?:$/.test(URL.parse(text)?.protocol ?? '')
    if (chain && isAddress) urls[chain] = text
    // The address may hold the key of an account, so a problem does not repeat it.
    else if (chain) problems.push(`${name} must be an absolute http or https address of a JSON-RPC node.`)
    else
      problems.push(
        `${name} names no EVM or Solana network that is known; the nearest is ${nearest(name, [...READABLE_CHAINS.keys()])}.`,
      )
  }
  return Object.freeze(urls)
}

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new Unreadable(`must be a whole number from ${min} to ${max}, not "${text}"`)
  }
}

/** In millionths. */
function readDollars(text: string): number {
  const micro = DECIMAL.test(text) ? toMicroDollars(text) : undefined
  if (micro !== undefined) return micro
  throw new Unreadable(`must be an amount of dollars up to a million, like 0.01, not "${text}"`)
}

function oneOf<const T extends readonly string[]>(values: T) {
  return (text: string): T[number] => {
    if (values.includes(text)) return text
    throw new Unreadable(`must be one of ${values.join(', ')}, not "${text}"`)
  }
}

function onOrOff(text: string): boolean {
  return oneOf(['on', 'off'])(text) === 'on'
}

function readHosts(text: string): readonly string[] {
  // The name stands for both loopback addresses everywhere, whatever the hosts file of a machine says.
  if (text === '' || text === 'localhost') return Object.freeze(['127.0.0.1', '::1'])
  const host = text.replace(/^\[(.*)\]$/, '$1')
  const isName = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i.test(host)
  const looksNumeric = /^[\d.]+$/.test(host)
  if (isIP(host) !== 0 || (isName && !looksNumeric)) return Object.freeze([host])
  throw new Unreadable(`must be an address or a host name without a port, like 0.0.0.0 or ::, not "${text}"`)
}

/** Keys are secrets: a problem names the place of one in the list, never its text. */
function readKeys(text: string): readonly string[] {
  const keys = text.split(',').map(key => key.trim())
  const given = keys.filter(key => key !== '')
  const bad = keys.flatMap((key, i) => (key === '' || /^[!-~]{8,128}$/.test(key) ? [] : [i + 1]))
  if (bad.length === 0) return Object.freeze([...new Set(given)])
  const which = bad.length === 1 ? `key ${bad} is not` : `keys ${bad.join(', ')} are not`
  throw new Unreadable(
    `must be a comma-separated list of keys of 8 to 128 visible ASCII characters each; ${which}`,
  )
}

function readKey(text: string): string | undefined {
  if (text === '') return undefined
  if (/^[!-~]{8,128}$/.test(text)) return text
  throw new Unreadable('must be an API key: 8 to 128 visible ASCII characters')
}

function readDatabaseUrl(text: string): string {
  // The address may hold a password, so a problem does not repeat it.
  if (/^sqlite:[^\0]+$/.test(text) || /^postgres(ql)?:\/\/./.test(text)) return text
  throw new Unreadable('must be sqlite:<path>, sqlite::memory: or postgres://…')
}

function readReplicaUrl(text: string): string | undefined {
  if (text === '') return undefined
  if (/^postgres(ql)?:\/\/./.test(text)) return text
  throw new Unreadable('must be postgres://…, a standby of the database in DATABASE_URL')
}

function readCatalogFile(text: string): string | undefined {
  if (!text.includes('\0')) return text === '' ? undefined : text
  throw new Unreadable('must be the path of a file, or off')
}

function readRatesSource(text: string): string | undefined {
  if (!text.includes('\0')) return text === '' ? undefined : text
  throw new Unreadable('must be the path of a file, or an http or https address')
}

function readName(text: string): string {
  if (text.length <= 255 && !/\p{Cc}/u.test(text) && text.isWellFormed()) return text
  throw new Unreadable('must be a name of 1 to 255 characters without control characters')
}

function readContact(text: string): string | undefined {
  if (text === '') return undefined
  const url = URL.parse(text)
  if (url && ['mailto:', 'https:', 'tel:'].includes(url.protocol) && !/[\s\p{Cc}]/u.test(text)) return text
  throw new Unreadable('must be a mailto:, https: or tel: address')
}

function readUrl(text: string): string {
  const url = URL.parse(text)
  const plain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (plain && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, '')
  throw new Unreadable(
    'must be an absolute http or https address without a query, like https://directory.example',
  )
}
