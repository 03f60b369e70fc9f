// The same store gives the same verdicts in every process: in one that followed each change, and in one that starts now.
import { expect, test } from 'bun:test'
import { createRandom } from '../../bench/catalog.ts'
import { Catalog } from '../../src/catalog/catalog.ts'
import { openFollower } from '../../src/catalog/follow.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { parseResolveQuery } from '../../src/domain/resolve/resolution.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { entry } from '../entries.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const NOW_MS = Date.parse('2026-06-01T00:00:00Z')
const HOUR_MS = 3_600_000
const WALLETS = [1, 2, 3].map(digit => `0x${String(digit).repeat(40)}`)
const URLS = ['', '/v1', '/v2', '/v1/a', '/v1?q=1', '/v1?r=2&q=1'].map(path => `https://api.shop.dev${path}`)
const PRICES = ['0.001', '0.01', '0.1']
const micros = (price: string): string => String(Math.round(Number(price) * 1e6))

const QUESTIONS = URLS.flatMap(url =>
  WALLETS.flatMap(payTo =>
    PRICES.map(price =>
      parseResolveQuery({ url, payTo, network: 'base', asset: USDC, amount: micros(price), scheme: 'exact' }),
    ),
  ),
)
const verdictsOf = (catalog: Catalog): string[] =>
  QUESTIONS.map(query => JSON.stringify(catalog.resolve(query, new Date(NOW_MS)).decode()))

test('two catalogs of one store give the same verdicts, whenever they were opened', async () => {
  await using store = await openStore('sqlite::memory:', { clock: systemClock })
  const early = new Catalog()
  await using _ = openFollower({ store, catalog: early, clock: systemClock })
  const random = createRandom(7)
  const pick = <T>(values: readonly T[]): T => values[random(values.length)]!
  const hoursAgo = (most: number) => new Date(NOW_MS - random(most) * HOUR_MS).toISOString()

  /** A listing in any state: claimed or not, verified or not, seen as listed or otherwise. */
  const invent = (): Entry => {
    const [payTo, seenPayTo] = [pick(WALLETS), pick(WALLETS)]
    const [price, seenPrice] = [pick(PRICES), pick(PRICES)]
    const endpoint = pick(URLS)
    const created = entry(
      {
        endpoint,
        pricing: { currency: 'USDC', pricePerRequest: price, freeQuota: 0 },
        x402Config: { paymentAddress: payTo, network: 'base' },
      },
      {
        now: new Date(hoursAgo(400)),
        standing: { status: pick(['verified', 'verified', 'unverified', 'inactive']) },
      },
    )
    const way = { scheme: 'exact', chain: 'eip155:8453', asset: USDC, amount: micros(seenPrice) }
    return {
      ...created,
      owner: pick([null, ...WALLETS.map(wallet => `eip155:${wallet}`)]),
      ...(random(3) > 0 && {
        seen: {
          at: hoursAgo(200),
          price: 'same',
          asks: { amount: seenPrice, currency: 'USDC' },
          ...(random(3) === 0 && { lostAt: hoursAgo(200) }),
          resources: [{ url: endpoint, method: 'GET', ways: [{ ...way, payTo: pick([payTo, seenPayTo]) }] }],
        },
      }),
    }
  }

  const ids: string[] = []
  const given = new Set<string>()
  let last = 0
  const follow = async (seq: number | undefined) => {
    last = seq ?? last
    await early.whenReached(last)
  }
  const ACTS: readonly (() => Promise<unknown>)[] = [
    async () => {
      const created = Array.from({ length: random(8) === 0 ? 130 : 3 }, invent)
      ids.push(...created.map(({ id }) => id))
      await follow((await store.insert(created)).seq)
    },
    async () => {
      const id = pick(ids)
      const { endpoint, pricing, x402Config, seen, standing } = invent()
      await follow(
        await store.update([id], before => {
          const { seen: _, ...rest } = before
          const moved = { endpoint, pricing, x402Config, standing, movedAt: hoursAgo(300) }
          return { entry: { ...rest, ...moved, ...(seen && { seen }) }, events: [] }
        }),
      )
    },
    async () => {
      const hidden = random(4) === 0 ? { hidden: { at: hoursAgo(9), why: 'A copy.' } } : { retired: 'Over.' }
      await follow(
        await store.update([pick(ids)], before => ({ entry: { ...before, ...hidden }, events: [] })),
      )
    },
    async () => {
      await follow(await store.remove(pick(ids), new Date(NOW_MS), null))
    },
  ]
  for (let round = 0; round < 12; round++) {
    for (let step = 0; step < 6 * Math.min(round, 1); step++) await pick(ids.length > 0 ? ACTS : [ACTS[0]!])()
    const late = new Catalog()
    await using follower = openFollower({ store, catalog: late, clock: systemClock })
    await follower.caughtUp
    expect(verdictsOf(late)).toEqual(verdictsOf(early))
    for (const answer of verdictsOf(late)) given.add(JSON.parse(answer).verdict)
  }
  expect([...given].sort()).toEqual(['caution', 'clear', 'stop', 'unknown'])
})
