// The census of every day, and searches that found nothing; part of the Store interface. Neither tells of a person.
import type { CensusDay, UnmetSearch } from '../domain/census.ts'

/** Words that enough callers looked for on a day, and how many of them at least. */
export type UnmetOfDay = Pick<UnmetSearch, 'words' | 'callers'>

export interface CensusTable {
  /** Keeps it in place of an earlier one of the same day. */
  put(census: CensusDay): Promise<void>
  /** Before the given day, newest first. */
  before(day: string, limit: number): Promise<CensusDay[]>
  /** Keeps the higher count where the words are known of that day; counts of several processes are never added up. */
  putUnmet(day: string, searches: readonly UnmetOfDay[]): Promise<void>
  /** From the first day on to before the last one, those of the most callers first. */
  unmet(from: string, before: string, limit: number): Promise<UnmetSearch[]>
  /** Forgets searches before the given day. */
  pruneUnmet(before: string): Promise<void>
}

export const toUnmet = ([words, days, callers]: readonly unknown[]): UnmetSearch => ({
  words: words as string,
  days: Number(days),
  callers: Number(callers),
})
