// From the words of a query to postings. A word that is in no entry is tried as the beginning of one, then with one typo,
// then by its parts; the terms found that way count as one word.
import { eachWord, foldWidth, forEachWord, isJapaneseWord, toParts, toQueryTerm } from './analyzer.ts'
import { bitOf, countBits, lowestSlot, WORD_SHIFT } from './bits.ts'
import { FrequentTerm } from './frequent-term.ts'
import type { Lexicon } from './lexicon.ts'
import type { Postings } from './postings.ts'
import type { WalkTerm } from './walk-term.ts'

/** More words than this say no more, and a query must stay cheap. */
const MAX_WORDS = 32
/** How many unknown words of one query are looked for nearby, and how many terms and postings stand in for one. */
const MAX_STRAYS = 4
const MAX_STAND_INS = 24
const MAX_STAND_IN_POSTINGS = 1 << 14
/** "translatio" is not the beginning of a stem, but a stem is the beginning of it. */
const MAX_ENDING = 4
const LEAST_STEM = 4
const LEAST_CAUTIOUS = 6

/** The idf of BM25 in 1/256, whole so that sums of it do not depend on their order. */
export function toWeight(entries: number, withTerm: number): number {
  return Math.max(1, Math.round(256 * Math.log(1 + (entries - withTerm + 0.5) / (withTerm + 0.5))))
}

export type ResolveOptions = {
  /** The word may be the beginning of one. */
  readonly prefix?: boolean
  /** How many more unknown words may be looked for nearby. */
  readonly strays: { left: number }
  /** A short word in a sentence is rather another word than a misspelt one: tyres are not types. */
  readonly cautious?: boolean
}

/** A word as it is written, and the term it is looked for by. */
export type QueryWord = { readonly word: string; readonly term: string }

export type QueryTerms = {
  /** Words in order, none twice; a compound such as OpenAI is one word when entries have it, else its pieces. */
  words(query: string): QueryWord[]
  /** The postings of one word, or undefined where nothing is near it. */
  resolve(word: QueryWord, options: ResolveOptions): WalkTerm | undefined
}

export const createStrays = (): { left: number } => ({ left: MAX_STRAYS })

export function createQueryTerms(
  lexicon: Lexicon,
  postings: Postings,
  countEntries: () => number,
): QueryTerms {
  const isKnown = (word: string): boolean => countOf(toQueryTerm(word)) > 0
  const countOf = (term: string): number => {
    const number = lexicon.find(term)
    return number < 0 ? 0 : postings.count(number)
  }

  function toWalkTerm(number: number): WalkTerm {
    const count = postings.count(number)
    const frequent = postings.frequent(number)
    frequent?.reserve(postings.words)
    const { slots, impacts } = postings
    return {
      slots,
      impacts,
      start: postings.start(number),
      count,
      weight: toWeight(countEntries(), count),
      frequent,
    }
  }

  const isBetter = (a: number, b: number): boolean =>
    postings.count(a) > postings.count(b) ||
    (postings.count(a) === postings.count(b) && lexicon.isBefore(a, b))

  /** The known terms of a list, most frequent first, as many as may stand in for one word. */
  function choose(numbers: Iterable<number>): number[] {
    const best: number[] = []
    for (const number of numbers) {
      if (postings.count(number) === 0) continue
      if (best.length === MAX_STAND_INS && !isBetter(number, best.at(-1)!)) continue
      let at = best.length
      while (at > 0 && isBetter(number, best[at - 1]!)) at--
      best.splice(at, 0, number)
      if (best.length > MAX_STAND_INS) best.pop()
    }
    let room = MAX_STAND_IN_POSTINGS
    const enough = best.findIndex((number, i) => {
      room -= postings.count(number)
      return room < 0 && i > 0
    })
    return enough < 0 ? best : best.slice(0, enough)
  }

  function near({ word, term }: QueryWord, cautious: boolean): number[] {
    if (cautious && word.length < LEAST_CAUTIOUS && !isJapaneseWord(word)) return []
    const longer = choose(lexicon.startingWith(word))
    if (longer.length > 0) return longer
    for (let end = 1; end <= MAX_ENDING && word.length - end >= LEAST_STEM; end++) {
      const stem = word.slice(0, -end)
      if (countOf(stem) > 0) return [lexicon.find(stem)]
    }
    const typos = choose(new Set([...lexicon.oneTypoFrom(word), ...lexicon.oneTypoFrom(term)]))
    if (typos.length > 0) return typos
    return choose(
      toParts(term)
        .map(part => lexicon.find(part))
        .filter(number => number >= 0),
    )
  }

  return {
    words(query) {
      const words = new Map<string, QueryWord>()
      let whole = ''
      const visit = eachWord((word, kind) => {
        if (words.size >= MAX_WORDS) return
        if (kind === 'word') whole = word
        if (kind === 'joined' || (kind === 'piece' && isKnown(whole))) return
        if (kind === 'piece') words.delete(toQueryTerm(whole))
        const term = toQueryTerm(word)
        if (!words.has(term)) words.set(term, { word, term })
      })
      forEachWord(foldWidth(query), visit)
      return [...words.values()]
    },
    resolve(word, { prefix = false, strays, cautious = false }) {
      const number = lexicon.find(word.term)
      const known = number >= 0 && postings.count(number) > 0
      if (prefix) {
        const found = choose(new Set([...(known ? [number] : []), ...lexicon.startingWith(word.word)]))
        if (found.length > 0) return merge(found.map(toWalkTerm), postings.words, countEntries())
      }
      if (known) return toWalkTerm(number)
      if (strays.left-- <= 0) return undefined
      const found = near(word, cautious)
      return found.length === 0 ? undefined : merge(found.map(toWalkTerm), postings.words, countEntries())
    },
  }
}

/** One list out of several; an entry with more than one of the terms counts with the strongest. */
function merge(terms: readonly WalkTerm[], words: number, entries: number): WalkTerm {
  if (terms.length === 1) return terms[0]!
  const bits = new Int32Array(words)
  const strongest = new Uint8Array(words << WORD_SHIFT)
  for (const { slots, impacts, start, count } of terms) {
    for (let at = start; at < start + count; at++) {
      const slot = slots[at]!
      bits[slot >> WORD_SHIFT]! |= bitOf(slot)
      if (impacts[at]! > strongest[slot]!) strongest[slot] = impacts[at]!
    }
  }
  let count = 0
  for (let word = 0; word < words; word++) count += countBits(bits[word]!)
  const slots = new Uint32Array(count)
  const impacts = new Uint8Array(count)
  const frequent = count > words ? new FrequentTerm(words) : undefined
  let at = 0
  for (let word = 0; word < words; word++) {
    for (let left = bits[word]!; left !== 0; left &= left - 1) {
      const slot = lowestSlot(left, word)
      slots[at] = slot
      impacts[at] = strongest[slot]!
      frequent?.add(slot, strongest[slot]!, at)
      at++
    }
  }
  return { slots, impacts, start: 0, count, weight: toWeight(entries, count), frequent }
}
