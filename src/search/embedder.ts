// Turns a text, English or Japanese, into a direction in one shared space: texts of like meaning point alike.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { toEmbeddingRows } from './embedding-tokens.ts'
import { createEmbeddingVocabulary } from './embedding-vocabulary.ts'

export type Embedder = {
  readonly dimensions: number
  /** Memory held, in bytes. */
  readonly bytes: number
  /** Directions that texts gather around, one after the other; createVectors sorts vectors by them. */
  readonly centroids: Int8Array
  /** A vector of length one, or of zeros when the text holds no known token. Writes into `out` when given. */
  embed(text: string, out?: Float32Array): Float32Array
  /** The cosine of two texts, 0 when one of them holds no known token. Words suit it as well as sentences. */
  similarity(a: string, b: string): number
}

/** "EMB1" as the first four bytes. */
const MAGIC = 0x31424d45
const HEADER_BYTES = 16
const MODEL = fileURLToPath(new URL('../../data/embedding.bin', import.meta.url))

/** The cosine of two vectors of length one. */
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
  const rowBytes = dimensions / 2
  const levelsAt = HEADER_BYTES + rows * 4
  const centroidsAt = levelsAt + rows * rowBytes
  // A large file has a buffer of its own; a copy only makes sure that the numbers lie where they can be read.
  const bytes = file.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0 ? file : new Uint8Array(file)
  const factors = new Float32Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES, rows)
  const centroids = new Int8Array(bytes.buffer, bytes.byteOffset + centroidsAt, clusters * dimensions)
  const vocabulary = createEmbeddingVocabulary(readFileSync(path.replace(/\.bin$/, '.txt'), 'utf8'))

  function addRow(row: number, sum: Float32Array): void {
    const factor = factors[row]!
    const start = levelsAt + row * rowBytes
    for (let i = 0; i < rowBytes; i++) {
      // Two four-bit numbers a byte, signed: shifting left and back extends the sign.
      const pair = bytes[start + i]!
      sum[2 * i]! += factor * ((pair << 28) >> 28)
      sum[2 * i + 1]! += factor * ((pair << 24) >> 28)
    }
  }

  function embed(text: string, out = new Float32Array(dimensions)): Float32Array {
    out.fill(0)
    for (const row of toEmbeddingRows(text, vocabulary)) addRow(row, out)
    normalize(out)
    return out
  }

  return {
    dimensions,
    bytes: bytes.byteLength + vocabulary.bytes,
    centroids,
    embed,
    similarity: (a, b) => toCosine(embed(a), embed(b)),
  }
}
