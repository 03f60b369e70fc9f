// The embedding model: turns a text, in any language it is trained on, into a direction in one shared space, in which texts of like meaning point
// alike. A text is the sum of the rows of its words and of hashed character n-grams for unknown ones (fastText); the length of
// a row is how much its word says, learnt in training.
import type { Borrowed } from '../../memory/borrowed.ts'
import { packageFile } from '../../runtime/package-files.ts'
import { Centroids } from '../vector/centroids.ts'
import { type Model, openModelFile } from './model-file.ts'
import type { NearestRow, WordVector } from './rows.ts'
import { TokenReader } from './token-reader.ts'
import { HASHED_ROWS, toEmbeddingWords } from './tokens.ts'
import { createEmbeddingVocabulary, type EmbeddingVocabulary } from './vocabulary.ts'

export type Embedder = {
  readonly dimensions: number
  /** Tells this model from others. */
  readonly stamp: number
  /** Memory held, in bytes. */
  readonly bytes: number
  /** Directions that texts cluster around: the centroids of the vector index. */
  readonly centroids: Centroids
  /** Returns a vector of length one, or of zeros where the text holds no known token. */
  embed(text: string): Float32Array
  /** The same, with the rows of the first known words of the text, at most `maxRows`. */
  embedWithRows(text: string, maxRows: number): { readonly vector: Float32Array; readonly rows: Uint32Array }
  /** Returns a single word made ready for comparing; undefined where nothing is known of it. */
  embedWord(word: string): EmbeddedWord | undefined
  /** Returns which of the rows a word comes nearest to; undefined where there is none. */
  nearestRow(word: EmbeddedWord, rows: Borrowed<Uint32Array>): NearestRow | undefined
  /** Returns whether all of a text is words of the vocabulary, which is the same for everybody. */
  isKnown(text: string): boolean
  /** Returns the word of a known row: a stem where words have spaces between them. */
  wordOf(row: number): string
  /** The cosine of two texts, 0 where one of them holds no known token. Words suit it as well as sentences. */
  similarity(a: string, b: string): number
}

/** `length` tells how much the word says; a word that is not known is pieced together from others that look like it. */
export type EmbeddedWord = WordVector & { readonly length: number; readonly isKnown: boolean }

/** Rows shorter than this belong to words that say nothing by themselves: the, of, for. */
const MIN_LENGTH = 0.25

const MODEL = packageFile('data/embedding.bin')

/** The product of two vectors: their cosine where both have length one. */
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
 * The model of `path`. Whatever needs its weights or words loads them: a directory whose embeddings are stored, and which nobody
 * has asked anything yet, does without.
 */
export function openEmbedder(path = MODEL): Embedder {
  const file = openModelFile(path)
  const { dimensions } = file
  let stamp: number | undefined
  let loaded: Model | undefined
  const model = (): Model => {
    loaded ??= file.read()
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
    get stamp() {
      stamp ??= file.stamp()
      return stamp
    },
    get bytes() {
      return (loaded?.rows.bytes ?? 0) + (lookup ? lookup.vocabulary.bytes + lookup.reader.bytes : 0)
    },
    centroids: new Centroids(file.centroids, dimensions),
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
