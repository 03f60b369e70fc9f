// Which entries are at a place, what each was seen to ask for, and where entries were that are removed.
import { placeOf } from '../domain/resolve/place.ts'
import type { Entry } from '../domain/service.ts'
import type { Seen } from '../domain/terms.ts'
import { Arena, FIRST_SLOTS } from '../memory/arena.ts'
import { HashedTexts } from '../memory/hashed-texts.ts'
import type { Snapshot } from '../memory/snapshot.ts'

type Placed = Pick<Entry, 'endpoint' | 'retired' | 'sample'> & { readonly seen?: Seen }

const RETIRED = 1
const SAMPLE = 2

export class Places {
  readonly #places = new HashedTexts(FIRST_SLOTS.places)
  /** What was seen as text, and the flags as its tail. */
  readonly #seen = new Arena()
  /** By the number of the removal. */
  readonly #removed = new HashedTexts(FIRST_SLOTS.removals)
  #removals = 0

  get bytes(): number {
    return this.#places.bytes + this.#seen.bytes + this.#removed.bytes
  }

  write(slot: number, { endpoint, retired, sample, seen }: Placed): void {
    this.#places.write(slot, placeOf(endpoint))
    const flags = (retired === null ? 0 : RETIRED) | (sample ? SAMPLE : 0)
    this.#seen.write(slot, seen ? JSON.stringify(seen) : '', String(flags))
  }

  release(slot: number): void {
    this.#places.release(slot)
    this.#seen.release(slot)
  }

  /** @param endpoint of what was removed */
  bury(endpoint: string): void {
    const place = placeOf(endpoint)
    if (!this.wasRemoved(place)) this.#removed.write(this.#removals++, place)
  }

  /** Those at the place, in no order. */
  at(place: string, most: number): number[] {
    return this.#places.findSome(this.#places.words(place), most).slots
  }

  wasRemoved(place: string): boolean {
    // Two places that meet in half of their hash are told apart by the other half.
    return this.#removed.findSome(this.#removed.words(place), 100).slots.length > 0
  }

  isRetired(slot: number): boolean {
    return (this.#flags(slot) & RETIRED) !== 0
  }

  standing(slot: number): {
    readonly isRetired: boolean
    readonly isSample: boolean
    readonly seen: Seen | undefined
  } {
    const flags = this.#flags(slot)
    const text = Buffer.from(this.#seen.text(slot)).toString('utf8')
    return {
      isRetired: (flags & RETIRED) !== 0,
      isSample: (flags & SAMPLE) !== 0,
      seen: text === '' ? undefined : (JSON.parse(text) as Seen),
    }
  }

  #flags(slot: number): number {
    return Number(Buffer.from(this.#seen.tail(slot)).toString('latin1'))
  }

  *carry(snapshot: Snapshot): Generator<void> {
    this.#places.carry(snapshot)
    this.#removed.carry(snapshot)
    this.#removals = snapshot.number(this.#removals)
    yield* this.#seen.carry(snapshot)
  }
}
