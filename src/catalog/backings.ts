// Who stands behind each entry, and which entries are at one endpoint: about 30 bytes an entry.
import { type Speaker, toSpeaker } from '../domain/backing.ts'
import { endpointKey } from '../domain/endpoint.ts'
import type { Entry } from '../domain/service.ts'
import { FIRST_SLOTS, grown } from '../memory/arena.ts'
import { HashedTexts } from '../memory/hashed-texts.ts'
import type { Snapshot } from '../memory/snapshot.ts'

const CLAIMED = 1
const VERIFIED = 2

export class Backings {
  readonly #endpoints = new HashedTexts(FIRST_SLOTS.endpoints)
  #flags = new Uint8Array(FIRST_SLOTS.endpoints)
  #since = new Float64Array(FIRST_SLOTS.endpoints)

  get bytes(): number {
    return this.#endpoints.bytes + this.#flags.byteLength + this.#since.byteLength
  }

  write(slot: number, entry: Entry): void {
    if (slot >= this.#flags.length) {
      const capacity = Math.max(slot + 1, 2 * this.#flags.length)
      this.#flags = grown(this.#flags, capacity)
      this.#since = grown(this.#since, capacity)
    }
    const { isClaimed, isVerified, sinceMs } = toSpeaker(entry)
    this.#flags[slot] = (isClaimed ? CLAIMED : 0) | (isVerified ? VERIFIED : 0)
    this.#since[slot] = sinceMs
    this.#endpoints.write(slot, endpointKey(entry.endpoint))
  }

  release(slot: number): void {
    this.#endpoints.release(slot)
  }

  speaker(slot: number): Omit<Speaker, 'id'> {
    const flags = this.#flags[slot]!
    return {
      isClaimed: (flags & CLAIMED) !== 0,
      isVerified: (flags & VERIFIED) !== 0,
      sinceMs: this.#since[slot]!,
    }
  }

  /** Those at the endpoint of this one, itself included, in no order. */
  atEndpointOf(slot: number, most: number): number[] {
    return this.#endpoints.findSome(this.#endpoints.wordsOf(slot), most).slots
  }

  carry(snapshot: Snapshot): void {
    this.#endpoints.carry(snapshot)
    this.#flags = snapshot.array(this.#flags)
    this.#since = snapshot.array(this.#since)
  }
}
