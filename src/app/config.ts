// Environment and flags become one frozen Config; nothing else in the project reads the environment. Bun itself adds
// the `.env` file of the working directory to it, where the real environment has no value.
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Caps } from '../domain/caps.ts'
import { knownChains } from '../domain/chains.ts'
import { nearest } from '../domain/nearest.ts'
import { LOG_LEVELS } from '../runtime/log-level.ts'
import type { Secret } from '../runtime/secret.ts'
import { loadAssets } from './assets.ts'
import {
  oneOf,
  onOrOff,
  readCatalogFile,
  readContact,
  readDatabaseUrl,
  readDollars,
  readHosts,
  readKey,
  readKeys,
  readMinCallers,
  readName,
  readPath,
  readRatesSource,
  readReplicaUrl,
  readSecret,
  readUrl,
  Unreadable,
  wholeNumber,
} from './setting-readers.ts'

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
  EXPORT_FOLDER: { standard: '', read: readPath },
  EXPORT_KEEP: { standard: '7', read: wholeNumber(1, 10_000) },
  RATES: { standard: '', read: readRatesSource },
  DIRECTORY_NAME: { standard: 'Shirube', read: readName },
  SECURITY_CONTACT: { standard: '', read: readContact },
  PUBLIC_URL: { standard: '', read: (text: string) => (text === '' ? undefined : readUrl(text)) },
  PROBE: { standard: 'on', read: onOrOff },
  WEBHOOKS: { standard: 'on', read: onOrOff },
  ALLOW_PRIVATE_ENDPOINTS: { standard: 'off', read: onOrOff },
  CHAIN_CONFIRMATIONS: { standard: '12', read: wholeNumber(0, 10_000) },
  CHAIN_BACKFILL_BLOCKS: { standard: '50000', read: wholeNumber(0, 100_000_000) },
  ASSETS: { standard: '', read: readPath },
  FACILITATORS: { standard: '', read: readPath },
  BUYER_KEY_EVM: { standard: '', read: readSecret },
  BUYER_KEY_SOLANA: { standard: '', read: readSecret },
  BUYER_KEY_FILE: { standard: '', read: readPath },
  BUDGET_PER_CALL: { standard: '0.01', read: readDollars },
  BUDGET_PER_SERVICE: { standard: '0.05', read: readDollars },
  BUDGET_PER_HOST: { standard: '0.25', read: readDollars },
  BUDGET_PER_DAY: { standard: '0', read: readDollars },
  BUDGET_ASK_ABOVE: { standard: '0', read: readDollars },
  LEDGER_FILE: { standard: '', read: readPath },
  SYNC_MAX_BYTES: { standard: String(256 * 1024 * 1024), read: wholeNumber(0, 9_999_999_999) },
  SYNC_MAX_ENTRIES: { standard: '200000', read: wholeNumber(0, 1_000_000_000) },
  UNMET_MIN_CALLERS: { standard: '5', read: readMinCallers },
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
const readableChains = () =>
  new Map(
    knownChains()
      .filter(({ family }) => family === 'evm' || family === 'solana')
      .map(({ id, name }) => [RPC_URL_PREFIX + name.toUpperCase().replaceAll('-', '_'), id]),
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
  /** Where the whole catalog is written to every night; undefined: nowhere. */
  readonly exportFolder: string | undefined
  /** How many of these files stay. */
  readonly exportKeep: number
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
  /** The keys of the wallets that buy, on EVM networks and on Solana, or the file that holds them. */
  readonly buyerKey: Secret | undefined
  readonly buyerKeySolana: Secret | undefined
  readonly buyerKeyFile: string | undefined
  readonly budget: Caps
  /** In millionths of a dollar: an agent that pays asks its user before it spends more on one call. */
  readonly askAbove: number
  /** The user's own ledger, of what `call --pay` and agents spend. */
  readonly ledgerFile: string
  /** What one reading of a source may send, in bytes, and how many entries a source may have here; 0: no limit. */
  readonly syncMaxBytes: number
  readonly syncMaxEntries: number
  /** Requests a minute for one caller; 0: no limit. */
  readonly rateLimit: number
  /** Event streams and waiting requests that one caller may have open; 0: no limit. */
  readonly maxListeners: number
  /** Words that nobody found anything for are told where so many callers looked for them on a day; 0: none are counted. */
  readonly unmetMinCallers: number
  /** The running directory that the client commands ask, without a trailing slash. */
  readonly url: string
  readonly key: string | undefined
}

/** What a command was told on its line; it goes before the environment. */
export type ConfigFlags = Readonly<Record<string, string>>
const FLAGS: Partial<Record<Name, string>> = {
  PORT: 'port',
  SHIRUBE_URL: 'url',
  SHIRUBE_KEY: 'key',
  BUYER_KEY_FILE: 'key-file',
  BUDGET_PER_CALL: 'per-call',
  BUDGET_PER_SERVICE: 'per-service',
  BUDGET_PER_HOST: 'per-host',
  BUDGET_PER_DAY: 'per-day',
  BUDGET_ASK_ABOVE: 'ask-above',
  LEDGER_FILE: 'ledger',
}

/** Carries every problem of the settings at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

export const loadConfig = (flags?: ConfigFlags): Config => readConfig(process.env, flags)

/** Set by the launcher for the process it starts, and by nobody else. */
export const launcherPid = (): number => Number(process.env.SHIRUBE_LAUNCHER)

/** Chains and assets of the settings are known to this thread from then on. @throws ConfigError */
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
  const assetsFile = read('ASSETS')
  problems.push(...loadAssets(assetsFile))
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
    exportFolder: read('EXPORT_FOLDER'),
    exportKeep: read('EXPORT_KEEP'),
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
    assetsFile,
    facilitatorsFile: read('FACILITATORS'),
    buyerKey: read('BUYER_KEY_EVM'),
    buyerKeySolana: read('BUYER_KEY_SOLANA'),
    buyerKeyFile: read('BUYER_KEY_FILE'),
    budget: Object.freeze({
      perCall: read('BUDGET_PER_CALL'),
      perService: read('BUDGET_PER_SERVICE'),
      perHost: read('BUDGET_PER_HOST'),
      perDay: read('BUDGET_PER_DAY'),
    }),
    askAbove: read('BUDGET_ASK_ABOVE'),
    ledgerFile: read('LEDGER_FILE') ?? join(userFolder(env), 'ledger.db'),
    syncMaxBytes: read('SYNC_MAX_BYTES'),
    syncMaxEntries: read('SYNC_MAX_ENTRIES'),
    unmetMinCallers: read('UNMET_MIN_CALLERS'),
    rateLimit: read('RATE_LIMIT'),
    maxListeners: read('MAX_LISTENERS'),
    url: read('SHIRUBE_URL'),
    key: read('SHIRUBE_KEY'),
  }
  for (const [name, key] of [
    ['BUYER_KEY_EVM', config.buyerKey],
    ['BUYER_KEY_SOLANA', config.buyerKeySolana],
  ] as const)
    if (key && config.buyerKeyFile && flags['key-file'] === undefined)
      problems.push(`Set ${name} or BUYER_KEY_FILE, not both.`)
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config)
}

function readRpcUrls(
  env: Record<string, string | undefined>,
  problems: string[],
): Readonly<Record<string, string>> {
  const urls: Record<string, string> = {}
  const chains = readableChains()
  for (const [name, value] of Object.entries(env)) {
    const text = value?.trim() ?? ''
    if (!name.startsWith(RPC_URL_PREFIX) || text === '') continue
    const chain = chains.get(name)
    const isAddress = /^https?:$/.test(URL.parse(text)?.protocol ?? '')
    if (chain && isAddress) urls[chain] = text
    // The address may hold the key of an account, so a problem does not repeat it.
    else if (chain) problems.push(`${name} must be an absolute http or https address of a JSON-RPC node.`)
    else
      problems.push(
        `${name} names no EVM or Solana network that is known; the nearest is ${nearest(name, [...chains.keys()])}.`,
      )
  }
  return Object.freeze(urls)
}

/** Where programs keep what is of one user, by the rules of the system. */
function userFolder({ XDG_CONFIG_HOME, APPDATA }: Record<string, string | undefined>): string {
  const base = process.platform === 'win32' ? APPDATA : XDG_CONFIG_HOME
  return join(base || join(homedir(), '.config'), 'shirube')
}
