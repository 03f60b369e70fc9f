// How well an entry fits a keyword query, 0 to 1, by the key that the evaluator gave it.
import { MAX_IMPACT } from '../index/document-terms.ts'
import { COORDINATION, type TermPostings } from './evaluation.ts'

/** At so much of the highest sum the last word counts half. */
const HALF_SATISFIED = 0.5

/** No entry has a higher sum of weighted impacts. */
export function maxScore(terms: readonly TermPostings[]): number {
  let sum = 0
  for (const { weight } of terms) sum += weight
  return MAX_IMPACT * sum
}

/** The share of the words that an entry has, of which the last counts by how well it has them all. */
export const toCoordinatedRelevance =
  (terms: number, most: number) =>
  (key: number): number => {
    const words = Math.floor(key / COORDINATION)
    const mean = ((key - words * COORDINATION) / most) * (terms / words)
    return (words - 1 + mean / (mean + HALF_SATISFIED)) / terms
  }
