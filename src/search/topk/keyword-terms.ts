// Selects which words of a keyword query are evaluated.
import type { TermPostings } from './evaluation.ts'
import { createExpansionBudget } from './expansion-budget.ts'
import type { QueryTerms } from './query-terms.ts'

/**
 * The postings budget of one query: a share of the entries, or this many in a small catalog. The rarest words are taken
 * first, as they have the highest IDF.
 */
const MIN_BUDGET = 1_024
const BUDGET_SHARE = 20
/** With more words than this, the budget per word shrinks. */
const MANY_WORDS = 8
/** At least this many frequent words are evaluated. */
const MIN_FREQUENT = 2
/** A frequent word is read as a bitmap, which costs no more than this share of the entries in postings. */
const BITMAP_SHARE = 128

/** Returns the terms of all known and expanded words. @param prefix whether the last word may be a prefix */
export function toKeywordTerms(
  queryTerms: QueryTerms,
  query: string,
  prefix: boolean,
  entries: number,
): TermPostings[] {
  const budget = createExpansionBudget(entries)
  const words = queryTerms.words(query)
  const terms: TermPostings[] = []
  for (let i = 0; i < words.length; i++) {
    const term = queryTerms.resolve(words[i]!, { prefix: prefix && i === words.length - 1, budget })
    if (term !== undefined) terms.push(term)
  }
  return terms.length > 2 ? toAffordable(terms, entries) : terms
}

/** Depends on document frequencies only, so that the same catalog always gives the same result. */
function toAffordable(terms: TermPostings[], entries: number): TermPostings[] {
  terms.sort((a, b) => a.count - b.count)
  const share = Math.min(1, MANY_WORDS / terms.length) / BUDGET_SHARE
  let left = Math.max(MIN_BUDGET, entries * Math.max(share, MIN_FREQUENT / BITMAP_SHARE))
  let affordable = 0
  for (; affordable < terms.length; affordable++) {
    left -= Math.min(terms[affordable]!.count, entries / BITMAP_SHARE)
    if (left < 0) break
  }
  return terms.slice(0, affordable)
}
