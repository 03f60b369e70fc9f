// The inverted index: for each term its postings, slots in ascending order with an 8-bit impact each (the term's part of a
// BM25 score). All lists are in two flat arrays and are updated in place: a new entry is appended, a reused slot shifts the
// rest of its lists by one.

import { WORD_SHIFT } from '../../memory/bits.ts'
import { GrowingMemory, grown } from '../../memory/growing.ts'
import { BitmapPostings } from './bitmap-postings.ts'
import { BitmapRows } from './bitmap-rows.ts'

/** A term also gets a bitmap from this document frequency on, once more than one entry of 64 has it. */
const MIN_FREQUENT = 64
export const FREQUENT_SHIFT = 6
/** It loses the bitmap below one entry of 128. The gap keeps a term near the limit from switching back and forth. */
const RARE_SHIFT = 7

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
  /** The same postings as a bitmap, for a frequent term. */
  readonly bitmap: BitmapPostings | undefined
}

/** Returns the index of a slot's posting in the arrays, or -1. */
export function findPosting({ slots, start, count, bitmap }: PostingsList, slot: number): number {
  if (bitmap !== undefined) return bitmap.has(slot) ? start + bitmap.rank(slot) : -1
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
  #reach = 0
  readonly #frequent = new Map<number, BitmapPostings>()
  /** Created for the first frequent term. */
  #rows: BitmapRows | undefined

  get bytes(): number {
    let bytes = this.slots.byteLength + this.impacts.byteLength
    bytes += this.#starts.byteLength + this.#counts.byteLength + this.#sizeClasses.byteLength
    for (const term of this.#frequent.values()) bytes += term.bytes
    return bytes + (this.#rows?.bytes ?? 0)
  }

  get bitmapWords(): number {
    return (this.#reach + 31) >> WORD_SHIFT
  }

  count(term: number): number {
    return term < this.#counts.length ? this.#counts[term]! : 0
  }

  start(term: number): number {
    return this.#starts[term]!
  }

  bitmap(term: number): BitmapPostings | undefined {
    return this.#frequent.get(term)
  }

  /** Returns the index of a slot's posting in the flat arrays, or -1. */
  find(term: number, slot: number): number {
    return findPosting(
      {
        slots: this.slots,
        impacts: this.impacts,
        start: this.#starts[term]!,
        count: this.#counts[term]!,
        bitmap: this.#frequent.get(term),
      },
      slot,
    )
  }

  /** Adds a posting, or changes its impact. */
  put(term: number, slot: number, impact: number): void {
    if (term >= this.#counts.length) this.#reserveTerms(term + 1)
    if (slot >= this.#reach) this.#reach = slot + 1
    const count = this.#counts[term]!
    let at = this.#place(term, slot)
    if (count > 0 && at < this.#starts[term]! + count && this.slots[at] === slot) {
      this.#change(term, at, slot, impact)
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
    const frequent = this.#frequent.get(term)
    if (frequent) frequent.add(slot, impact, count)
    else if (this.#isFrequent(count + 1)) this.#promote(term)
  }

  remove(term: number, slot: number): void {
    const at = this.find(term, slot)
    if (at < 0) return
    const start = this.#starts[term]!
    const end = start + this.#counts[term]!
    this.slots.copyWithin(at, at + 1, end)
    this.impacts.copyWithin(at, at + 1, end)
    this.#counts[term]!--
    const frequent = this.#frequent.get(term)
    if (!frequent) return
    if (this.#counts[term]! < Math.max(MIN_FREQUENT / 2, this.#reach >> RARE_SHIFT))
      this.#forget(term, frequent)
    else frequent.remove(slot, this.impacts, start)
  }

  #change(term: number, at: number, slot: number, impact: number): void {
    if (this.impacts[at] === impact) return
    this.impacts[at] = impact
    this.#frequent.get(term)?.refreshBlock(slot >> WORD_SHIFT, this.impacts, this.#starts[term]!)
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

  #toFrequent(term: number): BitmapPostings {
    this.#rows ??= new BitmapRows()
    const frequent = new BitmapPostings(this.#rows, this.bitmapWords)
    const start = this.#starts[term]!
    for (let i = 0; i < this.#counts[term]!; i++)
      frequent.add(this.slots[start + i]!, this.impacts[start + i]!, i)
    return frequent
  }

  #isFrequent(count: number): boolean {
    return count >= MIN_FREQUENT && count > this.#reach >> FREQUENT_SHIFT
  }

  #promote(term: number): void {
    this.#frequent.set(term, this.#toFrequent(term))
    if (this.#frequent.size % 64 === 0) this.#demote()
  }

  /** Drops the bitmaps of terms that the growth of the catalog has made rare. */
  #demote(): void {
    const least = this.#reach >> RARE_SHIFT
    for (const [term, frequent] of this.#frequent)
      if (this.#counts[term]! < least) this.#forget(term, frequent)
  }

  #forget(term: number, frequent: BitmapPostings): void {
    frequent.close()
    this.#frequent.delete(term)
  }
}
