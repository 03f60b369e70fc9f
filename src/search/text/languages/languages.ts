// The languages of the search.
import { LANGUAGE_CODES, type LanguageCode } from '../../../domain/languages/languages.ts'
import { createEquivalents, type FindEquivalents, type LexiconEntry } from '../equivalents.ts'
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
  /** Returns the names of services that a request in a language is expanded to, followed by those in the other languages. */
  namesOf(language: Language, names: readonly string[]): readonly string[]
}

/** The first language is the default for what no other recognises. */
export function createLanguages(...all: readonly Language[]): Languages {
  const [first, ...others] = all
  if (!first) throw new TypeError('There must be a language')
  const ofWord = (word: string): Language => others.find(language => language.owns(word)) ?? first
  const namesOf: Languages['namesOf'] = (language, names) => [
    ...names,
    ...all.flatMap(other => (other === language ? [] : (other.sentence.serviceNames?.get(names[0]!) ?? []))),
  ]
  const toEntries = (language: Language): LexiconEntry[] =>
    (language.text.lexicon ?? []).map(entry => ({
      ...entry,
      ...(entry.also && { also: namesOf(language, entry.also) }),
      ...(entry.instead && { instead: namesOf(language, entry.instead) }),
    }))
  return {
    all,
    ofText: text => others.find(language => language.recognises(text)) ?? first,
    equivalentsIn: createEquivalents(
      all.flatMap(toEntries),
      (word, edge, neighbour) => ofWord(edge).text.continues?.(word, edge, neighbour) ?? false,
    ),
    namesOf,
    ofWord,
  }
}

const BY_CODE: Readonly<Record<LanguageCode, Language>> = { en: ENGLISH, ja: JAPANESE }

/** The languages of the directory. */
export const SEARCH_LANGUAGES = createLanguages(...LANGUAGE_CODES.map(code => BY_CODE[code]))
