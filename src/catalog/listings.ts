// What a question about a payment needs of an entry, read from its records once and kept while it is asked for again and again.
import { type Shown, toShown } from '../domain/resolve/answer.ts'
import { type SeenPlaces, toSeenPlaces } from '../domain/resolve/judge-payment.ts'
import type { ListedService } from '../domain/resolve/resolve.ts'
import type { Places } from './places.ts'
import type { Records } from './records.ts'

/** Of the texts that kept listings were read from: what is kept takes a few times as much. About 8,000 listings, of any number. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024

type KeptListing = {
  readonly service: ListedService
  readonly seen: SeenPlaces | undefined
  readonly shown: Shown
}

export class Listings {
  readonly #records: Records
  readonly #places: Places
  readonly #kept = new Map<number, KeptListing>()
  #keptBytes = 0

  constructor(records: Records, places: Places) {
    this.#records = records
    this.#places = places
  }

  of(slot: number): KeptListing {
    return this.#kept.get(slot) ?? this.#read(slot)
  }

  /** The entry is another one now, or none. */
  forget(slot: number): void {
    this.#kept.delete(slot)
  }

  #read(slot: number): KeptListing {
    const encoded = this.#records.service(slot)
    const { id, name, status, trustScore, endpoint, pricing, x402Config } = encoded.decode()
    const service = { id, name, status, trustScore, endpoint, pricing, x402Config }
    const terms = this.#places.seen(slot)
    const seen = terms && toSeenPlaces(terms)
    const listing = { service, seen, shown: toShown(service, seen) }
    this.#keptBytes += encoded.bytes.length + this.#places.seenBytes(slot)
    if (this.#keptBytes > MAX_KEPT_BYTES) {
      this.#kept.clear()
      this.#keptBytes = 0
    }
    this.#kept.set(slot, listing)
    return listing
  }
}
