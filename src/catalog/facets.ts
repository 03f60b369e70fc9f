// Counts what filters would leave, and how trust and prices spread.
import { type Count, type Distributions, type Facets, PRICE_STEPS } from '../domain/facets.ts'
import { CURRENCY_FAMILIES, isKnownCurrency, toPriceWords } from '../domain/money.ts'
import type { Filters } from '../domain/queries.ts'
import { STATUSES } from '../domain/standing.ts'
import { compareCodePoints } from '../domain/text.ts'
import type { Columns } from './columns.ts'
import { acceptorOf, countWithoutLooking } from './list.ts'
import type { KeptOrders } from './sorted-indexes.ts'

type Parts = { readonly columns: Columns; readonly orders: KeptOrders }
/** How many entries may still be looked at. */
type Budget = { left: number }

/** A few milliseconds: counts are a courtesy, and nobody else is answered meanwhile. */
const MOST_LOOKED_AT = 50_000

export function countFacets(parts: Parts, filters: Filters, mostLookedAt = MOST_LOOKED_AT): Facets {
  const { categories, chains } = parts.columns
  const budget = { left: mostLookedAt }
  const countEach = <Id extends string>(ids: readonly Id[], toFilter: (id: Id) => Filters) =>
    toCounts(ids.map(id => ({ id, count: countOne(parts, { ...filters, ...toFilter(id) }, budget) })))
  return {
    statuses: countEach(STATUSES, status => ({ status })),
    categories: countEach(categories.texts, category => ({ category })),
    chains: countEach(chains.texts, chain => ({ chain })),
    currencies: countCurrencies(parts, filters, budget),
  }
}

function toCounts<Id extends string>(counts: readonly Count<Id>[]): Count<Id>[] {
  return counts
    .filter(({ count }) => count !== 0)
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0) || compareCodePoints(a.id, b.id))
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

/**
 * Anybody can name a currency, and many of them: those in which most is sold come first, and of equals those that are known.
 */
function countCurrencies(parts: Parts, filters: Filters, budget: Budget): Count[] {
  const { columns } = parts
  const used = columns.currencies.texts
    .map((id, number) => ({ id, number, all: columns.countOfCurrency(number) }))
    .filter(({ all }) => all > 0)
  const counts = currencyCounts(parts, { ...filters, currency: undefined }, budget)
  return used
    .map(({ id, number, all }) => ({ id, all, count: counts && (counts[number] ?? 0) }))
    .filter(({ count }) => count !== 0)
    .sort(
      (a, b) =>
        (b.count ?? b.all) - (a.count ?? a.all) ||
        Number(isKnownCurrency(b.id)) - Number(isKnownCurrency(a.id)) ||
        compareCodePoints(a.id, b.id),
    )
    .map(({ id, count }) => ({ id, count }))
}

/** By the number of the currency; undefined where it takes too long. */
function currencyCounts(
  { columns, orders }: Parts,
  filters: Filters,
  budget: Budget,
): ArrayLike<number> | undefined {
  const known = columns.currencies.texts.map((_, number) => columns.countOfCurrency(number))
  const narrowed = orders.narrow(filters)
  if (!narrowed) return []
  const { set, rest } = narrowed
  if (set === orders.all && rest.maxPricePerRequest === undefined) return known
  const accepts = acceptorOf(narrowed, columns)
  if (!accepts) return []
  if (set.age.size > budget.left) return undefined
  budget.left -= set.age.size
  const counts = new Uint32Array(known.length)
  set.age.walk(0, 1, slot => {
    if (accepts(slot)) counts[columns.currency[slot]!]!++
    return true
  })
  return counts
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
