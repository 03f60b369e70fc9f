// From the words of a query to postings. A word that no entry has is an unknown term: it is expanded to the terms that begin with it,
// else to those one typo away, else to its parts. The expansions of a word count as one term.

import type { Lexicon } from '../index/lexicon.ts'
import type { Postings } from '../index/postings.ts'
import type { Analyzer } from '../text/analyzer.ts'
import type { TermPostings } from './evaluation.ts'
import { createExpander, type ResolveOptions } from './expand-word.ts'
import { prefixPostings } from './expansion-budget.ts'
import { intersectPostings } from './intersect.ts'
import { createMerger } from './merge-postings.ts'
import { createQueryWords, type Neighbours, type QueryWord } from './query-words.ts'
import { isRare, isRareBeside, isSquatted } from './typosquatting.ts'

/** A word that more entries have is not merged with the compounds that it is a part of. */
const MAX_MERGED = 1 << 14

/** The IDF of BM25 in 1/256, whole so that sums of it do not depend on their order. */
export function toIdf(entries: number, withTerm: number): number {
  return Math.max(1, Math.round(256 * Math.log(1 + (entries - withTerm + 0.5) / (withTerm + 0.5))))
}

export type QueryTerms = {
  /** Words in order, none twice; a compound such as OpenAI is one word when entries have it, else its pieces. */
  words(query: string, neighbours?: Neighbours): QueryWord[]
  /** Whether an entry has the word as it is. */
  isKnown(word: string): boolean
  /** Returns the postings of all words of a text, none of them expanded; undefined where it has none, or one that no entry has. */
  exact(text: string): TermPostings[] | undefined
  /** Returns the postings of one word, or undefined where nothing is near it. */
  resolve(word: QueryWord, options: ResolveOptions): TermPostings | undefined
}

export function createQueryTerms(
  lexicon: Lexicon,
  postings: Postings,
  countEntries: () => number,
  analyzer: Analyzer,
): QueryTerms {
  const { read: toWords, toWord, isKnown } = createQueryWords(lexicon, postings, analyzer)
  const mergeLists = createMerger()
  const { expand, choose, oneTypoFrom } = createExpander(lexicon, postings, analyzer)

  function toPostings(termId: number): TermPostings {
    const count = postings.count(termId)
    const bitmap = postings.bitmap(termId)
    bitmap?.reserve(postings.bitmapWords)
    const { slots, impacts } = postings
    const weight = toIdf(countEntries(), count)
    return { slots, impacts, start: postings.start(termId), count, weight, bitmap }
  }

  const merge = (termIds: readonly number[]) => mergePostings(termIds.map(toPostings))

  function mergePostings(lists: readonly TermPostings[]): TermPostings | undefined {
    const list = lists.length < 2 ? undefined : mergeLists(lists, postings.bitmapWords)
    return list ? { ...list, weight: toIdf(countEntries(), list.count) } : lists[0]
  }

  /** The entries that have all words of a text, of which there are one or two. */
  function toPostingsOfAll(text: string): TermPostings | undefined {
    const words = toWords(text).filter(({ word, language }) => !language.sentence.isFiller(word))
    const [first, second] =
      words.length <= 2 && words.every(isKnown) ? words.map(each => toPostings(each.termId)) : []
    if (!first || first.count > MAX_MERGED) return undefined
    const both = second ? intersectPostings(first, second) : first
    return both && { ...both, weight: toIdf(countEntries(), both.count) }
  }

  /** A word with what writes it differently; to merge a frequent one would cost too much. */
  function withCompounds(
    { parts, compounds = [] }: QueryWord,
    own: TermPostings | undefined,
    equivalents: readonly string[],
  ) {
    if (compounds.length === 0 && equivalents.length === 0 && parts === undefined) return own
    const others = [...compounds.map(toPostings), ...equivalents.flatMap(text => toPostingsOfAll(text) ?? [])]
    const split = (parts ?? []).map(toWord)
    const [first, second] = split.every(isKnown) ? split.map(({ termId }) => toPostings(termId)) : []
    const both = first && second && intersectPostings(first, second)
    if (both) others.push({ ...both, weight: toIdf(countEntries(), both.count) })
    if (others.length === 0 || (own && own.count > MAX_MERGED)) return own
    return mergePostings(own ? [own, ...others] : others)
  }

  /** What is spelt nearly as a word that is no known one, and far more frequent: "address" beside "adress". */
  function likelySpellings(
    { word, language, term, termId }: QueryWord,
    { cautious, isLike }: ResolveOptions,
  ): number[] {
    if (!cautious || isLike !== undefined || !isRare(termId, postings)) return []
    if (word.length < language.text.minFuzzyLength) return []
    return oneTypoFrom(word, term, other => isRareBeside(termId, other, postings))
  }

  /** Its postings; where it is squatted, or hardly spelt so, with those of the words that it would be expanded to. */
  function withLikeWords(word: QueryWord, options: ResolveOptions): TermPostings | undefined {
    const { budget, preferred } = options
    const own = toPostings(word.termId)
    const squatted = isSquatted(own, preferred)
    const likely = squatted ? [] : likelySpellings(word, options)
    if ((!squatted && likely.length === 0) || budget.terms-- <= 0) return own
    return merge([word.termId, ...(squatted ? expand(word, options) : choose(likely, budget))])
  }

  return {
    words: toWords,
    isKnown: word => isKnown(toWord(word)),
    exact(text) {
      const words = toWords(text)
      return words.length > 0 && words.every(isKnown)
        ? words.map(({ termId }) => toPostings(termId))
        : undefined
    },
    resolve(word, options) {
      const { prefix = false, budget, equivalents = [], instead = [] } = options
      if (instead.length > 0) {
        const stand = mergePostings(instead.flatMap(text => toPostingsOfAll(text) ?? []))
        if (stand) return stand
      }
      const known = isKnown(word)
      if (prefix) {
        const longer = lexicon.startingWith(word.word)
        if (known && !longer.includes(word.termId)) longer.push(word.termId)
        const found = choose(longer, {
          postings: budget.postings + prefixPostings(countEntries()),
        })
        if (found.length > 0) return merge(found)
      }
      const own = known ? withLikeWords(word, options) : undefined
      const found = withCompounds(word, own, equivalents)
      if (found) return found
      return budget.terms-- > 0 ? merge(expand(word, options)) : undefined
    },
  }
}
