// Entries by place, the terms observed for each, the places of removed entries, and whether a URL is safe to pay.

import {
  endpointHost,
  endpointKey,
  hasQuery,
  placeOf,
  placesOf,
  type QueryValues,
  queryOf,
  readQueryValues,
} from '../domain/hosts/endpoint.ts'
import { Encoded } from '../domain/json.ts'
import { wasMoved } from '../domain/listing/backing.ts'
import type { Entry } from '../domain/listing/service.ts'
import { isPaymentAllowed, type Policy } from '../domain/policy.ts'
import type { Resolution, ResolveQuery } from '../domain/resolve/resolution.ts'
import {
  compareStanding,
  judgeUrl,
  type Listing,
  type Ranked,
  rankOf,
  refuseUnapproved,
  toResolution,
} from '../domain/resolve/resolve.ts'
import { type DeliveryCount, isFailing, isPoor } from '../domain/standing/delivery.ts'
import { type Danger, dangerOf } from '../domain/standing/trust.ts'
import type { Seen } from '../domain/terms/terms.ts'
import { Arena } from '../memory/arena.ts'
import { SlotMarks } from '../memory/bitset.ts'
import { HashedTexts } from '../memory/hash-table.ts'
import type { SlotTest } from '../memory/sorted-slots.ts'
import type { Backings } from './backing.ts'
import type { Columns } from './columns.ts'
import type { HiddenEntries, Records, SlotTable } from './records.ts'

const decoder = new TextDecoder()
const LOCAL = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/i

export class Places {
  readonly #places = new HashedTexts()
  readonly #hosts = new HashedTexts()
  readonly #marks = new SlotMarks('retired', 'query', 'moved', 'declined', 'terms', 'delivery')
  /** Slots of invented samples; few, if any. */
  readonly samples = new Set<number>()
  /** Those on this machine, such as the merchants that answer beside the sample: no more real than samples are. */
  readonly #local = new Set<number>()
  /** Observed terms as JSON; empty if there are none. */
  readonly #seen = new Arena()
  /** Queries of endpoints; most have none. */
  readonly #queries = new Arena()
  /** Messages of retired entries, by slot. There are few. */
  readonly #retirements = new Map<number, string>()
  /** Counts of those that were paid and did not deliver, or seldom, by slot. Few services are bought. */
  readonly #poor = new Map<number, DeliveryCount>()
  /** The place of each removed entry, by its id, and how many were removed at each place. There are few. */
  readonly #removedById = new Map<string, string>()
  readonly #removedAt = new Map<string, number>()

  get bytes(): number {
    return this.#places.bytes + this.#hosts.bytes + this.#marks.bytes + this.#seen.bytes + this.#queries.bytes
  }

  write(slot: number, entry: Entry): void {
    const { endpoint, retired, sample, delivery } = entry
    const danger = dangerOf(entry)
    const query = queryOf(endpoint)
    this.#marks.write(slot, {
      retired: retired !== null,
      query: query !== '',
      moved: wasMoved(entry),
      declined: entry.declinesProbes === true,
      terms: danger === 'terms',
      delivery: danger === 'delivery',
    })
    if (sample) this.samples.add(slot)
    else this.samples.delete(slot)
    if (!sample && LOCAL.test(endpoint)) this.#local.add(slot)
    else this.#local.delete(slot)
    if (retired === null) this.#retirements.delete(slot)
    else this.#retirements.set(slot, retired)
    if (delivery && isPoor(delivery)) {
      const { purchases, delivered, failedInARow } = delivery
      this.#poor.set(slot, { purchases, delivered, failedInARow })
    } else this.#poor.delete(slot)
    this.#queries.write(slot, query)
    this.#places.write(slot, placeOf(endpoint))
    this.#hosts.write(slot, endpointHost(endpoint))
    this.#seen.write(slot, entry.seen ? JSON.stringify(entry.seen) : '')
  }

  release(slot: number): void {
    this.samples.delete(slot)
    this.#local.delete(slot)
    this.#poor.delete(slot)
    this.#retirements.delete(slot)
    this.#places.release(slot)
    this.#hosts.release(slot)
    this.#seen.release(slot)
    this.#queries.release(slot)
  }

  /** @param endpoint of the removed entry */
  addRemoved(id: string, endpoint: string): void {
    this.restore(id)
    const place = removedPlaceOf(endpoint)
    this.#removedById.set(id, place)
    this.#removedAt.set(place, (this.#removedAt.get(place) ?? 0) + 1)
  }

  /** A source may bring a removed entry back. */
  restore(id: string): void {
    const place = this.#removedById.get(id)
    if (place === undefined) return
    this.#removedById.delete(id)
    const left = this.#removedAt.get(place)! - 1
    if (left === 0) this.#removedAt.delete(place)
    else this.#removedAt.set(place, left)
  }

  /** Slots at the place, unordered. */
  at(place: string): readonly number[] {
    return this.#places.of(place, Number.POSITIVE_INFINITY)
  }

  /** Slots whose endpoint is on the host, unordered. */
  onHost(host: string): readonly number[] {
    return this.#hosts.of(host, Number.POSITIVE_INFINITY)
  }

  /** Whether an entry at the URL or above it was removed. @param places of the URL and those above it */
  wasRemoved(url: string, places: readonly string[]): boolean {
    return [removedPlaceOf(url), ...places].some(place => this.#removedAt.has(place))
  }

  is(slot: number, mark: 'retired' | 'moved' | 'declined'): boolean {
    return this.#marks.has(slot, mark)
  }

  /** The message with which it was retired. */
  retirement(slot: number): string | undefined {
    return this.#retirements.get(slot)
  }

  isSample(slot: number): boolean {
    return this.samples.has(slot)
  }

  /** Whether it is invented, in a catalog of so many entries that also has real ones. */
  ranksBehindReal(slot: number, entries: number): boolean {
    return this.samples.has(slot) && this.samples.size + this.#local.size < entries
  }

  isFailing(slot: number): boolean {
    return isFailing(this.#poor.get(slot))
  }

  /** Counts of its purchases if it did not deliver at last, or seldom. */
  poorDelivery(slot: number): DeliveryCount | undefined {
    return this.#poor.get(slot)
  }

  /** Why it must not be paid as it is listed. */
  danger(slot: number): Danger | undefined {
    // Breaks ties between equal hits, so it is read more often than anything else of a slot.
    return this.#marks.has(slot, 'terms')
      ? 'terms'
      : this.#marks.has(slot, 'delivery')
        ? 'delivery'
        : undefined
  }

  /** Whether a URL has the query of the endpoint, or the endpoint has none. */
  isOfQuery(slot: number, asked: QueryValues): boolean {
    return !this.#marks.has(slot, 'query') || hasQuery(asked, this.query(slot))
  }

  /** The query of its endpoint. */
  query(slot: number): string {
    return decoder.decode(this.#queries.text(slot))
  }

  seen(slot: number): Seen | undefined {
    const text = this.#seen.text(slot)
    return text.length === 0 ? undefined : (JSON.parse(decoder.decode(text)) as Seen)
  }
}

/** The removal of an endpoint with a query applies to that query alone. */
const removedPlaceOf = (url: string): string => (queryOf(url) === '' ? placeOf(url) : endpointKey(url))

// Resolves from memory whether a URL is safe to pay.

type Parts = {
  readonly ids: SlotTable
  readonly records: Records
  readonly places: Places
  readonly columns: Columns
  readonly backings: Backings
  readonly hidden: HiddenEntries
}

/** Listings of a place that are read, the best first. Anybody can list a place any number of times. */
const MAX_READ = 20
/** Listings of a place whose queries are compared with that of the URL; those of the whole URL are always found. */
const MAX_COMPARED = 100

export function resolvePayment(
  parts: Parts,
  query: ResolveQuery,
  now: Date,
  allowed?: { readonly policy: Policy; readonly passes: SlotTest },
): Encoded<Resolution> {
  const { places, hidden, columns } = parts
  const own = placesOf(query.url)
  const asked = readQueryValues(query.url)
  const listings = findBest(parts, query.url, asked, own).map(best => toListing(parts, best))
  const judged = judgeUrl(query, listings, {
    hidden: hidden.at(own, asked),
    wasRemoved: places.wasRemoved(query.url, own),
    now,
  })
  const { listing } = judged.of ?? {}
  const slot = listing && parts.ids.find(listing.service.id)
  const isAllowed =
    !allowed ||
    (slot !== undefined && allowed.passes(slot) && isPaymentAllowed(allowed.policy, query, columns.rates))
  return Encoded.of(toResolution(query, isAllowed ? judged : refuseUnapproved(judged)))
}

type RankedSlot = Ranked & { readonly slot: number }

function toListing({ records, places, columns }: Parts, { slot, ...ranked }: RankedSlot): Listing {
  return {
    ...ranked,
    service: records.service(slot).decode(),
    level: columns.level(slot),
    retirement: places.retirement(slot),
    isSample: places.isSample(slot),
    isFailing: places.isFailing(slot),
    wasMoved: places.is(slot, 'moved'),
    isDeclined: places.is(slot, 'declined'),
    seen: places.seen(slot),
  }
}

/**
 * The listings with the best standing and the oldest ones, at most MAX_READ of both for each place (a crowd above the URL must not hide
 * those of the URL itself, and those of a newcomer not the ones before), and a few of a thousand places: the closest, too.
 */
function findBest(parts: Parts, url: string, asked: QueryValues, own: readonly string[]): RankedSlot[] {
  const { ids, places, backings } = parts
  const toRanked = (slot: number, distance: number): RankedSlot => ({
    slot,
    distance,
    isOfQuery: places.isOfQuery(slot, asked),
    backing: backings.facts(slot),
    isRetired: places.is(slot, 'retired'),
  })
  const all = own.flatMap((place, distance) => {
    const whole = distance === 0 && asked.text !== '' ? choose(parts, backings.at(url), MAX_READ) : []
    const slots = [...new Set([...whole, ...choose(parts, places.at(place), MAX_COMPARED)])]
    return choose(parts, slots, MAX_READ, asked).map(slot => toRanked(slot, distance))
  })
  const by = (key: (each: RankedSlot) => number) => (a: RankedSlot, b: RankedSlot) => key(a) - key(b)
  const orders = [compareStanding, by(each => each.backing.sinceMs), by(each => each.distance)].map(
    order => (a: RankedSlot, b: RankedSlot) => order(a, b) || ids.compare(a.slot, b.slot),
  )
  return [...new Set(orders.flatMap(order => firstOf(all, 3 * MAX_READ, order)))].sort(orders[0])
}

/** The best and the oldest of the slots of one place, `count` of each. @param asked with it, those of other queries come last */
function choose(
  { ids, places, backings }: Parts,
  slots: readonly number[],
  count: number,
  asked?: QueryValues,
): readonly number[] {
  if (slots.length <= count) return slots
  const all = slots.map(slot => ({
    slot,
    sinceMs: backings.sinceMs(slot),
    rank: rankOf({
      isOfQuery: asked === undefined || places.isOfQuery(slot, asked),
      backing: backings.facts(slot),
      isRetired: places.is(slot, 'retired'),
    }),
  }))
  type Key = (typeof all)[number]
  const older = (a: Key, b: Key) => a.sinceMs - b.sinceMs || ids.compare(a.slot, b.slot)
  const better = (a: Key, b: Key) => b.rank - a.rank || older(a, b)
  const chosen = [better, older].flatMap(order => firstOf(all, count, order))
  return [...new Set(chosen.map(({ slot }) => slot))]
}

/** The first `count` in an order, in one pass: a crowd can be large. */
function firstOf<T>(all: readonly T[], count: number, compare: (a: T, b: T) => number): T[] {
  const first: T[] = []
  for (const each of all) {
    if (first.length === count && compare(first.at(-1)!, each) < 0) continue
    let [from, to] = [0, first.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (compare(first[middle]!, each) < 0) from = middle + 1
      else to = middle
    }
    first.splice(from, 0, each)
    if (first.length > count) first.pop()
  }
  return first
}
