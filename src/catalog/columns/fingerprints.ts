// The fingerprint of each entry, for near-duplicate detection: it shows that two entries have the same seller, or that one copies the
// other. It consists of hashes of payee, domain and name and a sketch of the description, in one row of 40 bytes, because ranking reads
// all of it; and of the times since which it has its name and its description.

import { addressKey } from '../../domain/chains/same-address.ts'
import { endpointHost } from '../../domain/hosts/endpoint.ts'
import { registrableDomain } from '../../domain/hosts/registrable-domain.ts'
import { placedSinceMs } from '../../domain/listing/backing.ts'
import type { Entry } from '../../domain/listing/service.ts'
import { skeletonOf } from '../../domain/text/skeleton.ts'
import { writeSketch } from '../../domain/text/text-sketch.ts'
import { wordsSince } from '../../domain/text/wording.ts'
import { FIRST_SLOTS, resized } from '../../memory/arena.ts'
import {
  FINGERPRINT_WORDS,
  type FingerprintRows,
  NAME_AT,
  PAYEE_AT,
  SKETCH_AT,
  SUFFIX_AT,
} from '../../search/ranking/fingerprint.ts'

export class Fingerprints implements FingerprintRows {
  rows = new Uint32Array(FIRST_SLOTS.fingerprints * FINGERPRINT_WORDS)
  #bytes = new Uint8Array(this.rows.buffer)
  /** Since when each has its name, and its description, in milliseconds since 1970. */
  #nameSince = new Float64Array(FIRST_SLOTS.fingerprints)
  #textSince = new Float64Array(FIRST_SLOTS.fingerprints)
  /** Random per catalog, so that an attacker cannot construct hash collisions. */
  #seed = crypto.getRandomValues(new Uint32Array(2))

  get bytes(): number {
    return this.rows.byteLength + this.#nameSince.byteLength + this.#textSince.byteLength
  }

  write(slot: number, entry: Entry): void {
    const { name, description, endpoint, x402Config } = entry
    if ((slot + 1) * FINGERPRINT_WORDS > this.rows.length) {
      this.rows = resized(this.rows, Math.max((slot + 1) * FINGERPRINT_WORDS, 2 * this.rows.length))
      this.#bytes = new Uint8Array(this.rows.buffer)
    }
    if (slot >= this.#nameSince.length) {
      const capacity = Math.max(slot + 1, 2 * this.#nameSince.length)
      this.#nameSince = resized(this.#nameSince, capacity)
      this.#textSince = resized(this.#textSince, capacity)
    }
    const { nameMs, textMs } = wordsSince(placedSinceMs(entry), entry.worded)
    this.#nameSince[slot] = nameMs
    this.#textSince[slot] = textMs
    const at = slot * FINGERPRINT_WORDS
    this.#writeHash(at + PAYEE_AT, addressKey(x402Config.paymentAddress, x402Config.network))
    this.#writeHash(at + SUFFIX_AT, registrableDomain(endpointHost(endpoint)))
    this.#writeHash(at + NAME_AT, skeletonOf(name))
    writeSketch(description, this.#bytes, 4 * (at + SKETCH_AT))
  }

  nameSinceMs(slot: number): number {
    return this.#nameSince[slot]!
  }

  textSinceMs(slot: number): number {
    return this.#textSince[slot]!
  }

  #writeHash(at: number, text: string): void {
    const [high, low] = this.#seed
    const hash = Bun.hash.xxHash64(text, (BigInt(high!) << 32n) | BigInt(low!))
    this.rows[at] = Number(hash & 0xffff_ffffn)
    this.rows[at + 1] = Number(hash >> 32n)
  }
}
