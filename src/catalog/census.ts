// The census of the current catalog: its real services, with samples counted apart. Every figure comes from an existing index or
// counter; the few samples are subtracted.
import { type CensusDay, MAX_CENSUS_VALUES, QUANTILES } from '../domain/census.ts'
import { TEXT_LANGUAGES } from '../domain/languages/text-language.ts'
import { STATUSES } from '../domain/standing/standing.ts'
import { compareCodePoints } from '../domain/text/text.ts'
import type { Columns } from './columns/columns.ts'
import type { Tallies } from './columns/tallies.ts'
import { type IndexedName, indexOf } from './filters/column-filters.ts'
import type { SortedIndexes } from './lists/sorted-indexes.ts'

type Parts = { readonly columns: Columns; readonly sortedIndexes: SortedIndexes; readonly tallies: Tallies }
type Counts = CensusDay['chains']

export function takeCensus(parts: Parts, day: string): CensusDay {
  const { columns, sortedIndexes, tallies } = parts
  const samples = tallies.sampleSlots()
  const counterOf = (name: IndexedName) => {
    const invented = new Map<number, number>()
    for (const slot of samples)
      for (const number of indexOf(name).numbersOf(columns, slot))
        invented.set(number, (invented.get(number) ?? 0) + 1)
    return (number: number) => sortedIndexes.countOf(name, number) - (invented.get(number) ?? 0)
  }
  const countEach = (name: 'category' | 'chain', ids: readonly string[]) => {
    const countOf = counterOf(name)
    return mostFrequent(ids.map((id, number) => ({ id, count: countOf(number) })))
  }
  const countStatus = counterOf('status')
  const [verified = 0, unverified = 0, inactive = 0] = STATUSES.map((_, number) => countStatus(number))
  return {
    day,
    services: sortedIndexes.all.age.size - samples.length,
    samples: samples.length,
    alive: tallies.alive,
    verified,
    unverified,
    inactive,
    prices: measurePrices(parts, samples),
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

function measurePrices({ columns, sortedIndexes }: Parts, samples: readonly number[]): CensusDay['prices'] {
  const { usdPrice } = columns.keys
  const sorted = sortedIndexes.all.usdPrice
  /** Counts the first of the order, without samples. */
  const countReal = (holds: (slot: number) => boolean) =>
    sorted.countWhile(holds) - samples.filter(holds).length
  const priced = countReal(slot => !usdPrice.isMissing(slot))
  const toFree = usdPrice.comparisonTo('0')
  const free = countReal(slot => toFree(slot) <= 0)
  const places = samples
    .map(sample => sorted.countWhile(slot => sorted.order(slot, sample) < 0))
    .sort((a, b) => a - b)
  const priceAt = (rank: number): string | null => {
    let place = rank
    for (const sample of places) if (sample <= place) place++
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
