// Finds services of others whose name is taken for a service's own: by the key of names, about 25 bytes an entry.
import { lookalikeKey } from '../domain/lookalike-key.ts'
import type { Entry } from '../domain/service.ts'
import { FIRST_SLOTS, resized } from '../memory/arena.ts'
import { HashedTexts } from '../memory/hashed-texts.ts'
import type { Snapshot } from '../memory/snapshot.ts'

/** A name that thousands have is not looked through to its end. */
const MAX_NAMESAKES = 1_000
const NOBODY = 0

export class Namesakes {
  readonly #names = new HashedTexts(FIRST_SLOTS.names)
  /** A hash of each owner: two who meet in it would only not be told of each other. */
  #owners = new Uint32Array(FIRST_SLOTS.names)
  #seed = crypto.getRandomValues(new Uint32Array(1))

  get bytes(): number {
    return this.#names.bytes + this.#owners.byteLength
  }

  write(slot: number, { name, owner }: Pick<Entry, 'name' | 'owner'>): void {
    if (slot >= this.#owners.length)
      this.#owners = resized(this.#owners, Math.max(slot + 1, 2 * this.#owners.length))
    this.#owners[slot] = owner === null ? NOBODY : this.#hash(owner)
    this.#names.write(slot, lookalikeKey(name))
  }

  release(slot: number): void {
    this.#names.release(slot)
    this.#owners[slot] = NOBODY
  }

  /** Those of an owner, and maybe a few of others with the same hash, in no order. */
  ownedBy(owner: string): number[] {
    const [hash, owners] = [this.#hash(owner), this.#owners]
    const slots: number[] = []
    for (let slot = owners.indexOf(hash); slot !== -1; slot = owners.indexOf(hash, slot + 1)) slots.push(slot)
    return slots
  }

  /** Those of other owners, in no order. */
  of(slot: number): number[] {
    return this.#names
      .findSome(this.#names.wordsOf(slot), MAX_NAMESAKES)
      .filter(other => other !== slot && this.isOthers(slot, other))
  }

  /** Returns whether two entries have different owners; what nobody owns is everybody's other. */
  isOthers(slot: number, other: number): boolean {
    return !this.isOwned(slot) || this.#owners[other] !== this.#owners[slot]
  }

  isOwned(slot: number): boolean {
    return this.#owners[slot] !== NOBODY
  }

  #hash(owner: string): number {
    return Bun.hash.xxHash32(owner, this.#seed[0]!) || 1
  }

  serialize(snapshot: Snapshot): void {
    this.#names.serialize(snapshot)
    this.#owners = snapshot.array(this.#owners)
    this.#seed = snapshot.array(this.#seed)
  }
}
