// The languages of the search, and the words of a text that have equivalents: in another language, in another script, or as the reading
// of a word.
import { LANGUAGE_CODES, type LanguageCode } from '../../../domain/languages/languages.ts'
import { ENGLISH } from './english/english.ts'
import { JAPANESE } from './japanese/japanese.ts'
import type { Language, LexiconEntry } from './language.ts'

const NONE: readonly Equivalent[] = []

/** Returns whether a character next to a word makes it part of a longer one. @param edge the adjacent character of the word */
type Continues = (word: string, edge: string, neighbour: string) => boolean

export type Equivalent = {
  readonly written: string
  readonly others: readonly string[]
  readonly nameOf: LexiconEntry['nameOf']
}
/** @param text lower-case */
export type FindEquivalents = (text: string) => readonly Equivalent[]

/** Returns whether a unit is a lower-case ASCII letter or a digit. */
const isPlain = (unit: number): boolean => (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)

export function createEquivalents(lexicon: readonly LexiconEntry[], continues: Continues): FindEquivalents {
  const equivalents = new Map<string, Equivalent>()
  for (const { words, readings, nameOf } of lexicon) {
    for (const written of [...words, ...readings]) {
      const known = equivalents.get(written)
      const others = [...new Set([...(known?.others ?? []), ...words.filter(each => each !== written)])]
      equivalents.set(written, {
        written,
        others,
        nameOf: nameOf ?? known?.nameOf,
      })
    }
  }
  /** By their first two UTF-16 units, the longest first. */
  const byStart = new Map<string, Equivalent[]>()
  for (const equivalent of equivalents.values()) {
    const start = equivalent.written.slice(0, 2)
    byStart.set(start, [...(byStart.get(start) ?? []), equivalent])
  }
  for (const each of byStart.values()) each.sort((a, b) => b.written.length - a.written.length)

  function isWhole(text: string, at: number, word: string): boolean {
    const end = at + word.length
    if (at > 0 && continues(word, word[0]!, text[at - 1]!)) return false
    return end >= text.length || !continues(word, word.at(-1)!, text[end]!)
  }

  function findAt(text: string, at: number): Equivalent | undefined {
    for (const start of [text.slice(at, at + 2), text.slice(at, at + 1)])
      for (const each of byStart.get(start) ?? NONE)
        if (text.startsWith(each.written, at) && isWhole(text, at, each.written)) return each
    return undefined
  }

  return text => {
    const found: Equivalent[] = []
    for (let at = 0; at < text.length; at++) {
      // Inside a word of ASCII letters and digits, nothing is whole.
      if (at > 0 && isPlain(text.charCodeAt(at)) && isPlain(text.charCodeAt(at - 1))) continue
      const each = findAt(text, at)
      if (each === undefined) continue
      found.push(each)
      at += each.written.length - 1
    }
    return found
  }
}

export interface Languages {
  /** The language of an entry or word is an index into this list. */
  readonly all: readonly Language[]
  ofText(text: string): Language
  ofWord(word: string): Language
  /** Finds the words of a lower-case text that have equivalents. */
  equivalentsIn: FindEquivalents
}

/** The first language is the default for what no other recognises. */
export function createLanguages(...all: readonly Language[]): Languages {
  const [first, ...others] = all
  if (!first) throw new TypeError('There must be a language')
  const ofWord = (word: string): Language => others.find(language => language.owns(word)) ?? first
  return {
    all,
    ofText: text => others.find(language => language.recognises(text)) ?? first,
    equivalentsIn: createEquivalents(
      all.flatMap(({ text }) => text.lexicon ?? []),
      (word, edge, neighbour) => ofWord(edge).text.continues?.(word, edge, neighbour) ?? false,
    ),
    ofWord,
  }
}

const BY_CODE: Readonly<Record<LanguageCode, Language>> = { en: ENGLISH, ja: JAPANESE }

/** The languages of the directory. */
export const SEARCH_LANGUAGES = createLanguages(...LANGUAGE_CODES.map(code => BY_CODE[code]))
