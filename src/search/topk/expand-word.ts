// Expands a word that no entry has, or only entries that squat on it: to terms that begin with it, sound like it, are one
// typo away or are a form of it, otherwise to its parts.
import type { SlotOrder } from '../../memory/sorted-slots.ts'
import type { Lexicon } from '../index/lexicon.ts'
import type { Postings } from '../index/postings.ts'
import type { Analyzer } from '../text/analyzer.ts'
import type { Accept } from './evaluate.ts'
import type { ExpansionBudget } from './expansion-budget.ts'
import type { QueryWord } from './query-words.ts'
import { createSoundLookup } from './sounding-like.ts'
import { TopK } from './top-k.ts'
import { isSquatted } from './typosquatting.ts'

/** The maximum number of terms that one word is expanded to. */
const MAX_EXPANSIONS = 24
/** "translatio" is not a prefix of a stem, but a stem is a prefix of it. */
const MAX_ENDING = 4
const MIN_STEM = 4

export type ResolveOptions = {
  /** The word may be the prefix of a term. */
  readonly prefix?: boolean
  /** The remaining budget of the query. */
  readonly budget: ExpansionBudget
  /** In a sentence, short words are not corrected. */
  readonly cautious?: boolean
  /** Returns whether the word can mean a term; undefined for a word that the embedding does not know. */
  readonly isLike?: ((term: string) => boolean) | undefined
  /** The word is known to be spelt right: if no entry has it, it is not corrected or split. */
  readonly isSpelt?: boolean | undefined
  /** Words and phrases that are equivalent to the word. */
  readonly equivalents?: readonly string[] | undefined
  /** Words and phrases for what the word is a kind of. They count less than the word itself. */
  readonly kinds?: readonly string[] | undefined
  /** Words and phrases that replace the word when an entry has one of them. */
  readonly instead?: readonly string[] | undefined
  /**
   * A word that none of these entries has is also expanded, so that an entry that lists a misspelt word is not the only
   * result.
   */
  readonly preferred?: Accept | undefined
}

export type Expander = {
  /** Returns the ids of the terms that a word is expanded to. */
  expand(word: QueryWord, options: ResolveOptions): number[]
  /** Returns the most frequent of the terms that fit the budget, at least one, and deducts their postings. */
  choose(termIds: Iterable<number>, budget: { postings: number }): number[]
  /** Returns the ids of candidate terms that are one typo away from the word or from its term. */
  oneTypoFrom(word: string, term: string, isCandidate?: (termId: number) => boolean): number[]
}

export function createExpander(lexicon: Lexicon, postings: Postings, analyzer: Analyzer): Expander {
  const soundingLike = createSoundLookup(lexicon, postings, analyzer)
  const toList = (termId: number) => ({
    slots: postings.slots,
    start: postings.start(termId),
    count: postings.count(termId),
  })

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

  function oneTypoFrom(word: string, term: string, isCandidate?: (termId: number) => boolean): number[] {
    const near = lexicon.oneTypoFrom(term, isCandidate)
    return word === term ? near : [...new Set([...lexicon.oneTypoFrom(word, isCandidate), ...near])]
  }
  const countOf = (termIds: readonly number[]): number =>
    termIds.reduce((sum, termId) => sum + postings.count(termId), 0)

  function choose(termIds: Iterable<number>, budget: { postings: number }): number[] {
    // Comparing terms by their text is expensive, and only needed at the cutoff.
    const minCount = Math.max(1, mostFrequent(termIds, 1, inAnyOrder).threshold)
    const best = mostFrequent(termIds, minCount, byTerm).sorted()
    let left = budget.postings
    let enough = 0
    while (enough < best.length && (enough === 0 || best[enough]!.key <= left)) left -= best[enough++]!.key
    // A single term needs no merge.
    if (enough > 1) budget.postings = Math.max(0, left)
    return best.slice(0, enough).map(({ slot }) => slot)
  }

  function expand(
    { word, language, term, termId: own }: QueryWord,
    { cautious = false, isLike, isSpelt = false, budget, preferred }: ResolveOptions,
  ): number[] {
    const { minFuzzyLength, isEnding = () => true } = language.text
    if (cautious && word.length < minFuzzyLength) return []
    // A known word is not expanded to terms that are squatted on as well.
    const isOwned = own >= 0 && postings.count(own) > 0
    const isOpen = (termId: number) => termId !== own && !(isOwned && isSquatted(toList(termId), preferred))
    const isMeant = (termId: number) => {
      if (!isOpen(termId)) return false
      const like = lexicon.termAt(termId)
      // A content word is not a misspelt stop word.
      if (cautious && analyzer.languages.ofWord(like).sentence.isFiller(like)) return false
      return isLike === undefined || isLike(like)
    }
    const longer = lexicon.startingWith(word).filter(isOpen)
    if (isSpelt && !isOwned) return choose(longer, budget)
    const near = oneTypoFrom(word, term).filter(isMeant)
    // The more frequent one is more likely: "adress" is an address, even if one entry is called "adresse".
    if (longer.length > 0) return choose(countOf(near) > countOf(longer) ? near : longer, budget)
    const sounding = soundingLike(word, { isOpen, isMeant })
    if (sounding !== undefined) return [sounding]
    // Before stems that are prefixes of the word: "coingeko" is CoinGecko misspelt, not a form of "coin".
    if (near.length > 0) return choose(near, budget)
    const moved = cautious ? choose(new Set(lexicon.movedLetterFrom(term).filter(isMeant)), budget) : []
    if (moved.length > 0) return moved
    for (let end = 1; end <= MAX_ENDING && word.length - end >= MIN_STEM; end++) {
      const ending = word.slice(-end)
      if (!isEnding(ending) && (end < MIN_STEM || lexicon.find(ending) < 0)) continue
      const stem = lexicon.find(word.slice(0, -end))
      if (stem >= 0 && postings.count(stem) > 0 && isMeant(stem)) return [stem]
    }
    // Other forms of a known word: geocoding, geocoder.
    const forms = isLike ? choose(lexicon.startingWith(term).filter(isMeant), budget) : []
    if (forms.length > 0) return forms
    const parts = analyzer.toParts(term).map(part => lexicon.find(part))
    return choose(
      parts.filter(termId => termId >= 0 && isOpen(termId)),
      budget,
    )
  }

  return { expand, choose, oneTypoFrom }
}
