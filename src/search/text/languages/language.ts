// What the search knows of a language. Each has a folder beside this file; languages.ts lists them.

/** A script that puts no space between words. */
export type Unspaced = {
  readonly isOwn: (character: string) => boolean
  /** The words of a run of such characters in order, grammar left out. */
  readonly segment: (run: string) => readonly string[]
}

/** How its texts become terms. */
export type TextRules = {
  readonly unspaced?: Unspaced
  /** What the forms of one word share. `word` is normalised to NFKC and lower-case. */
  toStem(word: string): string
  /** Further terms under which a compound is found. */
  toParts(stem: string): string[]
  /** In a sentence, a shorter word that no entry has is rather another word than a misspelt one: tyres are not types. */
  readonly minFuzzyLength: number
}

export interface Language {
  /** ISO 639-1. */
  readonly code: string
  /** Whether a text is written in it. */
  recognises(text: string): boolean
  /** Whether it is the one to stem a word. Told by the word alone, so that documents and queries agree. */
  owns(word: string): boolean
  readonly text: TextRules
}
