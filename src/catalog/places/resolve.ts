// Resolves from memory whether a URL is safe to pay.
import type { Encoded } from '../../domain/json/encoded.ts'
import { encodeResolution } from '../../domain/resolve/answer.ts'
import type { Ranked } from '../../domain/resolve/listing.ts'
import { placesOf, type QueryValues, readQueryValues, sortedQuery } from '../../domain/resolve/place.ts'
import type { ResolveQuery } from '../../domain/resolve/query.ts'
import type { Resolution } from '../../domain/resolve/resolution.ts'
import { compareStanding, judgeUrl } from '../../domain/resolve/resolve.ts'
import type { SlotTable } from '../columns/id-table.ts'
import type { HiddenEntries } from '../records/hidden-entries.ts'
import type { Backings } from './backings.ts'
import type { Listings } from './listings.ts'
import type { PlaceLeaders } from './place-leaders.ts'
import { MAX_READ, type Places } from './places.ts'

type Parts = {
  readonly ids: SlotTable
  readonly listings: Listings
  readonly places: Places
  readonly backings: Backings
  readonly placeLeaders: PlaceLeaders
  readonly hidden: HiddenEntries
}

export function resolvePayment(parts: Parts, query: ResolveQuery, now: Date): Encoded<Resolution> {
  const { places, listings, hidden } = parts
  const own = placesOf(query.url)
  const asked = readQueryValues(query.url)
  const best = findBest(parts, asked, own)
  const candidates = best.map(({ slot, distance, isOfQuery, backing, isRetired }) => {
    const { service, seen, shown } = listings.of(slot)
    const isSample = places.isSample(slot)
    const isFailing = places.isFailing(slot)
    const isMoved = places.isMoved(slot)
    const isByStrangerToEndpoint = places.isByStrangerToEndpoint(slot)
    const retirement = places.retirement(slot)
    const facts = { isRetired, retirement, isSample, isFailing, isMoved, isByStrangerToEndpoint }
    return { distance, isOfQuery, backing, ...facts, service, seen, shown }
  })
  const listed = best.filter(({ isOfQuery }) => isOfQuery).slice(0, MAX_READ)
  const queries = ['', asked.text, ...listed.map(({ slot }) => places.query(slot))]
  const sorted = [...new Set(queries.map(sortedQuery))]
  const judged = judgeUrl(query, candidates, {
    hidden: hidden.at(own, asked),
    wasRemoved: places.wasRemoved(query.url, own),
    earlier: own.flatMap((place, distance) =>
      places.earlierAt(place, asked, sorted).map(terms => ({ ...terms, distance })),
    ),
    now,
  })
  return encodeResolution(query, judged, judged.of?.listing.shown)
}

type RankedSlot = Ranked & { readonly slot: number }

/** The listings with the best standing, at most MAX_READ of each place: a crowd above the URL must not hide those of the URL itself. */
function findBest(
  { ids, places, backings, placeLeaders }: Parts,
  asked: QueryValues,
  own: readonly string[],
): RankedSlot[] {
  const compare = (a: RankedSlot, b: RankedSlot) => compareStanding(a, b) || ids.compare(a.slot, b.slot)
  const toRanked = (slot: number, distance: number): RankedSlot => ({
    slot,
    distance,
    isOfQuery: places.isOfQuery(slot, asked),
    backing: backings.facts(slot),
    isRetired: places.isRetired(slot),
  })
  return own
    .flatMap((place, distance) => {
      const there = placeLeaders.at(place).map(slot => toRanked(slot, distance))
      return there.length <= MAX_READ ? there : there.sort(compare).slice(0, MAX_READ)
    })
    .sort(compare)
}
