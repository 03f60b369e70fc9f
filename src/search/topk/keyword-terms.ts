// Which of the words of a keyword query are walked.

import type { PostingsCursor } from './cursor.ts'
import { createStrays, type QueryTerms } from './query-terms.ts'

/**
 * What the words of one query may cost together, in postings: a part of the entries, or this many in a small catalog. The
 * words that fewest entries have count first; those beyond tell least.
 */
const LEAST_ALLOWANCE = 1_024
const ALLOWANCE_SHARE = 20
/** Of more words each may cost the less: who says that much says it by the words that few entries have. */
const WELL_SAID = 8
/** So many that many entries have always count. */
const FEWEST_FREQUENT = 2
/** A word that many entries have is walked by its bits, which costs no more than the postings of one entry of so many. */
const FREQUENT_SHARE = 128

/** The terms of any word that leads somewhere. @param prefix whether the last word may be the beginning of one */
export function toKeywordTerms(
  queryTerms: QueryTerms,
  query: string,
  prefix: boolean,
  entries: number,
): PostingsCursor[] {
  const strays = createStrays(entries)
  const words = queryTerms.words(query)
  const terms: PostingsCursor[] = []
  for (let i = 0; i < words.length; i++) {
    const term = queryTerms.resolve(words[i]!, { prefix: prefix && i === words.length - 1, strays })
    if (term !== undefined) terms.push(term)
  }
  return terms.length > 2 ? toAffordable(terms, entries) : terms
}

/** By nothing but how many entries have each: the same catalog gives the same answer, whatever it was before. */
function toAffordable(terms: PostingsCursor[], entries: number): PostingsCursor[] {
  terms.sort((a, b) => a.count - b.count)
  const share = Math.min(1, WELL_SAID / terms.length) / ALLOWANCE_SHARE
  let left = Math.max(LEAST_ALLOWANCE, entries * Math.max(share, FEWEST_FREQUENT / FREQUENT_SHARE))
  let affordable = 0
  for (; affordable < terms.length; affordable++) {
    left -= Math.min(terms[affordable]!.count, entries / FREQUENT_SHARE)
    if (left < 0) break
  }
  return terms.slice(0, affordable)
}
