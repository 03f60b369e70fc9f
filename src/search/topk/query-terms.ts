// From the words of a query to postings. A word that no entry has is an unknown term: it is expanded to the terms that begin with it,
// else to those one typo away, else to its parts. The expansions of a word count as one term.

import type { Lexicon } from '../index/lexicon.ts'
import type { Postings } from '../index/postings.ts'
import { type Analyzer, eachWord, foldWidth } from '../text/analyzer.ts'
import { joinWords, splitConversion } from './compounds.ts'
import { MAX_QUERY_WORDS, type TermPostings } from './evaluation.ts'
import { createExpander, type QueryWord, type ResolveOptions } from './expand-word.ts'
import { prefixPostings } from './expansion-budget.ts'
import { intersectPostings } from './intersect.ts'
import { createMerger } from './merge-postings.ts'
import { isRare, isRareBeside, isSquatted } from './typosquatting.ts'

const MAX_REMEMBERED = 32_768
/** A word that more entries have is not merged with the compounds that it is a part of. */
const MAX_MERGED = 1 << 14

/** The IDF of BM25 in 1/256, whole so that sums of it do not depend on their order. */
export function toIdf(entries: number, withTerm: number): number {
  return Math.max(1, Math.round(256 * Math.log(1 + (entries - withTerm + 0.5) / (withTerm + 0.5))))
}

/** The words that stand beside those of a query, where it is a part of another. */
export type Neighbours = { readonly before?: string | undefined; readonly after?: string | undefined }

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
  const remembered = new Map<string, QueryWord>()
  const mergeLists = createMerger()
  const { expand, choose, oneTypoFrom } = createExpander(lexicon, postings, analyzer)
  const isKnown = ({ termId }: QueryWord): boolean => termId >= 0 && postings.count(termId) > 0

  function toWord(word: string): QueryWord {
    const known = remembered.get(word)
    if (known !== undefined) return known
    const language = analyzer.languages.ofWord(word)
    const term = language.text.toStem(word)
    const found = { word, language, term, termId: lexicon.find(term) }
    // A term keeps its id, but one that no entry has had may get one; and there is no end of words that no entry has.
    if (found.termId >= 0) {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(word, found)
    }
    return found
  }

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
    { word, language, compounds = [] }: QueryWord,
    own: TermPostings | undefined,
    equivalents: readonly string[],
  ) {
    const parts = language.text.splitCompound?.(word)
    if (compounds.length === 0 && equivalents.length === 0 && parts === undefined) return own
    const others = [...compounds.map(toPostings), ...equivalents.flatMap(text => toPostingsOfAll(text) ?? [])]
    const split = (parts ?? []).map(toWord)
    const [first, second] = split.every(isKnown) ? split.map(({ termId }) => toPostings(termId)) : []
    const both = first && second && intersectPostings(first, second)
    if (both) others.push({ ...both, weight: toIdf(countEntries(), both.count) })
    if (others.length === 0 || (own && own.count > MAX_MERGED)) return own
    return mergePostings(own ? [own, ...others] : others)
  }

  function toWords(query: string, { before, after }: Neighbours = {}): QueryWord[] {
    const words: QueryWord[] = []
    const written: QueryWord[] = before ? [toWord(before)] : []
    const placeOf = (term: string) => words.findIndex(word => word.term === term)
    let whole = ''
    const visit = eachWord((text, kind) => {
      if (words.length >= MAX_QUERY_WORDS) return
      if (kind === 'word') whole = text
      if (kind === 'joined' || (kind === 'piece' && isKnown(toWord(whole)))) return
      const word = toWord(text)
      if (kind === 'piece') {
        if (word.language.sentence.isFiller(text)) return
        const place = placeOf(toWord(whole).term)
        if (place >= 0) words.splice(place, 1)
      } else written.push(word)
      const parts = isKnown(word) ? [] : splitConversion(text)
      for (const each of parts.length > 0 ? parts.map(toWord) : [word])
        if (placeOf(each.term) < 0) words.push(each)
    })
    analyzer.forEachWord(foldWidth(query), visit)
    if (after) written.push(toWord(after))
    return toCompounds(words, written)
  }

  /** The words, with the compounds that neighbours make where entries have them. */
  function toCompounds(words: QueryWord[], written: readonly QueryWord[]): QueryWord[] {
    for (let i = 0; i + 1 < written.length; i++) {
      const joined = joinWords(written[i]!, written[i + 1]!)
      const termId = joined === undefined ? -1 : lexicon.find(analyzer.toTerm(joined))
      if (termId < 0 || postings.count(termId) === 0) continue
      for (const part of written.slice(i, i + 2)) {
        const place = words.findIndex(({ word }) => word === part.word)
        const word = words[place]
        if (word) words[place] = { ...word, compounds: [...(word.compounds ?? []), termId] }
      }
    }
    return words
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
