// The rows of the embedding, four bits per component, in WebAssembly memory, with the SIMD kernels that sum them and
// compare words with them.
import type { Borrowed } from '../../memory/memoize.ts'
import { ROWS_WASM } from './rows-wasm.ts'
import { MAX_TOKENS } from './tokens.ts'

/** A word prepared for comparisons. `inverseNorm` turns its dot product with a unit row into a cosine. */
export type WordVector = { readonly codes: Int16Array; readonly inverseNorm: number }

/** The row with the highest cosine to a word. */
export type NearestRow = { readonly row: number; readonly cosine: number }

const PAGE_BYTES = 65_536
/** Rows are aligned to cache lines, to be read with the fewest lines. */
const CACHE_LINE = 64
const STEP = 32
const LANES = 8
/** The sum of two products with codes of -8 … 7 fits into 16 bits. */
const MAX_CODE = 2047

/** The kernels of rows.wat, which documents them. */
type Kernels = {
  sum(rows: number, count: number, codes: number, scales: number, rowBytes: number, sum: number): void
  nearest(
    query: number,
    rows: number,
    count: number,
    codes: number,
    norms: number,
    rowBytes: number,
    place: number,
  ): number
}

export class EmbeddingRows {
  readonly dimensions: number
  readonly bytes: number
  readonly #kernels: Kernels
  readonly #rowBytes: number
  /** Addresses for the kernels. */
  readonly #at: Readonly<Record<'sum' | 'query' | 'list' | 'place' | 'scales' | 'norms' | 'codes', number>>
  readonly #bytes: Uint8Array
  readonly #sum: Float32Array
  readonly #query: Int16Array
  readonly #list: Uint32Array
  /** The rows in `#list`. */
  #loaded: Borrowed<Uint32Array> | undefined
  readonly #place: Int32Array
  readonly #scales: Float32Array
  /** The inverse norm of the codes of each row; 0 when not yet computed. */
  readonly #norms: Float32Array
  /** The position of each dimension in the layout of the kernels. */
  readonly #order: Uint16Array

  /** Buffers for the parts of the file with these names. */
  readonly scaleBytes: Uint8Array
  readonly codeBytes: Uint8Array

  constructor(dimensions: number, count: number) {
    if (dimensions % STEP !== 0)
      throw new Error(`Rows need a multiple of ${STEP} dimensions, not ${dimensions}.`)
    const rowBytes = dimensions / 2
    const query = dimensions * 4
    const list = query + dimensions * 2
    const place = list + MAX_TOKENS * 4
    const scalesAt = place + 4
    const norms = scalesAt + count * 4
    const codesAt = Math.ceil((norms + count * 4) / CACHE_LINE) * CACHE_LINE
    const pages = Math.ceil((codesAt + count * rowBytes) / PAGE_BYTES)
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
    const { buffer } = memory
    this.dimensions = dimensions
    this.bytes = buffer.byteLength
    const module = new WebAssembly.Module(Buffer.from(ROWS_WASM, 'base64'))
    this.#kernels = new WebAssembly.Instance(module, { host: { memory } }).exports as unknown as Kernels
    this.#rowBytes = rowBytes
    this.#at = { sum: 0, query, list, place, scales: scalesAt, norms, codes: codesAt }
    this.#sum = new Float32Array(buffer, 0, dimensions)
    this.#query = new Int16Array(buffer, query, dimensions)
    this.#list = new Uint32Array(buffer, list, MAX_TOKENS)
    this.#place = new Int32Array(buffer, place, 1)
    this.#scales = new Float32Array(buffer, scalesAt, count)
    this.#norms = new Float32Array(buffer, norms, count)
    this.#order = toOrder(dimensions)
    this.#bytes = new Uint8Array(buffer)
    this.scaleBytes = this.#bytes.subarray(scalesAt, norms)
    this.codeBytes = this.#bytes.subarray(codesAt, codesAt + count * rowBytes)
  }

  /** Returns the length of a row: the learned term weight of its word. */
  lengthOf(row: number): number {
    const norm = this.#normOf(row)
    return norm === 0 ? 0 : this.#scales[row]! / norm
  }

  /** Returns the sum of at most MAX_TOKENS rows. */
  sum(rows: readonly number[]): Float32Array {
    const sum = new Float32Array(this.dimensions)
    if (rows.length === 0) return sum
    const at = this.#at
    this.#list.set(rows)
    this.#loaded = undefined
    this.#sum.fill(0)
    this.#kernels.sum(at.list, rows.length, at.codes, at.scales, this.#rowBytes, at.sum)
    for (let d = 0; d < sum.length; d++) sum[d] = this.#sum[this.#order[d]!]!
    return sum
  }

  /** Returns undefined for a vector of zeros. */
  toWordVector(vector: Float32Array): WordVector | undefined {
    let peak = 0
    for (let d = 0; d < vector.length; d++) peak = Math.max(peak, Math.abs(vector[d]!))
    if (!(peak > 0)) return undefined
    const codes = new Int16Array(vector.length)
    let squares = 0
    for (let d = 0; d < vector.length; d++) {
      const code = Math.round((vector[d]! / peak) * MAX_CODE)
      codes[this.#order[d]!] = code
      squares += code * code
    }
    return { codes, inverseNorm: 1 / Math.sqrt(squares) }
  }

  /** Returns which of at most MAX_TOKENS rows has the highest cosine to a word; undefined without rows. */
  nearest({ codes, inverseNorm }: WordVector, rows: Borrowed<Uint32Array>): NearestRow | undefined {
    if (rows.length === 0) return undefined
    const at = this.#at
    this.#query.set(codes)
    this.#load(rows)
    const product = this.#kernels.nearest(
      at.query,
      at.list,
      rows.length,
      at.codes,
      at.norms,
      this.#rowBytes,
      at.place,
    )
    return { row: this.#list[this.#place[0]!]!, cosine: product * inverseNorm }
  }

  /** Writes the list of rows for the kernel. The words of a query are compared with the same rows, one after the other. */
  #load(rows: Borrowed<Uint32Array>): void {
    if (this.#loaded === rows) return
    for (let i = 0; i < rows.length; i++) {
      this.#list[i] = rows[i]!
      this.#normOf(rows[i]!)
    }
    this.#loaded = rows
  }

  /** Computed on first use: doing so for all rows would delay every start. */
  #normOf(row: number): number {
    if (this.#norms[row] === 0) {
      const from = this.#at.codes + row * this.#rowBytes
      let squares = 0
      for (let at = from; at < from + this.#rowBytes; at++) squares += SQUARES[this.#bytes[at]!]!
      if (squares > 0) this.#norms[row] = 1 / Math.fround(Math.sqrt(squares))
    }
    return this.#norms[row]!
  }
}

/** By byte, of two 4-bit codes: the sum of their squares. */
const SQUARES = Uint8Array.from({ length: 256 }, (_, byte) => {
  const [low, high] = [((byte & 15) ^ 8) - 8, ((byte >> 4) ^ 8) - 8]
  return low * low + high * high
})

/** The four nibbles of a 16-bit integer are eight lanes apart: see rows.wat. */
function toOrder(dimensions: number): Uint16Array {
  return Uint16Array.from({ length: dimensions }, (_, d) => {
    const inside = d % STEP
    return d - inside + (inside % 4) * LANES + (inside >> 2)
  })
}
