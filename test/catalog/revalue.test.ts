import { expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { type Rates, readRates } from '../../src/domain/money/rates.ts'
import { parseListQuery } from '../../src/domain/queries/queries.ts'
import { entry } from '../entries.ts'

const ratesOf = (yen: number) => readRates({ base: 'USD', date: '2026-11-16', rates: { JPY: yen } }) as Rates

const inYen = (price: string) => entry({ pricing: { currency: 'JPY', pricePerRequest: price, freeQuota: 0 } })
const inDollars = entry({ pricing: { currency: 'USDC', pricePerRequest: '0.05', freeQuota: 0 } })

test('entries loaded while rates change have dollar prices by the new rates', () => {
  const catalog = new Catalog()
  for (const _ of catalog.revalue(ratesOf(100)));
  const [first, second] = [inYen('10'), inYen('20')]
  const changes = [first, inDollars, second].map((each, i) => ({
    seq: i + 1,
    objectSeq: i + 1,
    id: each.id,
    entry: each,
  }))
  catalog.apply(changes.slice(0, 1))
  // In no order yet.
  catalog.apply(changes.slice(1), { more: true })
  for (const _ of catalog.revalue(ratesOf(1_000)));
  catalog.apply([])
  const within = (maxUsdPrice: string) =>
    catalog
      .list(parseListQuery({ sortBy: 'usdPrice', maxUsdPrice }))
      .services.decode()
      .map(({ id }) => id)
  expect(within('1')).toEqual([first.id, second.id, inDollars.id])
  expect(within('0.01')).toEqual([first.id])
  expect(within('0.02')).toEqual([first.id, second.id])
})
