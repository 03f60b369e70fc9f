// What every store promises about the census.
import { describe, expect, test } from 'bun:test'
import type { CensusDay } from '../../src/domain/census.ts'
import type { Store } from '../../src/store/store.ts'

export const censusDay = (day: string, parts: Partial<CensusDay> = {}): CensusDay => ({
  day,
  services: 3,
  samples: 0,
  alive: 2,
  verified: 1,
  unverified: 1,
  inactive: 1,
  prices: { known: 3, free: 1, p10: '0', p25: '0', p50: '0.001', p75: '0.02', p90: '0.02' },
  chains: [{ id: 'eip155:8453', count: 3 }],
  categories: [{ id: '天気', count: 2 }],
  languages: [{ id: 'ja', count: 3 }],
  ...parts,
})

export function describeCensus(store: () => Store): void {
  describe('the census', () => {
    test('is stored once a day with the latest counts', async () => {
      const { census } = store()
      await census.put(censusDay('2026-11-01'))
      await census.put(censusDay('2026-11-03', { services: 9 }))
      await census.put(censusDay('2026-11-01', { services: 4 }))
      expect(await census.before('2026-11-04', 9)).toEqual([
        censusDay('2026-11-03', { services: 9 }),
        censusDay('2026-11-01', { services: 4 }),
      ])
      expect(await census.before('2026-11-03', 9)).toEqual([censusDay('2026-11-01', { services: 4 })])
      expect((await census.before('2026-11-04', 1)).map(({ day }) => day)).toEqual(['2026-11-03'])
    })

    test('counts callers of empty searches by the largest count of any one process', async () => {
      const { census } = store()
      await census.putUnmet('2026-11-01', [
        { words: 'flight prices', callers: 7 },
        { words: '新幹線 時刻', callers: 5 },
      ])
      await census.putUnmet('2026-11-01', [{ words: 'flight prices', callers: 6 }])
      await census.putUnmet('2026-11-02', [
        { words: 'flight prices', callers: 5 },
        { words: "it's; --", callers: 7 },
      ])
      await census.putUnmet('2026-11-02', [])
      expect(await census.unmet('2026-11-01', '2026-11-03', 9)).toEqual([
        { words: 'flight prices', days: 2, callers: 7 },
        { words: "it's; --", days: 1, callers: 7 },
        { words: '新幹線 時刻', days: 1, callers: 5 },
      ])
      expect(await census.unmet('2026-11-01', '2026-11-02', 1)).toEqual([
        { words: 'flight prices', days: 1, callers: 7 },
      ])
      await census.pruneUnmet('2026-11-02')
      expect((await census.unmet('2026-11-01', '2026-11-03', 9)).map(({ days }) => days)).toEqual([1, 1])
    })
  })
}
