// The daily census, and searches without results; part of the Store interface. Neither contains personal data.
import type { CensusDay, UnmetSearch } from '../domain/census.ts'

/** Search words that enough callers used on one day, with a lower bound of the number of callers. */
export type UnmetOfDay = Pick<UnmetSearch, 'words' | 'callers'>

export interface CensusTable {
  /** Replaces an earlier census of the same day. */
  put(census: CensusDay): Promise<void>
  /** Before the given day, newest first. */
  before(day: string, limit: number): Promise<CensusDay[]>
  /** Stores the higher count if the words are already stored for that day; counts of several processes are never added up. */
  putUnmet(day: string, searches: readonly UnmetOfDay[]): Promise<void>
  /** From `from` (inclusive) to `before` (exclusive), most callers first. */
  unmet(from: string, before: string, limit: number): Promise<UnmetSearch[]>
  /** Deletes searches before the given day. */
  pruneUnmet(before: string): Promise<void>
}

export const toUnmet = ([words, days, callers]: readonly unknown[]): UnmetSearch => ({
  words: words as string,
  days: Number(days),
  callers: Number(callers),
})
