// The listings of a place that can represent it. An attacker can list a place any number of times, so for a crowded place the best
// listings are cached and updated: resolving a payment costs the same however many listings there are.
import { compareStanding } from '../../domain/resolve/resolve.ts'
import type { SlotTable } from '../columns/id-table.ts'
import type { Backings } from './backings.ts'
import type { Places } from './places.ts'

type Parts = { readonly ids: SlotTable; readonly places: Places; readonly backings: Backings }

/** A place with more listings is crowded. */
const MAX_UNCROWDED = 200
/** Listings of a crowded place that are ranked when its best are not cached. */
const MAX_RANKED = 50_000
/**
 * Minimum number of cached listings: of those for every URL of the place, and of those for one query each. Twice as many are cached,
 * so that a listing that falls in rank does not force a new ranking.
 */
const MIN_CACHED = { plain: 20, queried: 500 } as const

type Kind = keyof typeof MIN_CACHED
/** The best slots, ordered. All others rank below the last of them; with `isAll` there are no others. */
type Best = { readonly slots: number[]; isAll: boolean }
type Leaders = Readonly<Record<Kind, Best>>

export class PlaceLeaders {
  readonly #parts: Parts
  readonly #leaders = new Map<string, Leaders>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The listings at the place that can rank first, unordered. */
  at(place: string): readonly number[] {
    const { places } = this.#parts
    const some = places.at(place, MAX_UNCROWDED + 1)
    if (some.length <= MAX_UNCROWDED) return some
    const key = places.placeKey(some[0]!)
    const leaders = this.#leaders.get(key) ?? this.#rank(places.at(place, MAX_RANKED))
    this.#leaders.set(key, leaders)
    return [...leaders.plain.slots, ...leaders.queried.slots]
  }

  /** To be called before an entry is rewritten or removed. */
  leave(slot: number): void {
    if (this.#leaders.size === 0) return
    const key = this.#parts.places.placeKey(slot)
    const kind = this.#kindOf(slot)
    const best = this.#leaders.get(key)?.[kind]
    const at = best ? best.slots.indexOf(slot) : -1
    if (!best || at < 0) return
    best.slots.splice(at, 1)
    if (!best.isAll && best.slots.length < MIN_CACHED[kind]) this.#leaders.delete(key)
  }

  /** To be called after an entry was written. */
  enter(slot: number): void {
    const leaders = this.#leaders.size > 0 ? this.#leaders.get(this.#parts.places.placeKey(slot)) : undefined
    if (leaders) this.#insert(leaders, slot)
  }

  #rank(slots: readonly number[]): Leaders {
    const leaders: Leaders = { plain: { slots: [], isAll: true }, queried: { slots: [], isAll: true } }
    for (const slot of slots) this.#insert(leaders, slot)
    return leaders
  }

  #insert(leaders: Leaders, slot: number): void {
    const kind = this.#kindOf(slot)
    const best = leaders[kind]
    const { slots } = best
    const isLast = slots.length > 0 && this.#compare(slot, slots.at(-1)!) > 0
    // A listing that is not cached may rank higher.
    if (isLast && !best.isAll) return
    let [from, to] = isLast ? [slots.length, slots.length] : [0, slots.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.#compare(slot, slots[middle]!) < 0) to = middle
      else from = middle + 1
    }
    slots.splice(from, 0, slot)
    if (slots.length <= 2 * MIN_CACHED[kind]) return
    slots.pop()
    best.isAll = false
  }

  #kindOf(slot: number): Kind {
    return this.#parts.places.hasQuery(slot) ? 'queried' : 'plain'
  }

  #compare(a: number, b: number): number {
    return compareStanding(this.#standing(a), this.#standing(b)) || this.#parts.ids.compare(a, b)
  }

  #standing(slot: number) {
    const { backings, places } = this.#parts
    return {
      distance: 0,
      isOfQuery: true,
      backing: backings.facts(slot),
      isRetired: places.isRetired(slot),
    }
  }
}
