// Caches what the resolution of a payment needs of an entry, read from its records.
import { type EncodedListing, encodeListing } from '../../domain/resolve/answer.ts'
import { type SeenPlaces, toSeenPlaces } from '../../domain/resolve/judge-payment.ts'
import type { ListedService } from '../../domain/resolve/listing.ts'
import type { Records } from '../records/records.ts'
import type { Places } from './places.ts'

/** Bytes of the source texts of cached listings, about 8,000 listings; the cached objects take a few times as much. */
const MAX_CACHED_BYTES = 8 * 1024 * 1024

type CachedListing = {
  readonly service: ListedService
  readonly seen: SeenPlaces | undefined
  readonly shown: EncodedListing
}

export class Listings {
  readonly #records: Records
  readonly #places: Places
  readonly #cache = new Map<number, CachedListing>()
  #cachedBytes = 0

  constructor(records: Records, places: Places) {
    this.#records = records
    this.#places = places
  }

  of(slot: number): CachedListing {
    return this.#cache.get(slot) ?? this.#read(slot)
  }

  /** To be called when the entry has changed or was removed. */
  forget(slot: number): void {
    this.#cache.delete(slot)
  }

  #read(slot: number): CachedListing {
    const encoded = this.#records.service(slot)
    const { id, name, status, trustScore, endpoint, pricing, x402Config } = encoded.decode()
    const service = { id, name, status, trustScore, endpoint, pricing, x402Config }
    const terms = this.#places.seen(slot)
    const seen = terms && toSeenPlaces(terms)
    const listing = { service, seen, shown: encodeListing(service, seen) }
    this.#cachedBytes += encoded.bytes.length + this.#places.seenBytes(slot)
    if (this.#cachedBytes > MAX_CACHED_BYTES) {
      this.#cache.clear()
      this.#cachedBytes = 0
    }
    this.#cache.set(slot, listing)
    return listing
  }
}
