// A JSON value that a stranger's server sent, bounded and cleaned so that it can be kept and shown; what is too large is left out
// whole, because half a schema says something else.

import { truncate } from '../domain/text.ts'
import { toLines, toOneLine } from '../domain/unseen.ts'

export type Json = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Asked again for the same object, it answers what it found before: a document that refers to one object often is read once. */
export function oncePerObject<Given extends object, Found>(
  read: (given: Given) => Found,
): (given: Given) => Found {
  const found = new WeakMap<Given, { readonly value: Found }>()
  return given => {
    const known = found.get(given) ?? { value: read(given) }
    found.set(given, known)
    return known.value
  }
}

const MAX_DEPTH = 24
const MAX_KEY = 128
const MAX_STRING = 1_024

class TooLarge extends Error {}

/** @returns undefined where more than so many characters would be kept, or it is nested too deeply */
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

/** The same of an object; anything else is undefined. */
export function cleanRecord(value: unknown, maxCharacters: number): Json | undefined {
  const cleaned = isRecord(value) ? cleanJson(value, maxCharacters) : undefined
  return isRecord(cleaned) ? cleaned : undefined
}

export const cleanText = (text: string, max: number): string => toLines(truncate(text, max))

/** @returns undefined where it is no text, or nothing is left of it */
export function cleanWords(value: unknown, max: number): string | undefined {
  const text = typeof value === 'string' ? cleanText(value, max).trim() : ''
  return text === '' ? undefined : text
}

/** A word for machines, such as the name of an extension or a media type: undefined where it has other characters than such names. */
export const cleanName = (value: unknown, max = 64): string | undefined =>
  typeof value === 'string' && value.length <= max && /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(value)
    ? value
    : undefined
