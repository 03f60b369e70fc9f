// The words of a query, each with its term.
import type { Lexicon } from '../index/lexicon.ts'
import type { Postings } from '../index/postings.ts'
import { type Analyzer, foldWidth, toLowerPlain, type WordKind, type WordVisitor } from '../text/analyzer.ts'
import type { Language } from '../text/languages/language.ts'

/** A word as written, and the term that it is looked up by. */
export type QueryWord = {
  readonly word: string
  readonly language: Language
  readonly term: string
  /** The id in the lexicon, or -1. */
  readonly termId: number
  /** The two words that it can also be written as. */
  readonly parts: readonly [string, string] | undefined
  /** The terms of known compounds of this word and a neighbour in the query: e-mail, geo coding. */
  readonly compounds?: readonly number[]
}

/** The words before and after a query that is part of another. */
export type Neighbours = { readonly before?: string | undefined; readonly after?: string | undefined }

export type QueryWords = {
  /**
   * Returns the words in order without duplicates. A compound such as OpenAI is one word when entries have it, otherwise
   * its pieces.
   */
  read(query: string, neighbours?: Neighbours): QueryWord[]
  toWord(word: string): QueryWord
  /** Returns whether an entry has the word itself. */
  isKnown(word: QueryWord): boolean
}

/** Further words are ignored, which bounds the cost of a query. */
const MAX_QUERY_WORDS = 32
const MAX_CACHED = 32_768
/** The length of a compound that is looked up: e-mail and email, geo coding and geocoding, QR code and qrcode. */
const MIN_JOINED = 5
const MAX_JOINED = 24
/** A conversion in its short form: text2speech. */
const CONVERSION = /^([a-z]{2,})[24]([a-z]{2,})$/

/** Joins two words; undefined when their language does not put spaces between words. */
function joinWords(first: QueryWord, second: QueryWord): string | undefined {
  const length = first.word.length + second.word.length
  if (length < MIN_JOINED || length > MAX_JOINED) return undefined
  const isSpaced = ({ language }: QueryWord) => language.text.unspaced === undefined
  return isSpaced(first) && isSpaced(second) ? first.word + second.word : undefined
}

export function createQueryWords(lexicon: Lexicon, postings: Postings, analyzer: Analyzer): QueryWords {
  const cache = new Map<string, QueryWord>()
  const isKnown = ({ termId }: QueryWord): boolean => termId >= 0 && postings.count(termId) > 0

  function toWord(word: string): QueryWord {
    const known = cache.get(word)
    if (known !== undefined) return known
    const language = analyzer.languages.ofWord(word)
    const term = language.text.toStem(word)
    const parts = language.text.splitCompound?.(word)
    const found = { word, language, term, termId: lexicon.find(term), parts }
    // Only known terms are cached: a term keeps its id, but an unknown one may get one later, and there is no limit to
    // unknown words.
    if (found.termId >= 0) {
      if (cache.size >= MAX_CACHED) cache.clear()
      cache.set(word, found)
    }
    return found
  }

  /** Adds the known compounds that neighbouring words form. */
  function addCompounds(words: QueryWord[], written: readonly QueryWord[]): void {
    for (let i = 0; i + 1 < written.length; i++) {
      const joined = joinWords(written[i]!, written[i + 1]!)
      if (joined === undefined) continue
      const termId = lexicon.find(written[i]!.language.text.toStem(joined))
      if (termId < 0 || postings.count(termId) === 0) continue
      for (const part of written.slice(i, i + 2)) {
        const place = words.findIndex(({ word }) => word === part.word)
        const word = words[place]
        if (word) words[place] = { ...word, compounds: [...(word.compounds ?? []), termId] }
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
      const parts = isKnown(word) ? [] : (CONVERSION.exec(word.word)?.slice(1) ?? [])
      if (parts.length === 0) this.#addOnce(word)
      else for (const part of parts) this.#addOnce(toWord(part))
    }

    #addOnce(word: QueryWord): void {
      if (this.#placeOf(word.term) < 0) this.words.push(word)
    }

    #placeOf(term: string): number {
      for (let i = 0; i < this.words.length; i++) if (this.words[i]!.term === term) return i
      return -1
    }
  }

  return {
    read(query, { before, after } = {}) {
      const { words, written } = collect(query, before, after)
      addCompounds(words, written)
      return words
    },
    toWord,
    isKnown,
  }

  function collect(query: string, before: string | undefined, after: string | undefined): Collector {
    const collector = new Collector()
    if (before) collector.written.push(toWord(before))
    analyzer.forEachWord(foldWidth(query), collector)
    if (after) collector.written.push(toWord(after))
    return collector
  }
}
