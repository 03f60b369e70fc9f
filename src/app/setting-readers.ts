// Readers that turn the text of a setting into its value, or throw with a problem.
import { isIP } from 'node:net'
import { DECIMAL, toMicroDollars } from '../domain/money/money.ts'
import { Secret } from '../runtime/secret.ts'

/** The message continues the name of the setting: "must be …". */
export class InvalidSetting extends Error {}

export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidSetting(`must be a whole number from ${min} to ${max}, not "${text}"`)
  }
}

/** In millionths. */
export function readDollars(text: string): number {
  const micro = DECIMAL.test(text) ? toMicroDollars(text) : undefined
  if (micro !== undefined) return micro
  throw new InvalidSetting(`must be an amount of dollars up to a million, like 0.01, not "${text}"`)
}

export function oneOf<const T extends readonly string[]>(values: T) {
  return (text: string): T[number] => {
    if (values.includes(text)) return text
    throw new InvalidSetting(`must be one of ${values.join(', ')}, not "${text}"`)
  }
}

export function onOrOff(text: string): boolean {
  return oneOf(['on', 'off'])(text) === 'on'
}

export function readHosts(text: string): readonly string[] {
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
export function readKeys(text: string): readonly string[] {
  const keys = text.split(',').map(key => key.trim())
  const nonEmpty = keys.filter(key => key !== '')
  const bad = keys.flatMap((key, i) => (key === '' || /^[!-~]{8,128}$/.test(key) ? [] : [i + 1]))
  if (bad.length === 0) return Object.freeze([...new Set(nonEmpty)])
  const which = bad.length === 1 ? `key ${bad} is not` : `keys ${bad.join(', ')} are not`
  throw new InvalidSetting(
    `must be a comma-separated list of keys of 8 to 128 visible ASCII characters each; ${which}`,
  )
}

export function readKey(text: string): string | undefined {
  if (text === '') return undefined
  if (/^[!-~]{8,128}$/.test(text)) return text
  throw new InvalidSetting('must be an API key: 8 to 128 visible ASCII characters')
}

export function readDatabaseUrl(text: string): string {
  // The URL may contain a password, so a problem does not repeat it.
  if (/^sqlite:[^\0]+$/.test(text) || /^postgres(ql)?:\/\/./.test(text)) return text
  throw new InvalidSetting('must be sqlite:<path>, sqlite::memory: or postgres://…')
}

export function readReplicaUrl(text: string): string | undefined {
  if (text === '') return undefined
  if (/^postgres(ql)?:\/\/./.test(text)) return text
  throw new InvalidSetting('must be postgres://…, a standby of the database in DATABASE_URL')
}

export function readRatesSource(text: string): string | undefined {
  if (!text.includes('\0')) return text === '' ? undefined : text
  throw new InvalidSetting('must be the path of a file, or an http or https address')
}

export function readName(text: string): string {
  if (text.length <= 255 && !/\p{Cc}/u.test(text) && text.isWellFormed()) return text
  throw new InvalidSetting('must be a name of 1 to 255 characters without control characters')
}

export function readContact(text: string): string | undefined {
  if (text === '') return undefined
  const url = URL.parse(text)
  if (url && ['mailto:', 'https:', 'tel:'].includes(url.protocol) && !/[\s\p{Cc}]/u.test(text)) return text
  throw new InvalidSetting('must be a mailto:, https: or tel: address')
}

export function readOptionalUrl(text: string): string | undefined {
  if (text === '') return undefined
  const url = URL.parse(text)
  const plain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (plain && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, '')
  throw new InvalidSetting(
    'must be an absolute http or https address without a query, like https://directory.example',
  )
}

export function readPath(text: string): string | undefined {
  if (!text.includes('\0')) return text === '' ? undefined : text
  throw new InvalidSetting('must be the path of a file')
}

/** Never shown, not even in a problem. */
export const readSecret = (text: string): Secret | undefined => (text === '' ? undefined : new Secret(text))
