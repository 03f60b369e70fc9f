// The rows of the embedding in the memory of the assembled loops that add them up and compare words with them.
import { ROWS_WASM } from './rows-wasm.ts'

/** A word made ready for comparing; `factor` turns a product with a row of length one into a cosine. */
export type AskedWord = { readonly levels: Int16Array; readonly factor: number }

export type EmbeddingRows = {
  readonly count: number
  readonly dimensions: number
  readonly bytes: number
  /** The length of a row: how much its word says. */
  lengthOf(row: number): number
  /** Writes the sum of the first `count` rows of the list into `out`. */
  sum(rows: Uint32Array, count: number, out: Float32Array): void
  toAsked(vector: Float32Array): AskedWord | undefined
  /** Sets the words, at most MOST_ASKED, that are compared with what `meet` is given. */
  ask(words: readonly AskedWord[]): void
  /** Sets the rows that asked words are compared with: `write` fills in at most MOST_MET and answers how many. */
  meet(write: (rows: Uint32Array) => number): void
  /** The highest cosine of an asked word with any of the rows. */
  nearest(word: number): number
  /** Which of the rows the word asked about last came nearest to. */
  readonly met: number
}

export const MOST_ASKED = 64
export const MOST_MET = 96

const PAGE_BYTES = 65_536
/** A row that begins where the processor reads from memory lies in no more of it than it needs. */
const CACHE_LINE = 64
const STEP = 32
const LANES = 8
/** Products of a sixteen-bit number with a level of -8 … 7 add up over all dimensions without overflow. */
const TOP_LEVEL = 2047
const module = new WebAssembly.Module(Buffer.from(ROWS_WASM, 'base64'))

type Loops = {
  measure(levels: number, count: number, rowBytes: number, lengths: number): void
  sum(rows: number, count: number, levels: number, factors: number, rowBytes: number, sum: number): void
  meet(
    query: number,
    rows: number,
    count: number,
    levels: number,
    lengths: number,
    rowBytes: number,
    met: number,
  ): number
}

/** Where each dimension lies among the numbers that the loops work on. */
function toOrder(dimensions: number): Uint16Array {
  return Uint16Array.from({ length: dimensions }, (_, d) => {
    const inside = d % STEP
    return d - inside + (inside % 4) * LANES + (inside >> 2)
  })
}

/** `factors` and `levels` are the parts of the file of those names. */
export function createEmbeddingRows(
  dimensions: number,
  factors: Uint8Array,
  levels: Uint8Array,
): EmbeddingRows {
  if (dimensions % STEP !== 0)
    throw new Error(`Rows need a multiple of ${STEP} dimensions, not ${dimensions}.`)
  const count = factors.length / 4
  const rowBytes = dimensions / 2
  const sumAt = 0
  const queriesAt = sumAt + dimensions * 4
  const addedAt = queriesAt + MOST_ASKED * dimensions * 2
  const listAt = addedAt + MOST_MET * 4
  const metAt = listAt + MOST_MET * 4
  const factorsAt = metAt + 4
  const lengthsAt = factorsAt + count * 4
  const levelsAt = Math.ceil((lengthsAt + count * 4) / CACHE_LINE) * CACHE_LINE
  const pages = Math.ceil((levelsAt + count * rowBytes) / PAGE_BYTES)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const loops = new WebAssembly.Instance(module, { host: { memory } }).exports as unknown as Loops
  const bytes = new Uint8Array(memory.buffer)
  bytes.set(factors, factorsAt)
  bytes.set(levels, levelsAt)
  loops.measure(levelsAt, count, rowBytes, lengthsAt)

  const sums = new Float32Array(memory.buffer, sumAt, dimensions)
  const queries = new Int16Array(memory.buffer, queriesAt, MOST_ASKED * dimensions)
  const added = new Uint32Array(memory.buffer, addedAt, MOST_MET)
  const list = new Uint32Array(memory.buffer, listAt, MOST_MET)
  const met = new Int32Array(memory.buffer, metAt, 1)
  const allFactors = new Float32Array(memory.buffer, factorsAt, count)
  const lengths = new Float32Array(memory.buffer, lengthsAt, count)
  const order = toOrder(dimensions)
  let asked: readonly AskedWord[] = []
  let size = 0

  return {
    count,
    dimensions,
    bytes: memory.buffer.byteLength,
    lengthOf: row => (lengths[row] === 0 ? 0 : allFactors[row]! / lengths[row]!),
    sum(rows, length, out) {
      out.fill(0)
      if (length === 0) return
      added.set(rows.subarray(0, length))
      sums.fill(0)
      loops.sum(addedAt, length, levelsAt, factorsAt, rowBytes, sumAt)
      for (let d = 0; d < dimensions; d++) out[d] = sums[order[d]!]!
    },
    toAsked(vector) {
      let peak = 0
      for (let d = 0; d < dimensions; d++) peak = Math.max(peak, Math.abs(vector[d]!))
      if (!(peak > 0)) return undefined
      const asked = new Int16Array(dimensions)
      let squares = 0
      for (let d = 0; d < dimensions; d++) {
        const level = Math.round((vector[d]! / peak) * TOP_LEVEL)
        asked[order[d]!] = level
        squares += level * level
      }
      return { levels: asked, factor: 1 / Math.sqrt(squares) }
    },
    ask(words) {
      asked = words
      for (let i = 0; i < words.length; i++) queries.set(words[i]!.levels, i * dimensions)
    },
    meet(write) {
      size = write(list)
    },
    nearest(word) {
      if (size === 0) return 0
      const { factor } = asked[word]!
      const query = queriesAt + word * dimensions * 2
      return loops.meet(query, listAt, size, levelsAt, lengthsAt, rowBytes, metAt) * factor
    },
    get met() {
      return list[met[0]!]!
    },
  }
}
