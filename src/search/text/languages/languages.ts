// The languages of the search.
import { LANGUAGE_CODES, type LanguageCode } from '../../../domain/languages/languages.ts'
import { createEquivalents, type FindEquivalents } from '../equivalents.ts'
import { ENGLISH } from './english/english.ts'
import { JAPANESE } from './japanese/japanese.ts'
import type { Language } from './language.ts'

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
