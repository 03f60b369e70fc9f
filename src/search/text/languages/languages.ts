// Which languages are searched in.
import { LANGUAGE_CODES, type LanguageCode } from '../../../domain/languages/languages.ts'
import { createEquivalents, type FindEquivalents } from '../equivalents.ts'
import { ENGLISH } from './english/english.ts'
import { JAPANESE } from './japanese/japanese.ts'
import type { Language } from './language.ts'

export interface Languages {
  /** Entries and words know their language by its place here. */
  readonly all: readonly Language[]
  ofText(text: string): Language
  ofWord(word: string): Language
  /** The words of a lower-case text that stand for others. */
  equivalentsIn: FindEquivalents
}

/** The first takes what no other recognises. */
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

/** Those of the directory. */
export const SEARCH_LANGUAGES = createLanguages(...LANGUAGE_CODES.map(code => BY_CODE[code]))
