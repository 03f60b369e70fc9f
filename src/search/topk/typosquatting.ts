// Misspelt words that somebody squats on: whoever lists one would otherwise be all that it leads to.
import type { Postings } from '../index/postings.ts'
import type { Accept, TermPostings } from './evaluation.ts'

/** A word that more entries have is no misspelt one. */
const MAX_SQUATTED = 256

/** A word that is in so many times as many entries as one that is spelt nearly so is rather meant. */
const RARE = 8

/** Returns whether so few entries have a word that it may be a misspelt one. */
export const isRare = (termId: number, postings: Pick<Postings, 'count'>): boolean =>
  postings.count(termId) <= MAX_SQUATTED

/** Returns whether a word is so rare that another, which is spelt nearly so, is rather meant. */
export const isRareBeside = (termId: number, other: number, postings: Pick<Postings, 'count'>): boolean =>
  postings.count(other) >= RARE * postings.count(termId)

/** Returns whether only entries have the word that are not preferred, and they are few. */
export function isSquatted(
  { slots, start, count }: Pick<TermPostings, 'slots' | 'start' | 'count'>,
  preferred: Accept | undefined,
): boolean {
  if (preferred === undefined || count > MAX_SQUATTED) return false
  for (let at = start; at < start + count; at++) if (preferred(slots[at]!)) return false
  return true
}
