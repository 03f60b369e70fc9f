// Counts what filters would leave, and how trust and prices spread.
import { type Count, type Distributions, type Facets, PRICE_STEPS } from '../domain/facets.ts'
import { CURRENCY_FAMILIES, toPriceWords } from '../domain/money.ts'
import type { Filters } from '../domain/queries.ts'
import { STATUSES } from '../domain/standing.ts'
import type { Columns } from './columns.ts'
import type { KeptOrders } from './kept-orders.ts'
import { acceptorOf, countWithoutLooking } from './list.ts'

type Parts = { readonly columns: Columns; readonly orders: KeptOrders }
/** How many entries may still be looked at. */
type Budget = { left: number }

/** A few milliseconds: counts are a courtesy, and nobody else is answered meanwhile. */
const MOST_LOOKED_AT = 50_000

export function countFacets(parts: Parts, filters: Filters): Facets {
  const { categories, chains, currencies } = parts.columns
  const budget = { left: MOST_LOOKED_AT }
  const countEach = <Id extends string>(ids: readonly Id[], toFilter: (id: Id) => Filters) =>
    toCounts(ids.map(id => ({ id, count: countOne(parts, { ...filters, ...toFilter(id) }, budget) })))
  return {
    statuses: countEach(STATUSES, status => ({ status })),
    categories: countEach(categories.texts, category => ({ category })),
    chains: countEach(chains.texts, chain => ({ chain })),
    currencies: [...currencies.texts],
  }
}

function toCounts<Id extends string>(counts: readonly Count<Id>[]): Count<Id>[] {
  return counts
    .filter(({ count }) => count !== 0)
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0) || (a.id < b.id ? -1 : 1))
}

function countOne({ columns, orders }: Parts, filters: Filters, budget: Budget): number | undefined {
  const narrowed = orders.narrow(filters)
  if (!narrowed) return 0
  const known = countWithoutLooking(narrowed, columns)
  if (known !== undefined) return known
  const accepts = acceptorOf(narrowed, columns)
  if (!accepts) return 0
  const { age } = narrowed.set
  if (age.size > budget.left) return undefined
  budget.left -= age.size
  let count = 0
  age.walk(0, 1, slot => {
    if (accepts(slot)) count++
    return true
  })
  return count
}

export function measureDistributions({ columns, orders }: Parts): Distributions {
  const { price, trustScore } = orders.all
  const below = Array.from({ length: 9 }, (_, i) =>
    trustScore.countWhile(slot => columns.trust[slot]! < 10 * (i + 1)),
  )
  const trust = [...below, trustScore.size].map((count, i) => count - (below[i - 1] ?? 0))

  const dollars: ReadonlySet<string> = new Set(CURRENCY_FAMILIES.dollar)
  const isDollar = Uint8Array.from(columns.currencies.texts, text => (dollars.has(text) ? 1 : 0))
  const steps = PRICE_STEPS.map(toPriceWords)
  const prices = new Array<number>(steps.length + 1).fill(0)
  const stride = Math.ceil(price.size / MOST_LOOKED_AT)
  let otherCurrencies = 0
  let step = 0
  let place = 0
  // In the order of prices the step only ever rises, and every so many places stand for those between.
  price.walk(0, 1, slot => {
    if (place++ % stride !== 0) return true
    while (step < steps.length && !columns.isPricedUpTo(slot, steps[step]!)) step++
    if (isDollar[columns.currency[slot]!] === 1) prices[step]! += stride
    else otherCurrencies += stride
    return true
  })
  return { trust, prices, otherCurrencies }
}
