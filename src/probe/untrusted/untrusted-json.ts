// Bounds and cleans JSON from strangers' servers so that it can be stored and shown; a value that is too large is
// dropped completely, because half a schema means something else.

import { isRecord, type JsonRecord } from '../../domain/json.ts'
import { toLines, toOneLine } from '../../domain/text/invisible.ts'
import { truncate } from '../../domain/text/text.ts'

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

export const cleanText = (text: string, max: number): string => toLines(truncate(text, max))

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
