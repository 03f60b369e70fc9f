// Finding entries by what they mean: the vectors of documents, and how near a sentence is to them.

import { createSlotLists } from '../../memory/slot-lists.ts'
import type { Image } from '../../memory/snapshot.ts'
import type { SearchDocument } from '../index/document-terms.ts'
import type { Accept } from '../topk/cursor.ts'
import type { SlotOrder } from '../topk/top-k.ts'
import { createVectors, type VectorQuery } from '../vector/ivf.ts'
import type { EmbeddedWord, Embedder } from './model.ts'
import { type Gist, readGist, writeGist } from './stored-embedding.ts'

/** A sentence made ready for comparing: as a whole, and sentence by sentence where it holds several. */
export type Sense = { readonly whole: VectorQuery; readonly sentences: readonly VectorQuery[] }

export interface Meaning {
  readonly bytes: number
  /** A gist that was kept of the same text spares the embedding. Answers the one that had to be made, where that is so. */
  set(slot: number, document: SearchDocument, gist?: Uint8Array): Uint8Array | undefined
  delete(slot: number): void
  /** What is worth keeping of a document. */
  gist(document: SearchDocument): Uint8Array
  read(text: string): Sense
  /**
   * Slots near the sense, and how near each is, 0 to 1. A few of the nearest may be missing in a large catalog, the fewer
   * the greater the effort.
   */
  nearest(
    sense: Sense,
    count: number,
    order: SlotOrder,
    accept: Accept | undefined,
    effort: number,
  ): { readonly slots: readonly number[]; readonly near: Float64Array }
  /** How near each of the slots is, 0 to 1. */
  nearness(sense: Sense, slots: readonly number[]): Float64Array
  /** One word of a query; undefined where nothing is known of it. */
  word(token: string): EmbeddedWord | undefined
  /** Sets the words that are compared with those of an entry. */
  ask(words: readonly EmbeddedWord[]): void
  /** Sets the entry that they are compared with. */
  meet(slot: number): void
  /** How near an asked word comes to a word of the entry, 0 to 1. */
  nearestTo(asked: number): number
  /** The row of that word in the embedding. */
  readonly metRow: number
  /** The word of a row: a stem where words have spaces between them. */
  wordOf(row: number): string
  carry(image: Image): Generator<void>
}

/** Most requests are one sentence. */
const SENTENCE_BORDER = /[.!?。！？\n]./u
const SENTENCE_END = /(?<=[.!?。！？\n])\s*/u
const LEAST_SENTENCE = 8
const MOST_SENTENCES = 6
/** The name and the first sentences say what a service is; the rest is not worth comparing word by word. */
const MAX_WORDS = 40
const MAX_REMEMBERED = 8_192

/** What the name counts beside the whole text, in which it stands too. */
const NAME_WEIGHT = 0.35

const documentText = ({ name, description, category }: SearchDocument): string =>
  `${name} . ${description} . ${category}`

/** Whatever a gist depends on, so that no two documents share it. */
const gistText = ({ name, description, category }: SearchDocument): string =>
  `${name.length} ${description.length} ${name}${description}${category}`

export function createMeaning(embedder: Embedder): Meaning {
  let tieOrder: SlotOrder = () => 0
  const vectors = createVectors({
    dimensions: embedder.dimensions,
    centroids: embedder.centroids,
    compareSlots: (a, b) => tieOrder(a, b),
  })
  const buffer = new Float32Array(embedder.dimensions)
  const nameBuffer = new Float32Array(embedder.dimensions)
  const rows = createSlotLists()
  const none = new Uint32Array(0)
  const words = new Map<string, EmbeddedWord | undefined>()

  function toGist(document: SearchDocument): Gist {
    const whole = embedder.embed(documentText(document), buffer)
    const rows = embedder.knownRows(MAX_WORDS).slice()
    const name = embedder.embed(document.name, nameBuffer)
    for (let d = 0; d < whole.length; d++) whole[d]! += NAME_WEIGHT * name[d]!
    return { rows, ...vectors.toPlaced(whole) }
  }

  const toQuery = (text: string): VectorQuery => vectors.toQuery(embedder.embed(text, buffer))

  /** With several sentences, the mean of the whole and the best one counts. */
  function withSentences(
    whole: Float64Array,
    sentences: readonly VectorQuery[],
    slots: readonly number[],
  ): Float64Array {
    if (sentences.length > 0) {
      const best = new Float64Array(slots.length).fill(-1)
      for (const sentence of sentences) {
        const scores = vectors.scores(sentence, slots)
        for (let i = 0; i < slots.length; i++) best[i] = Math.max(best[i]!, scores[i]!)
      }
      for (let i = 0; i < slots.length; i++) whole[i] = (whole[i]! + best[i]!) / 2
    }
    for (let i = 0; i < slots.length; i++) if (whole[i]! < 0) whole[i] = 0
    return whole
  }

  return {
    get bytes() {
      return vectors.bytes + rows.bytes + words.size * embedder.dimensions * 2
    },
    set(slot, document, bytes) {
      const text = gistText(document)
      const kept = bytes && readGist(bytes, embedder.stamp, text, embedder.dimensions)
      const gist = kept ?? toGist(document)
      rows.set(slot, gist.rows, gist.rows.length)
      vectors.set(slot, gist)
      return kept ? undefined : writeGist(embedder.stamp, text, gist)
    },
    delete(slot) {
      rows.set(slot, none, 0)
      vectors.delete(slot)
    },
    gist: document => writeGist(embedder.stamp, gistText(document), toGist(document)),
    read(text) {
      const whole = toQuery(text)
      if (!SENTENCE_BORDER.test(text)) return { whole, sentences: [] }
      const sentences = text.split(SENTENCE_END).filter(sentence => sentence.length > LEAST_SENTENCE)
      return { whole, sentences: sentences.length > 1 ? sentences.slice(0, MOST_SENTENCES).map(toQuery) : [] }
    },
    nearest({ whole, sentences }, count, order, accept, effort) {
      tieOrder = order
      const found = vectors.nearest(whole, count, accept, effort)
      const slots = new Array<number>(found.length)
      const near = new Float64Array(found.length)
      for (let i = 0; i < found.length; i++) {
        slots[i] = found[i]!.slot
        near[i] = found[i]!.score
      }
      return { slots, near: withSentences(near, sentences, slots) }
    },
    nearness: ({ whole, sentences }, slots) => withSentences(vectors.scores(whole, slots), sentences, slots),
    word(token) {
      let word = words.get(token)
      if (word === undefined && !words.has(token)) {
        if (words.size >= MAX_REMEMBERED) words.clear()
        word = embedder.readWord(token)
        words.set(token, word)
      }
      return word
    },
    ask: asked => embedder.rows.ask(asked),
    meet: slot => embedder.rows.meet(list => rows.copy(slot, list)),
    nearestTo: asked => Math.max(0, embedder.rows.nearest(asked)),
    *carry(image) {
      rows.carry(image)
      yield* vectors.carry(image)
    },
    wordOf: embedder.wordOf,
    get metRow() {
      return embedder.rows.met
    },
  }
}
