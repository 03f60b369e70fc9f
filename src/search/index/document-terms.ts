// Turns a document into terms with impacts. An impact is what the term contributes to a BM25F score, without the IDF, in
// eight bits. The average field lengths are constants, so an impact depends on its own document alone and not on what else
// was indexed, or when.
import { categoryKey } from '../../domain/listing/categories.ts'
import { grown } from '../../memory/growing.ts'
import { memoize } from '../../memory/memoize.ts'
import { WordTable } from '../../memory/string-table.ts'
import { type Analyzer, foldWidth } from '../text/analyzer.ts'
import type { Languages } from '../text/languages/languages.ts'
import type { Lexicon } from './lexicon.ts'

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
export type TermImpacts = { readonly terms: Uint32Array; readonly impacts: Uint8Array }

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
