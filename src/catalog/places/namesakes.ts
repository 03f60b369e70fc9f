// Finds services of other owners with a name that can be mistaken for a given one, by lookalike key. About 25 bytes per entry.

import type { Entry } from '../../domain/listing/service.ts'
import { lookalikeKey } from '../../domain/text/lookalike-key.ts'
import { grown } from '../../memory/growing.ts'
import { HashedTexts } from '../../memory/hashed-texts.ts'

/** Maximum number of entries read for one name. */
const MAX_NAMESAKES = 1_000
const NO_OWNER = 0

export class Namesakes {
  readonly #names = new HashedTexts()
  /** A hash of each owner. A collision only hides the namesakes of two owners from each other. */
  #owners = new Uint32Array(0)
  #seed = crypto.getRandomValues(new Uint32Array(1))

  get bytes(): number {
    return this.#names.bytes + this.#owners.byteLength
  }

  write(slot: number, { name, owner }: Pick<Entry, 'name' | 'owner'>): void {
    this.#owners = grown(this.#owners, slot + 1)
    this.#owners[slot] = owner === null ? NO_OWNER : this.#hash(owner)
    this.#names.write(slot, lookalikeKey(name))
  }

  release(slot: number): void {
    this.#names.release(slot)
    this.#owners[slot] = NO_OWNER
  }

  /** Slots of an owner, possibly with some of other owners with the same hash, unordered. */
  ownedBy(owner: string): number[] {
    const [hash, owners] = [this.#hash(owner), this.#owners]
    const slots: number[] = []
    for (let slot = owners.indexOf(hash); slot !== -1; slot = owners.indexOf(hash, slot + 1)) slots.push(slot)
    return slots
  }

  /** Slots of other owners with the same name, unordered. */
  of(slot: number): number[] {
    return this.#names
      .findSome(this.#names.wordsOf(slot), MAX_NAMESAKES)
      .filter(other => other !== slot && this.hasOtherOwner(slot, other))
  }

  /** Whether two entries have different owners; an entry without an owner differs from all. */
  hasOtherOwner(slot: number, other: number): boolean {
    return !this.isOwned(slot) || this.#owners[other] !== this.#owners[slot]
  }

  isOwned(slot: number): boolean {
    return this.#owners[slot] !== NO_OWNER
  }

  #hash(owner: string): number {
    return Bun.hash.xxHash32(owner, this.#seed[0]!) || 1
  }
}
