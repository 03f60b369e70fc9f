// The best k of many scored slots, kept in a heap whose root is the worst of them.

export type Nearest = { readonly slot: number; readonly score: number }

export type VectorBest = {
  /** A lower score cannot enter any more; an equal one still may. */
  readonly floor: number
  readonly isFull: boolean
  /** Whether the slot belongs to the best k so far. */
  admits(slot: number, score: number): boolean
  add(slot: number, score: number): void
  /** Empties the heap into a list, best first, with every score times `factor`. */
  drain(factor: number): Nearest[]
}

/** Negative when slot `a` goes before slot `b` at equal scores. Must not depend on the slots' numbers themselves. */
export type CompareSlots = (a: number, b: number) => number

export function createVectorBest(k: number, compareSlots: CompareSlots): VectorBest {
  const scores = new Float32Array(k)
  const slots = new Int32Array(k)
  let size = 0

  const isWorse = (slotA: number, scoreA: number, slotB: number, scoreB: number) =>
    scoreA < scoreB || (scoreA === scoreB && compareSlots(slotA, slotB) > 0)

  function place(at: number, slot: number, score: number): void {
    slots[at] = slot
    scores[at] = score
  }

  function rise(at: number, slot: number, score: number): void {
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isWorse(slot, score, slots[parent]!, scores[parent]!)) break
      place(at, slots[parent]!, scores[parent]!)
      at = parent
    }
    place(at, slot, score)
  }

  function sink(slot: number, score: number): void {
    let at = 0
    for (let child = 1; child < size; child = 2 * at + 1) {
      const right = child + 1
      if (right < size && isWorse(slots[right]!, scores[right]!, slots[child]!, scores[child]!)) child = right
      if (!isWorse(slots[child]!, scores[child]!, slot, score)) break
      place(at, slots[child]!, scores[child]!)
      at = child
    }
    place(at, slot, score)
  }

  return {
    get floor() {
      return size < k ? Number.NEGATIVE_INFINITY : scores[0]!
    },
    get isFull() {
      return size === k
    },
    admits: (slot, score) => size < k || isWorse(slots[0]!, scores[0]!, slot, score),
    add(slot, score) {
      if (size < k) rise(size++, slot, score)
      else sink(slot, score)
    },
    drain(factor) {
      const sorted = new Array<Nearest>(size)
      while (size > 0) {
        const last = --size
        sorted[last] = { slot: slots[0]!, score: scores[0]! * factor }
        if (last > 0) sink(slots[last]!, scores[last]!)
      }
      return sorted
    },
  }
}
