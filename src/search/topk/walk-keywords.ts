// Walks the postings of keywords: entries with more of the words come first, whatever their score. The answer is always
// that of the exhaustive walk.
import { walkOneLed, walkTwoLed } from './walk-leaders.ts'
import { walkMany } from './walk-many.ts'
import { offerListed, walkPair } from './walk-pair.ts'
import type { KeywordWalk, WalkTerm } from './walk-term.ts'

/** Offers every entry with any of the terms; answers how many there are, where that is asked for. */
export function walkKeywords(walk: KeywordWalk): number {
  const { terms, top } = walk
  const [one, two] = terms
  if (one === undefined) return 0
  if (terms.length > 2) return walkMany(walk)
  if (two !== undefined) return walkTwoWords(walk, one, two)
  if (one.frequent === undefined) offerListed(top, one)
  else {
    walk.scratch.reserve(walk.words)
    walkOneLed(walk, one)
  }
  return one.count
}

function walkTwoWords(walk: KeywordWalk, one: WalkTerm, two: WalkTerm): number {
  const [few, many] = one.count <= two.count ? [one, two] : [two, one]
  // As many postings are read as fast as all words of slots, and need no second look to be counted.
  const isSoonRead = walk.counts && few.count <= walk.words
  if (isSoonRead || few.frequent === undefined || many.frequent === undefined)
    return walkPair(walk, few, many)
  walk.scratch.reserve(walk.words)
  return walkTwoLed(walk, few, many)
}
