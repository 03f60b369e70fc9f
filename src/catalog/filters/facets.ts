// Counts entries per filter value, and computes the distributions of trust and prices.

import { CURRENCY_FAMILIES, toPriceWords } from '../../domain/money/money.ts'
import { type Count, type Distributions, type Facets, PRICE_STEPS } from '../../domain/queries/facets.ts'
import { type AppliedFilters, type FacetName, filterOf } from '../../domain/queries/filters.ts'
import { compareCodePoints } from '../../domain/text/text.ts'
import type { Columns } from '../columns/columns.ts'
import type { Samples } from '../columns/samples.ts'
import { acceptorOf, countByIndex } from '../lists/list.ts'
import type { SortedIndexes } from '../lists/sorted-indexes.ts'
import { VALUES } from './column-filters.ts'
import { toAcceptor } from './filter-predicate.ts'

type Indexes = { readonly columns: Columns; readonly sortedIndexes: SortedIndexes }
type Parts = Indexes & { readonly samples: Samples }
/** A value of a filter before its samples are counted. */
type ValueCount = Pick<Count, 'id' | 'count'>
/** How many entries may still be tested. */
type Budget = { left: number }

/** Entries tested per page, a few milliseconds, during which nothing else is served. */
const MAX_TESTED = 50_000

export function countFacets(parts: Parts, filters: AppliedFilters, maxTested = MAX_TESTED): Facets {
  const budget = { left: maxTested }
  const names = Object.keys(VALUES) as FacetName[]
  const slots = parts.samples.slots()
  return Object.fromEntries(
    names.map(name => {
      const counts = VALUES[name].counted
        ? countTogether(parts, filters, name, budget)
        : countOneByOne(parts, filters, name, budget)
      const { apply } = filterOf(name)
      const countSamples = (id: string) => countOf(slots, parts, { ...filters, [name]: apply(id) })
      return [name, counts.map(each => ({ ...each, samples: slots.length > 0 ? countSamples(each.id) : 0 }))]
    }),
  ) as unknown as Facets
}

/** How many of some slots pass the filters. */
function countOf(slots: readonly number[], { columns }: Indexes, filters: AppliedFilters): number {
  const accepts = toAcceptor(columns, filters)
  return accepts ? slots.filter(accepts).length : 0
}

function countOneByOne(
  parts: Indexes,
  filters: AppliedFilters,
  name: FacetName,
  budget: Budget,
): ValueCount[] {
  const { apply } = filterOf(name)
  return VALUES[name]
    .texts(parts.columns)
    .map(id => ({ id, count: countOne(parts, { ...filters, [name]: apply(id) }, budget) }))
    .filter(({ count }) => count !== 0)
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0) || compareCodePoints(a.id, b.id))
}

function countOne(
  { columns, sortedIndexes }: Indexes,
  filters: AppliedFilters,
  budget: Budget,
): number | undefined {
  const narrowed = sortedIndexes.narrow(filters)
  if (!narrowed) return 0
  const exact = countByIndex(narrowed, columns)
  if (exact !== undefined) return exact
  const accepts = acceptorOf(narrowed, columns)
  if (!accepts) return 0
  const { age } = narrowed.set
  if (age.size > budget.left) return undefined
  budget.left -= age.size
  let count = 0
  age.scan(0, 1, slot => {
    if (accepts(slot)) count++
    return true
  })
  return count
}

/** Providers can invent any number of values: the most used come first, and well-known ones among equals. */
function countTogether(
  parts: Indexes,
  filters: AppliedFilters,
  name: FacetName,
  budget: Budget,
): ValueCount[] {
  const { columns } = parts
  const { texts, counted } = VALUES[name]
  const used = texts(columns)
    .map((id, number) => ({ id, number, all: counted!.countOf(columns, number) }))
    .filter(({ all }) => all > 0)
  const { [name]: _, ...others } = filters
  const counts = countEach(parts, others, name, budget)
  return used
    .map(({ id, number, all }) => ({ id, all, count: counts && (counts[number] ?? 0) }))
    .filter(({ count }) => count !== 0)
    .sort(
      (a, b) =>
        (b.count ?? b.all) - (a.count ?? a.all) ||
        Number(counted!.isKnown(b.id)) - Number(counted!.isKnown(a.id)) ||
        compareCodePoints(a.id, b.id),
    )
    .map(({ id, count }) => ({ id, count }))
}

/** Counts by value number; undefined if it would exceed the budget. */
function countEach(
  { columns, sortedIndexes }: Indexes,
  filters: AppliedFilters,
  name: FacetName,
  budget: Budget,
): ArrayLike<number> | undefined {
  const { texts, counted } = VALUES[name]
  const narrowed = sortedIndexes.narrow(filters)
  if (!narrowed) return []
  const { set, rest } = narrowed
  if (set === sortedIndexes.all && Object.keys(rest).length === 0)
    return texts(columns).map((_, number) => counted!.countOf(columns, number))
  const accepts = acceptorOf(narrowed, columns)
  if (!accepts) return []
  if (set.age.size > budget.left) return undefined
  budget.left -= set.age.size
  const counts = new Uint32Array(texts(columns).length)
  const numbers = counted!.numbers(columns)
  set.age.scan(0, 1, slot => {
    if (accepts(slot)) counts[numbers[slot]!]!++
    return true
  })
  return counts
}

export function measureDistributions(parts: Parts): Distributions {
  const { columns } = parts
  const { price, trustScore } = parts.sortedIndexes.all
  const slots = parts.samples.slots()
  // Samples are left out, unless there is nothing else.
  const samples = slots.length < trustScore.size ? slots : []
  const below = Array.from({ length: 9 }, (_, i) => {
    const isBelow = (slot: number) => columns.trust[slot]! < 10 * (i + 1)
    return trustScore.countWhile(isBelow) - samples.filter(isBelow).length
  })
  const trust = [...below, trustScore.size - samples.length].map((count, i) => count - (below[i - 1] ?? 0))

  const dollars: ReadonlySet<string> = new Set(CURRENCY_FAMILIES.dollar)
  const isDollar = Uint8Array.from(columns.currencies.texts, text => (dollars.has(text) ? 1 : 0))
  const steps = PRICE_STEPS.map(toPriceWords)
  const prices = new Array<number>(steps.length + 1).fill(0)
  const stride = Math.ceil(price.size / MAX_TESTED)
  const invented = new Set(samples)
  let otherCurrencies = 0
  let step = 0
  let place = 0
  // In price order the step never falls. One entry per stride represents those in between.
  price.scan(0, 1, slot => {
    if (invented.has(slot) || place++ % stride !== 0) return true
    while (step < steps.length && columns.keys.price.compareTo(slot, steps[step]!) > 0) step++
    if (isDollar[columns.currency[slot]!] === 1) prices[step]! += stride
    else otherCurrencies += stride
    return true
  })
  return { trust, prices, otherCurrencies }
}
