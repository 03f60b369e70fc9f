// Keeps the best hits of a walk: a heap with the worst on top, so that what cannot enter is turned away at once.

/** Breaks ties between slots; negative: `a` goes first. */
export type SlotOrder = (a: number, b: number) => number

export class TopHits {
  readonly #room: number
  readonly #order: SlotOrder
  readonly #keys: Float64Array
  readonly #slots: Int32Array
  size = 0
  /** Once full, the key of the worst hit: anything below it cannot enter, an equal one only by the order of ties. */
  threshold = -1

  constructor(room: number, order: SlotOrder) {
    this.#room = room
    this.#order = order
    this.#keys = new Float64Array(room)
    this.#slots = new Int32Array(room)
  }

  offer(key: number, slot: number): void {
    if (key < this.threshold) return
    if (this.size < this.#room) {
      this.#rise(this.size++, key, slot)
      if (this.size === this.#room) this.threshold = this.#keys[0]!
      return
    }
    if (this.#room === 0) return
    if (key === this.threshold && this.#order(slot, this.#slots[0]!) > 0) return
    this.#sink(key, slot)
    this.threshold = this.#keys[0]!
  }

  /** Best first. */
  sorted(): { key: number; slot: number }[] {
    const hits: { key: number; slot: number }[] = []
    for (let i = 0; i < this.size; i++) hits.push({ key: this.#keys[i]!, slot: this.#slots[i]! })
    return hits.sort((a, b) => b.key - a.key || this.#order(a.slot, b.slot))
  }

  /** In no order. */
  slots(): number[] {
    return Array.from(this.#slots.subarray(0, this.size))
  }

  #isWorse(key: number, slot: number, at: number): boolean {
    const other = this.#keys[at]!
    return key < other || (key === other && this.#order(slot, this.#slots[at]!) > 0)
  }

  #place(at: number, key: number, slot: number): void {
    this.#keys[at] = key
    this.#slots[at] = slot
  }

  #rise(at: number, key: number, slot: number): void {
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isWorse(key, slot, parent)) break
      this.#place(at, this.#keys[parent]!, this.#slots[parent]!)
      at = parent
    }
    this.#place(at, key, slot)
  }

  #sink(key: number, slot: number): void {
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= this.size) break
      if (child + 1 < this.size && this.#isWorse(this.#keys[child + 1]!, this.#slots[child + 1]!, child))
        child++
      if (this.#isWorse(key, slot, child)) break
      this.#place(at, this.#keys[child]!, this.#slots[child]!)
      at = child
    }
    this.#place(at, key, slot)
  }
}
