// Resolves from memory whether a URL is safe to pay.
import type { Encoded } from '../domain/encoded.ts'
import { encodeResolution } from '../domain/resolve/answer.ts'
import type { Ranked } from '../domain/resolve/listing.ts'
import { hasQuery, placesOf } from '../domain/resolve/place.ts'
import type { ResolveQuery } from '../domain/resolve/query.ts'
import type { Resolution } from '../domain/resolve/resolution.ts'
import { compareStanding, judgeUrl } from '../domain/resolve/resolve.ts'
import type { Backings } from './backings.ts'
import type { HiddenEntries } from './hidden-entries.ts'
import type { SlotTable } from './id-table.ts'
import type { Listings } from './listings.ts'
import type { PlaceLeaders } from './place-leaders.ts'
import type { Places } from './places.ts'

/** Listings whose records are read, best standing first. */
const MAX_READ = 20

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
  const best = findBest(parts, query.url, own)
  const candidates = best.map(({ slot, distance, isOfQuery, backing, isRetired }) => {
    const { service, seen, shown } = listings.of(slot)
    const isSample = places.isSample(slot)
    const isFailing = places.isFailing(slot)
    const isMoved = places.isMoved(slot)
    return { distance, isOfQuery, backing, isRetired, isSample, isFailing, isMoved, service, seen, shown }
  })
  const judged = judgeUrl(query, candidates, {
    hidden: hidden.at(own, query.url),
    wasRemoved: best.length === 0 && places.wasRemoved(query.url, own),
    withdrawn: own.flatMap((place, distance) =>
      places
        .withdrawnAt(place)
        .filter(({ query: listed }) => listed === '' || hasQuery(query.url, listed))
        .map(terms => ({ ...terms, distance })),
    ),
    now,
  })
  return encodeResolution(query, judged, judged.of?.listing.shown)
}

type RankedSlot = Ranked & { readonly slot: number }

/** The listings with the best standing, at most MAX_READ. */
function findBest(
  { ids, places, backings, placeLeaders }: Parts,
  url: string,
  own: readonly string[],
): RankedSlot[] {
  const compare = (a: RankedSlot, b: RankedSlot) => compareStanding(a, b) || ids.compare(a.slot, b.slot)
  const best: RankedSlot[] = []
  for (let distance = 0; distance < own.length; distance++)
    for (const slot of placeLeaders.at(own[distance]!)) {
      const candidate = {
        slot,
        distance,
        isOfQuery: places.isOfQuery(slot, url),
        backing: backings.facts(slot),
        isRetired: places.isRetired(slot),
      }
      if (best.length === MAX_READ && compare(candidate, best[MAX_READ - 1]!) > 0) continue
      const position = best.findIndex(other => compare(candidate, other) < 0)
      best.splice(position < 0 ? best.length : position, 0, candidate)
      if (best.length > MAX_READ) best.pop()
    }
  return best
}
