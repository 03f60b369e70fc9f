// The relevance of an entry for a keyword query, 0 to 1. Its key holds the number of matched words and their weighted impacts.
import { MAX_IMPACT } from '../index/document-terms.ts'
import { COORDINATION, type TermPostings } from './evaluation.ts'

/** At this share of the maximum score the last word counts half. */
const HALF_SATISFIED = 0.5

/** Returns an upper bound of the sum of weighted impacts. */
export function maxScore(terms: readonly TermPostings[]): number {
  let sum = 0
  for (const { weight } of terms) sum += weight
  return MAX_IMPACT * sum
}

/** The share of the query words that an entry has. The last of them counts by how strong the impacts are. */
export const toCoordinatedRelevance =
  (terms: number, most: number) =>
  (key: number): number => {
    const words = Math.floor(key / COORDINATION)
    const mean = ((key - words * COORDINATION) / most) * (terms / words)
    return (words - 1 + mean / (mean + HALF_SATISFIED)) / terms
  }
