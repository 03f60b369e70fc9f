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

const PAGE_BYTES = 65_536
/** 4 GiB, the limit of WebAssembly memory. */
const MAX_PAGES = 65_536
const SMALL_BYTES = 1024 * 1024

/**
 * Memory that grows in place: nothing is copied, so growing never blocks, however large it is. For the few arrays that grow by hundreds
 * of megabytes: the engine reserves address space for eight such memories, and copies further ones.
 */
export class GrowingMemory {
  #buffer = new ArrayBuffer(4096)
  #memory: WebAssembly.Memory | undefined

  /** Returns at least this many bytes, with the previous content. Buffers that were returned before are invalid. */
  reserve(bytes: number): ArrayBuffer {
    if (bytes <= this.#buffer.byteLength) return this.#buffer
    this.#buffer = bytes <= SMALL_BYTES ? this.#buffer.transfer(nextPowerOfTwo(bytes)) : this.#grow(bytes)
    return this.#buffer
  }

  #grow(bytes: number): ArrayBuffer {
    this.#memory ??= this.#open()
    const pages = this.#memory.buffer.byteLength / PAGE_BYTES
    const missing = Math.ceil(bytes / PAGE_BYTES) - pages
    // Beyond the maximum it throws, and nothing is lost.
    if (missing > 0) this.#memory.grow(Math.max(missing, Math.min(pages >> 3, MAX_PAGES - pages)))
    return this.#memory.buffer
  }

  /** Opening one takes a millisecond, which small catalogs in tests do not need. */
  #open(): WebAssembly.Memory {
    const memory = new WebAssembly.Memory({ initial: SMALL_BYTES / PAGE_BYTES, maximum: MAX_PAGES })
    new Uint8Array(memory.buffer).set(new Uint8Array(this.#buffer))
    return memory
  }
}

/** The next power of two. */
const nextPowerOfTwo = (bytes: number): number => 2 ** Math.ceil(Math.log2(bytes))

// A short list of numbers for each slot, in flat memory.

interface SlotLists {
  readonly bytes: number
  get(slot: number): Borrowed<Uint32Array>
  set(slot: number, numbers: Uint32Array, count: number): void
}

/** Capacities are multiples of this, so that memory that a list has outgrown can be reused. */
const STEP = 4

export function createSlotLists(): SlotLists {
  const memory = new GrowingMemory()
  const flatFor = (count: number) => new Uint32Array(memory.reserve(4 * count))
  let flat = flatFor(1024)
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
    if (used > flat.length) flat = flatFor(used)
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
