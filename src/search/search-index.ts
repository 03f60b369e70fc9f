// The search index: finds entries by their words and their meaning. Entries are identified by slot; the catalog maps slots
// to entries.

import { SlotSet } from '../memory/bitset.ts'
import { grown } from '../memory/growing.ts'
import type { SlotOrder, SlotTest } from '../memory/sorted-slots.ts'
import type { SemanticIndex } from './embedding/semantic-index.ts'
import {
  COORDINATION,
  Evaluator,
  maxScore,
  type TermPostings,
  TopK,
  toCoordinatedRelevance,
} from './index/evaluate.ts'
import { createLexicon, DocumentTerms, Postings, type SearchDocument } from './index/postings.ts'
import { createExpansionBudget, createQueryTerms } from './index/query-terms.ts'
import { type IntentOptions, type IntentRanking, rankIntentHits } from './ranking/rank-intent.ts'
import type { IntentHits } from './ranking/rerank.ts'
import type { Intent } from './sentence/intent.ts'
import { createSentenceReader } from './sentence/intent.ts'
import { createAnalyzer } from './text/analyzer.ts'
import type { Language } from './text/languages/language.ts'
import { type Languages, SEARCH_LANGUAGES } from './text/languages/languages.ts'

export type Hit = {
  readonly slot: number
  /** The sort key: the score, and above it the coordination level where that counts first. */
  readonly key: number
}
/** Best first. `total` counts all accepted entries, whatever the number of hits. */
export type Hits = { readonly hits: readonly Hit[]; readonly total: number }
/** Retrieves hits for one query. It can be called repeatedly: the words are looked up once. */
export type Retrieve = (count: number, accept?: SlotTest) => RetrievedHits
/** Hits as retrieved, by their words alone. */
export type RetrievedHits = Hits & {
  /** Returns the relevance of a hit with such a key, 0 to 1, which rises with the key. */
  relevanceOf(key: number): number
}
export type Members = { readonly size: number; has(slot: number): boolean }

export interface SearchIndex {
  readonly size: number
  readonly bytes: number
  /**
   * Adds the document of a slot, or replaces the previous one. A stored embedding of the same text saves most of the work;
   * returns the embedding that was computed otherwise, to be stored.
   */
  set(
    slot: number,
    document: SearchDocument,
    known?: {
      readonly embedding?: Uint8Array | undefined
      readonly before?: SearchDocument | undefined
    },
  ): Uint8Array | undefined
  /** Returns the embedding of a document in its stored form; undefined without a semantic index. */
  embedDocument(document: SearchDocument): Uint8Array | undefined
  /** Reads the words from the document again: deletions are rare, and storing the words would cost memory. */
  delete(slot: number, document: SearchDocument): void
  /** Returns the entries that have all words of a query; none for a query without words. */
  matchAll(query: string): Members
  /** Returns the entries that have all words of a text, in any order and without expansions; none for a text without words. */
  matchExactly(text: string): Members
  /**
   * Returns whether no entry has the word. Nothing is said of a word in a language that less than half of the entries are in: others
   * have its translation.
   */
  isAbsent(word: string): boolean
  retrieverOfAll(query: string, order: SlotOrder): Retrieve
  /** Entries with more of the words come first. With `prefix`, the last word may be a prefix. */
  retrieverOfAny(query: string, order: SlotOrder, options?: { prefix?: boolean }): Retrieve
  readonly languages: Languages
  /** False without a semantic index. */
  readonly isKnown: SemanticIndex['isKnown']
  /**
   * Parses a sentence in the languages of the index.
   * @param replyCode the code of the language of the answer. Default: that of the sentence
   */
  readIntent(sentence: string, replyCode?: string): Intent
  /** Best first. `prior` weighs scores by standing and wishes (ranking/prior.ts). */
  rankIntent(intent: Intent, count: number, order: SlotOrder, options?: IntentOptions): IntentHits
}

export const NO_HITS: RetrievedHits = { hits: [], total: 0, relevanceOf: () => 0 }
const NOTHING: Members = { size: 0, has: () => false }

/** Without a semantic index, intents are ranked by their words alone. */
export function createSearchIndex({
  semantic,
  languages = SEARCH_LANGUAGES,
}: {
  semantic?: SemanticIndex
  languages?: Languages
} = {}): SearchIndex {
  const analyzer = createAnalyzer(languages)
  const readIntent = createSentenceReader(analyzer)
  const lexicon = createLexicon()
  const postings = new Postings()
  const documentTerms = new DocumentTerms(lexicon, analyzer)
  const evaluator = new Evaluator()
  const present = new SlotSet()
  /** The index of each entry's language, by slot. */
  let languageBySlot = new Uint8Array(1024)
  const entriesIn = new Map<Language, number>()
  function countLanguage(slot: number, by: 1 | -1): void {
    const language = languages.all[languageBySlot[slot]!]!
    entriesIn.set(language, (entriesIn.get(language) ?? 0) + by)
  }
  const queryTerms = createQueryTerms(lexicon, postings, () => present.size, analyzer, evaluator)

  /** Returns the terms of a conjunction; undefined when one of its words has no expansion. */
  function allTerms(query: string): TermPostings[] | undefined {
    const budget = createExpansionBudget(present.size)
    const resolved = queryTerms.words(query).map(word => queryTerms.resolve(word, { budget }))
    return resolved.length > 0 && resolved.every(term => term !== undefined) ? resolved : undefined
  }

  function toMembers(terms: readonly TermPostings[] | undefined): Members {
    if (!terms) return NOTHING
    const members = new SlotSet()
    evaluator.eachWithAll(terms, postings.reach, slot => members.add(slot))
    return members
  }

  const best: IntentRanking['best'] = (terms, count, order, accept) => {
    const top = new TopK(count, order)
    const total = evaluator.collectAny(terms, 0, postings.reach, top, accept)
    return { hits: top.sorted(), total }
  }

  const ranking = {
    queryTerms,
    present,
    semantic,
    languages,
    best,
    languageOf: (slot: number) => languageBySlot[slot]!,
  }

  const retrieverOfAll: SearchIndex['retrieverOfAll'] = (query, order) => {
    const terms = allTerms(query)
    if (!terms) return () => NO_HITS
    const most = maxScore(terms)
    return (count, accept) => {
      const top = new TopK(count, order)
      let total = 0
      evaluator.eachWithAll(terms, postings.reach, (slot, score) => {
        if (accept !== undefined && !accept(slot)) return
        total++
        top.collect(score, slot)
      })
      return { hits: top.sorted(), total, relevanceOf: key => key / most }
    }
  }

  const retrieverOfAny: SearchIndex['retrieverOfAny'] = (query, order, { prefix = false } = {}) => {
    const terms = queryTerms.ofKeywords(query, prefix)
    const relevanceOf = toCoordinatedRelevance(terms.length, maxScore(terms))
    return (count, accept) => {
      const top = new TopK(count, order)
      const total = evaluator.collectAny(terms, COORDINATION, postings.reach, top, accept)
      return { hits: top.sorted(), total, relevanceOf }
    }
  }

  return {
    get size() {
      return present.size
    },
    get bytes() {
      return lexicon.bytes + postings.bytes + documentTerms.bytes + evaluator.bytes + (semantic?.bytes ?? 0)
    },
    set(slot, document, { embedding, before } = {}) {
      const made = semantic?.set(slot, document, embedding)
      languageBySlot = grown(languageBySlot, slot + 1)
      if (present.has(slot)) countLanguage(slot, -1)
      languageBySlot[slot] = languages.all.indexOf(languages.ofText(document.description))
      countLanguage(slot, 1)
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
      countLanguage(slot, -1)
      semantic?.delete(slot)
      for (const term of documentTerms.read(document).terms) postings.remove(term, slot)
    },
    matchAll: query => toMembers(allTerms(query)),
    matchExactly: text => toMembers(queryTerms.exact(text)),
    isAbsent: word =>
      queryTerms.exact(word) === undefined &&
      2 * (entriesIn.get(languages.ofWord(word)) ?? 0) >= present.size,
    retrieverOfAll,
    retrieverOfAny,
    languages,
    isKnown: text => semantic?.isKnown(text) ?? false,
    readIntent,
    rankIntent: (intent, count, order, options = {}) =>
      rankIntentHits(ranking, intent, count, order, options),
    embedDocument: document => semantic?.embedDocument(document),
  }
}
