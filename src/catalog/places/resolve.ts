// Resolves from memory whether a URL is safe to pay.
import { Encoded } from '../../domain/json/encoded.ts'
import { placesOf, type QueryValues, readQueryValues } from '../../domain/resolve/place.ts'
import type { ResolveQuery } from '../../domain/resolve/query.ts'
import type { Resolution } from '../../domain/resolve/resolution.ts'
import {
  compareStanding,
  judgeUrl,
  type Listing,
  type Ranked,
  toResolution,
} from '../../domain/resolve/resolve.ts'
import type { SlotTable } from '../columns/id-table.ts'
import type { HiddenEntries } from '../records/hidden-entries.ts'
import type { Records } from '../records/records.ts'
import type { Backings } from './backings.ts'
import type { Places } from './places.ts'

type Parts = {
  readonly ids: SlotTable
  readonly records: Records
  readonly places: Places
  readonly backings: Backings
  readonly hidden: HiddenEntries
}

/** Listings of a place that are read, the best first. Anybody can list a place any number of times. */
const MAX_READ = 20
/** Listings of a place whose queries are compared with that of the URL; those of the whole URL are always found. */
const MAX_COMPARED = 100

export function resolvePayment(parts: Parts, query: ResolveQuery, now: Date): Encoded<Resolution> {
  const { places, hidden } = parts
  const own = placesOf(query.url)
  const asked = readQueryValues(query.url)
  const listings = findBest(parts, query.url, asked, own).map(best => toListing(parts, best))
  const judged = judgeUrl(query, listings, {
    hidden: hidden.at(own, asked),
    wasRemoved: places.wasRemoved(query.url, own),
    now,
  })
  return Encoded.of(toResolution(query, judged))
}

type RankedSlot = Ranked & { readonly slot: number }

function toListing({ records, places }: Parts, { slot, ...ranked }: RankedSlot): Listing {
  return {
    ...ranked,
    service: records.service(slot).decode(),
    retirement: places.retirement(slot),
    isSample: places.isSample(slot),
    isFailing: places.isFailing(slot),
    isMoved: places.isMoved(slot),
    seen: places.seen(slot),
  }
}

/**
 * The listings with the best standing and the oldest ones, at most MAX_READ of both for each place: a crowd above the URL must not hide
 * those of the URL itself, and those of a newcomer not the ones that were there before.
 */
function findBest(parts: Parts, url: string, asked: QueryValues, own: readonly string[]): RankedSlot[] {
  const { ids, places, backings } = parts
  const byId = (a: RankedSlot, b: RankedSlot) => ids.compare(a.slot, b.slot)
  const byStanding = (a: RankedSlot, b: RankedSlot) => compareStanding(a, b) || byId(a, b)
  const byAge = (a: RankedSlot, b: RankedSlot) => a.backing.sinceMs - b.backing.sinceMs || byId(a, b)
  const toRanked = (slot: number, distance: number, isOfQuery: boolean): RankedSlot => ({
    slot,
    distance,
    isOfQuery,
    backing: backings.facts(slot),
    isRetired: places.isRetired(slot),
  })
  const choose = (ranked: readonly RankedSlot[], count: number) =>
    ranked.length <= count
      ? ranked
      : [...new Set([...firstOf(ranked, count, byStanding), ...firstOf(ranked, count, byAge)])]
  return own
    .flatMap((place, distance) => {
      const there = (slots: readonly number[]) => slots.map(slot => toRanked(slot, distance, true))
      const whole = distance === 0 && asked.text !== '' ? choose(there(backings.at(url)), MAX_READ) : []
      const some = choose(there(places.at(place)), MAX_COMPARED)
      const slots = new Set([...whole, ...some].map(({ slot }) => slot))
      return choose(
        [...slots].map(slot => toRanked(slot, distance, places.isOfQuery(slot, asked))),
        MAX_READ,
      )
    })
    .sort(byStanding)
}

/** The first `count` in an order, in one pass: a crowd can be large. */
function firstOf<T>(all: readonly T[], count: number, compare: (a: T, b: T) => number): T[] {
  const first: T[] = []
  for (const each of all) {
    if (first.length === count && compare(first.at(-1)!, each) < 0) continue
    first.splice(first.findLastIndex(other => compare(other, each) < 0) + 1, 0, each)
    if (first.length > count) first.pop()
  }
  return first
}
