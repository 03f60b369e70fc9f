// The memory that vectors live in, and the loops that are assembled to work on it.
import type { Image } from '../../memory/snapshot.ts'
import { SCAN_WASM } from './scan-wasm.ts'

/** The functions of vector-scan.wat, which says what each of them does. */
type Loops = {
  scan(
    query: number,
    vectors: number,
    factors: number,
    count: number,
    dimensions: number,
    floor: number,
    positions: number,
    scores: number,
  ): number
  takeHighest(scores: number, count: number, taken: number): number
  widen(levels: number, dimensions: number, query: number): void
  sketch(vector: number, dimensions: number, sketch: number): void
  sumSigns(levels: number, dimensions: number, sums: number): void
  judge(sums: number, table: number, count: number, bytes: number, nearness: number, counts: number): void
  select(table: number, count: number, nearness: number, least: number, span: number, places: number): number
  compare(
    query: number,
    table: number,
    places: number,
    count: number,
    dimensions: number,
    scores: number,
  ): void
}

/** Where a run's factors, vectors and sketches begin. */
export type VectorRun = {
  readonly factorsAt: number
  readonly vectorsAt: number
  readonly sketchesAt: number
}

/** Scores that `takeHighest` looks at together. */
export const LANES = 4

const PAGE_BYTES = 65_536
/** What begins where the processor reads from memory reads no more of it than it needs. */
const CACHE_LINE = 64
const module = new WebAssembly.Module(Buffer.from(SCAN_WASM, 'base64'))

export class VectorMemory {
  readonly #memory = new WebAssembly.Memory({ initial: 2, maximum: 65_536 })
  readonly loops = new WebAssembly.Instance(module, { host: { memory: this.#memory } })
    .exports as unknown as Loops
  /** Views of all of it, good until the next `allocate`. */
  bytes = new Int8Array(this.#memory.buffer)
  floats = new Float32Array(this.#memory.buffer)
  integers = new Int32Array(this.#memory.buffer)
  #end = 0

  get size(): number {
    return this.#memory.buffer.byteLength
  }

  /** Where so many bytes that nobody else uses begin. */
  allocate(bytes: number): number {
    const start = this.#end
    this.#end = Math.ceil((start + bytes) / CACHE_LINE) * CACHE_LINE
    this.#reserve(this.#end)
    return start
  }

  carry(image: Image): void {
    const kept = image.array(this.bytes.subarray(0, this.#end), this.#end, length => {
      this.#reserve(length)
      return this.bytes.subarray(0, length)
    })
    this.#end = kept.length
  }

  #reserve(upTo: number): void {
    const missing = Math.ceil((upTo - this.size) / PAGE_BYTES)
    if (missing <= 0) return
    // An eighth more than asked keeps the number of growths small without doubling the memory of a large catalog.
    this.#memory.grow(Math.max(missing, this.size >> 19))
    this.bytes = new Int8Array(this.#memory.buffer)
    this.floats = new Float32Array(this.#memory.buffer)
    this.integers = new Int32Array(this.#memory.buffer)
  }
}
