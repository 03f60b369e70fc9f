// Settings: the environment and the flags, read once into one frozen Config.

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { addOperatorAssets, assetsOn } from '../domain/chains/assets.ts'
import { CHAINS, knownChains } from '../domain/chains/chains.ts'
import { DECIMAL, toMicroDollars } from '../domain/money/money.ts'
import type { Settings } from '../domain/operating.ts'
import type { Caps } from '../domain/purchases/purchases.ts'
import { findMistypedName, findNearestName } from '../domain/text/nearest.ts'
import { packageFile } from '../package/files.ts'
import { LOG_LEVELS } from '../runtime/log.ts'

// Readers that turn the text of a setting into its value, or throw with a problem.

/** The message continues the name of the setting: "must be …". */
class InvalidSetting extends Error {}

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidSetting(`must be a whole number from ${min} to ${max}, not "${text}"`)
  }
}

/** In millionths. */
function readDollars(text: string): number {
  const micro = DECIMAL.test(text) ? toMicroDollars(text) : undefined
  if (micro !== undefined) return micro
  throw new InvalidSetting(`must be an amount of dollars up to a million, like 0.01, not "${text}"`)
}

function oneOf<const T extends readonly string[]>(values: T) {
  return (text: string): T[number] => {
    if (values.includes(text)) return text
    throw new InvalidSetting(`must be one of ${values.join(', ')}, not "${text}"`)
  }
}

function onOrOff(text: string): boolean {
  return oneOf(['on', 'off'])(text) === 'on'
}

function readHosts(text: string): readonly string[] {
  // localhost always means both loopback addresses, whatever the hosts file says.
  if (text === '' || text === 'localhost') return Object.freeze(['127.0.0.1', '::1'])
  const host = text.replace(/^\[(.*)\]$/, '$1')
  const isName = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i.test(host)
  const looksNumeric = /^[\d.]+$/.test(host)
  if (isIP(host) !== 0 || (isName && !looksNumeric)) return Object.freeze([host])
  throw new InvalidSetting(
    `must be an address or a host name without a port, like 0.0.0.0 or ::, not "${text}"`,
  )
}

/** Keys are secrets: a problem names the position of a key in the list, never its text. */
function readKeys(text: string): readonly string[] {
  const keys = text.split(',').map(key => key.trim())
  const nonEmpty = keys.filter(key => key !== '')
  const bad = keys.flatMap((key, i) => (key === '' || /^[!-~]{8,128}$/.test(key) ? [] : [i + 1]))
  if (bad.length === 0) return Object.freeze([...new Set(nonEmpty)])
  const which = bad.length === 1 ? `key ${bad} is not` : `keys ${bad.join(', ')} are not`
  throw new InvalidSetting(
    `must be a comma-separated list of keys of 8 to 128 visible ASCII characters each; ${which}`,
  )
}

function readKey(text: string): string | undefined {
  if (text === '') return undefined
  if (/^[!-~]{8,128}$/.test(text)) return text
  throw new InvalidSetting('must be an API key: 8 to 128 visible ASCII characters')
}

function readDatabaseUrl(text: string): string {
  // The URL may contain a password, so a problem does not repeat it.
  if (/^sqlite:[^\0]+$/.test(text) || /^postgres(ql)?:\/\/./.test(text)) return text
  throw new InvalidSetting('must be sqlite:<path>, sqlite::memory: or postgres://…')
}

function readRatesSource(text: string): string | undefined {
  if (!text.includes('\0')) return text === '' ? undefined : text
  throw new InvalidSetting('must be the path of a file, or an http or https address')
}

function readName(text: string): string {
  if (text.length <= 255 && !/\p{Cc}/u.test(text) && text.isWellFormed()) return text
  throw new InvalidSetting('must be a name of 1 to 255 characters without control characters')
}

function readContact(text: string): string | undefined {
  if (text === '') return undefined
  const url = URL.parse(text)
  if (url && ['mailto:', 'https:', 'tel:'].includes(url.protocol) && !/[\s\p{Cc}]/u.test(text)) return text
  throw new InvalidSetting('must be a mailto:, https: or tel: address')
}

function readOptionalUrl(text: string): string | undefined {
  if (text === '') return undefined
  const url = URL.parse(text)
  const plain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (plain && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, '')
  throw new InvalidSetting(
    'must be an absolute http or https address without a query, like https://directory.example',
  )
}

function readPath(text: string): string | undefined {
  if (!text.includes('\0')) return text === '' ? undefined : text
  throw new InvalidSetting('must be the path of a file')
}

// The operator's table of chains and assets.

/** Adds it to the tables of this thread; to be called before they are used. @returns problems; if there are any, nothing is added */
export function loadAssets(path: string | undefined): string[] {
  if (path === undefined) return []
  let document: unknown
  try {
    document = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return [`ASSETS: ${path} cannot be read as JSON: ${(error as Error).message}`]
  }
  return addOperatorAssets(document).map(problem => `ASSETS: ${path}: ${problem}`)
}

// Reads environment and flags into one frozen Config; nothing else in the project reads the environment. Bun itself adds the `.env`
// file of the working directory to it, for variables that are not set.

const HIDDEN = '(hidden)'
const hideAll = (): string => HIDDEN

/** Of an address with a host, where passwords and account keys are: only the host, and the name of a PostgreSQL database. */
function hideInUrl(text: string): string {
  const url = /^[a-z]+:\/\//i.test(text) ? URL.parse(text) : undefined
  if (url === undefined) return text
  if (url === null) return HIDDEN
  const name = url.protocol.startsWith('postgres') ? url.pathname : ''
  const isWhole = `${url.protocol}//${url.host}${name}` === text.replace(/\/$/, '')
  return `${url.protocol}//${url.host}${name}${isWhole ? '' : ` ${HIDDEN}`}`
}

/**
 * Every setting: the name of its value in Config, the flag that overrides it, its default as text, its reader, which returns the value
 * or throws InvalidSetting, and what shows its value without secrets.
 */
const SETTINGS = {
  // 0: any free port.
  PORT: { key: 'port', flag: 'port', fallback: '4020', read: wholeNumber(0, 65_535) },
  HOST: { key: 'hosts', fallback: '', read: readHosts },
  // Number of trusted proxies in front of the server.
  TRUST_PROXY: { key: 'trustProxy', fallback: '0', read: wholeNumber(0, 32) },
  // Requests a minute and caller; 0: no limit.
  RATE_LIMIT: { key: 'rateLimit', fallback: '6000', read: wholeNumber(0, 1_000_000_000) },
  PUBLIC_URL: { key: 'publicUrl', fallback: '', read: readOptionalUrl },
  // For reports of vulnerabilities.
  SECURITY_CONTACT: { key: 'securityContact', fallback: '', read: readContact },
  DATABASE_URL: {
    key: 'databaseUrl',
    fallback: 'sqlite:./data/shirube.db',
    read: readDatabaseUrl,
    hide: hideInUrl,
  },
  // Where a backup is written every night.
  BACKUP_FOLDER: { key: 'backupFolder', fallback: '', read: readPath },
  DIRECTORY_NAME: { key: 'directoryName', fallback: 'Shirube', read: readName },
  API_KEYS: { key: 'apiKeys', fallback: '', read: readKeys, hide: hideAll },
  STRICT_ADDRESSES: { key: 'strictAddresses', fallback: 'off', read: onOrOff },
  ALLOW_PRIVATE_ENDPOINTS: { key: 'allowPrivateEndpoints', fallback: 'off', read: onOrOff },
  // What callers without a key find.
  CATALOG: { key: 'catalog', fallback: 'all', read: oneOf(['all', 'approved']) },
  PROBE: { key: 'probe', fallback: 'on', read: onOrOff },
  WEBHOOKS: { key: 'webhooks', fallback: 'on', read: onOrOff },
  // Path or URL of a table of exchange rates.
  RATES: { key: 'rates', fallback: '', read: readRatesSource, hide: hideInUrl },
  // Tables of chains and assets, and of facilitators, in addition to the built-in ones.
  ASSETS: { key: 'assetsFile', fallback: '', read: readPath },
  FACILITATORS: { key: 'facilitatorsFile', fallback: '', read: readPath },
  // The file with the keys of the wallets that pay, their caps, and the ledger of what a user's calls and agents spend.
  BUYER_KEY_FILE: { key: 'buyerKeyFile', flag: 'key-file', fallback: '', read: readPath },
  BUDGET_PER_CALL: { key: 'perCall', flag: 'per-call', fallback: '0.01', read: readDollars },
  BUDGET_PER_SERVICE: { key: 'perService', flag: 'per-service', fallback: '0.05', read: readDollars },
  BUDGET_PER_HOST: { key: 'perHost', flag: 'per-host', fallback: '0.25', read: readDollars },
  BUDGET_PER_DAY: { key: 'perDay', flag: 'per-day', fallback: '0', read: readDollars },
  LEDGER_FILE: { key: 'ledgerFile', flag: 'ledger', fallback: '', read: readPath },
  LOG_LEVEL: { key: 'logLevel', fallback: 'info', read: oneOf(LOG_LEVELS) },
  METRICS: { key: 'metrics', fallback: 'local', read: oneOf(['local', 'open', 'off']) },
  // The directory that the client commands query.
  SHIRUBE_URL: { key: 'url', flag: 'url', fallback: '', read: readOptionalUrl },
  SHIRUBE_KEY: { key: 'key', flag: 'key', fallback: '', read: readKey, hide: hideAll },
} as const
type Name = keyof typeof SETTINGS
type Setting = {
  readonly key: string
  readonly flag?: string
  readonly fallback: string
  readonly read: (text: string) => unknown
}

/** The names of all settings with their defaults as text; empty for none. */
export const SETTING_DEFAULTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { fallback }]) => [name, fallback]),
)

/** One setting per network: RPC_URL_BASE, RPC_URL_BASE_SEPOLIA, RPC_URL_SOLANA, … */
export const RPC_URL_PREFIX = 'RPC_URL_'
const readableChains = () =>
  new Map(
    knownChains()
      .filter(({ family }) => family === 'evm' || family === 'solana')
      .map(({ id, name }) => [RPC_URL_PREFIX + name.toUpperCase().replaceAll('-', '_'), id]),
  )

type Values = {
  readonly [N in Name as (typeof SETTINGS)[N]['key']]: ReturnType<(typeof SETTINGS)[N]['read']>
}

export type Config = Omit<Values, keyof Caps | 'ledgerFile' | 'url'> & {
  readonly budget: Caps
  readonly ledgerFile: string
  /** Without a trailing slash. */
  readonly url: string
  /** In millionths of a dollar: above this price per call, an agent asks its user first. */
  readonly askAbove: number
  /** URL of a node by the CAIP-2 id of its chain. */
  readonly rpcUrls: Readonly<Record<string, string>>
  /** CAIP-2 ids of chains without a node of the operator, for which public nodes may be asked. */
  readonly publicChains: readonly string[]
  /** What the start says about variables that look like settings and are none. */
  readonly unknown: readonly string[]
  /** Whether it serves the sample, with a database of its own. */
  readonly isSample?: boolean
}

/** Flags of a command; they override the environment. */
type ConfigFlags = Readonly<Record<string, string>>

/** Contains every problem of the settings. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/** The environment of a command that this process starts. */
export const envWith = (settings: Record<string, string>) => ({ ...process.env, ...settings })

export const loadConfig = (flags?: ConfigFlags): Config => readConfig(process.env, flags)

/** Also adds the operator's chains and assets to the tables of this thread. @throws ConfigError */
export function readConfig(env: Record<string, string | undefined>, flags: ConfigFlags = {}): Config {
  const problems: string[] = []
  const readAs = <T>(name: string, text: string, read: (text: string) => T): T => {
    try {
      return read(text)
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error
      problems.push(`${name} ${error.message}.`)
      return undefined as never
    }
  }
  const read = ([name, setting]: [string, Setting]): [string, unknown] => {
    const { key, flag, fallback, read } = setting
    const flagText = flag && flags[flag]
    return flagText === undefined
      ? [key, readAs(name, env[name]?.trim() || fallback, read)]
      : [key, readAs(`--${flag}`, flagText, read)]
  }
  const values = Object.fromEntries(Object.entries(SETTINGS).map(read)) as Values
  const { perCall, perService, perHost, perDay, ledgerFile, url, ...rest } = values
  problems.push(...loadAssets(rest.assetsFile))
  const config: Config = {
    ...rest,
    ...readNodes(env, problems),
    budget: Object.freeze({ perCall, perService, perHost, perDay }),
    askAbove: readAs('--ask-above', flags['ask-above'] ?? '0', readDollars),
    ledgerFile: ledgerFile ?? join(userFolder(env), 'ledger.db'),
    // By default the directory that `serve` runs with the same settings; port 0 is any port, and does not lead to one.
    url: url ?? `http://127.0.0.1:${rest.port || SETTINGS.PORT.fallback}`,
    unknown: findUnknown(env),
  }
  if (config.backupFolder !== undefined && /^postgres/.test(config.databaseUrl ?? ''))
    problems.push('BACKUP_FOLDER needs a database file in DATABASE_URL; PostgreSQL is backed up by pg_dump.')
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config)
}

/** A setting as it is shown, in the words and under the heading of `.env.example`; `value` is empty for none, and without secrets. */
export type ShownSetting = Settings['settings'][number]

/** By name: the comment above each setting in `.env.example`, which is the reference of the settings, and its heading. */
function readReference(): ReadonlyMap<string, Pick<ShownSetting, 'group' | 'about'>> {
  const reference = readFileSync(packageFile('.env.example'), 'utf8')
  let group = ''
  return new Map(
    [...reference.matchAll(/(?:^# --- (.+?)(?: \(.*\))? -+\n\n)?((?:^#.*\n)+)^([A-Z_]+)=/gm)].map(
      ([, heading = group, comment, name]) => {
        group = heading
        return [name!, { group, about: comment!.replaceAll(/^# ?/gm, '').trim().replaceAll('\n', ' ') }]
      },
    ),
  )
}

/** Every setting, whether its value is valid or not. @param file the text of `.env`, which Bun has added to the environment */
export function listSettings(env: Record<string, string | undefined>, file: string): ShownSetting[] {
  const inFile = new Set(
    [...file.matchAll(/^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=/gm)].map(([, name]) => name),
  )
  const names = Object.keys(env).filter(name => name.startsWith(RPC_URL_PREFIX) && env[name]?.trim())
  const tables: Readonly<Record<string, { fallback: string; hide?: (text: string) => string }>> = {
    ...SETTINGS,
    ...Object.fromEntries(names.sort().map(name => [name, { fallback: '', hide: hideInUrl }])),
  }
  const reference = readReference()
  const keyOf = (name: string) => (name.startsWith(RPC_URL_PREFIX) ? `${RPC_URL_PREFIX}BASE` : name)
  return Object.entries(tables).map(([name, { fallback, hide = (text: string) => text }]) => {
    const { group, about } = reference.get(keyOf(name))!
    const text = env[name]?.trim() ?? ''
    const from = text === '' ? 'default' : inFile.has(name) ? '.env' : 'environment'
    return { name, group, about, value: text === '' ? fallback : hide(text), from }
  })
}

/** Those of this process, with the database if it uses another, and sentences about variables that look like settings and are none. */
export const readSettings = (databaseUrl?: string): { settings: ShownSetting[]; unknown: string[] } => ({
  settings: listSettings(process.env, readDotEnv()).map(each =>
    databaseUrl && each.name === 'DATABASE_URL' ? { ...each, value: hideInUrl(databaseUrl) } : each,
  ),
  unknown: findUnknown(process.env),
})

function readDotEnv(): string {
  try {
    return readFileSync('.env', 'utf8')
  } catch {
    return ''
  }
}

/** Variables that are no setting and look like one. */
const findUnknown = (env: Record<string, string | undefined>): string[] =>
  Object.keys(env).flatMap(name => {
    if (name in SETTINGS || name.startsWith(RPC_URL_PREFIX)) return []
    const nearest = /^[A-Z_]{5,}$/.test(name) ? findMistypedName(name, Object.keys(SETTINGS)) : undefined
    return nearest === undefined ? [] : [`${name} is no setting; perhaps ${nearest} was meant`]
  })

const OFF = 'off'
/** Not the name of a network: `off` stops asking any public node. */
const EVERY_PUBLIC_NODE = `${RPC_URL_PREFIX}PUBLIC`

function readNodes(
  env: Record<string, string | undefined>,
  problems: string[],
): Pick<Config, 'rpcUrls' | 'publicChains'> {
  const urls: Record<string, string> = {}
  const chains = readableChains()
  const isPublic = new Set(
    CHAINS.filter(({ id, family, testnet }) => family === 'evm' && !testnet && assetsOn(id).length > 0).map(
      ({ id }) => id,
    ),
  )
  for (const [name, value] of Object.entries(env)) {
    const text = value?.trim() ?? ''
    if (!name.startsWith(RPC_URL_PREFIX) || text === '') continue
    const chain = chains.get(name)
    const isAddress = /^https?:$/.test(URL.parse(text)?.protocol ?? '')
    if (chain && (isAddress || text === OFF)) isPublic.delete(chain)
    if (chain && isAddress) urls[chain] = text
    else if (name === EVERY_PUBLIC_NODE && text === OFF) isPublic.clear()
    else if (name === EVERY_PUBLIC_NODE) problems.push(`${name} must be off, or empty.`)
    else if (chain && text === OFF) continue
    // The URL may contain an account key, so a problem does not repeat it.
    else if (chain)
      problems.push(`${name} must be an absolute http or https address of a JSON-RPC node, or off.`)
    else
      problems.push(
        `${name} names no EVM or Solana network that is known; the nearest is ${findNearestName(name, [...chains.keys()])}.`,
      )
  }
  return { rpcUrls: Object.freeze(urls), publicChains: [...isPublic] }
}

/** The platform's folder for per-user configuration. */
function userFolder({ XDG_CONFIG_HOME, APPDATA }: Record<string, string | undefined>): string {
  const base = process.platform === 'win32' ? APPDATA : XDG_CONFIG_HOME
  return join(base || join(homedir(), '.config'), 'shirube')
}
