// Slots in sorted order, and the sort that fills them.
import { grown } from './growing.ts'

const BITS = 11
const BUCKETS = 1 << BITS
const MASK = BUCKETS - 1

/** An unsigned key of 32 bits. */
type SlotKey = (slot: number) => number

/** Sorts slots by integer keys, stably and without comparisons: a million in a few tens of milliseconds. */
export class RadixSort {
  readonly #counts = new Uint32Array(BUCKETS)
  #keys = new Uint32Array(0)
  #spareKeys = new Uint32Array(0)
  #spare = new Uint32Array(0)

  /** Slots with equal keys retain their order. */
  sort(slots: Uint32Array, keyOf: SlotKey): void {
    this.#reserve(slots.length)
    let keys = this.#keys
    let spareKeys = this.#spareKeys
    let from: Uint32Array = slots
    let to: Uint32Array = this.#spare
    let differing = 0
    const [first] = slots
    const firstKey = first === undefined ? 0 : keyOf(first)
    for (let i = 0; i < slots.length; i++) {
      const key = keyOf(slots[i]!)
      keys[i] = key
      differing |= key ^ firstKey
    }
    for (let shift = 0; shift < 32; shift += BITS) {
      // Digits that are equal in all keys need no pass.
      if (((differing >>> shift) & MASK) === 0) continue
      this.#scatter(slots.length, shift, keys, from, spareKeys, to)
      ;[keys, spareKeys] = [spareKeys, keys]
      ;[from, to] = [to, from]
    }
    if (from !== slots) slots.set(from.subarray(0, slots.length))
  }

  #scatter(
    length: number,
    shift: number,
    keys: Uint32Array,
    from: Uint32Array,
    keysTo: Uint32Array,
    to: Uint32Array,
  ): void {
    const counts = this.#counts.fill(0)
    for (let i = 0; i < length; i++) counts[(keys[i]! >>> shift) & MASK]!++
    let start = 0
    for (let digit = 0; digit < BUCKETS; digit++) {
      const count = counts[digit]!
      counts[digit] = start
      start += count
    }
    for (let i = 0; i < length; i++) {
      const key = keys[i]!
      const at = counts[(key >>> shift) & MASK]!++
      keysTo[at] = key
      to[at] = from[i]!
    }
  }

  #reserve(length: number): void {
    if (length <= this.#keys.length) return
    this.#keys = new Uint32Array(length)
    this.#spareKeys = new Uint32Array(length)
    this.#spare = new Uint32Array(length)
  }
}

// Slots in sorted order: a list of sorted blocks, so that an insert moves at most one block of numbers.

export type SlotOrder = (a: number, b: number) => number
/** Valid until the catalog changes. */
export type SlotTest = (slot: number) => boolean

const BLOCK_SLOTS = 512

export class SortedSlots {
  #blocks: Uint32Array<ArrayBuffer>[] = []
  #counts: number[] = []
  size = 0

  constructor(readonly order: SlotOrder) {}

  get bytes(): number {
    return this.#blocks.reduce((sum, block) => sum + block.byteLength, 0)
  }

  insert(slot: number): void {
    // New entries are last in every order by age.
    if (this.size === 0 || this.order(this.#last(), slot) < 0) {
      this.append(slot)
      return
    }
    const index = Math.max(0, this.#blockOf(slot))
    const block = this.#blocks[index]!
    const count = this.#counts[index]!
    const at = this.#positionIn(block, count, slot)
    if (at < count && block[at] === slot) throw new Error(`Slot ${slot} is in the order already.`)
    this.#put(index, at, slot)
    this.size++
  }

  /** Adds a slot that sorts last. */
  append(slot: number): void {
    const last = this.#blocks.length - 1
    if (last < 0 || this.#counts[last]! >= BLOCK_SLOTS) {
      // Most sets are small; one that has filled a block will fill the next.
      this.#blocks.push(new Uint32Array(last < 0 ? 4 : BLOCK_SLOTS))
      this.#counts.push(0)
    }
    this.#put(this.#blocks.length - 1, this.#counts[this.#blocks.length - 1]!, slot)
    this.size++
  }

  /**
   * The sort keys of the slot must still be those of its insert.
   * @throws Error if it is not found: left in place, it would refer to the next entry that gets the slot
   */
  remove(slot: number): void {
    const index = this.#blockOf(slot)
    const block = this.#blocks[index]
    const count = this.#counts[index] ?? 0
    const at = block ? this.#positionIn(block, count, slot) : 0
    if (!block || at >= count || block[at] !== slot) throw new Error(`Slot ${slot} is not in the order.`)
    block.copyWithin(at, at + 1, count)
    this.#counts[index] = count - 1
    if (count === 1) {
      this.#blocks.splice(index, 1)
      this.#counts.splice(index, 1)
    }
    this.size--
  }

  /** Replaces all slots by these, which are in order. */
  fill(slots: Uint32Array): void {
    this.#blocks = []
    this.#counts = []
    this.size = slots.length
    for (let at = 0; at < slots.length; at += BLOCK_SLOTS) {
      const part = slots.subarray(at, at + BLOCK_SLOTS)
      // Most sets are small; one that has filled a block will fill the next.
      const block = new Uint32Array(at === 0 ? part.length : BLOCK_SLOTS)
      block.set(part)
      this.#blocks.push(block)
      this.#counts.push(part.length)
    }
  }

  /** Number of slots at the start for which `holds` is true; it must be true up to some position and false after it. */
  countWhile(holds: SlotTest): number {
    const index = firstFalse(this.#blocks.length, at => holds(this.#blocks[at]![this.#counts[at]! - 1]!))
    let before = 0
    for (let i = 0; i < index; i++) before += this.#counts[i]!
    const block = this.#blocks[index]
    return block ? before + firstFalse(this.#counts[index]!, at => holds(block[at]!)) : before
  }

  /** Visits slots from a position on, forwards or backwards, until `visit` returns false. */
  scan(from: number, step: 1 | -1, visit: (slot: number) => boolean): void {
    if (from < 0 || from >= this.size) return
    let index = 0
    let at = from
    while (at >= this.#counts[index]!) at -= this.#counts[index++]!
    for (;;) {
      const block = this.#blocks[index]!
      const end = step === 1 ? this.#counts[index]! : -1
      for (; at !== end; at += step) if (!visit(block[at]!)) return
      index += step
      if (index < 0 || index >= this.#blocks.length) return
      at = step === 1 ? 0 : this.#counts[index]! - 1
    }
  }

  /** The slots at positions `from` to before `to` that pass; undefined if there are more than `max`. */
  fewOf(from: number, to: number, passes: SlotTest, max: number): number[] | undefined {
    const few: number[] = []
    let left = to - from
    let skip = from
    for (let index = 0; left > 0 && index < this.#blocks.length; index++) {
      const block = this.#blocks[index]!
      const start = Math.min(skip, this.#counts[index]!)
      const end = Math.min(start + left, this.#counts[index]!)
      for (let at = start; at < end; at++) if (passes(block[at]!)) few.push(block[at]!)
      if (few.length > max) return undefined
      skip -= start
      left -= end - start
    }
    return few
  }

  #last(): number {
    const index = this.#blocks.length - 1
    return this.#blocks[index]![this.#counts[index]! - 1]!
  }

  #put(index: number, at: number, slot: number): void {
    let block = this.#blocks[index]!
    const count = this.#counts[index]!
    if (count === block.length && count < BLOCK_SLOTS) {
      block = grown(block, count + 1)
      this.#blocks[index] = block
    }
    if (count < BLOCK_SLOTS) {
      block.copyWithin(at + 1, at, count)
      block[at] = slot
      this.#counts[index] = count + 1
      return
    }
    const half = BLOCK_SLOTS / 2
    const upper = new Uint32Array(BLOCK_SLOTS)
    upper.set(block.subarray(half))
    this.#blocks.splice(index + 1, 0, upper)
    this.#counts.splice(index, 1, half, half)
    if (at <= half) this.#put(index, at, slot)
    else this.#put(index + 1, at - half, slot)
  }

  /** The last block whose first slot does not sort after the given one; -1 where it sorts before all. */
  #blockOf(slot: number): number {
    let low = 0
    let high = this.#blocks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.order(this.#blocks[middle]![0]!, slot) <= 0) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  #positionIn(block: Uint32Array, count: number, slot: number): number {
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.order(block[middle]!, slot) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The first number below `count` for which `holds` is false; `count` if there is none. */
function firstFalse(count: number, holds: (at: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
