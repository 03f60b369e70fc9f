// Answers from memory whether a URL is safe to pay.
import { placesOf } from '../domain/resolve/place.ts'
import type { ResolveQuery } from '../domain/resolve/query.ts'
import type { Resolution } from '../domain/resolve/resolution.ts'
import { compareStanding, type Listing, resolve } from '../domain/resolve/resolve.ts'
import type { Backings } from './backings.ts'
import type { HiddenEntries } from './hidden-entries.ts'
import type { SlotTable } from './id-table.ts'
import type { Places } from './places.ts'
import type { Records } from './records.ts'

/** So many listings of one place are looked at: whoever registers more of them must not hide the one that speaks behind them. */
const MAX_LOOKS = 50_000
/** So many are read whole, the one that speaks first. */
const MAX_READ = 20

type Parts = {
  readonly ids: SlotTable
  readonly records: Records
  readonly places: Places
  readonly backings: Backings
  readonly hidden: HiddenEntries
}

export function resolvePayment(parts: Parts, query: ResolveQuery, now: Date): Resolution {
  const { ids, records, places, backings, hidden } = parts
  const own = placesOf(query.url)
  const listings = own
    .flatMap((place, distance) => places.at(place, MAX_LOOKS).map(slot => ({ slot, distance })))
    .map(({ slot, distance }) => ({
      slot,
      distance,
      speaker: backings.speaker(slot),
      isRetired: places.isRetired(slot),
    }))
    .sort((a, b) => compareStanding(a, b) || ids.compare(a.slot, b.slot))
    .slice(0, MAX_READ)
    .map(
      ({ slot, distance, speaker }): Listing => ({
        service: records.service(slot).decode(),
        speaker,
        distance,
        ...places.standing(slot),
      }),
    )
  return resolve(query, listings, {
    hidden: hidden.at(own),
    wasRemoved: own.some(place => places.wasRemoved(place)),
    now,
  })
}
