// The listings of a place that can speak for it. Anybody can list a place as often as they like, so of a crowd the best are kept, and
// kept up to date: a question about a payment costs the same however many there are.
import { compareStanding } from '../domain/resolve/resolve.ts'
import type { Backings } from './backings.ts'
import type { SlotTable } from './id-table.ts'
import type { Places } from './places.ts'

type Parts = { readonly ids: SlotTable; readonly places: Places; readonly backings: Backings }

/** More listings than this are a crowd. */
const FEW = 200
/** So many listings of a crowd are gone through where its best are not known. */
const MAX_LOOKS = 50_000
/**
 * So many of the best are known: of those that speak for every URL of the place, and of those that speak for one query each. Twice
 * as many are kept, so that one that falls behind makes nobody go through the crowd again.
 */
const MIN_KEPT = { plain: 20, queried: 500 } as const

type Kind = keyof typeof MIN_KEPT
/** The best slots in their order; nobody else is as good as the last of them, and there is nobody else where it holds all. */
type Best = { readonly slots: number[]; isAll: boolean }
type Crowd = Readonly<Record<Kind, Best>>

export class Crowds {
  readonly #parts: Parts
  readonly #crowds = new Map<string, Crowd>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Those at the place that can be among the first, in no order. */
  at(place: string): readonly number[] {
    const { places } = this.#parts
    const some = places.at(place, FEW + 1)
    if (some.length <= FEW) return some
    const key = places.keyOf(some[0]!)
    const crowd = this.#crowds.get(key) ?? this.#gather(places.at(place, MAX_LOOKS))
    this.#crowds.set(key, crowd)
    return [...crowd.plain.slots, ...crowd.queried.slots]
  }

  /** Before an entry is written anew, or is gone. */
  leave(slot: number): void {
    if (this.#crowds.size === 0) return
    const key = this.#parts.places.keyOf(slot)
    const kind = this.#kindOf(slot)
    const best = this.#crowds.get(key)?.[kind]
    const at = best ? best.slots.indexOf(slot) : -1
    if (!best || at < 0) return
    best.slots.splice(at, 1)
    if (!best.isAll && best.slots.length < MIN_KEPT[kind]) this.#crowds.delete(key)
  }

  /** After an entry was written. */
  enter(slot: number): void {
    const crowd = this.#crowds.size > 0 ? this.#crowds.get(this.#parts.places.keyOf(slot)) : undefined
    if (crowd) this.#keep(crowd, slot)
  }

  #gather(slots: readonly number[]): Crowd {
    const crowd: Crowd = { plain: { slots: [], isAll: true }, queried: { slots: [], isAll: true } }
    for (const slot of slots) this.#keep(crowd, slot)
    return crowd
  }

  #keep(crowd: Crowd, slot: number): void {
    const kind = this.#kindOf(slot)
    const best = crowd[kind]
    const { slots } = best
    const isBehind = slots.length > 0 && this.#compare(slot, slots.at(-1)!) > 0
    // Somebody who was turned away may be better.
    if (isBehind && !best.isAll) return
    let [from, to] = isBehind ? [slots.length, slots.length] : [0, slots.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.#compare(slot, slots[middle]!) < 0) to = middle
      else from = middle + 1
    }
    slots.splice(from, 0, slot)
    if (slots.length <= 2 * MIN_KEPT[kind]) return
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
      speaker: backings.speaker(slot),
      isRetired: places.isRetired(slot),
    }
  }
}
