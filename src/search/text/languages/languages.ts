// Which languages are searched in.
import { ENGLISH } from './english/english.ts'
import { JAPANESE } from './japanese/japanese.ts'
import type { Language } from './language.ts'

export interface Languages {
  /** Entries and words know their language by its place here. */
  readonly all: readonly Language[]
  ofText(text: string): Language
  ofWord(word: string): Language
}

/** The first takes what no other recognises. */
export function createLanguages(first: Language, ...others: readonly Language[]): Languages {
  return {
    all: [first, ...others],
    ofText: text => others.find(language => language.recognises(text)) ?? first,
    ofWord: word => others.find(language => language.owns(word)) ?? first,
  }
}

export const LANGUAGES = createLanguages(ENGLISH, JAPANESE)
