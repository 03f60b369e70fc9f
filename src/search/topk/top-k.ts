// The collector: keeps the k best hits and rejects everything below the threshold. A small k is an ordered array, a large
// one a heap with the worst hit at the root.

import type { SlotOrder } from '../../memory/sorted-slots.ts'

/** Up to this size, inserting into an ordered array is as fast as into a heap, and saves the final sort. */
const FEW = 40

export class TopK {
  readonly k: number
  readonly #order: SlotOrder
  readonly #keys: Float64Array
  readonly #slots: Int32Array
  size = 0
  /**
   * Once full, the key of the worst hit, or the key that it is expected to reach. Lower keys are rejected; equal ones are
   * ordered by slot.
   */
  threshold: number
  readonly #lowest: number

  /** @param lowest a lower bound of all keys */
  constructor(k: number, order: SlotOrder, lowest = -1) {
    this.k = k
    this.#order = order
    this.#keys = new Float64Array(k)
    this.#slots = new Int32Array(k)
    this.#lowest = lowest
    this.threshold = lowest
  }

  collect(key: number, slot: number): void {
    if (key < this.threshold) return
    const keys = this.#keys
    const slots = this.#slots
    const { k } = this
    if (k <= FEW) {
      if (k === 0) return
      if (this.size < k) insert(keys, slots, this.size++, key, slot, this.#order)
      else if (key > this.threshold || this.#order(slot, slots[k - 1]!) <= 0)
        insert(keys, slots, k - 1, key, slot, this.#order)
      if (this.size === k) this.threshold = keys[k - 1]!
      return
    }
    if (this.size < k) {
      rise(keys, slots, this.size++, key, slot, this.#order)
      if (this.size === k) this.threshold = keys[0]!
      return
    }
    if (key === this.threshold && this.#order(slot, slots[0]!) > 0) return
    sink(keys, slots, k, key, slot, this.#order)
    this.threshold = keys[0]!
  }

  /** Raises the threshold: at least k hits with this key or a higher one will be collected. */
  expect(key: number): void {
    if (key > this.threshold) this.threshold = key
  }

  clear(): void {
    this.size = 0
    this.threshold = this.#lowest
  }

  /** Returns the hits in no order, and empties the collector. */
  taken(): { key: number; slot: number }[] {
    const hits = new Array<{ key: number; slot: number }>(this.size)
    for (let i = 0; i < hits.length; i++) hits[i] = { key: this.#keys[i]!, slot: this.#slots[i]! }
    this.size = 0
    return hits
  }

  /** Returns the hits best first, and empties the collector. */
  sorted(): { key: number; slot: number }[] {
    const keys = this.#keys
    const slots = this.#slots
    const hits = new Array<{ key: number; slot: number }>(this.size)
    if (this.k <= FEW) {
      for (let i = 0; i < this.size; i++) hits[i] = { key: keys[i]!, slot: slots[i]! }
      this.size = 0
      return hits
    }
    for (let last = this.size - 1; last >= 0; last--) {
      hits[last] = { key: keys[0]!, slot: slots[0]! }
      if (last > 0) sink(keys, slots, last, keys[last]!, slots[last]!, this.#order)
    }
    this.size = 0
    return hits
  }
}

/** Inserts a hit into the first `size`, which are ordered. */
function insert(
  keys: Float64Array,
  slots: Int32Array,
  size: number,
  key: number,
  slot: number,
  order: SlotOrder,
): void {
  let at = size
  for (; at > 0; at--) {
    const before = keys[at - 1]!
    if (before > key || (before === key && order(slots[at - 1]!, slot) <= 0)) break
    keys[at] = before
    slots[at] = slots[at - 1]!
  }
  keys[at] = key
  slots[at] = slot
}

/** Moves a hit up from `from` while it is worse than its parent. */
function rise(
  keys: Float64Array,
  slots: Int32Array,
  from: number,
  key: number,
  slot: number,
  order: SlotOrder,
): void {
  let at = from
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = keys[parent]!
    if (key > above || (key === above && order(slot, slots[parent]!) <= 0)) break
    keys[at] = above
    slots[at] = slots[parent]!
    at = parent
  }
  keys[at] = key
  slots[at] = slot
}

/** Replaces the root of a heap of `size`. */
function sink(
  keys: Float64Array,
  slots: Int32Array,
  size: number,
  key: number,
  slot: number,
  order: SlotOrder,
): void {
  let at = 0
  for (let child = 1; child < size; child = 2 * at + 1) {
    let worst = keys[child]!
    if (child + 1 < size) {
      const right = keys[child + 1]!
      if (right < worst || (right === worst && order(slots[child + 1]!, slots[child]!) > 0)) {
        child++
        worst = right
      }
    }
    if (key < worst || (key === worst && order(slot, slots[child]!) > 0)) break
    keys[at] = worst
    slots[at] = slots[child]!
    at = child
  }
  keys[at] = key
  slots[at] = slot
}
