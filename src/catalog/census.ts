// The census of the current catalog. Every figure comes from an existing index or counter.
import { type CensusDay, MAX_CENSUS_VALUES, QUANTILES } from '../domain/census.ts'
import { TEXT_LANGUAGES } from '../domain/languages/text-language.ts'
import { STATUSES } from '../domain/standing.ts'
import { compareCodePoints } from '../domain/text.ts'
import type { Columns } from './columns.ts'
import type { SortedIndexes } from './sorted-indexes.ts'
import type { Tallies } from './tallies.ts'

type Parts = { readonly columns: Columns; readonly sortedIndexes: SortedIndexes; readonly tallies: Tallies }
type Counts = CensusDay['chains']

export function takeCensus(parts: Parts, day: string): CensusDay {
  const { columns, sortedIndexes, tallies } = parts
  const countEach = (name: 'category' | 'chain', ids: readonly string[]) =>
    mostFrequent(ids.map((id, number) => ({ id, count: sortedIndexes.countOf(name, number) })))
  const [verified = 0, unverified = 0, inactive = 0] = STATUSES.map((_, number) =>
    sortedIndexes.countOf('status', number),
  )
  return {
    day,
    services: sortedIndexes.all.age.size,
    samples: tallies.samples,
    alive: tallies.alive,
    verified,
    unverified,
    inactive,
    prices: measurePrices(parts),
    chains: countEach('chain', columns.chains.texts),
    categories: countEach('category', columns.categories.texts),
    languages: mostFrequent(TEXT_LANGUAGES.map(id => ({ id, count: tallies.countOf(id) }))),
  }
}

const mostFrequent = (counts: Counts): Counts =>
  counts
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || compareCodePoints(a.id, b.id))
    .slice(0, MAX_CENSUS_VALUES)

function measurePrices({ columns, sortedIndexes }: Parts): CensusDay['prices'] {
  const { usdPrice } = columns.keys
  const sorted = sortedIndexes.all.usdPrice
  const priced = sorted.countWhile(slot => !usdPrice.isMissing(slot))
  const toFree = usdPrice.comparisonTo('0')
  const free = sorted.countWhile(slot => toFree(slot) <= 0)
  const priceAt = (place: number): string | null => {
    let price: string | null = null
    sorted.scan(place, 1, slot => {
      price = usdPrice.decimal(slot)
      return false
    })
    return price
  }
  // Nearest-rank quantiles: an actual price, never the mean of two.
  const quantiles = QUANTILES.map(share => [
    `p${share}`,
    priced === 0 ? null : priceAt(Math.ceil((priced * share) / 100) - 1),
  ])
  return { known: priced, free, ...Object.fromEntries(quantiles) } as CensusDay['prices']
}
