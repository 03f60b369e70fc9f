// Entries by place, the terms observed for each, and the places of removed entries.

import { endpointKey } from '../../domain/hosts/endpoint.ts'
import { wasMoved } from '../../domain/listing/backing.ts'
import type { Entry } from '../../domain/listing/service.ts'
import type { EarlierTerms, NamedPayee } from '../../domain/resolve/earlier-terms.ts'
import { type KnownTerms, knownTermsOf } from '../../domain/resolve/judge-payment.ts'
import { isByStrangerToEndpoint } from '../../domain/resolve/listing.ts'
import { hasQuery, placeOf, type QueryValues, queryOf, sortedQuery } from '../../domain/resolve/place.ts'
import { type Danger, dangerOf } from '../../domain/standing/danger.ts'
import { type DeliveryCount, isFailing, isPoor } from '../../domain/standing/delivery.ts'
import { lowerPrices, type Seen } from '../../domain/terms/terms.ts'
import { Arena, FIRST_SLOTS, resized } from '../../memory/arena.ts'
import { HashedTexts } from '../../memory/hashed-texts.ts'
import { TermsLedger } from './terms-ledger.ts'

const RETIRED = 1
const SAMPLE = 2
const QUERY = 4
const MOVED = 8
/** The slot has an entry. */
const TAKEN = 16
const BY_STRANGER_TO_ENDPOINT = 32
const OTHER_TERMS = 64
const UNDELIVERED = 128
const DANGER_FLAGS: Readonly<Record<Danger, number>> = { terms: OTHER_TERMS, delivery: UNDELIVERED }

/** Resources of a listing whose places are in the ledger too. */
const MAX_NOTED = 8
/** Listings of a place that are read when a payment is judged; what is seen for any of a larger crowd is in the ledger. */
export const MAX_READ = 20
/** Listings of a crowd that are noted when it is noticed. */
const MAX_CROWD = 1_000

const decoder = new TextDecoder()

export class Places {
  readonly #places = new HashedTexts(FIRST_SLOTS.places)
  #flags = new Uint8Array(FIRST_SLOTS.places)
  /** Observed terms as JSON; empty if there are none. */
  readonly #seen = new Arena()
  /** Queries of endpoints; most have none. */
  readonly #queries = new Arena()
  readonly #ledger = new TermsLedger()
  /** Messages of retired entries, by slot. There are few. */
  readonly #retirements = new Map<number, string>()
  /** Counts of those that were paid and did not deliver, or seldom, by slot. Few services are bought. */
  readonly #poor = new Map<number, DeliveryCount>()
  /** Keys of places that had more listings than MAX_READ. */
  readonly #crowded = new Set<string>()
  /** Places of removed entries, by the number of the removal. */
  readonly #removed = new HashedTexts(FIRST_SLOTS.removals)
  #removals = 0

  get bytes(): number {
    return (
      this.#places.bytes +
      this.#flags.byteLength +
      this.#seen.bytes +
      this.#queries.bytes +
      this.#removed.bytes
    )
  }

  write(slot: number, entry: Entry): void {
    const { endpoint, retired, sample, delivery } = entry
    const terms = knownTermsOf(entry)
    const danger = dangerOf(entry)
    if (slot >= this.#flags.length)
      this.#flags = resized(this.#flags, Math.max(slot + 1, 2 * this.#flags.length))
    const place = placeOf(endpoint)
    this.#noteWithdrawal(slot, entry, place)
    const query = queryOf(endpoint)
    this.#flags[slot] =
      TAKEN |
      (retired === null ? 0 : RETIRED) |
      (sample ? SAMPLE : 0) |
      (query === '' ? 0 : QUERY) |
      (wasMoved(entry) ? MOVED : 0) |
      (isByStrangerToEndpoint(entry) ? BY_STRANGER_TO_ENDPOINT : 0) |
      (danger === undefined ? 0 : DANGER_FLAGS[danger])
    if (retired === null) this.#retirements.delete(slot)
    else this.#retirements.set(slot, retired)
    this.#writeDelivery(slot, delivery)
    this.#queries.write(slot, query)
    this.#places.write(slot, place)
    this.#seen.write(slot, terms ? JSON.stringify(terms) : '')
    this.#noteCrowd(slot, place)
  }

  #writeDelivery(slot: number, delivery: DeliveryCount | undefined): void {
    if (!delivery || !isPoor(delivery)) {
      this.#poor.delete(slot)
      return
    }
    const { purchases, delivered, failedInARow } = delivery
    this.#poor.set(slot, { purchases, delivered, failedInARow })
  }

  release(slot: number): void {
    this.#note(slot)
    this.#flags[slot] = 0
    this.#poor.delete(slot)
    this.#retirements.delete(slot)
    this.#places.release(slot)
    this.#seen.release(slot)
    this.#queries.release(slot)
  }

  /** To be called before the entry of a slot is overwritten. */
  #noteWithdrawal(slot: number, { retired, seen }: Entry, place: string): void {
    if (!this.#isTaken(slot)) return
    const isThere = this.#places.has(slot, this.#places.words(place))
    if (!isThere || retired !== null || !seen || this.#losesPayee(slot, seen)) this.#note(slot)
  }

  /** Whether a payee that was seen is named no longer. */
  #losesPayee(slot: number, seen: Seen): boolean {
    const before = this.seen(slot)
    if (!before) return false
    const named = new Set(seen.resources.flatMap(({ ways }) => ways.map(({ payTo }) => payTo)))
    return toPayees(before).some(({ payTo }) => !named.has(payTo))
  }

  #noteCrowd(slot: number, place: string): void {
    const there = this.#places.of(place, MAX_READ + 1)
    if (there.length <= MAX_READ) return
    const key = this.placeKey(slot)
    for (const each of this.#crowded.has(key) ? [slot] : this.#places.of(place, MAX_CROWD)) this.#note(each)
    this.#crowded.add(key)
  }

  #isTaken(slot: number): boolean {
    return (this.#flags[slot]! & TAKEN) !== 0
  }

  /** Adds what was seen for the listing to the ledger. */
  #note(slot: number): void {
    const seen = this.#isTaken(slot) && !this.isRetired(slot) ? this.seen(slot) : undefined
    if (!seen) return
    const { at, asks, resources } = seen
    const terms = {
      query: sortedQuery(this.query(slot)),
      isByStrangerToEndpoint: this.isByStrangerToEndpoint(slot),
      prices: [...lowerPrices(seen), ...(asks ? [{ ...asks, until: at }] : [])],
      named: toPayees(seen),
      at,
    }
    // Its probes may request URLs below its endpoint.
    const requested = resources.slice(0, MAX_NOTED).map(({ url }) => this.#places.words(placeOf(url)).join())
    for (const each of new Set([this.placeKey(slot), ...requested]))
      this.#ledger.add({ place: each, ...terms })
  }

  /**
   * What was seen for listings of the place that were withdrawn, or are part of a crowd.
   * @param own queries, sorted, that the URL is known to have
   */
  earlierAt(place: string, asked: QueryValues, own: readonly string[]): readonly EarlierTerms[] {
    return this.#ledger.isEmpty ? [] : this.#ledger.at(this.#places.words(place).join(), asked, own)
  }

  /** @param endpoint of the removed entry */
  addRemoved(endpoint: string): void {
    const place = removedPlaceOf(endpoint)
    if (!this.#isRemoved(place)) this.#removed.write(this.#removals++, place)
  }

  /** Slots at the place, unordered. */
  at(place: string, limit: number): readonly number[] {
    return this.#places.of(place, limit)
  }

  /** Whether an entry at the URL or above it was removed. @param places of the URL and those above it */
  wasRemoved(url: string, places: readonly string[]): boolean {
    return this.#isRemoved(removedPlaceOf(url)) || places.some(place => this.#isRemoved(place))
  }

  #isRemoved(place: string): boolean {
    return this.#removed.of(place, 1).length > 0
  }

  /** A key shared by all entries at the same place. */
  placeKey(slot: number): string {
    return this.#places.wordsOf(slot).join()
  }

  /** Whether its endpoint has a query. */
  hasQuery(slot: number): boolean {
    return (this.#flags[slot]! & QUERY) !== 0
  }

  isRetired(slot: number): boolean {
    return (this.#flags[slot]! & RETIRED) !== 0
  }

  /** The message with which it was retired. */
  retirement(slot: number): string | undefined {
    return this.#retirements.get(slot)
  }

  isSample(slot: number): boolean {
    return (this.#flags[slot]! & SAMPLE) !== 0
  }

  isFailing(slot: number): boolean {
    return isFailing(this.#poor.get(slot))
  }

  /** Counts of its purchases if it did not deliver at last, or seldom. */
  poorDelivery(slot: number): DeliveryCount | undefined {
    return this.#poor.get(slot)
  }

  isMoved(slot: number): boolean {
    return (this.#flags[slot]! & MOVED) !== 0
  }

  isByStrangerToEndpoint(slot: number): boolean {
    return (this.#flags[slot]! & BY_STRANGER_TO_ENDPOINT) !== 0
  }

  /** Why it must not be paid as it is listed. */
  danger(slot: number): Danger | undefined {
    const flags = this.#flags[slot]!
    return (flags & OTHER_TERMS) !== 0 ? 'terms' : (flags & UNDELIVERED) !== 0 ? 'delivery' : undefined
  }

  /** Whether a URL has the query of the endpoint, or the endpoint has none. */
  isOfQuery(slot: number, asked: QueryValues): boolean {
    return !this.hasQuery(slot) || hasQuery(asked, this.query(slot))
  }

  /** The query of its endpoint. */
  query(slot: number): string {
    return decoder.decode(this.#queries.text(slot))
  }

  seen(slot: number): KnownTerms | undefined {
    const text = this.#seen.text(slot)
    return text.length === 0 ? undefined : (JSON.parse(decoder.decode(text)) as KnownTerms)
  }

  /** Length of the observed terms in bytes. */
  seenBytes(slot: number): number {
    return this.#seen.textLength(slot)
  }
}

/** Each payee once. */
function toPayees({ resources }: Seen): NamedPayee[] {
  const payees = new Map<string, NamedPayee>()
  for (const { chain, payTo, since } of resources[0]?.ways ?? [])
    payees.set(`${chain} ${payTo}`, { chain, payTo, ...(since !== undefined && { since }) })
  return [...payees.values()]
}

/** The removal of an endpoint with a query applies to that query alone. */
const removedPlaceOf = (url: string): string => (queryOf(url) === '' ? placeOf(url) : endpointKey(url))
