// The binary forms that train.py reads.
import {
  type EmbeddingVocabulary,
  HASHED_ROWS,
  toEmbeddingRows,
  toEmbeddingWords,
} from '../src/search/embedding/tokens.ts'
import type { Pair } from './pair.ts'
import type { DictionaryEntry } from './read-edict.ts'

const A_TOKENS = 48
const B_TOKENS = 64
/** Japanese translations kept for an English word, best first. */
const TRANSLATIONS = 6

/**
 * Number of pairs and of rows (u32 each), a length for each side of each pair (u8), then the rows in three bytes each.
 * Counts each row's texts in `counts`.
 */
export function encodePairs(
  pairs: readonly Pair[],
  vocabulary: EmbeddingVocabulary,
  counts: Float32Array,
): Buffer {
  const lengths: number[] = []
  const rows: number[] = []
  for (const { a, b } of pairs) {
    const left = toEmbeddingRows(a, vocabulary, A_TOKENS)
    const right = toEmbeddingRows(b, vocabulary, B_TOKENS)
    if (left.length === 0 || right.length === 0) continue
    lengths.push(left.length, right.length)
    for (const row of [...left, ...right]) {
      rows.push(row)
      counts[row]!++
    }
  }
  const packed = new Uint8Array(rows.length * 3)
  for (const [i, row] of rows.entries()) packed.set([row & 255, (row >> 8) & 255, row >> 16], 3 * i)
  const head = new Uint32Array([lengths.length / 2, rows.length])
  return Buffer.concat([Buffer.from(head.buffer), Uint8Array.from(lengths), packed])
}

/** For each English word the rows of the Japanese words that the dictionary gives for it, or -1. */
export function encodeTranslations(
  dictionary: readonly DictionaryEntry[],
  vocabulary: EmbeddingVocabulary,
  english: number,
  counts: Float32Array,
): Int32Array {
  const toOnlyWord = (text: string) => {
    const words = [...toEmbeddingWords(text)]
    return words.length === 1 ? vocabulary.find(words[0]!) : -1
  }
  const weights = new Map<number, Map<number, number>>()
  for (const { headwords, glosses, isCommon } of dictionary) {
    const japanese = toOnlyWord(headwords[0]!)
    if (japanese < english) continue
    glosses.slice(0, 4).forEach((gloss, rank) => {
      const word = toOnlyWord(gloss.replace(/^(to|a|an|the)\s+/, ''))
      if (word < 0 || word >= english) return
      const weight = ((isCommon ? 3 : 0.3) / (rank + 1)) * Math.log(2 + counts[HASHED_ROWS + japanese]!)
      const found = weights.get(word) ?? new Map<number, number>()
      weights.set(word, found.set(japanese, (found.get(japanese) ?? 0) + weight))
    })
  }
  const table = new Int32Array(english * TRANSLATIONS).fill(-1)
  for (const [word, found] of weights) {
    const best = [...found].sort((x, y) => y[1] - x[1]).slice(0, TRANSLATIONS)
    for (const [i, [japanese]] of best.entries()) table[word * TRANSLATIONS + i] = HASHED_ROWS + japanese
  }
  return table
}
