// Typosquatting in the index: an entry that lists a misspelt word must not be the only result of a query with that typo.
import type { Postings } from '../index/postings.ts'
import type { Accept, TermPostings } from './evaluate.ts'

/** A word that more entries have is not a typo. */
const MAX_SQUATTED = 256

/** A word is likely a typo of a similar one that has at least this many times as many entries. */
const RARE = 8

/** Returns whether the term is rare enough to be a typo. */
export const isRare = (termId: number, postings: Pick<Postings, 'count'>): boolean =>
  postings.count(termId) <= MAX_SQUATTED

/** Returns whether the term is so much rarer than a similar one that it is likely a typo of it. */
export const isRareBeside = (termId: number, other: number, postings: Pick<Postings, 'count'>): boolean =>
  postings.count(other) >= RARE * postings.count(termId)

/** Returns whether few entries have the word, none of them preferred. */
export function isSquatted(
  { slots, start, count }: Pick<TermPostings, 'slots' | 'start' | 'count'>,
  preferred: Accept | undefined,
): boolean {
  if (preferred === undefined || count > MAX_SQUATTED) return false
  for (let at = start; at < start + count; at++) if (preferred(slots[at]!)) return false
  return true
}
