// Shortens text from strangers' servers and makes it safe to store and repeat.
import { truncate } from '../../domain/text/text.ts'
import { type Message, say } from '../../messages/message.ts'

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
