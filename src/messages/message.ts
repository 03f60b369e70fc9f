// A message is a code with named values; each interface renders it with `tell`.
import { BASE_CODES } from './base-codes.ts'
import { type Kind, PARTS, type Part, type PartName, type Shape } from './kinds.ts'
import { OUTCOME_CODES } from './outcome-codes.ts'
import { PROBE_CODES } from './probe-codes.ts'
import { PURCHASE_CODES } from './purchase-codes.ts'
import { REQUEST_CODES } from './request-codes.ts'
import { RESOLVE_CODES } from './resolve-codes.ts'
import { STANDING_CODES } from './standing-codes.ts'
import { STORE_CODES } from './store-codes.ts'
import { WEBHOOK_CODES } from './webhook-codes.ts'

export const CODES = {
  ...BASE_CODES,
  ...STANDING_CODES,
  ...PROBE_CODES,
  ...REQUEST_CODES,
  ...RESOLVE_CODES,
  ...PURCHASE_CODES,
  ...OUTCOME_CODES,
  ...STORE_CODES,
  ...WEBHOOK_CODES,
} as const
export type Code = keyof typeof CODES

type Plain = {
  readonly text: string
  readonly 'text?': string | null
  readonly 'code?': string | null
  readonly units: string
  readonly number: number
  readonly flag: boolean
  readonly texts: readonly string[]
  readonly message: Message
  readonly messages: readonly Message[]
}
type ValueOf<K> = K extends PartName ? Part<K> : K extends keyof Plain ? Plain[K] : never
export type ValuesOf<S extends Shape> = { readonly [N in keyof S]: ValueOf<S[N]> }

export type Message = {
  readonly [C in Code]: { readonly code: C; readonly values: ValuesOf<(typeof CODES)[C]> }
}[Code]

/** The values that go with a code; nothing if it has none. */
export type Given<C extends Code> = keyof (typeof CODES)[C] extends never
  ? []
  : [values: ValuesOf<(typeof CODES)[C]>]

export const say = <C extends Code>(code: C, ...[values]: Given<C>): Message =>
  ({ code, values: values ?? {} }) as Message

/** Without the undefined ones. */
export const present = (...messages: readonly (Message | undefined)[]): Message[] =>
  messages.filter(message => message !== undefined)

/** A sentence that has no code. */
export const verbatim = (text: string): Message => say('text', { text })

/** Several messages as one. */
export const together = (messages: readonly Message[]): Message =>
  messages.length === 1 ? messages[0]! : say('several', { messages })

/** One message of each code and values. */
export const unique = (messages: readonly Message[]): Message[] => [
  ...new Map(messages.map(message => [JSON.stringify(message), message])).values(),
]

/** Real messages nest less deeply. */
const MAX_DEPTH = 4
const MAX_CODE = 64

/** Whether all values have the type that the code declares. */
export function isMessage(value: unknown, depth = 0): value is Message {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false
  const { code, values } = value as { code?: unknown; values?: unknown }
  if (typeof code !== 'string' || !Object.hasOwn(CODES, code)) return false
  if (typeof values !== 'object' || values === null) return false
  const given = values as Readonly<Record<string, unknown>>
  const shape: Shape = CODES[code as Code]
  return Object.entries(shape).every(([name, kind]) => isOfKind(given[name], kind, depth))
}

function isOfKind(value: unknown, kind: Kind, depth: number): boolean {
  switch (kind) {
    case 'text':
    case 'units':
      return typeof value === 'string'
    case 'text?':
    case 'code?':
      // Absent in what was stored before the code had this value.
      return value == null || typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'flag':
      return typeof value === 'boolean'
    case 'texts':
      return Array.isArray(value) && value.every(each => typeof each === 'string')
    case 'message':
      return isMessage(value, depth + 1)
    case 'messages':
      return Array.isArray(value) && value.every(each => isMessage(each, depth + 1))
    default:
      return (PARTS[kind] as readonly unknown[]).includes(value)
  }
}

/**
 * Reads a stored message. Databases of version 0.1 stored English sentences; these are returned verbatim. For an unknown code, the code
 * itself is shown.
 */
export function readMessage(stored: unknown): Message {
  if (typeof stored === 'string') return verbatim(stored)
  if (isMessage(stored)) return stored
  const code = (stored as { code?: unknown } | null | undefined)?.code
  return verbatim(typeof code === 'string' ? code.slice(0, MAX_CODE) : '')
}

export const readMessages = (stored: readonly unknown[]): Message[] => stored.map(readMessage)
