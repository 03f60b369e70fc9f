// Resolves the words of a query to postings. A word that no entry has is an unknown term and is expanded: to terms with
// this prefix, else to those one typo away, else to its parts. The expansions of a word count as one term.

import type { Lexicon } from '../index/lexicon.ts'
import type { Postings, PostingsList } from '../index/postings.ts'
import type { Analyzer } from '../text/analyzer.ts'
import { type Evaluator, intersectPostings, type SharedPostings, type TermPostings } from './evaluate.ts'
import { createExpander, type ResolveOptions } from './expand-word.ts'
import { prefixPostings } from './expansion-budget.ts'
import { createQueryWords, type Neighbours, type QueryWord } from './query-words.ts'
import { isRare, isRareBeside, isSquatted } from './typosquatting.ts'

/** A word with a higher document frequency is not merged with its compounds. */
const MAX_MERGED = 1 << 14
/** The number of words of what is searched in addition to a word or instead of it: smart contract vulnerabilities. */
const MAX_PHRASE = 3
/** The share of the impact of a kind that an entry has instead of the word itself. */
const KIND_SHARE = 0.8

/** The IDF of BM25 in units of 1/256: an integer, so that sums do not depend on their order. */
export function toIdf(entries: number, withTerm: number): number {
  return Math.max(1, Math.round(256 * Math.log(1 + (entries - withTerm + 0.5) / (withTerm + 0.5))))
}

export type QueryTerms = {
  /**
   * Returns the words in order without duplicates. A compound such as OpenAI is one word when entries have it, otherwise
   * its pieces.
   */
  words(query: string, neighbours?: Neighbours): QueryWord[]
  /** Returns whether an entry has the word itself. */
  isKnown(word: string): boolean
  /**
   * Returns the postings of all words of a text without expansions; undefined when it has no word, or one that no entry
   * has.
   */
  exact(text: string): TermPostings[] | undefined
  /** Returns the postings of one word, or undefined when there is no expansion. */
  resolve(word: QueryWord, options: ResolveOptions): TermPostings | undefined
}

export function createQueryTerms(
  lexicon: Lexicon,
  postings: Postings,
  countEntries: () => number,
  analyzer: Analyzer,
  evaluator: Evaluator,
): QueryTerms {
  const { read: toWords, toWord, isKnown } = createQueryWords(lexicon, postings, analyzer)
  const { expand, choose, oneTypoFrom } = createExpander(lexicon, postings, analyzer)

  function toPostings(termId: number): TermPostings {
    const count = postings.count(termId)
    const { slots, impacts } = postings
    return { slots, impacts, start: postings.start(termId), count, weight: toIdf(countEntries(), count) }
  }

  const merge = (termIds: readonly number[]) => mergePostings(termIds.map(toPostings))

  function mergePostings(lists: readonly (TermPostings & SharedPostings)[]): TermPostings | undefined {
    const list = lists.length < 2 ? undefined : evaluator.merge(lists, postings.reach)
    return list ? { ...list, weight: toIdf(countEntries(), list.count) } : lists[0]
  }

  /** Returns the postings of entries that have all words of a short text. */
  function toPostingsOfAll(text: string): TermPostings | undefined {
    const words = toWords(text).filter(({ word, language }) => !language.sentence.isFiller(word))
    const [first, ...rest] =
      words.length <= MAX_PHRASE && words.every(isKnown) ? words.map(each => toPostings(each.termId)) : []
    if (!first || first.count > MAX_MERGED) return undefined
    let all: TermPostings | undefined = first
    for (const next of rest) {
      const both: PostingsList | undefined = all && intersectPostings(all, next)
      all = both && { ...both, weight: toIdf(countEntries(), both.count) }
    }
    return all
  }

  /** Merges the postings of a word with those of its other spellings, unless the word is too frequent. */
  function withCompounds(
    { parts, compounds = [] }: QueryWord,
    own: TermPostings | undefined,
    equivalents: readonly string[],
    kinds: readonly string[],
  ) {
    if (compounds.length + equivalents.length + kinds.length === 0 && parts === undefined) return own
    const others: (TermPostings & SharedPostings)[] = [
      ...compounds.map(toPostings),
      ...equivalents.flatMap(text => toPostingsOfAll(text) ?? []),
      ...kinds.flatMap(text => {
        const found = toPostingsOfAll(text)
        return found ? [{ ...found, share: KIND_SHARE }] : []
      }),
    ]
    const split = (parts ?? []).map(toWord)
    const [first, second] = split.every(isKnown) ? split.map(({ termId }) => toPostings(termId)) : []
    const both = first && second && intersectPostings(first, second)
    if (both) others.push({ ...both, weight: toIdf(countEntries(), both.count) })
    if (others.length === 0 || (own && own.count > MAX_MERGED)) return own
    return mergePostings(own ? [own, ...others] : others)
  }

  /** Returns much more frequent terms that a rare, unknown word is likely a typo of: "address" for "adress". */
  function likelySpellings(
    { word, language, term, termId }: QueryWord,
    { cautious, isLike }: ResolveOptions,
  ): number[] {
    if (!cautious || isLike !== undefined || !isRare(termId, postings)) return []
    if (word.length < language.text.minFuzzyLength) return []
    return oneTypoFrom(word, term, other => isRareBeside(termId, other, postings))
  }

  /** Returns the postings of a word; if it is squatted on or likely misspelt, merged with those of its expansions. */
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
      const { prefix = false, budget, equivalents = [], kinds = [], instead = [] } = options
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
      const found = withCompounds(word, own, equivalents, kinds)
      if (found) return found
      return budget.terms-- > 0 ? merge(expand(word, options)) : undefined
    },
  }
}
