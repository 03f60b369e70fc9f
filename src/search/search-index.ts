// Finding entries by their words. Entries are known by slot; what a slot means is the catalog's business.

import { bitOf, WORD_SHIFT } from '../memory/bits.ts'
import { SlotSet } from '../memory/bitset.ts'
import { grown } from '../memory/growing.ts'
import type { Snapshot } from '../memory/snapshot.ts'
import type { SlotOrder } from '../memory/sorted-slots.ts'
import type { SemanticIndex } from './embedding/semantic-index.ts'
import { DocumentTerms, type SearchDocument } from './index/document-terms.ts'
import { createLexicon } from './index/lexicon.ts'
import { Postings } from './index/postings.ts'
import { createIntentRanker, type IntentOptions, type IntentRanker } from './ranking/rank.ts'
import { createSentenceReader, type Intent } from './sentence/read-intent.ts'
import { createAnalyzer } from './text/analyzer.ts'
import { type Languages, SEARCH_LANGUAGES } from './text/languages/languages.ts'
import { toSound } from './text/sounds.ts'
import { countAccepted } from './topk/count.ts'
import { evaluate } from './topk/evaluate.ts'
import { type Accept, COORDINATION, Scratch, type TermPostings } from './topk/evaluation.ts'
import { createExpansionBudget } from './topk/expansion-budget.ts'
import { collectAll, markAll } from './topk/intersect.ts'
import { maxScore, toCoordinatedRelevance } from './topk/keyword-relevance.ts'
import { toKeywordTerms } from './topk/keyword-terms.ts'
import { createQueryTerms } from './topk/query-terms.ts'
import { TopK } from './topk/top-k.ts'

export type { SearchDocument } from './index/document-terms.ts'
export type { IntentHit, IntentHits, Prior } from './ranking/score.ts'
export type { Accept } from './topk/evaluation.ts'

export type Hit = {
  readonly slot: number
  /** What it is ordered by: its score, and above it how many of the words it has where that counts first. */
  readonly key: number
}
/**
 * Best first; `total` is exact however few are asked for, up to what was to be counted. Of a query for any of its words it counts
 * all entries that have one, also those that `accept` turns away; of a query for all of them, those that it lets through.
 */
export type Hits = { readonly hits: readonly Hit[]; readonly total: number }
/** Retrieves hits for one query, as often as is wanted: its words are looked up once. */
export type Retrieve = (
  count: number,
  options?: {
    readonly accept?: Accept | undefined
    /** The best first, which they are unless it is false. */
    readonly inOrder?: boolean
  },
) => RetrievedHits
/** Hits as they are retrieved: by their words alone. */
export type RetrievedHits = Hits & {
  /** How well a hit with such a key fits the query, 0 to 1; the higher the key, the higher it is. */
  relevanceOf(key: number): number
}
export type Members = { readonly size: number; has(slot: number): boolean }

export interface SearchIndex {
  readonly size: number
  readonly bytes: number
  /**
   * Adds the document of a slot, or replaces the one before. An embedding that was stored of the same text spares the
   * greater part of the work; returns the one that had to be made otherwise, which is then worth storing.
   */
  set(
    slot: number,
    document: SearchDocument,
    known?: {
      readonly embedding?: Uint8Array | undefined
      readonly before?: SearchDocument | undefined
    },
  ): Uint8Array | undefined
  /** Returns the embedding of a document as it is stored; undefined without a semantic index. */
  embedDocument(document: SearchDocument): Uint8Array | undefined
  /** Which words a document has is read again from its text: it is seldom asked for, and costly to remember. */
  delete(slot: number, document: SearchDocument): void
  /** The entries that have all the words of a query; none where it holds no word. */
  matchAll(query: string): Members
  /** The entries that have all the words of a text, in any order and none of them expanded; none where it holds no word. */
  matchExactly(text: string): Members
  retrieverOfAll(query: string, order: SlotOrder): Retrieve
  /**
   * Entries with more of the words come first; with `prefix` the last word may be the beginning of one. Where more than
   * `countTo` have one, the total may be any number above it: to count all of many entries costs more than to find the best.
   */
  retrieverOfAny(query: string, order: SlotOrder, options?: { prefix?: boolean; countTo?: number }): Retrieve
  readonly languages: Languages
  /** Returns whether all of a text is ordinary words, known whoever asks; no word is without a semantic index. */
  isKnown(text: string): boolean
  /** How alike two words are, 0 to 1: forms of one word wholly, words of two languages by what they mean, others not at all. */
  wordSimilarity(a: string, b: string): number
  /**
   * What a sentence asks for, read in the languages of the index.
   * @param speaks the code of the language to answer in; left out: that of the sentence
   */
  readIntent(sentence: string, speaks?: string): Intent
  /**
   * Best first. `prior` multiplies scores by what standing and wishes say (ranking/prior.ts). Where the caller knows all
   * that pass the filter and they are few, it gives them as `among`. Of the `preferred` entries some are always candidates,
   * however many others have more of the words.
   */
  intentRanker(intent: Intent, order: SlotOrder, options?: IntentOptions): IntentRanker
  serialize(snapshot: Snapshot): Generator<void>
}

export const NO_HITS: RetrievedHits = { hits: [], total: 0, relevanceOf: () => 0 }
const NOTHING: Members = { size: 0, has: () => false }

/** Without a semantic index intents are ranked by their words alone. */
export function createSearchIndex({
  semantic,
  languages = SEARCH_LANGUAGES,
}: {
  semantic?: SemanticIndex
  languages?: Languages
} = {}): SearchIndex {
  const analyzer = createAnalyzer(languages)
  const readIntent = createSentenceReader(analyzer)
  const lexicon = createLexicon(term => {
    const letters = languages.ofWord(term).text.toLetters?.(term)
    return letters === undefined ? undefined : toSound(letters)
  })
  const postings = new Postings()
  const documentTerms = new DocumentTerms(lexicon, analyzer)
  const scratch = new Scratch()
  const present = new SlotSet()
  /** The place of each entry's language. */
  let spoken = new Uint8Array(1024)
  const queryTerms = createQueryTerms(lexicon, postings, () => present.size, analyzer)

  /** The terms of a query, or undefined when one of its words leads nowhere and all are needed. */
  function allTerms(query: string): TermPostings[] | undefined {
    const budget = createExpansionBudget(present.size)
    const resolved = queryTerms.words(query).map(word => queryTerms.resolve(word, { budget }))
    return resolved.length > 0 && resolved.every(term => term !== undefined) ? resolved : undefined
  }

  function toMembers(terms: readonly TermPostings[] | undefined): Members {
    if (!terms) return NOTHING
    const { bits, size } = markAll(terms, postings.bitmapWords)
    return { size, has: slot => (bits[slot >> WORD_SHIFT]! & bitOf(slot)) !== 0 }
  }

  const countAny = (terms: readonly TermPostings[], accept: Accept | undefined) =>
    countAccepted(terms, postings.bitmapWords, accept)

  function best(terms: readonly TermPostings[], count: number, order: SlotOrder, accept: Accept | undefined) {
    const top = new TopK(count, order)
    evaluate({ terms, bitmapWords: postings.bitmapWords, base: 0, scratch, top, accept })
    return top.sorted()
  }

  const intentRanker: SearchIndex['intentRanker'] = (intent, order, options = {}) =>
    createIntentRanker(
      { queryTerms, present, semantic, languages, languageOf: slot => spoken[slot]!, best, countAny },
      intent,
      order,
      options,
    )

  const retrieverOfAll: SearchIndex['retrieverOfAll'] = (query, order) => {
    const terms = allTerms(query)
    if (!terms) return () => NO_HITS
    const most = maxScore(terms)
    return (count, { accept, inOrder = true } = {}) => {
      const top = new TopK(count, order)
      const total = collectAll(terms, { bitmapWords: postings.bitmapWords, top, accept })
      return { hits: inOrder ? top.sorted() : top.taken(), total, relevanceOf: key => key / most }
    }
  }

  const retrieverOfAny: SearchIndex['retrieverOfAny'] = (
    query,
    order,
    { prefix = false, countTo = Number.POSITIVE_INFINITY } = {},
  ) => {
    const terms = toKeywordTerms(queryTerms, query, prefix, present.size)
    const relevanceOf = toCoordinatedRelevance(terms.length, maxScore(terms))
    let most = 0
    for (const term of terms) most = Math.max(most, term.count)
    const counts = most <= countTo
    return (count, { accept, inOrder = true } = {}) => {
      const top = new TopK(count, order)
      const total = evaluate(
        { terms, bitmapWords: postings.bitmapWords, base: COORDINATION, scratch, top, accept },
        { counts },
      )
      return { hits: inOrder ? top.sorted() : top.taken(), total: counts ? total : most, relevanceOf }
    }
  }

  return {
    get size() {
      return present.size
    },
    get bytes() {
      return lexicon.bytes + postings.bytes + documentTerms.bytes + scratch.bytes + (semantic?.bytes ?? 0)
    },
    set(slot, document, { embedding, before } = {}) {
      const made = semantic?.set(slot, document, embedding)
      spoken = grown(spoken, slot + 1)
      spoken[slot] = languages.all.indexOf(languages.ofText(document.description))
      present.add(slot)
      const { terms, impacts } = documentTerms.read(document)
      if (before !== undefined) {
        const kept = new Set(terms)
        for (const term of documentTerms.read(before).terms) if (!kept.has(term)) postings.remove(term, slot)
      }
      for (let i = 0; i < terms.length; i++) postings.put(terms[i]!, slot, impacts[i]!)
      return made
    },
    delete(slot, document) {
      if (!present.delete(slot)) return
      semantic?.delete(slot)
      for (const term of documentTerms.read(document).terms) postings.remove(term, slot)
    },
    matchAll: query => toMembers(allTerms(query)),
    matchExactly: text => toMembers(queryTerms.exact(text)),
    retrieverOfAll,
    retrieverOfAny,
    languages,
    isKnown: text => semantic?.isKnown(text) ?? false,
    wordSimilarity(a, b) {
      if (analyzer.toTerm(a) === analyzer.toTerm(b)) return 1
      const isTranslation = languages.ofWord(a) !== languages.ofWord(b)
      return isTranslation ? Math.max(0, semantic?.similarity(a, b) ?? 0) : 0
    },
    readIntent,
    intentRanker,
    embedDocument: document => semantic?.embedDocument(document),
    *serialize(snapshot) {
      present.serialize(snapshot)
      spoken = snapshot.array(spoken)
      lexicon.serialize(snapshot)
      yield
      yield* postings.serialize(snapshot)
      if (semantic) yield* semantic.serialize(snapshot)
    },
  }
}
