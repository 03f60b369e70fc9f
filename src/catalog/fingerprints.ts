// What shows that two entries have the same seller, or the same name or text: hashes of the payee, the registrable domain, the name and
// the description of each entry; and the times since which it has its name and its description.
import { addressKey } from '../domain/chains/addresses.ts'
import { endpointHost, registrableDomain } from '../domain/hosts/endpoint.ts'
import { placedSinceMs } from '../domain/listing/backing.ts'
import type { Entry } from '../domain/listing/service.ts'
import { lettersOf, skeletonOf, wordsSince } from '../domain/text/text.ts'
import { grown } from '../memory/growing.ts'
import { FINGERPRINT_PARTS, type FingerprintPart } from '../search/ranking/standing.ts'

const PARTS = FINGERPRINT_PARTS.length
/** Shorter texts are often equal by chance. */
const MIN_TEXT = 40

export class Fingerprints {
  #keys = new Float64Array(0)
  /** Since when each has its name, and its description, in milliseconds since 1970. */
  #nameSince = new Float64Array(0)
  #textSince = new Float64Array(0)
  /** Random per catalog, so that an attacker cannot construct hash collisions. */
  readonly #seed = crypto.getRandomValues(new BigUint64Array(1))[0]!
  readonly #hash = new BigUint64Array(1)
  readonly #halves = new Uint32Array(this.#hash.buffer)

  get bytes(): number {
    return this.#keys.byteLength + this.#nameSince.byteLength + this.#textSince.byteLength
  }

  write(slot: number, entry: Entry): void {
    const { name, endpoint, x402Config } = entry
    this.#keys = grown(this.#keys, (slot + 1) * PARTS)
    this.#nameSince = grown(this.#nameSince, slot + 1)
    this.#textSince = grown(this.#textSince, slot + 1)
    const { nameMs, textMs } = wordsSince(placedSinceMs(entry), entry.worded)
    this.#nameSince[slot] = nameMs
    this.#textSince[slot] = textMs
    const texts: Readonly<Record<FingerprintPart, string>> = {
      payee: addressKey(x402Config.paymentAddress, x402Config.network),
      domain: registrableDomain(endpointHost(endpoint)),
      name: skeletonOf(name),
      text: textKey(entry),
    }
    for (let i = 0; i < PARTS; i++) this.#keys[slot * PARTS + i] = this.#keyOf(texts[FINGERPRINT_PARTS[i]!])
  }

  /** A hash of 53 bits, which a number holds exactly. */
  #keyOf(text: string): number {
    this.#hash[0] = Bun.hash.xxHash64(text, this.#seed)
    return (this.#halves[0]! >>> 11) * 2 ** 32 + this.#halves[1]!
  }

  keyOf(slot: number, part: FingerprintPart): number {
    return this.#keys[slot * PARTS + FINGERPRINT_PARTS.indexOf(part)]!
  }

  /** Since when it has its name, or its description. */
  sinceMs(slot: number, part: 'name' | 'text'): number {
    return (part === 'name' ? this.#nameSince : this.#textSince)[slot]!
  }
}

/** The letters of the description; that of a short one is unique. */
function textKey({ id, description }: Entry): string {
  const letters = lettersOf(description)
  return letters.length < MIN_TEXT ? id : letters
}
