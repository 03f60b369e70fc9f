// What a stranger's server wrote, cut short and made harmless enough to be repeated and kept.
import { cutShort } from '../domain/text.ts'

const MAX_WORD = 128
const MAX_VALUE = 80
const MAX_SENTENCES = 8

/** As it is where it can stand in a sentence, else as a JSON string. No address is longer than what is left. */
export function shown(text: string): string {
  const short = text.length > MAX_WORD ? `${cutShort(text, MAX_WORD)}…` : text
  return /^[\x21-\x7e]+…?$/.test(short) ? short : toSeen(JSON.stringify(short))
}

/** A parsed value as JSON again. */
export function shownValue(value: unknown): string {
  const text = toSeen(cutShort(toJson(value), MAX_VALUE + 2))
  return text.length > MAX_VALUE ? `${cutShort(text, MAX_VALUE)}…` : text
}

/** What nobody sees, or what turns the rest round, is written out. */
const toSeen = (text: string): string =>
  text.replace(
    /[\p{C}\u2028\u2029]/gu,
    unseen => `\\u${unseen.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )

/** What is nested deeply enough can be read, but not written. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '…'
  }
}

/** A list of a hundred entries can have five hundred faults; the first ones are enough to go by. */
export function firstFew(sentences: readonly string[]): readonly string[] {
  const count = sentences.length - MAX_SENTENCES
  return count > 0
    ? [...sentences.slice(0, MAX_SENTENCES), `There are ${count} more such faults.`]
    : sentences
}
