// Selects which words of a keyword query are evaluated.
import type { TermPostings } from './evaluate.ts'
import { createExpansionBudget } from './expansion-budget.ts'
import type { QueryTerms } from './query-terms.ts'

/** The terms of a query may have as many postings as there are entries, or this many in a small catalog. */
const MIN_BUDGET = 4_096

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

/**
 * Returns the rarest terms that fit the budget, and at least two: they decide the order, and frequent words find hardly any other
 * entries. Depends on document frequencies only, so that the same catalog always gives the same result.
 */
export function toAffordable(terms: readonly TermPostings[], entries: number): TermPostings[] {
  let left = Math.max(MIN_BUDGET, entries)
  return terms
    .toSorted((a, b) => a.count - b.count)
    .filter(({ count }, i) => {
      left -= count
      return i < 2 || left >= 0
    })
}
