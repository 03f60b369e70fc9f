// From the words of a query to postings. A word that no entry has is an unknown term: it is expanded to the terms that begin with it,
// else to those one typo away, else to its parts. The expansions of a word count as one term.

import type { SlotOrder } from '../../memory/sorted-slots.ts'
import type { Lexicon } from '../index/lexicon.ts'
import type { Postings } from '../index/postings.ts'
import { type Analyzer, eachWord, foldWidth } from '../text/analyzer.ts'
import { joinWords, splitConversion } from './compounds.ts'
import type { Accept, TermPostings } from './evaluation.ts'
import { type ExpansionBudget, prefixPostings } from './expansion-budget.ts'
import { intersectPostings } from './intersect.ts'
import { createMerger } from './merge-postings.ts'
import { createSoundLookup } from './sounding-like.ts'
import { TopK } from './top-k.ts'
import { isRare, isRareBeside, isSquatted } from './typosquatting.ts'

/** More words than this say no more, and a query must stay cheap. */
const MAX_WORDS = 32
/** An unknown term is expanded to no more terms. */
const MAX_EXPANSIONS = 24
/** "translatio" is not the beginning of a stem, but a stem is the beginning of it. */
const MAX_ENDING = 4
const MIN_STEM = 4
const MAX_REMEMBERED = 32_768
/** A word that more entries have is not merged with the compounds that it is a part of. */
const MAX_MERGED = 1 << 14

/** The IDF of BM25 in 1/256, whole so that sums of it do not depend on their order. */
export function toIdf(entries: number, withTerm: number): number {
  return Math.max(1, Math.round(256 * Math.log(1 + (entries - withTerm + 0.5) / (withTerm + 0.5))))
}

/** A word as it is written, and the term it is looked for by. */
export type QueryWord = {
  readonly word: string
  readonly term: string
  /** Of the lexicon, or -1. */
  readonly termId: number
  /** The terms of known compounds that it is a part of, here beside its neighbour: e-mail, geo coding. */
  readonly compounds?: readonly number[]
}

/** The words that stand beside those of a query, where it is a part of another. */
export type Neighbours = { readonly before?: string | undefined; readonly after?: string | undefined }

export type ResolveOptions = {
  /** The word may be the beginning of one. */
  readonly prefix?: boolean
  /** What is left to the words of the query. */
  readonly budget: ExpansionBudget
  /** In a sentence short words are not taken for misspelt ones. */
  readonly cautious?: boolean
  /** Whether a term may be meant by the word, which is spelt correctly; absent where it is no known word. */
  readonly isLike?: ((term: string) => boolean) | undefined
  /** Words and phrases that stand for the word. */
  readonly equivalents?: readonly string[] | undefined
  /** Words and phrases that are looked for in its place, where an entry has one of them. */
  readonly instead?: readonly string[] | undefined
  /** A word that none of these entries has is expanded too: who lists a misspelt word shall not be alone with it. */
  readonly preferred?: Accept | undefined
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
  const remembered = new Map<string, QueryWord>()
  const mergeLists = createMerger()
  const soundingLike = createSoundLookup(lexicon, postings, analyzer)
  const isKnown = ({ termId }: QueryWord): boolean => termId >= 0 && postings.count(termId) > 0

  function toWord(word: string): QueryWord {
    const known = remembered.get(word)
    if (known !== undefined) return known
    const term = analyzer.toTerm(word)
    const found = { word, term, termId: lexicon.find(term) }
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
    const { ofWord } = analyzer.languages
    const words = toWords(text).filter(({ word }) => !ofWord(word).sentence.isFiller(word))
    const [first, second] =
      words.length <= 2 && words.every(isKnown) ? words.map(each => toPostings(each.termId)) : []
    if (!first || first.count > MAX_MERGED) return undefined
    const both = second ? intersectPostings(first, second) : first
    return both && { ...both, weight: toIdf(countEntries(), both.count) }
  }

  /** A word with what writes it differently; to merge a frequent one would cost too much. */
  function withCompounds(
    { word, compounds = [] }: QueryWord,
    own: TermPostings | undefined,
    equivalents: readonly string[],
  ) {
    const parts = analyzer.languages.ofWord(word).text.splitCompound?.(word)
    if (compounds.length === 0 && equivalents.length === 0 && parts === undefined) return own
    const others = [...compounds.map(toPostings), ...equivalents.flatMap(text => toPostingsOfAll(text) ?? [])]
    const split = (parts ?? []).map(toWord)
    const [first, second] = split.every(isKnown) ? split.map(({ termId }) => toPostings(termId)) : []
    const both = first && second && intersectPostings(first, second)
    if (both) others.push({ ...both, weight: toIdf(countEntries(), both.count) })
    if (others.length === 0 || (own && own.count > MAX_MERGED)) return own
    return mergePostings(own ? [own, ...others] : others)
  }

  const inAnyOrder = (): number => 1
  const byTerm = (a: number, b: number): number => (lexicon.isBefore(a, b) ? -1 : 1)

  function mostFrequent(termIds: Iterable<number>, minCount: number, order: SlotOrder): TopK {
    const top = new TopK(MAX_EXPANSIONS, order)
    for (const termId of termIds) {
      const count = postings.count(termId)
      if (count >= minCount) top.collect(count, termId)
    }
    return top
  }

  function oneTypoFrom(word: string, term: string, isSought?: (termId: number) => boolean): number[] {
    const near = lexicon.oneTypoFrom(term, isSought)
    return word === term ? near : [...new Set([...lexicon.oneTypoFrom(word, isSought), ...near])]
  }
  const countOf = (termIds: readonly number[]): number =>
    termIds.reduce((sum, termId) => sum + postings.count(termId), 0)

  /** Of some terms the most frequent that the budget allows, and one in any case; takes them from the budget. */
  function choose(termIds: Iterable<number>, budget: { postings: number }): number[] {
    // To compare terms by their letters is costly: only those at the border need it.
    const minCount = Math.max(1, mostFrequent(termIds, 1, inAnyOrder).threshold)
    const best = mostFrequent(termIds, minCount, byTerm).sorted()
    let left = budget.postings
    let enough = 0
    while (enough < best.length && (enough === 0 || best[enough]!.key <= left)) left -= best[enough++]!.key
    // One alone is read where it lies, and costs no merge.
    if (enough > 1) budget.postings = Math.max(0, left)
    return best.slice(0, enough).map(({ slot }) => slot)
  }

  function expand(
    { word, term, termId: own }: QueryWord,
    { cautious = false, isLike, budget }: ResolveOptions,
  ): number[] {
    if (cautious && word.length < analyzer.languages.ofWord(word).text.minFuzzyLength) return []
    const { isEnding = () => true } = analyzer.languages.ofWord(word).text
    const isMeant = (termId: number) => isLike === undefined || isLike(lexicon.termAt(termId))
    const near = oneTypoFrom(word, term).filter(isMeant)
    const longer = lexicon.startingWith(word).filter(termId => termId !== own)
    // What more entries have is rather meant: "adress" is an address, although one entry is called "adresse".
    if (longer.length > 0) return choose(countOf(near) > countOf(longer) ? near : longer, budget)
    const sounding = soundingLike(word, isMeant)
    if (sounding !== undefined) return [sounding]
    // Before the stems that it begins with: "coingeko" is CoinGecko misspelt, and no form of "coin".
    if (near.length > 0) return choose(near, budget)
    const moved = cautious ? choose(new Set(lexicon.movedLetterFrom(term).filter(isMeant)), budget) : []
    if (moved.length > 0) return moved
    for (let end = 1; end <= MAX_ENDING && word.length - end >= MIN_STEM; end++) {
      const ending = word.slice(-end)
      if (!isEnding(ending) && (end < MIN_STEM || lexicon.find(ending) < 0)) continue
      const stem = lexicon.find(word.slice(0, -end))
      if (stem >= 0 && stem !== own && postings.count(stem) > 0 && isMeant(stem)) return [stem]
    }
    const parts = analyzer.toParts(term).map(part => lexicon.find(part))
    return choose(
      parts.filter(termId => termId >= 0),
      budget,
    )
  }

  function toWords(query: string, { before, after }: Neighbours = {}): QueryWord[] {
    const words: QueryWord[] = []
    const written: string[] = []
    const placeOf = (term: string) => words.findIndex(word => word.term === term)
    let whole = ''
    const visit = eachWord((text, kind) => {
      if (words.length >= MAX_WORDS) return
      if (kind === 'word') whole = text
      if (kind === 'joined' || (kind === 'piece' && isKnown(toWord(whole)))) return
      if (kind === 'piece' && analyzer.languages.ofWord(text).sentence.isFiller(text)) return
      if (kind === 'piece') {
        const place = placeOf(toWord(whole).term)
        if (place >= 0) words.splice(place, 1)
      }
      const word = toWord(text)
      if (kind === 'word') written.push(text)
      const parts = isKnown(word) ? [] : splitConversion(text)
      for (const each of parts.length > 0 ? parts.map(toWord) : [word])
        if (placeOf(each.term) < 0) words.push(each)
    })
    analyzer.forEachWord(foldWidth(query), visit)
    return toCompounds(words, [...(before ? [before] : []), ...written, ...(after ? [after] : [])])
  }

  /** The words, with the compounds that neighbours make where entries have them. */
  function toCompounds(words: QueryWord[], written: readonly string[]): QueryWord[] {
    for (let i = 0; i + 1 < written.length; i++) {
      const pair = [written[i]!, written[i + 1]!]
      const joined = joinWords(analyzer, pair[0]!, pair[1]!)
      const compound = joined === undefined ? undefined : toWord(joined)
      if (!compound || !isKnown(compound)) continue
      for (const part of pair) {
        const place = words.findIndex(({ word }) => word === part)
        const word = words[place]
        if (word) words[place] = { ...word, compounds: [...(word.compounds ?? []), compound.termId] }
      }
    }
    return words
  }

  /** What is spelt nearly as a word that is no known one, and far more frequent: "address" beside "adress". */
  function likelySpellings(
    { word, term, termId }: QueryWord,
    { cautious, isLike }: ResolveOptions,
  ): number[] {
    if (!cautious || isLike !== undefined || !isRare(termId, postings)) return []
    if (word.length < analyzer.languages.ofWord(word).text.minFuzzyLength) return []
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
