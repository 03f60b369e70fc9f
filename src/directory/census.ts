// The census over time: today from memory, past days as they were last counted.
import type { Catalog } from '../catalog/catalog.ts'
import {
  type Census,
  type CensusDay,
  type CensusQuery,
  dayOf,
  daysBefore,
  MAX_DAYS,
  type UnmetSearch,
} from '../domain/census.ts'
import { Encoded } from '../domain/json/encoded.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'

export interface CensusReads {
  /** @throws DirectoryError `not_ready`, `store_unavailable` */
  census(query: CensusQuery): Promise<Encoded<Census>>
}

export const UNMET_DAYS = 30
/** Searches without results in a response, the most frequent. */
const MAX_UNMET = 100
/** Past days do not change, so readers rarely cost a query of the store. */
const CACHED_MS = 60_000

type Past = {
  readonly readAtMs: number
  readonly days: readonly CensusDay[]
  readonly searches: readonly UnmetSearch[]
}

export function createCensus({
  ready,
  store,
  clock,
  minCallers,
}: {
  ready: () => Catalog
  store: Pick<Store, 'census'>
  clock: Clock
  minCallers: number
}): CensusReads {
  let past: Past | undefined

  async function readPast(now: Date): Promise<Past> {
    const ageMs = now.getTime() - (past?.readAtMs ?? Number.NEGATIVE_INFINITY)
    if (past && ageMs >= 0 && ageMs < CACHED_MS) return past
    const today = dayOf(now)
    const [days, searches] = await Promise.all([
      store.census.before(today, MAX_DAYS - 1),
      store.census.unmet(daysBefore(now, UNMET_DAYS), today, MAX_UNMET),
    ])
    past = { readAtMs: now.getTime(), days, searches }
    return past
  }

  return {
    async census({ days }) {
      const catalog = ready()
      const now = clock.now()
      const today = dayOf(now)
      const { days: before, searches } = await readPast(now)
      return Encoded.of<Census>({
        // When read just before midnight, the last stored day may be the one that has just started.
        days: [catalog.census(today), ...before.filter(({ day }) => day < today)].slice(0, days),
        unmet: { since: daysBefore(now, UNMET_DAYS), minCallers, searches: [...searches] },
      })
    },
  }
}
