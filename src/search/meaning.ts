// Finding entries by what they mean: the vectors of documents, and how near a sentence is to them.
import type { SearchDocument } from './document-terms.ts'
import type { Embedder } from './embedder.ts'
import type { SlotOrder } from './top-hits.ts'
import { createVectors, type VectorQuery } from './vectors.ts'
import type { Accept } from './walk-term.ts'

/** A sentence made ready for comparing: as a whole, and sentence by sentence where it holds several. */
export type Sense = { readonly whole: VectorQuery; readonly sentences: readonly VectorQuery[] }

export interface Meaning {
  readonly bytes: number
  /** `vector` spares the embedding of a document whose vector was kept from `vector(slot)`. */
  set(slot: number, document: SearchDocument, vector?: Int8Array): void
  delete(slot: number): void
  vector(slot: number): Int8Array | undefined
  read(text: string): Sense
  /** Slots near the sense, in no particular order; a few of the nearest may be missing in a large catalog. */
  nearest(sense: Sense, count: number, order: SlotOrder, accept?: Accept): readonly number[]
  /** 0 to 1. */
  nearness(sense: Sense, slot: number): number
  /** The word of a text that comes nearest to a token in meaning, where one is near enough to be named. */
  nearestWord(token: string, words: readonly string[]): string | undefined
}

const SENTENCE_END = /(?<=[.!?。！？\n])\s*/u
const LEAST_SENTENCE = 8
const MOST_SENTENCES = 6
/** Below this two words are not told to mean the same. */
const NAMEABLE = 0.5
const MAX_REMEMBERED = 4_096

/** What the name counts beside the whole text, in which it stands too. */
const NAME_WEIGHT = 0.35

const documentText = ({ name, description, category }: SearchDocument): string =>
  `${name} . ${description} . ${category}`

export function createMeaning(embedder: Embedder): Meaning {
  let tieOrder: SlotOrder = () => 0
  const vectors = createVectors({
    dimensions: embedder.dimensions,
    centroids: embedder.centroids,
    compareSlots: (a, b) => tieOrder(a, b),
  })
  const buffer = new Float32Array(embedder.dimensions)
  const nameBuffer = new Float32Array(embedder.dimensions)
  const wordVectors = new Map<string, Float32Array>()

  function wordVector(word: string): Float32Array {
    let vector = wordVectors.get(word)
    if (vector === undefined) {
      if (wordVectors.size >= MAX_REMEMBERED) wordVectors.clear()
      vector = embedder.embed(word)
      wordVectors.set(word, vector)
    }
    return vector
  }

  function toVector(document: SearchDocument): Float32Array {
    const whole = embedder.embed(documentText(document), buffer)
    const name = embedder.embed(document.name, nameBuffer)
    for (let d = 0; d < whole.length; d++) whole[d]! += NAME_WEIGHT * name[d]!
    return whole
  }

  const toQuery = (text: string): VectorQuery => vectors.toQuery(embedder.embed(text, buffer))

  return {
    get bytes() {
      return vectors.bytes + wordVectors.size * embedder.dimensions * 4
    },
    set: (slot, document, vector) => vectors.set(slot, vector ?? toVector(document)),
    delete: slot => vectors.delete(slot),
    vector: slot => vectors.get(slot),
    read(text) {
      const sentences = text.split(SENTENCE_END).filter(sentence => sentence.length > LEAST_SENTENCE)
      return {
        whole: toQuery(text),
        sentences: sentences.length > 1 ? sentences.slice(0, MOST_SENTENCES).map(toQuery) : [],
      }
    },
    nearest({ whole }, count, order, accept) {
      tieOrder = order
      return vectors.nearest(whole, count, accept).map(({ slot }) => slot)
    },
    nearness({ whole, sentences }, slot) {
      const all = vectors.score(whole, slot)
      if (sentences.length === 0) return Math.max(0, all)
      let best = -1
      for (const sentence of sentences) best = Math.max(best, vectors.score(sentence, slot))
      return Math.max(0, (all + best) / 2)
    },
    nearestWord(token, words) {
      const wanted = wordVector(token)
      let nearest: string | undefined
      let best = NAMEABLE
      for (const word of words) {
        const vector = wordVector(word)
        let cosine = 0
        for (let d = 0; d < vector.length; d++) cosine += wanted[d]! * vector[d]!
        if (cosine > best) {
          best = cosine
          nearest = word
        }
      }
      return nearest
    },
  }
}
