// A plain BM25 over the model's own words: the yardstick that the model is measured with, not the product's index.
import { toEmbeddingWords } from '../src/search/embedding/tokens.ts'

const K1 = 1.2
const B = 0.75

export type Bm25 = {
  /** Scores of all texts, divided by the most that any text could get for this query. */
  score(query: string): Float32Array
}

export function createBm25(texts: readonly string[]): Bm25 {
  const postings = new Map<string, [number, number][]>()
  const lengths = texts.map((text, doc) => {
    const counts = new Map<string, number>()
    let length = 0
    for (const word of toEmbeddingWords(text)) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
      length++
    }
    for (const [word, count] of counts) {
      const list = postings.get(word)
      if (list === undefined) postings.set(word, [[doc, count]])
      else list.push([doc, count])
    }
    return length
  })
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length)
  return {
    score(query) {
      const scores = new Float32Array(texts.length)
      let bound = 0
      for (const word of new Set(toEmbeddingWords(query))) {
        const list = postings.get(word) ?? []
        const idf = Math.log(1 + (texts.length - list.length + 0.5) / (list.length + 0.5))
        bound += idf * (K1 + 1)
        for (const [doc, count] of list) {
          scores[doc]! += (idf * count * (K1 + 1)) / (count + K1 * (1 - B + (B * lengths[doc]!) / mean))
        }
      }
      return bound === 0 ? scores : scores.map(score => score / bound)
    },
  }
}
