// The words of entries: the dictionary of terms, the postings of each term, and how a document becomes terms.

import { categoryKey } from '../../domain/listing/categories.ts'
import { grown } from '../../memory/growing.ts'
import { addUnit, ChainedHash, FNV_START, mixed } from '../../memory/hash-table.ts'
import { memoize } from '../../memory/memoize.ts'
import { TermTexts, WordTable } from '../../memory/string-table.ts'
import { type Analyzer, foldWidth } from '../text/analyzer.ts'
import type { Languages } from '../text/languages/languages.ts'

// The dictionary: every term that was ever indexed, with its id. Also finds terms near an unknown word: by prefix and by one typo.

const MIN_LENGTH = 4
const MAX_LENGTH = 24

/** Changing one character of a number or of a word in Chinese characters gives a different word, not a typo. */
const canHaveTypo = (word: string): boolean =>
  word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && !/[\d\p{Script=Han}]/u.test(word)

function hashWithout(word: string, left: number): number {
  let hash = FNV_START
  for (let i = 0; i < word.length; i++) if (i !== left) hash = addUnit(hash, word.charCodeAt(i))
  return mixed(hash)
}

/** Returns the hashes of a word and of its deletions; none for a word that is not corrected. */
function deletionHashes(word: string): number[] {
  if (!canHaveTypo(word)) return []
  const hashes = [hashWithout(word, -1)]
  for (let left = 0; left < word.length; left++)
    if (word[left] !== word[left + 1]) hashes.push(hashWithout(word, left))
  return hashes
}

/** Finds terms by the hashes of lookup keys. Several terms may share a hash, and a term may have several. */
class HashedTerms {
  #hashes = new Uint32Array(1024)
  #termIds = new Int32Array(1024)
  #size = 0
  readonly #lists = new ChainedHash(at => this.#hashes[at]!)

  get bytes(): number {
    return this.#hashes.byteLength + this.#termIds.byteLength + this.#lists.bytes
  }

  add(hash: number, termId: number): void {
    this.#hashes = grown(this.#hashes, this.#size + 1)
    this.#termIds = grown(this.#termIds, this.#size + 1)
    this.#hashes[this.#size] = hash
    this.#termIds[this.#size] = termId
    this.#lists.add(this.#size++)
  }

  /** Returns the ids of the terms with one of these hashes that pass a test, which compares the keys, in no order. */
  find(hashes: readonly number[], passes: (termId: number) => boolean): number[] {
    const found = new Set<number>()
    for (const hash of hashes)
      for (let at = this.#lists.first(hash); at >= 0; at = this.#lists.next(at)) {
        if (this.#hashes[at] !== hash) continue
        const termId = this.#termIds[at]!
        if (!found.has(termId) && passes(termId)) found.add(termId)
      }
    return [...found]
  }
}

export interface Lexicon {
  readonly size: number
  readonly bytes: number
  /** Returns the id of a term, assigning one to a new term. */
  add(term: string): number
  /** Returns the id of a term, or -1. */
  find(term: string): number
  termAt(termId: number): string
  /** Returns whether one term sorts before another. */
  isBefore(a: number, b: number): boolean
  /** Returns the ids of the terms that begin with `prefix`, in no order. */
  startingWith(prefix: string): number[]
  /**
   * Returns the ids of the terms at edit distance one from `word` (insertion, deletion, substitution or transposition), in
   * no order.
   */
  oneTypoFrom(word: string): number[]
}

/** Terms are chained by their first one, two and three UTF-16 units. */
const PREFIX_LENGTHS = [1, 2, 3] as const
/** A single Latin letter is a prefix of too many terms to be worth a chain. */
const FIRST_WIDE = 0x80

function prefixKey(term: string, length: number): number {
  let key = length
  for (let i = 0; i < length; i++) key = key * 0x10000 + term.charCodeAt(i)
  return key
}

export function createLexicon(): Lexicon {
  const texts = new TermTexts()
  const heads = new Map<number, number>()
  const nexts = PREFIX_LENGTHS.map(() => new Int32Array(1024))
  const byDeletion = new HashedTerms()

  function chain(term: string, termId: number): void {
    for (let row = 0; row < PREFIX_LENGTHS.length; row++) {
      const length = PREFIX_LENGTHS[row]!
      if (term.length < length || (length === 1 && term.charCodeAt(0) < FIRST_WIDE)) continue
      const key = prefixKey(term, length)
      const next = grown(nexts[row]!, termId + 1)
      nexts[row] = next
      next[termId] = heads.get(key) ?? -1
      heads.set(key, termId)
    }
  }

  return {
    get size() {
      return texts.size
    },
    get bytes() {
      return (
        texts.bytes +
        heads.size * 32 +
        nexts.reduce((sum, next) => sum + next.byteLength, 0) +
        byDeletion.bytes
      )
    },
    add(term) {
      const size = texts.size
      const termId = texts.add(term)
      if (termId < size) return termId
      chain(term, termId)
      for (const hash of deletionHashes(term)) byDeletion.add(hash, termId)
      return termId
    },
    find: term => texts.find(term),
    termAt: termId => texts.at(termId),
    isBefore: (a, b) => texts.isBefore(a, b),
    startingWith(prefix) {
      const length = Math.min(prefix.length, PREFIX_LENGTHS.length)
      if (length === 0) return []
      const next = nexts[length - 1]!
      const found: number[] = []
      for (let at = heads.get(prefixKey(prefix, length)) ?? -1; at >= 0; at = next[at]!) {
        // All terms of a chain begin with its one to three units.
        if (prefix.length === length || texts.startsWith(at, prefix)) found.push(at)
      }
      return found
    },
    oneTypoFrom: word => byDeletion.find(deletionHashes(word), termId => isOneEdit(texts.at(termId), word)),
  }
}

/** One letter inserted, deleted or replaced, or two neighbours swapped. */
export function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  if (a.length > b.length) return a.slice(at + 1) === b.slice(at)
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1)
  if (a.slice(at + 1) === b.slice(at + 1)) return true
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}

// The inverted index: for each term its postings, slots in ascending order with an 8-bit impact each (the term's part of a
// BM25 score). All lists are in two flat arrays and are updated in place: a new entry is appended, a reused slot shifts the
// rest of its lists by one.

/** The size class of a list without memory. */
const NO_MEMORY = 0xff

/** 1, 2, 3, 4, 6, 8, 12, 16 …: a list is at least two thirds full when it moves to the next class. */
const SIZES = [1, ...Array.from({ length: 30 }, (_, i) => [2 ** (i + 1), 3 * 2 ** i]).flat()]

/** The postings of one term: `count` entries of the arrays, starting at `start`. */
export type PostingsList = {
  readonly slots: Uint32Array
  readonly impacts: Uint8Array
  readonly start: number
  readonly count: number
}

/** Returns the index of a slot's posting in the arrays, or -1. */
export function findPosting({ slots, start, count }: PostingsList, slot: number): number {
  let low = start
  let high = start + count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (slots[middle]! < slot) low = middle + 1
    else high = middle
  }
  return low < start + count && slots[low] === slot ? low : -1
}

export class Postings {
  slots = new Uint32Array(1024)
  impacts = new Uint8Array(1024)
  #starts = new Uint32Array(64)
  #counts = new Uint32Array(64)
  /** Each list has a capacity of SIZES[sizeClass]. */
  #sizeClasses = new Uint8Array(64).fill(NO_MEMORY)
  #free: number[][] = SIZES.map(() => [])
  #used = 0
  /** The highest slot seen, plus one. */
  reach = 0

  get bytes(): number {
    const { byteLength } = this.slots
    return byteLength + this.impacts.byteLength + 9 * this.#counts.length
  }

  count(term: number): number {
    return term < this.#counts.length ? this.#counts[term]! : 0
  }

  start(term: number): number {
    return this.#starts[term]!
  }

  /** Adds a posting, or changes its impact. */
  put(term: number, slot: number, impact: number): void {
    if (term >= this.#counts.length) this.#reserveTerms(term + 1)
    if (slot >= this.reach) this.reach = slot + 1
    const count = this.#counts[term]!
    let at = this.#place(term, slot)
    if (count > 0 && at < this.#starts[term]! + count && this.slots[at] === slot) {
      this.impacts[at] = impact
      return
    }
    if (!this.#fits(term, count + 1)) at += this.#enlarge(term, count + 1)
    const end = this.#starts[term]! + count
    if (at < end) {
      this.slots.copyWithin(at + 1, at, end)
      this.impacts.copyWithin(at + 1, at, end)
    }
    this.slots[at] = slot
    this.impacts[at] = impact
    this.#counts[term] = count + 1
  }

  remove(term: number, slot: number): void {
    const at = this.#place(term, slot)
    const end = this.#starts[term]! + this.count(term)
    if (at >= end || this.slots[at] !== slot) return
    this.slots.copyWithin(at, at + 1, end)
    this.impacts.copyWithin(at, at + 1, end)
    this.#counts[term]!--
  }

  /** Returns the index of the first slot in the list that is not below `slot`. */
  #place(term: number, slot: number): number {
    let low = this.#starts[term]!
    let high = low + this.#counts[term]!
    if (high > low && this.slots[high - 1]! < slot) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.slots[middle]! < slot) low = middle + 1
      else high = middle
    }
    return low
  }

  #fits(term: number, places: number): boolean {
    const sizeClass = this.#sizeClasses[term]!
    return sizeClass !== NO_MEMORY && places <= SIZES[sizeClass]!
  }

  /** Moves a list to the next size class that is large enough. Returns the offset it has moved by. */
  #enlarge(term: number, places: number): number {
    const old = this.#sizeClasses[term]!
    let sizeClass = old === NO_MEMORY ? 0 : old + 1
    while (SIZES[sizeClass]! < places) sizeClass++
    const from = this.#starts[term]!
    const count = this.#counts[term]!
    const to = this.#free[sizeClass]!.pop() ?? this.#append(SIZES[sizeClass]!)
    this.slots.copyWithin(to, from, from + count)
    this.impacts.copyWithin(to, from, from + count)
    if (old !== NO_MEMORY) this.#free[old]!.push(from)
    this.#starts[term] = to
    this.#sizeClasses[term] = sizeClass
    return to - from
  }

  #append(places: number): number {
    const at = this.#used
    this.#used += places
    this.slots = grown(this.slots, this.#used)
    this.impacts = grown(this.impacts, this.#used)
    return at
  }

  #reserveTerms(size: number): void {
    const known = this.#sizeClasses.length
    this.#starts = grown(this.#starts, size)
    this.#counts = grown(this.#counts, size)
    this.#sizeClasses = grown(this.#sizeClasses, size)
    this.#sizeClasses.fill(NO_MEMORY, known)
  }
}

// Turns a document into terms with impacts. An impact is what the term contributes to a BM25F score, without the IDF, in
// eight bits. The average field lengths are constants, so an impact depends on its own document alone and not on what else
// was indexed, or when.

export type SearchDocument = {
  readonly name: string
  readonly description: string
  readonly category: string
  readonly endpoint: string
}

/** Term frequency saturation: k1 of BM25. */
const SATURATION = 1.2
/** Term frequencies above this count as this many, so repeating a word further has no effect. */
const MAX_OCCURRENCES = 2
/** Length normalisation per field (b of BM25), and the average length in words. */
type Field = { readonly weight: number; readonly discount: number; readonly averageLength: number }
const NAME: Field = { weight: 1.6, discount: 0.4, averageLength: 4 }
const DESCRIPTION: Field = { weight: 1, discount: 0.6, averageLength: 20 }
const CATEGORY: Field = { weight: 0.8, discount: 0, averageLength: 1 }
const HOST: Field = { weight: 0.5, discount: 0, averageLength: 1 }
/** The weight of a compound's part relative to the word itself. */
const PART_WEIGHT = 0.5

export const MAX_IMPACT = 255
/**
 * The weight of each occurrence in a field. A field shorter than a third of the average counts as that long, so a very
 * short text gains nothing.
 */
const toShare = ({ weight, discount, averageLength }: Field, length: number): number =>
  weight / (1 - discount + (discount * Math.max(length, averageLength / 3)) / averageLength)
const toImpact = (frequency: number): number =>
  Math.max(1, Math.round((MAX_IMPACT * frequency) / (frequency + SATURATION)))

/** Host names as they are spelt in the endpoint, so that a name in another script is found by its words. */
function hostOf(endpoint: string): string {
  const scheme = endpoint.indexOf('://')
  if (scheme < 0) return ''
  const start = scheme + 3
  let end = start
  while (end < endpoint.length && !isAfterHost(endpoint.charCodeAt(end))) end++
  return endpoint.slice(start, end)
}
/** A slash, a question mark, a number sign. */
const isAfterHost = (unit: number): boolean => unit === 0x2f || unit === 0x3f || unit === 0x23

/** The category id and its labels in all languages, without duplicates. */
function toCategoryText(id: string, { all }: Languages): string {
  const said = new Set([categoryKey(id).replaceAll('-', ' ')])
  let text = id
  for (const { categoryLabel } of all) {
    const label = categoryLabel(id)
    if (!said.has(categoryKey(label))) text += ` ${label}`
    said.add(categoryKey(label))
  }
  return text
}

/** The distinct terms of a document and their impacts. */
type TermImpacts = { readonly terms: Uint32Array; readonly impacts: Uint8Array }

/** The ids of a word's term and of the parts that it is also indexed by. */
type WordNumbers = { readonly term: number; readonly parts: readonly number[] }
const MAX_REMEMBERED = 50_000
/** The terms of a field with repetitions, the weight of each occurrence, and the length of the field in words. */
type FieldTerms = {
  readonly terms: readonly number[]
  readonly weights: readonly number[]
  readonly length: number
}
const MAX_CATEGORIES = 10_000

export class DocumentTerms {
  readonly #lexicon: Pick<Lexicon, 'add' | 'size'>
  readonly #analyzer: Analyzer
  /** Caches the terms of plain words, so that no string is made for each occurrence. */
  readonly #plain = new WordTable()
  readonly #words = new Map<string, WordNumbers>()
  /** Indexed by term id. All zero between two documents. */
  #frequencies = new Float32Array(1024)
  /** The same for the current field: the term frequencies. */
  #occurrences = new Float32Array(1024)

  constructor(lexicon: Pick<Lexicon, 'add' | 'size'>, analyzer: Analyzer) {
    this.#lexicon = lexicon
    this.#analyzer = analyzer
  }

  get bytes(): number {
    return 2 * this.#frequencies.byteLength + this.#plain.bytes + this.#words.size * 160
  }

  read({ name, description, category, endpoint }: SearchDocument): TermImpacts {
    const found: number[] = []
    this.#add(this.#readField(name), NAME, found)
    this.#add(this.#readField(description), DESCRIPTION, found)
    this.#add(this.#category(category), CATEGORY, found)
    // A host name is indexed by its labels: hyphens do not join words in it.
    this.#add(this.#readField(hostOf(endpoint).replaceAll('-', ' ')), HOST, found)
    const terms = new Uint32Array(found)
    const impacts = new Uint8Array(found.length)
    for (let i = 0; i < found.length; i++) {
      impacts[i] = toImpact(this.#frequencies[found[i]!]!)
      this.#frequencies[found[i]!] = 0
    }
    return { terms, impacts }
  }

  readonly #category = memoize(MAX_CATEGORIES, id =>
    this.#readField(toCategoryText(id, this.#analyzer.languages)),
  )

  #readField(text: string): FieldTerms {
    const terms: number[] = []
    const weights: number[] = []
    let length = 0
    this.#analyzer.forEachWord(foldWidth(text), {
      plain: (text, start, end) => {
        length++
        terms.push(this.#plainTerm(text, start, end))
        weights.push(1)
      },
      word: (word, kind) => {
        const { term, parts } = this.#numbersOf(word)
        if (kind !== 'joined') length++
        terms.push(term)
        weights.push(kind === 'joined' ? PART_WEIGHT : 1)
        for (let i = 0; i < parts.length; i++) {
          terms.push(parts[i]!)
          weights.push(PART_WEIGHT)
        }
      },
    })
    return { terms, weights, length }
  }

  #add({ terms, weights, length }: FieldTerms, field: Field, found: number[]): void {
    this.#frequencies = grown(this.#frequencies, this.#lexicon.size)
    this.#occurrences = grown(this.#occurrences, this.#lexicon.size)
    const share = toShare(field, length)
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i]!
      const before = this.#occurrences[term]!
      const counted = Math.min(weights[i]!, MAX_OCCURRENCES - before)
      if (counted === 0) continue
      if (this.#frequencies[term] === 0) found.push(term)
      this.#occurrences[term] = before + counted
      this.#frequencies[term]! += share * counted
    }
    for (let i = 0; i < terms.length; i++) this.#occurrences[terms[i]!] = 0
  }

  #plainTerm(text: string, start: number, end: number): number {
    let term = this.#plain.find(text, start, end)
    if (term < 0) {
      term = this.#lexicon.add(this.#analyzer.toTerm(text.slice(start, end).toLowerCase()))
      this.#plain.add(text, start, end, term)
    }
    return term
  }

  #numbersOf(word: string): WordNumbers {
    const known = this.#words.get(word)
    if (known !== undefined) return known
    if (this.#words.size >= MAX_REMEMBERED) this.#words.clear()
    const term = this.#analyzer.toTerm(word)
    const numbers = {
      term: this.#lexicon.add(term),
      parts: this.#analyzer.toParts(term).map(part => this.#lexicon.add(part)),
    }
    this.#words.set(word, numbers)
    return numbers
  }
}
