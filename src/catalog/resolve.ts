// Answers from memory whether a URL is safe to pay.
import type { Encoded } from '../domain/encoded.ts'
import { encodeResolution } from '../domain/resolve/answer.ts'
import { placesOf } from '../domain/resolve/place.ts'
import type { ResolveQuery } from '../domain/resolve/query.ts'
import type { Resolution } from '../domain/resolve/resolution.ts'
import { compareStanding, judgeUrl, type Ranked } from '../domain/resolve/resolve.ts'
import type { Backings } from './backings.ts'
import type { Crowds } from './crowds.ts'
import type { HiddenEntries } from './hidden-entries.ts'
import type { SlotTable } from './id-table.ts'
import type { Listings } from './listings.ts'
import type { Places } from './places.ts'

/** So many are read whole, the one that speaks first. */
const MAX_READ = 20

type Parts = {
  readonly ids: SlotTable
  readonly listings: Listings
  readonly places: Places
  readonly backings: Backings
  readonly crowds: Crowds
  readonly hidden: HiddenEntries
}

export function resolvePayment(parts: Parts, query: ResolveQuery, now: Date): Encoded<Resolution> {
  const { places, listings, hidden } = parts
  const own = placesOf(query.url)
  const found = findBest(parts, query.url, own)
  const candidates = found.map(({ slot, distance, isOfQuery, speaker, isRetired }) => {
    const { service, seen, shown } = listings.of(slot)
    const isSample = places.isSample(slot)
    const isFailing = places.isFailing(slot)
    return { distance, isOfQuery, speaker, isRetired, isSample, isFailing, service, seen, shown }
  })
  const judged = judgeUrl(query, candidates, {
    hidden: hidden.at(own, query.url),
    wasRemoved: found.length === 0 && places.wasRemoved(query.url, own),
    now,
  })
  return encodeResolution(query, judged, judged.of?.listing.shown)
}

type Found = Ranked & { readonly slot: number }

/** The first ones by standing. */
function findBest({ ids, places, backings, crowds }: Parts, url: string, own: readonly string[]): Found[] {
  const compare = (a: Found, b: Found) => compareStanding(a, b) || ids.compare(a.slot, b.slot)
  const best: Found[] = []
  for (let distance = 0; distance < own.length; distance++)
    for (const slot of crowds.at(own[distance]!)) {
      const found = {
        slot,
        distance,
        isOfQuery: places.isOfQuery(slot, url),
        speaker: backings.speaker(slot),
        isRetired: places.isRetired(slot),
      }
      if (best.length === MAX_READ && compare(found, best[MAX_READ - 1]!) > 0) continue
      const behind = best.findIndex(other => compare(found, other) < 0)
      best.splice(behind < 0 ? best.length : behind, 0, found)
      if (best.length > MAX_READ) best.pop()
    }
  return best
}
