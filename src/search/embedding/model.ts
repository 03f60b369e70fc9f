// Turns a text, in whatever language it is trained on, into a direction in one shared space: texts of like meaning point alike.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type AskedWord, createEmbeddingRows, type EmbeddingRows } from './rows.ts'
import { EmbeddingReader } from './token-reader.ts'
import { HASHED_ROWS, MAX_TOKENS } from './tokens.ts'
import { createEmbeddingVocabulary } from './vocabulary.ts'

export type Embedder = {
  readonly dimensions: number
  /** Tells this model from others. */
  readonly stamp: number
  /** Memory held, in bytes. */
  readonly bytes: number
  /** Directions that texts gather around, one after the other; createVectors sorts vectors by them. */
  readonly centroids: Int8Array
  /** A vector of length one, or of zeros when the text holds no known token. Writes into `out` when given. */
  embed(text: string, out?: Float32Array): Float32Array
  /** The rows of the known words of the text embedded last, at most `most`; a view that the next text overwrites. */
  knownRows(most: number): Uint32Array
  /** A single word, to be asked of `rows`; undefined where nothing is known of it. */
  readWord(word: string): EmbeddedWord | undefined
  /** The rows themselves, which words are compared with. */
  readonly rows: Pick<EmbeddingRows, 'ask' | 'meet' | 'nearest' | 'met'>
  /** The word of a known row: a stem where words have spaces between them. */
  wordOf(row: number): string
  /** The cosine of two texts, 0 when one of them holds no known token. Words suit it as well as sentences. */
  similarity(a: string, b: string): number
}

/** `length` tells how much the word says; a word that is not known is pieced together from others that look like it. */
export type EmbeddedWord = AskedWord & { readonly length: number; readonly isKnown: boolean }

/** Rows shorter than this belong to words that say nothing by themselves: the, of, for. */
const LEAST_LENGTH = 0.25

/** "EMB1" as the first four bytes. */
const MAGIC = 0x31424d45
const HEADER_BYTES = 16
const MODEL = fileURLToPath(new URL('../../../data/embedding.bin', import.meta.url))

/** The product of two vectors: their cosine where both have length one. */
export function toCosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let d = 0; d < a.length; d++) sum += a[d]! * b[d]!
  return sum
}

function normalize(vector: Float32Array): void {
  let squares = 0
  for (let d = 0; d < vector.length; d++) squares += vector[d]! * vector[d]!
  if (squares === 0) return
  const factor = 1 / Math.sqrt(squares)
  for (let d = 0; d < vector.length; d++) vector[d]! *= factor
}

/** The weights at `path`, and the words beside them in the file of the same name that ends in .txt. */
export function openEmbedder(path = MODEL): Embedder {
  const file = readFileSync(path)
  const [magic, rows, dimensions, clusters] = [0, 4, 8, 12].map(at => file.readUInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ]
  if (magic !== MAGIC)
    throw new Error(`${path} is not an embedding of this version. Restore it from the repository.`)
  const levelsAt = HEADER_BYTES + rows * 4
  const centroidsAt = levelsAt + (rows * dimensions) / 2
  const table = createEmbeddingRows(
    dimensions,
    file.subarray(HEADER_BYTES, levelsAt),
    file.subarray(levelsAt, centroidsAt),
  )
  const centroids = new Int8Array(file.subarray(centroidsAt, centroidsAt + clusters * dimensions))
  const words = readFileSync(path.replace(/\.bin$/, '.txt'), 'utf8')
  const vocabulary = createEmbeddingVocabulary(words)
  const reader = new EmbeddingReader(vocabulary, rows)
  const buffer = new Float32Array(dimensions)
  const known = new Uint32Array(MAX_TOKENS)

  function embed(text: string, out = new Float32Array(dimensions)): Float32Array {
    reader.read(text)
    table.sum(reader.rows, reader.count, out)
    normalize(out)
    return out
  }

  function knownRows(most: number): Uint32Array {
    let count = 0
    for (let i = 0; i < reader.count && count < most; i++) {
      const row = reader.rows[i]!
      if (row >= HASHED_ROWS && table.lengthOf(row) >= LEAST_LENGTH) known[count++] = row
    }
    return known.subarray(0, count)
  }

  function readWord(word: string): EmbeddedWord | undefined {
    reader.read(word)
    table.sum(reader.rows, reader.count, buffer)
    const asked = table.toAsked(buffer)
    if (asked === undefined) return undefined
    const isKnown = reader.rows.subarray(0, reader.count).some(row => row >= HASHED_ROWS)
    return { ...asked, length: Math.sqrt(toCosine(buffer, buffer)), isKnown }
  }

  return {
    dimensions,
    stamp: Bun.hash.crc32(words, Bun.hash.crc32(file)),
    get bytes() {
      return table.bytes + vocabulary.bytes + reader.bytes
    },
    centroids,
    embed,
    knownRows,
    readWord,
    rows: table,
    wordOf: row => vocabulary.wordAt(row - HASHED_ROWS),
    similarity: (a, b) => toCosine(embed(a), embed(b)),
  }
}
