// The words of queries come back again and again: each is brought to its term, and the term looked up, once.

import type { Lexicon } from '../index/lexicon.ts'
import type { Analyzer } from '../text/analyzer.ts'

/** A word as it is written, and the term it is looked for by. */
export type QueryWord = {
  readonly word: string
  readonly term: string
  /** Of the term in the lexicon, or -1. */
  readonly number: number
}

const MAX_REMEMBERED = 32_768

export function createQueryWords(lexicon: Lexicon, { toTerm }: Analyzer): (word: string) => QueryWord {
  const remembered = new Map<string, QueryWord>()
  return word => {
    const known = remembered.get(word)
    if (known !== undefined) return known
    const term = toTerm(word)
    const found = { word, term, number: lexicon.find(term) }
    // A term keeps its number, but one that no entry has had may get one; and there is no end of words that no entry has.
    if (found.number >= 0) {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(word, found)
    }
    return found
  }
}
