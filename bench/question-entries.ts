// The entries that questions are asked of: drawn by a number, so that they are the same in every run.
import { createIdSource } from '../src/domain/ids.ts'
import { createEntry, type Entry } from '../src/domain/listing/service.ts'
import { STATUSES } from '../src/domain/standing/standing.ts'
import { createRandom, registration } from './catalog.ts'

export type Random = (below: number) => number

export const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!

/** Entries by age, a minute apart, with every status and many scores. */
export function createEntries(count: number): Entry[] {
  const random = createRandom(4020)
  const newId = createIdSource(bytes => {
    for (let i = 0; i < bytes.length; i++) bytes[i] = random(256)
  })
  const start = Date.parse('2026-10-01T00:00:00Z')
  return Array.from({ length: count }, (_, i) => {
    const now = new Date(start + i * 60_000)
    const entry = createEntry(JSON.parse(registration(i)), { id: newId(now), now })
    const status = pick(random, STATUSES)
    const network = pick(random, ['base', 'solana', 'polygon', entry.x402Config.network])
    return {
      ...entry,
      supportedChains: [...new Set([entry.x402Config.network, network])],
      standing: {
        ...entry.standing,
        status,
        trustScore: random(101),
        uptimeScore: random(10_001) / 100,
        txCount: random(5_000),
        totalRevenue: (random(1_000_000) / 1_000).toString(),
      },
    }
  })
}

export const CATEGORIES = [
  'ai',
  'data',
  'weather',
  'Finance',
  'crypto',
  'search',
  'developer-tools',
  'nothing-such',
]

export const CHAINS = [
  'base',
  'Base',
  'eip155:8453',
  '8453',
  'solana',
  'polygon',
  'arbitrum',
  'ethereum',
  'nowhere',
]

export const CURRENCIES = ['USDC', 'usdc', 'USDT', 'EURC', 'JPYC', 'XYZ']

export const PRICES = ['0', '0.001', '0.01', '0.05', '0.1', '1', '0.19999']
