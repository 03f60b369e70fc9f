// A message is a code with named values. Events, probes and answers hold it; each interface renders it in the language of its reader.
import type { AnyMessage, Entry, Kind, Language, Shape, Tell, ValuesOf, Worded } from './kinds.ts'
import { MESSAGES, WORD_LISTS } from './tables.ts'

export type Code = keyof typeof MESSAGES

type Placeholder<S> = S extends `${string}{${infer P}}${infer Rest}` ? P | Placeholder<Rest> : never
/** A choice declares a flag, or else nothing: the kind of its value stands elsewhere in the sentence. */
type Declaring<P> = P extends `${infer Name}:flag?${string}`
  ? `${Name}:flag`
  : P extends `${string}|${string}`
    ? never
    : P
type NameIn<P> = P extends `${infer Name}:${string}` ? Name : P
type KindIn<P> = P extends `${string}:${infer K}` ? (K extends 'quoted' ? 'text' : K) : 'text'
type InSentence<S> = {
  readonly [P in Declaring<Placeholder<S>> as NameIn<P> & string]: KindIn<P> & Kind
}
type ShapeOf<E> =
  E extends Worded<infer S> ? S : E extends { readonly en: infer S } ? InSentence<S> : InSentence<E>
type ShapeOfCode<C extends Code> = ShapeOf<(typeof MESSAGES)[C]>

export type Message = {
  readonly [C in Code]: { readonly code: C; readonly values: ValuesOf<ShapeOfCode<C>, Message> }
}[Code]

/** The arguments of `say` after the code: its values, if it has any. */
export type ValueArguments<C extends Code> = keyof ShapeOfCode<C> extends never
  ? []
  : [values: ValuesOf<ShapeOfCode<C>, Message>]

export const say = <C extends Code>(code: C, ...[values]: ValueArguments<C>): Message =>
  ({ code, values: values ?? {} }) as Message

/** Without the undefined ones. */
export const compact = (...messages: readonly (Message | undefined)[]): Message[] =>
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

// Rendering.

/** The first of two texts where the value is true or 1: `{count?day|days}`. */
const CHOICE = /\{(\w+)(?::flag)?\?([^{}|]*)\|([^{}|]*)\}/g
const PLACEHOLDER = /\{(\w+)(?::([\w?]+))?\}/g
const ENTRIES: Readonly<Record<string, Entry>> = MESSAGES

/** The kinds of the values of each code, read once. */
const shapes = new Map<string, Shape>()

export function shapeOf(code: Code): Shape {
  const known = shapes.get(code)
  if (known) return known
  const shape = readShape(ENTRIES[code]!)
  shapes.set(code, shape)
  return shape
}

function readShape(entry: Entry): Shape {
  if (typeof entry === 'object' && 'values' in entry) return entry.values
  const sentence = typeof entry === 'string' ? entry : entry.en
  return Object.fromEntries(
    [...sentence.replaceAll(CHOICE, keepFlag).matchAll(PLACEHOLDER)].map(([, name, kind = 'text']) => [
      name!,
      (kind === 'quoted' ? 'text' : kind) as Kind,
    ]),
  )
}

const keepFlag = (choice: string, name: string): string =>
  choice.startsWith(`{${name}:flag`) ? `{${name}:flag}` : ''

const JOINED = { en: [' ', ', '], ja: ['', '、'] } as const

/** In English if the message has no wording in the language. */
export function tell(message: AnyMessage, language: Language): string {
  const entry = ENTRIES[message.code]!
  const words = typeof entry === 'string' ? entry : (entry[language] ?? entry.en)
  const within: Tell = inner => tell(inner, language)
  if (typeof words === 'function') return words(message.values as never, within)
  if (!words.includes('{')) return words
  const values = message.values as Readonly<Record<string, unknown>>
  const shape = shapeOf(message.code as Code)
  const [space, comma] = JOINED[language]
  const chosen = words.replace(CHOICE, (_, name: string, first: string, second: string) =>
    values[name] === true || values[name] === 1 ? first : second,
  )
  const filled = chosen.replace(PLACEHOLDER, (_, name: string, form?: string) => {
    const value = values[name]
    if (form === 'quoted') return JSON.stringify(value)
    switch (shape[name]) {
      case 'message':
        return within(value as AnyMessage)
      case 'messages':
        return (value as readonly AnyMessage[]).map(within).join(space)
      case 'texts':
        return (value as readonly string[]).join(comma)
      default:
        return wordOf(shape[name]!, value, language)
    }
  })
  // A list of messages at its end may be empty.
  return filled.trimEnd()
}

/** From the lists of `tables.ts`, which the client replaces: it has none. */
function wordOf(kind: Kind, value: unknown, language: Language): string {
  const list = (WORD_LISTS as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[kind]
  const wording = list?.[String(value)] ?? String(value)
  return typeof wording === 'string' ? wording : (wording as Readonly<Record<Language, string>>)[language]
}

export const tellInEnglish = (message: AnyMessage): string => tell(message, 'en')

/** Whether it has a wording in the language, and so has each message within it. A text without a code is English. */
export function isToldIn(language: Language, { code, values }: Message): boolean {
  if (language === 'en') return true
  const entry = ENTRIES[code]
  if (code === 'text' || typeof entry === 'string' || entry?.[language] === undefined) return false
  return messagesWithin(values).every(inner => isToldIn(language, inner))
}

export const messagesWithin = (values: object): Message[] =>
  Object.values(values)
    .flat()
    .filter(value => isMessage(value))

// Reading what was stored, or comes from elsewhere.

/** Real messages nest less deeply. */
const MAX_DEPTH = 4
const MAX_CODE = 64

/** Whether all values have the type that the code declares. */
export function isMessage(value: unknown, depth = 0): value is Message {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false
  const { code, values } = value as { code?: unknown; values?: unknown }
  if (typeof code !== 'string' || !Object.hasOwn(MESSAGES, code)) return false
  if (typeof values !== 'object' || values === null) return false
  const given = values as Readonly<Record<string, unknown>>
  return Object.entries(shapeOf(code as Code)).every(([name, kind]) => isOfKind(given[name], kind, depth))
}

function isOfKind(value: unknown, kind: Kind, depth: number): boolean {
  switch (kind) {
    case 'text':
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
      return typeof value === 'string' && Object.hasOwn(WORD_LISTS[kind], value)
  }
}

/** Reads a stored message. A text without a code is returned verbatim; for an unknown code, the code itself is shown. */
export function readMessage(stored: unknown): Message {
  if (typeof stored === 'string') return verbatim(stored)
  if (isMessage(stored)) return stored
  const code = (stored as { code?: unknown } | null | undefined)?.code
  return verbatim(typeof code === 'string' ? code.slice(0, MAX_CODE) : '')
}

export const readMessages = (stored: readonly unknown[]): Message[] => stored.map(readMessage)
