import { describe, expect, test } from 'bun:test'
import { Columns } from '../../../src/catalog/columns/columns.ts'
import { FilterCache } from '../../../src/catalog/filters/filter-cache.ts'
import type { Entry } from '../../../src/domain/listing/service.ts'
import type { AppliedFilters } from '../../../src/domain/queries/filters.ts'
import { entry } from '../../entries.ts'
import { fc } from '../../fast-check.ts'
import { passesFilters } from '../../filters.ts'

const FILTERS: readonly AppliedFilters[] = [
  { chain: 'base' },
  { chain: 'solana', status: 'verified' },
  { chain: 'late-chain' },
  { currency: ['usdc', 'usd'], maxPricePerRequest: { amount: '0.01', below: true } },
  { maxPricePerRequest: { amount: '0.01', below: false } },
  { freeQuota: 'quota' },
  { freeQuota: 'any', maxPricePerRequest: { amount: '1', below: false } },
  { category: 'weather' },
  { category: 'nowhere' },
]

/** Beyond the first room of the columns, so that bits must grow with them. */
const SLOTS = 3_000

const made = fc
  .record({
    slot: fc.nat(SLOTS - 1),
    chain: fc.constantFrom('base', 'solana', 'polygon', 'late-chain'),
    currency: fc.constantFrom('USDC', 'USD', 'JPYC'),
    pricePerRequest: fc.constantFrom('0', '0.005', '0.01', '0.02', '3'),
    freeQuota: fc.constantFrom(0, 5),
    category: fc.constantFrom('weather', 'ai'),
    status: fc.constantFrom('verified' as const, 'unverified' as const, 'inactive' as const),
  })
  .map(({ slot, chain, currency, pricePerRequest, freeQuota, category, status }) => ({
    slot,
    entry: entry(
      { category, pricing: { currency, pricePerRequest, freeQuota } },
      { supportedChains: [chain], standing: { trustScore: 50, status } },
    ),
  }))

class Watched {
  readonly columns = new Columns()
  readonly filters = new FilterCache(this.columns)
  readonly entries = new Map<number, Entry>()

  write(slot: number, entry: Entry): void {
    if (this.columns.write(slot, entry)) this.filters.changed(slot)
    this.entries.set(slot, entry)
  }

  /** Asks for a filter and compares what it says of every entry; answers whether it was kept. */
  ask(filter: AppliedFilters): boolean {
    const accept = this.filters.acceptor(filter)
    for (const [slot, entry] of this.entries) {
      const passes = passesFilters(filter, entry)
      expect(accept?.(slot) ?? false).toBe(passes)
      if (accept?.passing) expect((accept.passing[slot >> 5]! >>> (slot & 31)) & 1).toBe(passes ? 1 : 0)
    }
    return accept?.passing !== undefined
  }
}

const numbered = (slot: number) => ({
  slot,
  entry: entry({ pricing: { currency: 'USDC', pricePerRequest: String(slot % 7), freeQuota: slot % 3 } }),
})

test('a cached filter agrees with the filter for every entry, whatever is written meanwhile', () => {
  let kept = 0
  const step = fc.oneof(
    { weight: 2, arbitrary: made.map(written => ({ written })) },
    { weight: 1, arbitrary: fc.constantFrom(...FILTERS).map(asked => ({ asked })) },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), steps => {
      const watched = new Watched()
      for (const each of steps)
        if ('written' in each) watched.write(each.written.slot, each.written.entry)
        else if (watched.ask(each.asked)) kept++
      for (const filter of [...FILTERS, ...FILTERS, ...FILTERS]) if (watched.ask(filter)) kept++
    }),
    { numRuns: 150 },
  )
  expect(kept).toBeGreaterThan(1_000)
})

/** The first asking is remembered, the second one makes room, the third one looks. */
const ASKINGS = [1, 2, 3]
const priced = (amount: number): AppliedFilters => ({
  maxPricePerRequest: { amount: String(amount), below: false },
})

describe('a filter', () => {
  test('is cached when it is used a third time', () => {
    const watched = new Watched()
    watched.write(1, numbered(1).entry)
    expect(watched.ask({ freeQuota: 'quota' })).toBe(false)
    expect(watched.filters.bytes).toBe(0)
    expect(watched.ask({ freeQuota: 'quota' })).toBe(false)
    expect(watched.filters.bytes).toBe(0)
    expect(watched.ask({ freeQuota: 'quota' })).toBe(true)
    expect(watched.filters.bytes).toBeGreaterThan(0)
    expect(watched.ask({ freeQuota: 'quota' })).toBe(true)
  })

  test('is not cached if many others were used in between, or if nothing can pass it', () => {
    const watched = new Watched()
    watched.write(1, numbered(1).entry)
    watched.ask({ freeQuota: 'quota' })
    for (let amount = 0; amount < 100; amount++) watched.ask(priced(amount))
    watched.ask({ freeQuota: 'quota' })
    for (const _ of ASKINGS) expect(watched.ask({ chain: 'late-chain' })).toBe(false)
    expect(watched.filters.bytes).toBe(0)
  })

  test('is evicted when it is the least recently used', () => {
    const watched = new Watched()
    watched.write(1, numbered(1).entry)
    for (let amount = 0; amount < 16; amount++) for (const _ of ASKINGS) watched.ask(priced(amount))
    const full = watched.filters.bytes
    expect(watched.ask(priced(0))).toBe(true)
    for (const _ of ASKINGS) watched.ask(priced(16))
    expect(watched.filters.bytes).toBe(full)
    expect(watched.ask(priced(0))).toBe(true)
    expect(watched.ask(priced(1))).toBe(false)
  })

  test('is recomputed after very many changes, and always correct', () => {
    const watched = new Watched()
    let round = 0
    /** Each entry has another price in each round. */
    const write = (count: number) => {
      for (let i = 0; i < count; i++) {
        if (i % 64 === 0) round++
        watched.write(i % 64, numbered((i % 64) + round).entry)
      }
    }
    write(64)
    for (const _ of ASKINGS) watched.ask({ freeQuota: 'quota' })
    write(4_096)
    expect(watched.ask({ freeQuota: 'quota' })).toBe(true)
    write(64)
    expect(watched.filters.bytes).toBe(0)
    for (const _ of ASKINGS) watched.ask({ freeQuota: 'quota' })
    expect(watched.ask({ freeQuota: 'quota' })).toBe(true)
  })

  test('stays cached while no filtered field is written', () => {
    const watched = new Watched()
    for (let slot = 0; slot < 64; slot++) watched.write(slot, numbered(slot).entry)
    for (const _ of ASKINGS) watched.ask({ freeQuota: 'quota' })
    for (let i = 0; i < 10_000; i++) {
      const { entry } = numbered(i % 64)
      watched.write(i % 64, {
        ...entry,
        name: `again ${i}`,
        standing: { ...entry.standing, uptimeScore: i % 7 },
      })
    }
    expect(watched.filters.bytes).toBeGreaterThan(0)
    expect(watched.ask({ freeQuota: 'quota' })).toBe(true)
  })

  test('of a large catalog is computed in steps, with writes in between', () => {
    const watched = new Watched()
    const writeSome = (shift: number) => {
      for (let slot = 0; slot < 100_000; slot += 997) watched.write(slot, numbered(slot + shift).entry)
    }
    writeSome(0)
    const answers: boolean[] = []
    for (let shift = 1; shift <= 8; shift++) {
      answers.push(watched.ask({ freeQuota: 'quota', maxPricePerRequest: { amount: '3', below: false } }))
      writeSome(shift)
    }
    expect(answers).toEqual([false, false, false, false, false, true, true, true])
  })
})
