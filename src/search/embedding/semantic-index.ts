// The semantic index: finds entries by meaning. Each entry has the vector of its text, and the embedding rows of its words, which the
// words of a query are compared with. Both are stored with the entry, so that a start need not embed it again.

import { createSlotLists } from '../../memory/growing.ts'
import type { Borrowed } from '../../memory/memoize.ts'
import type { SlotOrder, SlotTest } from '../../memory/sorted-slots.ts'
import type { SearchDocument } from '../index/postings.ts'
import type { EmbeddedWord, Embedder, NearestRow } from './model.ts'
import { VectorIndex, type VectorQuery } from './vectors.ts'

export type DocumentEmbedding = {
  /** Rows of the embedding. */
  readonly rows: Uint32Array
  readonly codes: Int8Array
}

/** Increment this with every change in how an embedding is computed. A new model changes the stamp by itself. */
const FORMAT = 3

const STAMP_AT = 1
const TEXT_AT = STAMP_AT + 4
const TEXT_BYTES = 12
const COUNT_AT = TEXT_AT + TEXT_BYTES
const ROWS_AT = COUNT_AT + 1
const ROW_BYTES = 3

/** A cryptographic hash, so that an embedding cannot be forged for another text. */
const digestOf = (text: string): Uint8Array => Bun.SHA256.hash(text) as Uint8Array

/** @param stamp identifies the model */
export function writeEmbedding(stamp: number, text: string, { rows, codes }: DocumentEmbedding): Uint8Array {
  const codesAt = ROWS_AT + rows.length * ROW_BYTES
  const bytes = Buffer.alloc(codesAt + codes.length)
  bytes[0] = FORMAT
  bytes.writeUInt32LE(stamp, STAMP_AT)
  bytes.set(digestOf(text).subarray(0, TEXT_BYTES), TEXT_AT)
  bytes[COUNT_AT] = rows.length
  for (const [i, row] of rows.entries()) bytes.writeUIntLE(row, ROWS_AT + i * ROW_BYTES, ROW_BYTES)
  bytes.set(codes, codesAt)
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

/**
 * Returns undefined for the embedding of another text or model, and for anything else.
 * @param dimensions of the codes
 */
export function readEmbedding(
  stored: Uint8Array,
  stamp: number,
  text: string,
  dimensions: number,
): DocumentEmbedding | undefined {
  const count = stored[COUNT_AT] ?? 0
  const codesAt = ROWS_AT + count * ROW_BYTES
  if (stored[0] !== FORMAT || stored.length !== codesAt + dimensions) return undefined
  if (toNumber(stored, STAMP_AT, 4) !== stamp) return undefined
  const digest = digestOf(text)
  for (let i = 0; i < TEXT_BYTES; i++) if (stored[TEXT_AT + i] !== digest[i]) return undefined
  const rows = new Uint32Array(count)
  for (let i = 0; i < count; i++) rows[i] = toNumber(stored, ROWS_AT + i * ROW_BYTES, ROW_BYTES)
  const codes = new Int8Array(dimensions)
  for (let i = 0; i < dimensions; i++) codes[i] = stored[codesAt + i]!
  return { rows, codes }
}

/** Reads bytes one by one: a view of so few costs more than they do. */
function toNumber(bytes: Uint8Array, at: number, count: number): number {
  let number = 0
  for (let i = count - 1; i >= 0; i--) number = (number << 8) | bytes[at + i]!
  return number >>> 0
}

/** A query prepared for comparisons: as a whole, and by sentence if it has several. */
export type QueryEmbedding = { readonly whole: VectorQuery; readonly sentences: readonly VectorQuery[] }

export interface SemanticIndex {
  readonly bytes: number
  /**
   * Adds or replaces the document of a slot. A stored embedding of the same text saves the work of embedding it; returns
   * the embedding that was computed otherwise.
   */
  set(slot: number, document: SearchDocument, stored?: Uint8Array): Uint8Array | undefined
  delete(slot: number): void
  /** Returns the embedding of a document in its stored form. */
  embedDocument(document: SearchDocument): Uint8Array
  embedQuery(text: string): QueryEmbedding
  /**
   * Returns the slots nearest to the query with their similarities, 0 to 1. In a large catalog a few of the nearest may be
   * missing.
   */
  nearest(
    query: QueryEmbedding,
    count: number,
    order: SlotOrder,
    accept: SlotTest | undefined,
  ): { readonly slots: readonly number[]; readonly cosines: Float64Array }
  /** Returns the similarity of each of the slots, 0 to 1. */
  cosines(query: QueryEmbedding, slots: readonly number[]): Float64Array
  /** Returns a word of a query, prepared for comparisons; undefined when it is unknown. */
  embedWord(token: string): EmbeddedWord | undefined
  /** Returns the embedding rows of an entry's words. */
  rowsOf(slot: number): Borrowed<Uint32Array>
  /** Returns which of an entry's rows is most similar to a word; undefined for an entry without words. */
  nearestWord(word: EmbeddedWord, rows: Borrowed<Uint32Array>): NearestRow | undefined
  /** Returns whether two words or phrases mean the same to the embedding. */
  areSimilar(a: string, b: string): boolean
  /** Returns whether all words of a text are in the vocabulary, which does not depend on the catalog. */
  isKnown(text: string): boolean
  /** Returns the word of a row; a stem in languages with spaces between words. */
  wordOf(row: number): string
}

/** Most queries are one sentence. */
const SENTENCE_BORDER = /[.!?。！？\n]./u
const SENTENCE_END = /(?<=[.!?。！？\n])\s*/u
const MIN_SENTENCE = 8
const MAX_SENTENCES = 6
/** The name and the first sentences describe a service; further words are not compared. */
const MAX_WORDS = 40
const MAX_REMEMBERED = 8_192
/** Two words with at least this cosine mean the same. */
const MIN_SAME = 0.5

/** The weight of the name, in addition to its part in the whole text. */
const NAME_WEIGHT = 0.35

const toText = ({ name, description, category }: SearchDocument): string =>
  `${name} . ${description} . ${category}`

/** Covers everything that an embedding depends on, so that no two documents share it. */
const toIdentity = ({ name, description, category }: SearchDocument): string =>
  `${name.length} ${description.length} ${name}${description}${category}`

export function createSemanticIndex(embedder: Embedder): SemanticIndex {
  const vectors = new VectorIndex(embedder.dimensions)
  const rows = createSlotLists()
  const none = new Uint32Array(0)
  const words = new Map<string, EmbeddedWord | undefined>()
  const pairs = new Map<string, number>()

  function toEmbedding(document: SearchDocument): DocumentEmbedding {
    const { vector, rows } = embedder.embedWithRows(toText(document), MAX_WORDS)
    const name = embedder.embed(document.name)
    for (let d = 0; d < vector.length; d++) vector[d]! += NAME_WEIGHT * name[d]!
    return { rows, codes: vectors.encode(vector) }
  }

  const toQuery = (text: string): VectorQuery => vectors.toQuery(embedder.embed(text))

  function similarity(a: string, b: string): number {
    const pair = `${a}\n${b}`
    let cosine = pairs.get(pair)
    if (cosine === undefined) {
      cosine = embedder.similarity(a, b)
      if (pairs.size >= MAX_REMEMBERED) pairs.clear()
      pairs.set(pair, cosine)
    }
    return cosine
  }

  /** With several sentences, the mean of the whole and of the best sentence counts. */
  function withSentences(
    whole: Float64Array,
    sentences: readonly VectorQuery[],
    slots: readonly number[],
  ): Float64Array {
    if (sentences.length > 0) {
      const best = new Float64Array(slots.length).fill(-1)
      for (const sentence of sentences) {
        const cosines = vectors.cosines(sentence, slots)
        for (let i = 0; i < slots.length; i++) best[i] = Math.max(best[i]!, cosines[i]!)
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
    set(slot, document, stored) {
      const identity = toIdentity(document)
      const known = stored && readEmbedding(stored, embedder.stamp, identity, embedder.dimensions)
      const embedding = known ?? toEmbedding(document)
      rows.set(slot, embedding.rows, embedding.rows.length)
      vectors.set(slot, embedding.codes)
      return known ? undefined : writeEmbedding(embedder.stamp, identity, embedding)
    },
    delete(slot) {
      rows.set(slot, none, 0)
      vectors.delete(slot)
    },
    embedDocument: document => writeEmbedding(embedder.stamp, toIdentity(document), toEmbedding(document)),
    embedQuery(text) {
      const whole = toQuery(text)
      if (!SENTENCE_BORDER.test(text)) return { whole, sentences: [] }
      const sentences = text.split(SENTENCE_END).filter(sentence => sentence.length > MIN_SENTENCE)
      return { whole, sentences: sentences.length > 1 ? sentences.slice(0, MAX_SENTENCES).map(toQuery) : [] }
    },
    nearest({ whole, sentences }, count, order, accept) {
      const found = vectors.nearest(whole, count, order, accept)
      const slots = found.map(({ slot }) => slot)
      const cosines = Float64Array.from(found, ({ cosine }) => cosine)
      return { slots, cosines: withSentences(cosines, sentences, slots) }
    },
    cosines: ({ whole, sentences }, slots) => withSentences(vectors.cosines(whole, slots), sentences, slots),
    embedWord(token) {
      let word = words.get(token)
      if (word === undefined && !words.has(token)) {
        if (words.size >= MAX_REMEMBERED) words.clear()
        word = embedder.embedWord(token)
        words.set(token, word)
      }
      return word
    },
    rowsOf: rows.get,
    nearestWord: embedder.nearestRow,
    areSimilar: (a, b) => similarity(a, b) >= MIN_SAME,
    isKnown: embedder.isKnown,
    wordOf: embedder.wordOf,
  }
}
