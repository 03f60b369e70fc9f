// The collector: keeps the k best hits in a heap with the worst at the root, and rejects everything below it.

import type { SlotOrder } from '../../memory/sorted-slots.ts'

export class TopK {
  readonly k: number
  readonly #order: SlotOrder
  readonly #keys: Float64Array
  readonly #slots: Int32Array
  size = 0
  /** Once full, the key of the worst hit. Lower keys are rejected; equal ones are ordered by slot. */
  threshold = Number.NEGATIVE_INFINITY

  constructor(k: number, order: SlotOrder) {
    this.k = k
    this.#order = order
    this.#keys = new Float64Array(k)
    this.#slots = new Int32Array(k)
    if (k === 0) this.threshold = Number.POSITIVE_INFINITY
  }

  collect(key: number, slot: number): void {
    if (key < this.threshold) return
    if (this.size < this.k) this.#rise(this.size++, key, slot)
    else if (key > this.threshold || this.#order(slot, this.#slots[0]!) <= 0) this.#sink(this.k, key, slot)
    if (this.size === this.k) this.threshold = this.#keys[0]!
  }

  /** Returns the hits best first, and empties the collector. */
  sorted(): { key: number; slot: number }[] {
    const [keys, slots] = [this.#keys, this.#slots]
    const hits = new Array<{ key: number; slot: number }>(this.size)
    for (let last = this.size - 1; last >= 0; last--) {
      hits[last] = { key: keys[0]!, slot: slots[0]! }
      if (last > 0) this.#sink(last, keys[last]!, slots[last]!)
    }
    this.size = 0
    this.threshold = Number.NEGATIVE_INFINITY
    return hits
  }

  #isWorse(key: number, slot: number, than: number, thanSlot: number): boolean {
    return key < than || (key === than && this.#order(slot, thanSlot) > 0)
  }

  /** Moves a hit up from `from` while it is worse than its parent. */
  #rise(from: number, key: number, slot: number): void {
    const [keys, slots] = [this.#keys, this.#slots]
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isWorse(key, slot, keys[parent]!, slots[parent]!)) break
      keys[at] = keys[parent]!
      slots[at] = slots[parent]!
      at = parent
    }
    keys[at] = key
    slots[at] = slot
  }

  /** Replaces the root of a heap of `size`. */
  #sink(size: number, key: number, slot: number): void {
    const [keys, slots] = [this.#keys, this.#slots]
    let at = 0
    for (let child = 1; child < size; child = 2 * at + 1) {
      const right = child + 1
      if (right < size && this.#isWorse(keys[right]!, slots[right]!, keys[child]!, slots[child]!))
        child = right
      if (this.#isWorse(key, slot, keys[child]!, slots[child]!)) break
      keys[at] = keys[child]!
      slots[at] = slots[child]!
      at = child
    }
    keys[at] = key
    slots[at] = slot
  }
}
