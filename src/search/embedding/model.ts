// The embedding model: turns a text, in any language it is trained on, into a unit vector in a shared space, where texts of
// similar meaning have a high cosine. A text is the sum of the rows of its words, and of hashed character n-grams for
// unknown ones (fastText). The length of a row is a learned term weight.

import { readFileSync } from 'node:fs'
import type { Borrowed } from '../../memory/memoize.ts'
import { packageFile } from '../../package/files.ts'
import { ROWS_WASM } from './kernels.ts'
import {
  createEmbeddingVocabulary,
  type EmbeddingVocabulary,
  HASHED_ROWS,
  MAX_TOKENS,
  TokenReader,
  toEmbeddingWords,
} from './tokens.ts'

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

/** The rows, four bits per component, in WebAssembly memory, with the SIMD kernels that sum them and compare words with them. */
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

/** "EMB1" as the first four bytes. */
const MAGIC = 0x31424d45
const HEADER_BYTES = 16

/** The weights and the words in memory. */
type Model = {
  readonly rows: EmbeddingRows
  /** One word per line, each line terminated. */
  readonly words: string
}

type ModelFile = {
  readonly dimensions: number
  /** Identifies the model. Training changes every scale, so the codes, nine tenths of the file, need not be read for it. */
  readonly stamp: number
  read(): Model
}

/** The weights are at `path`, the words next to it in the file of the same name that ends in .txt. */
function openModelFile(path: string): ModelFile {
  const weights = readFileSync(path)
  const header = weights.subarray(0, HEADER_BYTES)
  const [magic, count, dimensions, unused] = new Uint32Array(new Uint8Array(header).buffer) as unknown as [
    number,
    number,
    number,
    number,
  ]
  const codesAt = HEADER_BYTES + count * 4
  // Files of earlier versions end with further vectors, which are not read.
  const codesEnd = codesAt + (count * dimensions) / 2
  if (magic !== MAGIC || weights.length !== codesEnd + unused * dimensions)
    throw new Error(`${path} is not an embedding of this version. Restore it from the repository.`)
  const vocabulary = readFileSync(path.replace(/\.bin$/, '.txt'))
  const stamp = [header, weights.subarray(HEADER_BYTES, codesAt), vocabulary].reduce(
    (crc, part) => Bun.hash.crc32(part, crc),
    0,
  )

  return {
    dimensions,
    stamp,
    // From what was opened: an update may replace the files of a running process.
    read() {
      const rows = new EmbeddingRows(dimensions, count)
      rows.scaleBytes.set(weights.subarray(HEADER_BYTES, codesAt))
      rows.codeBytes.set(weights.subarray(codesAt, codesEnd))
      return { rows, words: vocabulary.toString() }
    },
  }
}

export type Embedder = {
  readonly dimensions: number
  /** Identifies the model. */
  readonly stamp: number
  /** Memory used, in bytes. */
  readonly bytes: number
  /** Returns a unit vector, or zeros for a text without a known token. */
  embed(text: string): Float32Array
  /** The same, with the rows of the first known words of the text, at most `maxRows`. */
  embedWithRows(text: string, maxRows: number): { readonly vector: Float32Array; readonly rows: Uint32Array }
  /** Returns a single word, prepared for comparisons; undefined when it is unknown. */
  embedWord(word: string): EmbeddedWord | undefined
  /** Returns the row with the highest cosine to a word; undefined without rows. */
  nearestRow(word: EmbeddedWord, rows: Borrowed<Uint32Array>): NearestRow | undefined
  /** Returns whether all words of a text are in the vocabulary, which does not depend on the catalog. */
  isKnown(text: string): boolean
  /** Returns the word of a row; a stem in languages with spaces between words. */
  wordOf(row: number): string
  /** Returns the cosine of two texts or words; 0 when one of them has no known token. */
  similarity(a: string, b: string): number
}

/** `length` is the learned term weight. The vector of an unknown word is composed of its character n-grams. */
export type EmbeddedWord = WordVector & { readonly length: number; readonly isKnown: boolean }

/** Shorter rows are those of words without a meaning of their own: the, of, for. */
const MIN_LENGTH = 0.25

const MODEL = packageFile('data/embedding.bin')

/** The dot product: the cosine of two unit vectors. */
export function toCosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let d = 0; d < a.length; d++) sum += a[d]! * b[d]!
  return sum
}

function normalize(vector: Float32Array): Float32Array {
  const squares = toCosine(vector, vector)
  if (squares === 0) return vector
  const factor = 1 / Math.sqrt(squares)
  for (let d = 0; d < vector.length; d++) vector[d]! *= factor
  return vector
}

/**
 * Opens the model at `path`. Weights and words are loaded on first use: a directory whose embeddings are stored does not
 * need them until its first query.
 */
export function openEmbedder(path = MODEL): Embedder {
  let file: ModelFile | undefined = openModelFile(path)
  const { dimensions, stamp } = file
  let loaded: Model | undefined
  const model = (): Model => {
    loaded ??= file!.read()
    // What was read from disk is not needed twice.
    file = undefined
    return loaded
  }
  let lookup: { readonly vocabulary: EmbeddingVocabulary; readonly reader: TokenReader } | undefined
  const readWords = () => {
    if (lookup === undefined) {
      const vocabulary = createEmbeddingVocabulary(model().words)
      lookup = { vocabulary, reader: new TokenReader(vocabulary) }
    }
    return lookup
  }
  const reader = { read: (text: string) => readWords().reader.read(text) }
  const embed = (text: string): Float32Array => normalize(model().rows.sum(reader.read(text)))
  const isInformative = (row: number): boolean =>
    row >= HASHED_ROWS && model().rows.lengthOf(row) >= MIN_LENGTH

  return {
    dimensions,
    stamp,
    get bytes() {
      return (loaded?.rows.bytes ?? 0) + (lookup ? lookup.vocabulary.bytes + lookup.reader.bytes : 0)
    },
    embed,
    embedWithRows(text, maxRows) {
      const rows = reader.read(text)
      const known = rows.filter(isInformative).slice(0, maxRows)
      return { vector: normalize(model().rows.sum(rows)), rows: Uint32Array.from(known) }
    },
    embedWord(word) {
      const rows = reader.read(word)
      const table = model().rows
      const vector = table.sum(rows)
      const ready = table.toWordVector(vector)
      if (ready === undefined) return undefined
      return {
        ...ready,
        length: Math.sqrt(toCosine(vector, vector)),
        isKnown: rows.some(row => row >= HASHED_ROWS),
      }
    },
    nearestRow: (word, rows) => model().rows.nearest(word, rows),
    isKnown(text) {
      const words = [...toEmbeddingWords(text)]
      return words.length > 0 && words.every(word => readWords().vocabulary.find(word) >= 0)
    },
    wordOf: row => readWords().vocabulary.wordAt(row - HASHED_ROWS),
    similarity: (a, b) => toCosine(embed(a), embed(b)),
  }
}
