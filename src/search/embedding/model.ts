// The embedding model: turns a text, in any language it is trained on, into a unit vector in a shared space, where texts of
// similar meaning have a high cosine. A text is the sum of the rows of its words, and of hashed character n-grams for
// unknown ones (fastText). The length of a row is a learned term weight.
import { readFileSync } from 'node:fs'
import type { Borrowed } from '../../memory/memoize.ts'
import { packageFile } from '../../package/files.ts'
import { EmbeddingRows, type NearestRow, type WordVector } from './rows.ts'
import {
  createEmbeddingVocabulary,
  type EmbeddingVocabulary,
  HASHED_ROWS,
  TokenReader,
  toEmbeddingWords,
} from './tokens.ts'

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
