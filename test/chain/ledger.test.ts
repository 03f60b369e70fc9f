// The credit of payments when listings change, without a chain.
import { describe, expect, test } from 'bun:test'
import { BlockSpan } from '../../src/chain/chain-reader.ts'
import { PayeeListings } from '../../src/chain/credit.ts'
import { Ledger } from '../../src/chain/ledger.ts'
import { ASSETS } from '../../src/domain/chains/assets.ts'
import { findChain } from '../../src/domain/chains/chains.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Seq } from '../../src/store/store.ts'
import { draft, entry } from '../entries.ts'
import { fc } from '../fast-check.ts'

const CHAIN = findChain('eip155:8453')!
const PAYEE = `0x${'5'.repeat(40)}`
const USDC = ASSETS.find(({ chain, symbol }) => chain === CHAIN.id && symbol === 'USDC')!

test('payments are credited again when a listing changes, but not over and over', async () => {
  let nowMs = Date.parse('2026-11-18T08:00:00.000Z')
  const clock = { ...systemClock, now: () => new Date(nowMs) }
  await using store = await openStore('sqlite::memory:', { clock })
  const listings = new PayeeListings([CHAIN.id])
  let seq: Seq = 0
  const follow = async () => {
    const page = await store.changes(seq, 100)
    listings.apply(page)
    seq = page.at(-1)?.seq ?? seq
  }
  const list = (createdAt: string): Entry => ({
    ...entry(draft({ x402Config: { paymentAddress: PAYEE, network: 'Base' } }), {
      standing: { status: 'verified' },
    }),
    createdAt,
    owner: 'key_1',
  })
  const own = async ({ id }: Entry, owner: string) => {
    await store.update([id], now => ({ entry: { ...now, owner }, events: [] }))
    await follow()
  }
  const [first, second] = [list('2026-11-01T00:00:00.000Z'), list('2026-11-02T00:00:00.000Z')]
  const counts = () =>
    Promise.all([first, second].map(async ({ id }) => (await store.find(id))!.entry.standing.txCount))
  await store.insert([first, second])
  await follow()

  const ledger = new Ledger({ chain: CHAIN, store, listings, clock, backfillBlocks: 10 })
  await ledger.load()
  await ledger.commit(undefined, { cursor: { block: 10 } })
  const settleClaims = async () => {
    while (await ledger.settleClaims(ledger.cursor!));
  }
  await settleClaims()
  const payment = {
    chain: CHAIN.id,
    transaction: `0x${'1'.repeat(64)}`,
    logIndex: 0,
    block: 5,
    at: clock.now().toISOString(),
    asset: USDC.address.toLowerCase(),
    payer: `0x${'7'.repeat(40)}`,
    payee: PAYEE,
    amount: first.pricing.pricePerRequest,
    method: 'authorization' as const,
  }
  await ledger.storeSettlements(ledger.cursor!, [payment])
  expect(await counts()).toEqual([1, 0])

  await own(second, `eip155:${PAYEE}`)
  await settleClaims()
  expect(await counts()).toEqual([0, 1])
  await own(second, 'key_1')
  await settleClaims()
  expect(await counts()).toEqual([0, 1])
  nowMs += 3_600_000
  await settleClaims()
  expect(await counts()).toEqual([1, 0])
})

/** Asks a node with a limit, full spans only; tells how many blocks were asked for each time. */
function ask(span: BlockSpan, limit: number, times: number): number[] {
  return Array.from({ length: times }, () => {
    const { size } = span
    if (size <= limit) span.onSuccess(size)
    else span.onRefusal(size)
    return size
  })
}

describe('the span of blocks', () => {
  test('grows while the node answers', () => {
    expect(ask(new BlockSpan(), Number.POSITIVE_INFINITY, 7)).toEqual([
      500, 1000, 2000, 4000, 8000, 10_000, 10_000,
    ])
  })

  test('reaches more than half of any limit, and is then refused at most once in 64 requests', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), limit => {
        const span = new BlockSpan()
        ask(span, limit, 40)
        expect(span.size).toBeLessThanOrEqual(limit)
        expect(span.size).toBeGreaterThan(limit / 2 - 1)
        const later = ask(span, limit, 640)
        expect(later.filter(size => size > limit).length).toBeLessThanOrEqual(10)
      }),
    )
  })

  test('finds a limit that has risen', () => {
    const span = new BlockSpan()
    ask(span, 10, 40)
    ask(span, 5_000, 200)
    expect(span.size).toBeGreaterThan(2_500)
  })

  test('does not grow after short requests, and cannot shrink below one block', () => {
    const span = new BlockSpan()
    span.onSuccess(3)
    expect(span.size).toBe(500)
    while (span.onRefusal(span.size));
    expect(span.size).toBe(1)
    expect(span.onRefusal(1)).toBe(false)
  })
})
