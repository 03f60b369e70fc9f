// Bounds and cleans text and JSON from strangers' servers, so that they can be stored and shown.
import { isRecord, type JsonRecord } from '../domain/json.ts'
import { toLines, toOneLine } from '../domain/text/invisible.ts'
import { truncate } from '../domain/text/text.ts'
import { type Message, say } from '../messages/message.ts'

const MAX_WORD = 128
const MAX_VALUE = 80
const MAX_FAULTS = 8

/** Unchanged if it is one printable ASCII word, else as a JSON string. The limit is above the length of any address. */
export function shown(text: string): string {
  const short = text.length > MAX_WORD ? `${truncate(text, MAX_WORD)}…` : text
  return /^[\x21-\x7e]+…?$/.test(short) ? short : toSeen(JSON.stringify(short))
}

/** A parsed value as JSON. */
export function shownValue(value: unknown): string {
  const text = toSeen(truncate(toJson(value, MAX_VALUE + 2), MAX_VALUE + 2))
  return text.length > MAX_VALUE ? `${truncate(text, MAX_VALUE)}…` : text
}

/** Escapes invisible characters and those that change the writing direction. */
const toSeen = (text: string): string =>
  text.replace(
    /[\p{C}\u2028\u2029]/gu,
    unseen => `\\u${unseen.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )

/** As JSON of about `enough` characters: for deep nesting JSON.stringify takes seconds, or exhausts the stack. */
function toJson(value: unknown, enough: number): string {
  let text = ''
  const write = (value: unknown): void => {
    if (typeof value === 'string') text += JSON.stringify(truncate(value, enough))
    else if (typeof value !== 'object' || value === null) text += JSON.stringify(value) ?? ''
    else if (Array.isArray(value)) writeAll('[]', value, write)
    else
      writeAll('{}', Object.keys(value), key => {
        write(key)
        text += ':'
        write((value as Record<string, unknown>)[key])
      })
  }
  const writeAll = <T>(brackets: string, items: readonly T[], writeItem: (item: T) => void): void => {
    text += brackets[0]
    for (let i = 0; i < items.length && text.length < enough; i++) {
      if (i > 0) text += ','
      writeItem(items[i]!)
    }
    text += brackets[1]
  }
  write(value)
  return text
}

/** A list of a hundred entries can have five hundred faults; the first ones suffice. */
export function firstFew(faults: readonly Message[]): readonly Message[] {
  const count = faults.length - MAX_FAULTS
  return count > 0 ? [...faults.slice(0, MAX_FAULTS), say('more_faults', { count })] : faults
}

const MAX_SEEN = 4

/** Without duplicates: the first few, and how many more there are. */
export function fewOf(texts: readonly string[]): { seen: string[]; more: number } {
  const each = [...new Set(texts)]
  return { seen: each.slice(0, MAX_SEEN), more: Math.max(0, each.length - MAX_SEEN) }
}

// Bounds and cleans JSON from strangers' servers so that it can be stored and shown; a value that is too large is
// dropped completely, because half a schema means something else.

/** Caches by object: a document may refer to the same object many times. */
export function memoizeByObject<Given extends object, Found>(
  read: (given: Given) => Found,
): (given: Given) => Found {
  const cache = new WeakMap<Given, { readonly value: Found }>()
  return given => {
    const cached = cache.get(given) ?? { value: read(given) }
    cache.set(given, cached)
    return cached.value
  }
}

const MAX_DEPTH = 24
const MAX_KEY = 128
const MAX_STRING = 1_024

class TooLarge extends Error {}

/** @returns undefined if more than `maxCharacters` would be stored, or the nesting is too deep */
export function cleanJson(value: unknown, maxCharacters: number): unknown {
  let left = maxCharacters
  const spend = (characters: number) => {
    left -= characters + 1
    if (left < 0) throw new TooLarge()
  }
  const clean = (value: unknown, depth: number): unknown => {
    if (depth > MAX_DEPTH) throw new TooLarge()
    if (typeof value === 'string') {
      const text = cleanText(value, MAX_STRING)
      spend(text.length)
      return text
    }
    spend(4)
    if (Array.isArray(value)) return value.map(item => clean(item, depth + 1))
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => key !== '__proto__')
        .map(([key, item]) => {
          const name = toOneLine(truncate(key, MAX_KEY))
          spend(name.length)
          return [name, clean(item, depth + 1)]
        }),
    )
  }
  try {
    return clean(value, 0)
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}

/** The same for an object; undefined for anything else. */
export function cleanRecord(value: unknown, maxCharacters: number): JsonRecord | undefined {
  const cleaned = isRecord(value) ? cleanJson(value, maxCharacters) : undefined
  return isRecord(cleaned) ? cleaned : undefined
}

const cleanText = (text: string, max: number): string => toLines(truncate(text, max))

/** @returns undefined if it is not a text, or an empty one */
export function cleanWords(value: unknown, max: number): string | undefined {
  const text = typeof value === 'string' ? cleanText(value, max).trim() : ''
  return text === '' ? undefined : text
}

/** An identifier such as an extension name or media type; undefined if it contains other characters. */
export const cleanName = (value: unknown, max = 64): string | undefined =>
  typeof value === 'string' && value.length <= max && /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(value)
    ? value
    : undefined

export function parseJson(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

// Finds JSON keys that clients read differently. Most parsers take the last of duplicate keys, some the first; Go's parser accepts
// `PAYTO` for `payTo`. Terms that mean one thing to us and another to a client are treated as unreadable.

const ROOT = ['x402Version', 'accepts']
const REQUIREMENTS = ['scheme', 'network', 'amount', 'maxAmountRequired', 'asset', 'payTo']
/** Of an MPP challenge, at any depth. */
const REQUEST = ['amount', 'currency', 'recipient', 'methodDetails', 'chainId', 'network', 'splits']

/** Case folding as in Go: `ſ` folds to s, the Kelvin sign to k. */
const fold = (key: string): string => key.toUpperCase().toLowerCase()

const toNames = (names: readonly string[]) => new Map(names.map(name => [fold(name), name]))
const NAMES = {
  root: toNames(ROOT),
  requirements: toNames(REQUIREMENTS),
  request: toNames(REQUEST),
} as const

/** A string, or a structural character. Runs of plain characters are taken at once: a long string would cost a hundred times as much. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g

type Level = {
  readonly isObject: boolean
  /** Which names are checked at this level; absent if none are. */
  readonly of?: keyof typeof NAMES
  readonly keys: Set<string>
  /** The latest key. */
  key?: string
}

/**
 * @param json parses without an error
 * @param of what it is: x402 terms, or the request of an MPP challenge
 * @returns the first ambiguous key of the terms, of payment requirements or of the request
 */
export function ambiguousKey(json: string, of: 'root' | 'request' = 'root'): string | undefined {
  const levels: Level[] = []
  let isKey = false
  for (const [token] of json.matchAll(TOKEN)) {
    const level = levels.at(-1)
    if (token === '{' || token === '[') {
      levels.push({ isObject: token === '{', keys: new Set(), ...levelOf(token, levels, of) })
      isKey = token === '{'
    } else if (token === '}' || token === ']') {
      levels.pop()
      isKey = false
    } else if (token === ',') isKey = level?.isObject ?? false
    else if (token === ':') isKey = false
    else if (isKey && level?.of) {
      const key = JSON.parse(token) as string
      const name = NAMES[level.of].get(fold(key))
      if (name !== undefined && (name !== key || level.keys.has(key))) return key
      level.keys.add(key)
      level.key = key
    }
  }
  return undefined
}

function levelOf(token: '{' | '[', levels: readonly Level[], of: 'root' | 'request'): Pick<Level, 'of'> {
  if (token === '[') return {}
  if (levels.length === 0 || of === 'request') return { of }
  const isRequirements = levels.length === 2 && levels[0]?.key === 'accepts' && !levels[1]?.isObject
  return isRequirements ? { of: 'requirements' } : {}
}
