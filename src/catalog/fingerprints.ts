// The fingerprint of each entry, for near-duplicate detection: what shows that two entries are of one seller, or that one copies the other: whom each pays, on which domain it is, what it is
// called and a sketch of its description. In one row of typed memory, 40 bytes an entry, because ranking reads all of it.
import { endpointHost } from '../domain/endpoint.ts'
import { registrableDomain } from '../domain/registrable-domain.ts'
import { addressKey } from '../domain/same-address.ts'
import type { Entry } from '../domain/service.ts'
import { skeletonOf } from '../domain/skeleton.ts'
import { FIRST_SLOTS, resized } from '../memory/arena.ts'
import type { Snapshot } from '../memory/snapshot.ts'
import {
  FINGERPRINT_WORDS,
  type FingerprintRows,
  NAME_AT,
  PAYEE_AT,
  SKETCH_AT,
  SUFFIX_AT,
} from '../search/ranking/fingerprint.ts'
import { writeSketch } from './text-sketch.ts'

export class Fingerprints implements FingerprintRows {
  rows = new Uint32Array(FIRST_SLOTS.fingerprints * FINGERPRINT_WORDS)
  #bytes = new Uint8Array(this.rows.buffer)
  /** Nobody outside can make two texts meet: the seed is another one in every catalog. */
  #seed = crypto.getRandomValues(new Uint32Array(2))

  get bytes(): number {
    return this.rows.byteLength
  }

  write(slot: number, { name, description, endpoint, x402Config }: Entry): void {
    if ((slot + 1) * FINGERPRINT_WORDS > this.rows.length) {
      this.rows = resized(this.rows, Math.max((slot + 1) * FINGERPRINT_WORDS, 2 * this.rows.length))
      this.#bytes = new Uint8Array(this.rows.buffer)
    }
    const at = slot * FINGERPRINT_WORDS
    this.#writeHash(at + PAYEE_AT, addressKey(x402Config.paymentAddress, x402Config.network))
    this.#writeHash(at + SUFFIX_AT, registrableDomain(endpointHost(endpoint)))
    this.#writeHash(at + NAME_AT, skeletonOf(name))
    writeSketch(description, this.#bytes, 4 * (at + SKETCH_AT))
  }

  serialize(snapshot: Snapshot): void {
    this.#seed = snapshot.array(this.#seed)
    this.rows = snapshot.array(this.rows)
    this.#bytes = new Uint8Array(this.rows.buffer, this.rows.byteOffset, this.rows.byteLength)
  }

  #writeHash(at: number, text: string): void {
    const [high, low] = this.#seed
    const hash = Bun.hash.xxHash64(text, (BigInt(high!) << 32n) | BigInt(low!))
    this.rows[at] = Number(hash & 0xffff_ffffn)
    this.rows[at + 1] = Number(hash >> 32n)
  }
}
