// The inverted index: for each term its postings, slots in ascending order with an 8-bit impact each (the term's part of a
// BM25 score). All lists are in two flat arrays and are updated in place: a new entry is appended, a reused slot shifts the
// rest of its lists by one.

import { GrowingMemory, grown } from '../../memory/growing.ts'

/** The size class of a list without memory. */
const NO_MEMORY = 0xff

/** 1, 2, 3, 4, 6, 8, 12, 16 …: a list is at least two thirds full when it moves to the next class. */
const SIZES = [1, ...Array.from({ length: 30 }, (_, i) => [2 ** (i + 1), 3 * 2 ** i]).flat()]

/** The postings of one term: `count` entries of the arrays, starting at `start`. */
export type PostingsList = {
  readonly slots: Uint32Array
  readonly impacts: Uint8Array
  readonly start: number
  readonly count: number
}

/** Returns the index of a slot's posting in the arrays, or -1. */
export function findPosting({ slots, start, count }: PostingsList, slot: number): number {
  let low = start
  let high = start + count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (slots[middle]! < slot) low = middle + 1
    else high = middle
  }
  return low < start + count && slots[low] === slot ? low : -1
}

export class Postings {
  readonly #slotMemory = new GrowingMemory()
  readonly #impactMemory = new GrowingMemory()
  slots = this.#slotsFor(1024)
  impacts = this.#impactsFor(1024)
  #starts = new Uint32Array(64)
  #counts = new Uint32Array(64)
  /** Each list has a capacity of SIZES[sizeClass]. */
  #sizeClasses = new Uint8Array(64).fill(NO_MEMORY)
  #free: number[][] = SIZES.map(() => [])
  #used = 0
  /** The highest slot seen, plus one. */
  reach = 0

  get bytes(): number {
    const { byteLength } = this.slots
    return byteLength + this.impacts.byteLength + 9 * this.#counts.length
  }

  count(term: number): number {
    return term < this.#counts.length ? this.#counts[term]! : 0
  }

  start(term: number): number {
    return this.#starts[term]!
  }

  /** Adds a posting, or changes its impact. */
  put(term: number, slot: number, impact: number): void {
    if (term >= this.#counts.length) this.#reserveTerms(term + 1)
    if (slot >= this.reach) this.reach = slot + 1
    const count = this.#counts[term]!
    let at = this.#place(term, slot)
    if (count > 0 && at < this.#starts[term]! + count && this.slots[at] === slot) {
      this.impacts[at] = impact
      return
    }
    if (!this.#fits(term, count + 1)) at += this.#enlarge(term, count + 1)
    const end = this.#starts[term]! + count
    if (at < end) {
      this.slots.copyWithin(at + 1, at, end)
      this.impacts.copyWithin(at + 1, at, end)
    }
    this.slots[at] = slot
    this.impacts[at] = impact
    this.#counts[term] = count + 1
  }

  remove(term: number, slot: number): void {
    const at = this.#place(term, slot)
    const end = this.#starts[term]! + this.count(term)
    if (at >= end || this.slots[at] !== slot) return
    this.slots.copyWithin(at, at + 1, end)
    this.impacts.copyWithin(at, at + 1, end)
    this.#counts[term]!--
  }

  /** Returns the index of the first slot in the list that is not below `slot`. */
  #place(term: number, slot: number): number {
    let low = this.#starts[term]!
    let high = low + this.#counts[term]!
    if (high > low && this.slots[high - 1]! < slot) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.slots[middle]! < slot) low = middle + 1
      else high = middle
    }
    return low
  }

  #fits(term: number, places: number): boolean {
    const sizeClass = this.#sizeClasses[term]!
    return sizeClass !== NO_MEMORY && places <= SIZES[sizeClass]!
  }

  /** Moves a list to the next size class that is large enough. Returns the offset it has moved by. */
  #enlarge(term: number, places: number): number {
    const old = this.#sizeClasses[term]!
    let sizeClass = old === NO_MEMORY ? 0 : old + 1
    while (SIZES[sizeClass]! < places) sizeClass++
    const from = this.#starts[term]!
    const count = this.#counts[term]!
    const to = this.#free[sizeClass]!.pop() ?? this.#append(SIZES[sizeClass]!)
    this.slots.copyWithin(to, from, from + count)
    this.impacts.copyWithin(to, from, from + count)
    if (old !== NO_MEMORY) this.#free[old]!.push(from)
    this.#starts[term] = to
    this.#sizeClasses[term] = sizeClass
    return to - from
  }

  #append(places: number): number {
    const at = this.#used
    this.#used += places
    if (this.#used > this.slots.length) this.slots = this.#slotsFor(this.#used)
    if (this.#used > this.impacts.length) this.impacts = this.#impactsFor(this.#used)
    return at
  }

  #slotsFor(count: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.#slotMemory.reserve(4 * count))
  }

  #impactsFor(count: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#impactMemory.reserve(count))
  }

  #reserveTerms(size: number): void {
    const known = this.#sizeClasses.length
    this.#starts = grown(this.#starts, size)
    this.#counts = grown(this.#counts, size)
    this.#sizeClasses = grown(this.#sizeClasses, size)
    this.#sizeClasses.fill(NO_MEMORY, known)
  }
}
