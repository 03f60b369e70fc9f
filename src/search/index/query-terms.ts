// Reads the words of a query and resolves them to postings. A word that no entry has is expanded: to terms that begin with it, that
// are one typo away or are a form of it. The expansions of a word count as one term.

import type { SlotOrder, SlotTest } from '../../memory/sorted-slots.ts'
import { type Analyzer, foldWidth, toLowerPlain, type WordKind, type WordVisitor } from '../text/analyzer.ts'
import type { Language } from '../text/languages/language.ts'
import {
  type Evaluator,
  intersectPostings,
  type SharedPostings,
  type TermPostings,
  TopK,
} from './evaluate.ts'
import type { Lexicon, Postings, PostingsList } from './postings.ts'

/** A word as written, and the term that it is looked up by. */
type QueryWord = {
  readonly word: string
  readonly language: Language
  readonly term: string
  /** The id in the lexicon, or -1. */
  readonly termId: number
  /** The terms of known compounds of this word and a neighbour in the query: e-mail, geo coding. */
  readonly compounds?: readonly number[]
}

/** The words inside tokens that are written like code: getTokenPrice. */
type Pieces = ReadonlyMap<string, readonly string[]>

/** Further words are ignored, which bounds the cost of a query. */
const MAX_QUERY_WORDS = 32
const MAX_CACHED = 32_768
/** The length of a compound that is looked up: e-mail and email, geo coding and geocoding, QR code and qrcode. */
const MIN_JOINED = 5
const MAX_JOINED = 24

/** Joins two words; undefined when their language does not put spaces between words. */
function joinWords(first: QueryWord, second: QueryWord): string | undefined {
  const length = first.word.length + second.word.length
  if (length < MIN_JOINED || length > MAX_JOINED) return undefined
  const isSpaced = ({ language }: QueryWord) => language.text.unspaced === undefined
  return isSpaced(first) && isSpaced(second) ? first.word + second.word : undefined
}

function createQueryWords(lexicon: Lexicon, postings: Postings, analyzer: Analyzer) {
  const cache = new Map<string, QueryWord>()
  /** Returns whether an entry has the word itself. */
  const isKnown = ({ termId }: QueryWord): boolean => termId >= 0 && postings.count(termId) > 0

  function toWord(word: string): QueryWord {
    const known = cache.get(word)
    if (known !== undefined) return known
    const language = analyzer.languages.ofWord(word)
    const term = language.text.toStem(word)
    const found = { word, language, term, termId: lexicon.find(term) }
    // Only known terms are cached: a term keeps its id, but an unknown one may get one later, and there is no limit to
    // unknown words.
    if (found.termId >= 0) {
      if (cache.size >= MAX_CACHED) cache.clear()
      cache.set(word, found)
    }
    return found
  }

  /** Returns the term of the compound that two neighbours form, if an entry has it. */
  function compoundOf(first: QueryWord | undefined, second: QueryWord | undefined): number[] {
    const joined = first && second && joinWords(first, second)
    const termId = joined === undefined ? -1 : lexicon.find(first!.language.text.toStem(joined))
    return termId >= 0 && postings.count(termId) > 0 ? [termId] : []
  }

  const withCompounds = (word: QueryWord, compounds: readonly number[]): QueryWord =>
    compounds.length === 0 ? word : { ...word, compounds: [...(word.compounds ?? []), ...compounds] }

  /** Adds the known compounds that neighbouring words form. */
  function addCompounds(words: QueryWord[], written: readonly QueryWord[]): void {
    for (let i = 0; i + 1 < written.length; i++) {
      const compound = compoundOf(written[i], written[i + 1])
      for (const part of compound.length === 0 ? [] : written.slice(i, i + 2)) {
        const place = words.findIndex(({ word }) => word === part.word)
        if (place >= 0) words[place] = withCompounds(words[place]!, compound)
      }
    }
  }

  class Collector implements WordVisitor {
    readonly words: QueryWord[] = []
    /** The words as written, including repetitions, without pieces of compounds. */
    readonly written: QueryWord[] = []
    #whole: QueryWord | undefined

    plain(text: string, start: number, end: number): void {
      if (this.words.length < MAX_QUERY_WORDS) this.#addWhole(toWord(toLowerPlain(text, start, end)))
    }

    word(text: string, kind: WordKind): void {
      if (this.words.length >= MAX_QUERY_WORDS) return
      if (kind === 'word') this.#addWhole(toWord(text))
      else if (kind === 'piece') this.#addPiece(text)
    }

    #addWhole(word: QueryWord): void {
      this.#whole = word
      this.written.push(word)
      this.#add(word)
    }

    /** The pieces of a word replace it when no entry has it. */
    #addPiece(text: string): void {
      if (this.#whole !== undefined && isKnown(this.#whole)) return
      const word = toWord(text)
      if (word.language.sentence.isFiller(text)) return
      const place = this.#whole === undefined ? -1 : this.#placeOf(this.#whole.term)
      if (place >= 0) this.words.splice(place, 1)
      this.#add(word)
    }

    #add(word: QueryWord): void {
      if (this.#placeOf(word.term) < 0) this.words.push(word)
    }

    #placeOf(term: string): number {
      for (let i = 0; i < this.words.length; i++) if (this.words[i]!.term === term) return i
      return -1
    }
  }

  /** Returns the words in order without duplicates. A compound such as OpenAI is one word when entries have it, otherwise its pieces. */
  function read(query: string): QueryWord[] {
    const collector = new Collector()
    analyzer.forEachWord(foldWidth(query), collector)
    addCompounds(collector.words, collector.written)
    return collector.words
  }

  const phrases = new Map<string, readonly QueryWord[]>()

  return {
    read,
    /** Returns the words of each token of a sentence: the token itself, or its pieces when no entry has it. */
    readTokens(tokens: readonly string[], pieces: Pieces): QueryWord[][] {
      const words = tokens.map(toWord)
      const withNext = words.map((word, i) => compoundOf(word, words[i + 1]))
      return words.map((word, i) => {
        const inside = isKnown(word) ? undefined : pieces.get(word.word)
        if (inside !== undefined) return read(inside.join(' '))
        return [withCompounds(word, [...(withNext[i - 1] ?? []), ...withNext[i]!])]
      })
    },
    /** The same as `read`, for texts that are read again and again. */
    readPhrase(text: string): readonly QueryWord[] {
      const known = phrases.get(text)
      if (known !== undefined) return known
      const words = read(text)
      // As with single words, only known ones are cached.
      if (words.every(({ termId }) => termId >= 0)) {
        if (phrases.size >= MAX_CACHED) phrases.clear()
        phrases.set(text, words)
      }
      return words
    },
    isKnown,
  }
}

/** The terms of a query may have as many postings as there are entries, or this many in a small catalog. */
const MIN_BUDGET = 4_096
/** At most this many unknown terms of a query are expanded, each to at most MAX_EXPANSIONS terms. */
const MAX_UNKNOWN_TERMS = 3
const MAX_EXPANSIONS = 24
/**
 * All expansions of one query together may have this share of the entries as postings, within bounds; those of a requested prefix
 * PREFIX_TIMES as many in addition.
 */
const EXPANSION_SHARE = 32
const EXPANSION_POSTINGS = { min: 1 << 9, max: 1 << 12 }
const PREFIX_TIMES = 3
/** A word with a higher document frequency is not merged with its expansions. */
const MAX_MERGED = 1 << 14
/** The number of words of an equivalent: smart contract vulnerabilities. */
const MAX_PHRASE = 3
/** An equivalent that an entry has instead of the word itself counts less. */
const EQUIVALENT_SHARE = 0.9
/** "translatio" is not a prefix of a stem, but a stem is a prefix of it. */
const MAX_ENDING = 4
const MIN_STEM = 4
/** A word that more entries have is not a typo that somebody lists. */
const MAX_SQUATTED = 256

/** The IDF of BM25 in units of 1/256: an integer, so that sums do not depend on their order. */
export function toIdf(entries: number, withTerm: number): number {
  return Math.max(1, Math.round(256 * Math.log(1 + (entries - withTerm + 0.5) / (withTerm + 0.5))))
}

/** How many more unknown terms may be expanded, and how many postings the expansions may have. */
type ExpansionBudget = { terms: number; postings: number }

const toPostingsBudget = (entries: number): number =>
  Math.min(EXPANSION_POSTINGS.max, Math.max(EXPANSION_POSTINGS.min, entries / EXPANSION_SHARE))

export const createExpansionBudget = (entries: number): ExpansionBudget => ({
  terms: MAX_UNKNOWN_TERMS,
  postings: toPostingsBudget(entries),
})

/**
 * Returns the rarest terms that fit the budget, and at least two: they decide the order, and frequent words find hardly any other
 * entries. Depends on document frequencies only, so that the same catalog always gives the same result.
 */
export function toAffordable(terms: readonly TermPostings[], entries: number): TermPostings[] {
  let left = Math.max(MIN_BUDGET, entries)
  return terms
    .toSorted((a, b) => a.count - b.count)
    .filter(({ count }, i) => {
      left -= count
      return i < 2 || left >= 0
    })
}

type ResolveOptions = {
  /** The word may be the prefix of a term. */
  readonly prefix?: boolean
  readonly budget: ExpansionBudget
  /** In a sentence, short words are not corrected. */
  readonly cautious?: boolean
  /** The word is known to be spelt right: it is only expanded to its forms. */
  readonly isSpelt?: boolean
  /** Words and phrases that are equivalent to the word. */
  readonly equivalents?: readonly string[]
  /**
   * A word that none of these entries has is also expanded, so that an entry that lists a misspelt word is not the only
   * result.
   */
  readonly preferred?: SlotTest | undefined
}

export type QueryTerms = ReturnType<typeof createQueryTerms>

export function createQueryTerms(
  lexicon: Lexicon,
  postings: Postings,
  countEntries: () => number,
  analyzer: Analyzer,
  evaluator: Evaluator,
) {
  const { read: toWords, readTokens, readPhrase, isKnown } = createQueryWords(lexicon, postings, analyzer)

  const weightOf = (count: number): number => toIdf(countEntries(), count)

  function toPostings(termId: number): TermPostings {
    const count = postings.count(termId)
    const { slots, impacts } = postings
    return { slots, impacts, start: postings.start(termId), count, weight: weightOf(count) }
  }

  function merge(lists: readonly (TermPostings & SharedPostings)[]): TermPostings | undefined {
    const [first] = lists
    if (lists.length < 2 && first?.share === undefined) return first
    const list = evaluator.merge(lists, postings.reach)
    return { ...list, weight: weightOf(list.count) }
  }

  /** Returns the postings of entries that have all words of a short text. */
  function toPostingsOfAll(text: string): TermPostings | undefined {
    const words = readPhrase(text).filter(({ word, language }) => !language.sentence.isFiller(word))
    const [first, ...rest] =
      words.length <= MAX_PHRASE && words.every(isKnown) ? words.map(each => toPostings(each.termId)) : []
    if (!first || first.count > MAX_MERGED) return undefined
    let all: PostingsList | undefined = first
    for (const next of rest) all = all && intersectPostings(all, next)
    return all && { ...all, weight: weightOf(all.count) }
  }

  /** Merges the postings of a word with those of its other spellings and its equivalents, unless the word is too frequent. */
  function withOthers(
    { compounds = [] }: QueryWord,
    own: TermPostings | undefined,
    { equivalents = [] }: ResolveOptions,
  ): TermPostings | undefined {
    const shared = equivalents.flatMap(text => {
      const found = toPostingsOfAll(text)
      return found ? [{ ...found, share: EQUIVALENT_SHARE }] : []
    })
    const others = [...compounds.map(toPostings), ...shared]
    if (others.length === 0 || (own && own.count > MAX_MERGED)) return own
    return merge(own ? [own, ...others] : others)
  }

  /** Returns whether few entries have the term, none of them preferred. */
  function isSquatted(termId: number, preferred: SlotTest | undefined): boolean {
    const [start, count] = [postings.start(termId), postings.count(termId)]
    if (preferred === undefined || count > MAX_SQUATTED) return false
    for (let at = start; at < start + count; at++) if (preferred(postings.slots[at]!)) return false
    return true
  }

  const byTerm: SlotOrder = (a, b) => (lexicon.isBefore(a, b) ? -1 : 1)

  /** Returns the most frequent of the terms that fit the budget, at least one, and deducts their postings. */
  function choose(termIds: Iterable<number>, budget: { postings: number }): number[] {
    const top = new TopK(MAX_EXPANSIONS, byTerm)
    for (const termId of termIds) if (postings.count(termId) > 0) top.collect(postings.count(termId), termId)
    const best = top.sorted()
    let left = budget.postings
    let enough = 0
    while (enough < best.length && (enough === 0 || best[enough]!.key <= left)) left -= best[enough++]!.key
    // A single term needs no merge.
    if (enough > 1) budget.postings = Math.max(0, left)
    return best.slice(0, enough).map(({ slot }) => slot)
  }

  const countOf = (termIds: readonly number[]): number =>
    termIds.reduce((sum, termId) => sum + postings.count(termId), 0)

  /** Returns the terms that a word is expanded to. */
  function expand(
    { word, language, term, termId: own }: QueryWord,
    { cautious = false, isSpelt = false, budget, preferred }: ResolveOptions,
  ): number[] {
    const { minFuzzyLength, isEnding = () => true } = language.text
    if (cautious && word.length < minFuzzyLength) return []
    // A known word is not expanded to terms that are squatted on as well.
    const isOwned = own >= 0 && postings.count(own) > 0
    const isOpen = (termId: number) => termId !== own && !(isOwned && isSquatted(termId, preferred))
    const isMeant = (termId: number) => {
      if (!isOpen(termId)) return false
      const like = lexicon.termAt(termId)
      // A content word is not a misspelt stop word.
      return !cautious || !analyzer.languages.ofWord(like).sentence.isFiller(like)
    }
    const isForm = (termId: number) => isEnding(lexicon.termAt(termId).slice(term.length)) && isMeant(termId)
    if (isSpelt) return choose(lexicon.startingWith(term).filter(isForm), budget)
    const longer = lexicon.startingWith(word).filter(isOpen)
    const near = [...new Set([word, term].flatMap(each => lexicon.oneTypoFrom(each)))].filter(isMeant)
    // The more frequent one is more likely: "adress" is an address, even if one entry is called "adresse".
    if (longer.length > 0) return choose(countOf(near) > countOf(longer) ? near : longer, budget)
    if (near.length > 0) return choose(near, budget)
    for (let end = 1; end <= MAX_ENDING && word.length - end >= MIN_STEM; end++) {
      const stem = isEnding(word.slice(-end)) ? lexicon.find(word.slice(0, -end)) : -1
      if (stem >= 0 && postings.count(stem) > 0 && isMeant(stem)) return [stem]
    }
    return []
  }

  /** Returns the postings of one word, or undefined when there is no expansion. */
  function resolve(word: QueryWord, options: ResolveOptions): TermPostings | undefined {
    const { prefix = false, budget, preferred } = options
    const known = isKnown(word)
    if (prefix) {
      const longer = lexicon.startingWith(word.word)
      if (known && !longer.includes(word.termId)) longer.push(word.termId)
      const found = choose(longer, {
        postings: budget.postings + PREFIX_TIMES * toPostingsBudget(countEntries()),
      })
      if (found.length > 0) return merge(found.map(toPostings))
    }
    const terms = known ? [word.termId] : []
    if (known && isSquatted(word.termId, preferred) && budget.terms-- > 0)
      terms.push(...expand(word, options))
    const found = withOthers(word, merge(terms.map(toPostings)), options)
    return found ?? (budget.terms-- > 0 ? merge(expand(word, options).map(toPostings)) : undefined)
  }

  return {
    words: toWords,
    wordsOf: readTokens,
    /** Returns the postings of all words of a text without expansions; undefined when it has no word, or one that no entry has. */
    exact(text: string): TermPostings[] | undefined {
      const words = readPhrase(text)
      return words.length > 0 && words.every(isKnown)
        ? words.map(({ termId }) => toPostings(termId))
        : undefined
    },
    resolve,
    /** Returns the terms of a keyword query. @param prefix whether the last word may be a prefix */
    ofKeywords(query: string, prefix: boolean): TermPostings[] {
      const budget = createExpansionBudget(countEntries())
      const words = toWords(query)
      const terms = words.flatMap(
        (word, i) => resolve(word, { prefix: prefix && i === words.length - 1, budget }) ?? [],
      )
      return toAffordable(terms, countEntries())
    },
  }
}
