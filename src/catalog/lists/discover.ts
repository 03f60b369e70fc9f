// The x402 discovery list and search, served from memory.
import { type BazaarItem, toBazaarItem } from '../../domain/formats/bazaar.ts'
import type { OfferFilters } from '../../domain/formats/bazaar-query.ts'
import { type AppliedFilters, FILTER_NAMES, toApplied } from '../../domain/queries/filters.ts'
import { type RankingSource, rankSlots } from '../../search/ranking/rank-intent.ts'
import type { Columns } from '../columns/columns.ts'
import type { SlotTable } from '../columns/id-table.ts'
import type { Offers, OfferTest } from '../columns/offers.ts'
import { toAcceptor } from '../filters.ts'
import type { Records } from '../records/records.ts'
import type { SortedIndexes } from './sorted-indexes.ts'

/** A page of items, newest first. */
export type OfferPage = { readonly items: readonly BazaarItem[]; readonly total: number }
export type OfferHits = {
  readonly items: readonly BazaarItem[]
  /** Whether there is a next page. */
  readonly hasNext: boolean
  /** Whether there may be more hits than can be paged through. */
  readonly isPartial: boolean
}

type Parts = {
  readonly columns: Columns
  readonly offers: Offers
  readonly records: Records
  readonly ranking: RankingSource
}

/** Maximum number of ranked hits; deeper ones would be found by a better query. */
const MAX_RANKED = 500

/** Newest first. @param options all: include inactive services */
export function listOffers(
  parts: Parts & { readonly sortedIndexes: SortedIndexes; readonly ids: SlotTable },
  { limit, offset, ...filters }: OfferFilters & { limit: number; offset: number },
  options: { all?: boolean } = {},
): OfferPage {
  const applied = toApplied(filters)
  const test = toTest(parts, filters, applied, options)
  const { chain = filters.network } = applied
  const narrowed = parts.sortedIndexes.narrow(chain === undefined ? applied : { ...applied, chain })
  if (!test || !narrowed) return { items: [], total: 0 }
  const end = offset + limit
  if (test.candidates) {
    const passed = test.candidates.filter(test.accepts).sort((a, b) => parts.ids.compare(b, a))
    return { items: toItems(parts, passed.slice(offset, end)), total: passed.length }
  }
  const slots: number[] = []
  const { age } = narrowed.set
  let count = 0
  const isPast = test.total !== undefined && offset >= test.total
  age.scan(isPast ? -1 : age.size - 1, -1, slot => {
    if (!test.accepts(slot)) return true
    if (count >= offset && count < end) slots.push(slot)
    count++
    // If the total is known, the scan ends with the page.
    return test.total === undefined || count < end
  })
  return { items: toItems(parts, slots), total: test.total ?? count }
}

/** Best first. */
export function searchOffers(
  parts: Parts,
  words: string,
  filters: OfferFilters,
  { offset, limit }: { offset: number; limit: number },
): OfferHits {
  const test = toTest(parts, filters, toApplied(filters))
  const hits = test ? rankSlots(parts.ranking, words, MAX_RANKED, test.accepts) : []
  const end = offset + limit
  return {
    items: toItems(parts, hits.slice(offset, end)),
    hasNext: hits.length > end,
    isPartial: hits.length >= MAX_RANKED,
  }
}

/** Combines the discovery filters with the common ones; undefined if nothing can pass. */
function toTest(
  parts: Parts,
  filters: OfferFilters,
  applied: AppliedFilters,
  options?: { all?: boolean },
): OfferTest | undefined {
  const test = parts.offers.acceptor(filters, options)
  if (!test || FILTER_NAMES.every(name => applied[name] === undefined)) return test
  const accepts = toAcceptor(parts.columns, applied)
  return accepts && { ...test, accepts: slot => test.accepts(slot) && accepts(slot), total: undefined }
}

function toItems({ records, ranking }: Parts, slots: readonly number[]): BazaarItem[] {
  return slots.map(slot =>
    toBazaarItem(records.service(slot).decode(), records.status(slot).decode(), ranking.marksOf(slot)),
  )
}
