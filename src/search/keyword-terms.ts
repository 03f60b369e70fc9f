// Which of the words of a keyword query are walked.
import { createStrays, type QueryTerms } from './query-terms.ts'
import type { WalkTerm } from './walk-term.ts'

/** Of words that many entries have, so many count: each costs a walk over all of the catalog, and further ones tell little. */
const MOST_FREQUENT = 8

/** The terms of any word that leads somewhere. @param prefix whether the last word may be the beginning of one */
export function toKeywordTerms(queryTerms: QueryTerms, query: string, prefix: boolean): WalkTerm[] {
  const strays = createStrays()
  const words = queryTerms.words(query)
  const terms: WalkTerm[] = []
  let frequent = 0
  for (let i = 0; i < words.length; i++) {
    const term = queryTerms.resolve(words[i]!, { prefix: prefix && i === words.length - 1, strays })
    if (term === undefined || (term.frequent && ++frequent > MOST_FREQUENT)) continue
    terms.push(term)
  }
  return terms
}
