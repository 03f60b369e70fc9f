// From the words of a query to postings. A word that is in no entry is tried as the beginning of one, then with one typo,
// then by its parts; the terms found that way count as one word.

import type { Lexicon } from '../index/lexicon.ts'
import type { Postings } from '../index/postings.ts'
import { type Analyzer, eachWord, foldWidth } from '../text/analyzer.ts'
import type { PostingsCursor } from './cursor.ts'
import { createMerger } from './merge-postings.ts'
import { createQueryWords, type QueryWord } from './query-words.ts'
import { type SlotOrder, TopK } from './top-k.ts'

/** More words than this say no more, and a query must stay cheap. */
const MAX_WORDS = 32
/** How many unknown words of one query are looked for nearby, and how many terms stand in for one. */
const MAX_STRAYS = 3
const MAX_STAND_INS = 24
/**
 * Postings stand in for the unknown words of one query as long as they are together fewer than one of so many entries,
 * within bounds; for a beginning that was asked for three times as many, and what the unknown words have left.
 */
const STAND_IN_SHARE = 32
const STAND_IN_POSTINGS = { least: 1 << 9, most: 1 << 12 }
const PREFIX_TIMES = 3
/** "translatio" is not the beginning of a stem, but a stem is the beginning of it. */
const MAX_ENDING = 4
const LEAST_STEM = 4

/** Letters of words that nothing is to be done about: most queries have no other. */
const IS_PLAIN = new Uint8Array(128)
for (const char of 'abcdefghijklmnopqrstuvwxyz0123456789') IS_PLAIN[char.charCodeAt(0)] = 1
const MOST_PLAIN_LETTERS = 32
const SPACE = 0x20

/** The idf of BM25 in 1/256, whole so that sums of it do not depend on their order. */
export function toWeight(entries: number, withTerm: number): number {
  return Math.max(1, Math.round(256 * Math.log(1 + (entries - withTerm + 0.5) / (withTerm + 0.5))))
}

/** How many more unknown words may be looked for nearby, and how many postings may stand in for them. */
type Strays = { left: number; postings: number }

export type ResolveOptions = {
  /** The word may be the beginning of one. */
  readonly prefix?: boolean
  /** What is left of it to the words of the query. */
  readonly strays: Strays
  /** In a sentence short words are not taken for misspelt ones. */
  readonly cautious?: boolean
}

export type QueryTerms = {
  /** Words in order, none twice; a compound such as OpenAI is one word when entries have it, else its pieces. */
  words(query: string): QueryWord[]
  /** The postings of one word, or undefined where nothing is near it. */
  resolve(word: QueryWord, options: ResolveOptions): PostingsCursor | undefined
}

const toStandInPostings = (entries: number): number =>
  Math.min(STAND_IN_POSTINGS.most, Math.max(STAND_IN_POSTINGS.least, entries / STAND_IN_SHARE))

export const createStrays = (entries: number): Strays => ({
  left: MAX_STRAYS,
  postings: toStandInPostings(entries),
})

/** Whether two words are looked for by the same term. */
const isSame = (a: QueryWord, b: QueryWord): boolean =>
  a.number === b.number && (a.number >= 0 || a.term === b.term)

export function createQueryTerms(
  lexicon: Lexicon,
  postings: Postings,
  countEntries: () => number,
  analyzer: Analyzer,
): QueryTerms {
  const toWord = createQueryWords(lexicon, analyzer)
  const isKnown = ({ number }: QueryWord): boolean => number >= 0 && postings.count(number) > 0
  const countOf = (term: string): number => {
    const number = lexicon.find(term)
    return number < 0 ? 0 : postings.count(number)
  }

  function toWalkTerm(number: number): PostingsCursor {
    const count = postings.count(number)
    const bitmap = postings.bitmap(number)
    bitmap?.reserve(postings.words)
    const { slots, impacts } = postings
    return {
      slots,
      impacts,
      start: postings.start(number),
      count,
      weight: toWeight(countEntries(), count),
      bitmap,
    }
  }

  const mergeLists = createMerger()
  function merge(terms: readonly PostingsCursor[]): PostingsCursor {
    if (terms.length === 1) return terms[0]!
    const list = mergeLists(terms, postings.words)
    return { ...list, weight: toWeight(countEntries(), list.count) }
  }

  const inAnyOrder = (): number => 1
  const byTerm = (a: number, b: number): number => (lexicon.isBefore(a, b) ? -1 : 1)

  function mostFrequent(numbers: Iterable<number>, least: number, order: SlotOrder): TopK {
    const top = new TopK(MAX_STAND_INS, order)
    for (const number of numbers) {
      const count = postings.count(number)
      if (count >= least) top.collect(count, number)
    }
    return top
  }

  /** The known terms of a list, most frequent first, as many as may stand in for one word. */
  function choose(numbers: Iterable<number>, allowance: { postings: number }): number[] {
    // To compare terms by their letters is costly: only those at the border need it.
    const least = Math.max(1, mostFrequent(numbers, 1, inAnyOrder).threshold)
    const top = mostFrequent(numbers, least, byTerm)
    const best = top.sorted().map(({ slot }) => slot)
    let room = allowance.postings
    let enough = 0
    while (enough < best.length && (enough === 0 || postings.count(best[enough]!) <= room))
      room -= postings.count(best[enough++]!)
    // One alone is walked where it lies.
    if (enough > 1) allowance.postings = Math.max(0, room)
    return best.slice(0, enough)
  }

  function near({ word, term }: QueryWord, cautious: boolean, strays: Strays): number[] {
    if (cautious && word.length < analyzer.languages.ofWord(word).text.minFuzzyLength) return []
    const longer = choose(lexicon.startingWith(word), strays)
    if (longer.length > 0) return longer
    for (let end = 1; end <= MAX_ENDING && word.length - end >= LEAST_STEM; end++) {
      const stem = word.slice(0, -end)
      if (countOf(stem) > 0) return [lexicon.find(stem)]
    }
    const typos = choose(new Set([...lexicon.oneTypoFrom(word), ...lexicon.oneTypoFrom(term)]), strays)
    if (typos.length > 0) return typos
    return choose(
      analyzer
        .toParts(term)
        .map(part => lexicon.find(part))
        .filter(number => number >= 0),
      strays,
    )
  }

  /** The words of a query that holds plain ones with a space between them and nothing else; undefined for any other. */
  function plainWords(query: string): QueryWord[] | undefined {
    const words: QueryWord[] = []
    for (let from = 0; from <= query.length; ) {
      let end = from
      while (end < query.length && IS_PLAIN[query.charCodeAt(end)] === 1) end++
      if (end === from || end - from > MOST_PLAIN_LETTERS) return undefined
      if (end < query.length && query.charCodeAt(end) !== SPACE) return undefined
      const word = toWord(query.slice(from, end))
      if (words.length < MAX_WORDS && !words.some(other => isSame(other, word))) words.push(word)
      from = end + 1
    }
    return words
  }

  return {
    words(query) {
      const plain = plainWords(query)
      if (plain !== undefined) return plain
      const words: QueryWord[] = []
      const placeOf = (term: string) => words.findIndex(word => word.term === term)
      let whole = ''
      const visit = eachWord((text, kind) => {
        if (words.length >= MAX_WORDS) return
        if (kind === 'word') whole = text
        if (kind === 'joined' || (kind === 'piece' && isKnown(toWord(whole)))) return
        if (kind === 'piece') {
          const place = placeOf(toWord(whole).term)
          if (place >= 0) words.splice(place, 1)
        }
        const word = toWord(text)
        if (placeOf(word.term) < 0) words.push(word)
      })
      analyzer.forEachWord(foldWidth(query), visit)
      return words
    },
    resolve(word, { prefix = false, strays, cautious = false }) {
      const { number } = word
      const known = isKnown(word)
      if (prefix) {
        const longer = lexicon.startingWith(word.word)
        if (known && !longer.includes(number)) longer.push(number)
        const found = choose(longer, {
          postings: strays.postings + PREFIX_TIMES * toStandInPostings(countEntries()),
        })
        if (found.length > 0) return merge(found.map(toWalkTerm))
      }
      if (known) return toWalkTerm(number)
      if (strays.left-- <= 0) return undefined
      const found = near(word, cautious, strays)
      return found.length === 0 ? undefined : merge(found.map(toWalkTerm))
    },
  }
}
