// Typed arrays that grow: flat memory without an object per element.
import type { Borrowed } from './memoize.ts'

type Flat =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>

/** Small arrays double, larger ones grow by a quarter, because unused memory counts too. */
const MAX_DOUBLED = 1 << 16

/** The same array, or a larger copy with at least `length` elements; new elements are zero. */
export function grown<T extends Flat>(array: T, length: number): T {
  if (array.length >= length) return array
  let size = Math.max(array.length, 16)
  while (size < length) size = size < MAX_DOUBLED ? size * 2 : size + (size >> 2)
  const larger = new (array.constructor as new (size: number) => T)(size)
  larger.set(array)
  return larger
}

// A short list of numbers for each slot, in flat memory.

interface SlotLists {
  readonly bytes: number
  get(slot: number): Borrowed<Uint32Array>
  set(slot: number, numbers: Uint32Array, count: number): void
}

/** Capacities are multiples of this, so that memory that a list has outgrown can be reused. */
const STEP = 4

export function createSlotLists(): SlotLists {
  let flat = new Uint32Array(1024)
  let used = 0
  let starts = new Uint32Array(64)
  let counts = new Uint16Array(64)
  let capacities = new Uint16Array(64)
  let slots = 0
  /** Start positions of unused memory, by capacity. */
  const free = new Map<number, number[]>()

  function release(capacity: number, start: number): void {
    const others = free.get(capacity)
    if (others) others.push(start)
    else free.set(capacity, [start])
  }

  function move(slot: number, count: number): void {
    const [left, capacity] = [capacities[slot]!, Math.ceil(count / STEP) * STEP]
    if (left > 0) release(left, starts[slot]!)
    const vacant = free.get(capacity)?.pop()
    capacities[slot] = capacity
    starts[slot] = vacant ?? used
    if (vacant !== undefined) return
    used += capacity
    flat = grown(flat, used)
  }

  return {
    get bytes() {
      return flat.byteLength + starts.byteLength + counts.byteLength + capacities.byteLength
    },
    get: slot =>
      slot < slots ? flat.subarray(starts[slot], starts[slot]! + counts[slot]!) : flat.subarray(0, 0),
    set(slot, numbers, count) {
      if (slot >= slots) {
        starts = grown(starts, slot + 1)
        counts = grown(counts, slot + 1)
        capacities = grown(capacities, slot + 1)
        slots = slot + 1
      }
      if (count > capacities[slot]!) move(slot, count)
      counts[slot] = count
      for (let i = 0; i < count; i++) flat[starts[slot]! + i] = numbers[i]!
    },
  }
}
