// The WebAssembly memory of the vectors, with the SIMD kernels that compare them with a query.
import type { Int8Vector } from './int8.ts'
import { SCAN_WASM } from './scan-wasm.ts'

/** The kernels of scan.wat, which documents them. */
type Kernels = {
  scores(query: number, addresses: number, count: number, dimensions: number, scores: number): void
  signSums(components: number, dimensions: number, lookup: number): void
  signScores(lookup: number, blocks: number, count: number, bytes: number, out: number): void
}

/** Dimensions that one step of a kernel compares. */
const STEP = 64
const PAGE_BYTES = 65_536
/** Data aligned to a cache line is read with the fewest lines. */
export const CACHE_LINE = 64
const module = new WebAssembly.Module(Buffer.from(SCAN_WASM, 'base64'))

export class VectorMemory {
  readonly dimensions: number
  readonly #memory = new WebAssembly.Memory({ initial: 2, maximum: 65_536 })
  readonly kernels = new WebAssembly.Instance(module, { host: { memory: this.#memory } })
    .exports as unknown as Kernels
  /** Views of the memory. `allocate` replaces them, so they must not be stored. */
  bytes = new Int8Array(this.#memory.buffer)
  integers = new Int32Array(this.#memory.buffer)
  floats = new Float32Array(this.#memory.buffer)
  readonly #queryAt: number
  #loaded: Int8Vector | undefined
  #end = 0

  constructor(dimensions: number) {
    if (dimensions % STEP !== 0)
      throw new Error(`Vectors need a multiple of ${STEP} dimensions, not ${dimensions}.`)
    this.dimensions = dimensions
    this.#queryAt = this.allocate(dimensions)
  }

  get size(): number {
    return this.#memory.buffer.byteLength
  }

  /** Returns the address of newly allocated bytes. */
  allocate(bytes: number): number {
    const start = this.#end
    this.#end = Math.ceil((start + bytes) / CACHE_LINE) * CACHE_LINE
    this.#reserve(this.#end)
    return start
  }

  /** Returns the address of the codes of a query for the kernels. */
  load(query: Int8Vector): number {
    if (this.#loaded !== query) {
      this.bytes.set(query.codes, this.#queryAt)
      this.#loaded = query
    }
    return this.#queryAt
  }

  #reserve(upTo: number): void {
    const missing = Math.ceil((upTo - this.size) / PAGE_BYTES)
    if (missing <= 0) return
    // An eighth more than needed keeps the number of growths small without doubling the memory of a large catalog.
    this.#memory.grow(Math.max(missing, this.size >> 19))
    this.bytes = new Int8Array(this.#memory.buffer)
    this.floats = new Float32Array(this.#memory.buffer)
    this.integers = new Int32Array(this.#memory.buffer)
  }
}
