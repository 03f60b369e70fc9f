// The census of the example directory.
import type { Census } from '../../domain/census.ts'

export const censusExample: Census = {
  days: [
    {
      day: '2026-02-01',
      services: 64,
      samples: 0,
      alive: 58,
      verified: 51,
      unverified: 9,
      inactive: 4,
      prices: { known: 62, free: 2, p10: '0.0005', p25: '0.001', p50: '0.002', p75: '0.01', p90: '0.05' },
      chains: [{ id: 'eip155:8453', count: 49 }],
      categories: [{ id: 'weather', count: 12 }],
      languages: [{ id: 'en', count: 51 }],
    },
  ],
  unmet: {
    since: '2026-01-02',
    minCallers: 5,
    searches: [{ words: 'tax translation', days: 3, callers: 8 }],
  },
}
