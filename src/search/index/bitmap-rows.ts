// Sets of slots as rows of bits in WebAssembly memory, where SIMD kernels process 128 slots at a step.
import type { Borrowed } from '../../memory/borrowed.ts'
import { BITMAP_ROWS_WASM } from './bitmap-rows-wasm.ts'

/** The kernels of bitmap-rows.wat, which documents them. */
type Loops = {
  matchAny(conjuncts: number, count: number, from: number, to: number, found: number): number
  countAny(sets: number, count: number, bytes: number): number
}

/** Row numbers, one to MAX_CONJUNCT_ROWS of them: the slots that are in all of these rows. */
export type Conjunct = readonly number[]

/** Has views of rows, and must renew them when memory has moved. */
export type RowReader = { moved(): void }

/** Words of 32 slots that one SIMD step covers. The length of a row is a multiple of it. */
const LANES = 4
const MIN_LENGTH = 64
const PAGE_BYTES = 65_536
/** Limits of one kernel call: the number of conjuncts, and the number of words. */
const MAX_CONJUNCTS = 32
export const MAX_BLOCKS = 1024
/**
 * A conjunct is encoded as this many row addresses; a shorter one repeats its last row. A match is encoded as a word number
 * and its bits.
 */
export const MAX_CONJUNCT_ROWS = 4
const CONJUNCT_BYTES = 4 * MAX_CONJUNCT_ROWS
const FOUND_BYTES = 8
/** The kernel also writes words without a match, behind the last match. */
const SPARE_BYTES = 128
const FOUND_AT = MAX_CONJUNCTS * CONJUNCT_BYTES
const ROWS_AT = FOUND_AT + MAX_BLOCKS * FOUND_BYTES + SPARE_BYTES
const module = new WebAssembly.Module(Buffer.from(BITMAP_ROWS_WASM, 'base64'))

export class BitmapRows {
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 })
  readonly #loops = new WebAssembly.Instance(module, { host: { memory: this.#memory } })
    .exports as unknown as Loops
  #integers = new Int32Array(this.#memory.buffer)
  /** Words per row. */
  #length = MIN_LENGTH
  #rows = 0
  readonly #free: number[] = []
  readonly #readers = new Set<RowReader>()

  get bytes(): number {
    return this.#memory.buffer.byteLength
  }

  /** Returns the number of an empty row. */
  take(): number {
    const free = this.#free.pop()
    if (free !== undefined) return free
    if (this.#grow(this.#rows + 1)) this.#tell()
    return this.#rows++
  }

  give(row: number): void {
    this.view(row).fill(0)
    this.#free.push(row)
  }

  /** Returns a view of a row. It is valid until `moved` is called on the readers. */
  view(row: number): Int32Array<ArrayBuffer> {
    const start = (ROWS_AT >> 2) + row * this.#length
    return this.#integers.subarray(start, start + this.#length)
  }

  add(reader: RowReader): void {
    this.#readers.add(reader)
  }

  delete(reader: RowReader): void {
    this.#readers.delete(reader)
  }

  /** Makes every row at least this many words long. */
  reserve(words: number): void {
    const before = this.#length
    if (words <= before) return
    const length = Math.ceil((words + (words >> 2)) / LANES) * LANES
    this.#length = length
    this.#grow(this.#rows)
    const integers = this.#integers
    const first = ROWS_AT >> 2
    for (let row = this.#rows - 1; row >= 0; row--) {
      integers.copyWithin(first + row * length, first + row * before, first + (row + 1) * before)
      integers.fill(0, first + row * length + before, first + (row + 1) * length)
    }
    this.#tell()
  }

  /**
   * Finds the slots that match any of the conjuncts in the words from `from`, a multiple of four, up to `to`. Returns pairs
   * of a word number and the bits of the matching slots.
   */
  matchAny(conjuncts: readonly Conjunct[], from: number, to: number): Borrowed<Int32Array> {
    const integers = this.#integers
    for (let i = 0; i < conjuncts.length; i++) {
      const rows = conjuncts[i]!
      for (let row = 0; row < MAX_CONJUNCT_ROWS; row++)
        integers[MAX_CONJUNCT_ROWS * i + row] = this.#addressOf(rows[Math.min(row, rows.length - 1)]!)
    }
    const count = this.#loops.matchAny(0, conjuncts.length, 4 * from, 4 * to, FOUND_AT)
    return integers.subarray(FOUND_AT >> 2, (FOUND_AT >> 2) + 2 * count)
  }

  /**
   * Returns how many slots are in at least one of the rows. Needs at least one row, and at most as many as MAX_CONJUNCTS
   * conjuncts have.
   */
  countAny(rows: readonly number[]): number {
    for (let i = 0; i < rows.length; i++) this.#integers[i] = this.#addressOf(rows[i]!)
    return this.#loops.countAny(0, rows.length, 4 * this.#length)
  }

  #addressOf(row: number): number {
    return ROWS_AT + 4 * row * this.#length
  }

  /** Reserves memory for this many rows. Returns whether views that were handed out before are invalid. */
  #grow(rows: number): boolean {
    const missing = Math.ceil((this.#addressOf(rows) - this.bytes) / PAGE_BYTES)
    if (missing <= 0) return false
    this.#memory.grow(Math.max(missing, this.bytes >> 19))
    this.#integers = new Int32Array(this.#memory.buffer)
    return true
  }

  #tell(): void {
    for (const reader of this.#readers) reader.moved()
  }
}
