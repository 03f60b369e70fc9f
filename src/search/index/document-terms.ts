// Turns a document into terms with impacts: BM25 over weighted fields. The average lengths are fixed, not those of the
// catalog, so that an impact depends on its own document alone and never on what else was indexed, or when.
import { categoryKey } from '../../domain/categories.ts'
import { grown } from '../../memory/growing.ts'
import { remember } from '../../memory/remember.ts'
import { type Analyzer, foldWidth, type WordVisitor } from '../text/analyzer.ts'
import type { Languages } from '../text/languages/languages.ts'
import { WordTable } from '../text/token-table.ts'
import type { Lexicon } from './lexicon.ts'

export type SearchDocument = {
  readonly name: string
  readonly description: string
  readonly category: string
  readonly endpoint: string
}

/** How soon a repeated word stops to add. */
const SATURATION = 1.2
/** How much longer fields are discounted, and against which length in words. */
type Field = { readonly weight: number; readonly discount: number; readonly averageLength: number }
const NAME: Field = { weight: 1.6, discount: 0.4, averageLength: 4 }
const DESCRIPTION: Field = { weight: 1, discount: 0.6, averageLength: 20 }
const CATEGORY: Field = { weight: 0.8, discount: 0, averageLength: 1 }
const HOST: Field = { weight: 0.5, discount: 0, averageLength: 1 }
/** A part of a compound says less than the word itself. */
const PART_WEIGHT = 0.5

export const MAX_IMPACT = 255
/** What each word of a field adds. */
const toShare = ({ weight, discount, averageLength }: Field, length: number): number =>
  weight / (1 - discount + (discount * length) / averageLength)
const toImpact = (frequency: number): number =>
  Math.max(1, Math.round((MAX_IMPACT * frequency) / (frequency + SATURATION)))

/** Host names in the spelling of the endpoint, so that one in another script is found by its words. */
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

/** The id and what the languages call it, none of them twice. */
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

/** What is known of a word once it has been seen: the numbers of its term and of the parts under which it is also found. */
type WordNumbers = { readonly term: number; readonly parts: readonly number[] }
const MAX_REMEMBERED = 50_000
/** The words of a field that were read once for all. */
type KeptField = { readonly numbers: Uint32Array; readonly weights: Float32Array; readonly length: number }
const MAX_CATEGORIES = 1_024

export class DocumentTerms {
  readonly #lexicon: Pick<Lexicon, 'add' | 'size'>
  readonly #analyzer: Analyzer
  readonly #plain = new WordTable()
  readonly #words = new Map<string, WordNumbers>()
  #frequencies = new Float32Array(1024)
  /** The distinct terms of the document read last; the first `count` count. */
  numbers = new Uint32Array(256)
  count = 0
  #field = new Uint32Array(256)
  #fieldWeights = new Float32Array(256)
  #fieldCount = 0
  #fieldLength = 0

  constructor(lexicon: Pick<Lexicon, 'add' | 'size'>, analyzer: Analyzer) {
    this.#lexicon = lexicon
    this.#analyzer = analyzer
  }

  get bytes(): number {
    return this.#plain.bytes + this.#words.size * 160
  }

  read(document: SearchDocument): void {
    for (let i = 0; i < this.count; i++) this.#frequencies[this.numbers[i]!] = 0
    this.count = 0
    this.#addField(document.name, NAME)
    this.#addField(document.description, DESCRIPTION)
    this.#addKept(this.#category(document.category), CATEGORY)
    // A host is looked for by its labels; its hyphens tie nothing together.
    this.#addField(hostOf(document.endpoint).replaceAll('-', ' '), HOST)
  }

  has(number: number): boolean {
    return number < this.#frequencies.length && this.#frequencies[number]! > 0
  }

  impact(number: number): number {
    return toImpact(this.#frequencies[number]!)
  }

  readonly #visitor: WordVisitor = {
    plain: (text, start, end) => {
      let term = this.#plain.find(text, start, end)
      if (term < 0) {
        term = this.#lexicon.add(this.#analyzer.toTerm(text.slice(start, end).toLowerCase()))
        this.#plain.add(text, start, end, term)
      }
      this.#fieldLength++
      this.#push(term, 1)
    },
    word: (word, kind) => {
      const { term, parts } = this.#numbersOf(word)
      if (kind !== 'joined') this.#fieldLength++
      this.#push(term, kind === 'joined' ? PART_WEIGHT : 1)
      for (let i = 0; i < parts.length; i++) this.#push(parts[i]!, PART_WEIGHT)
    },
  }

  #push(number: number, weight: number): void {
    if (this.#fieldCount === this.#field.length) {
      this.#field = grown(this.#field, this.#fieldCount + 1)
      this.#fieldWeights = grown(this.#fieldWeights, this.#fieldCount + 1)
    }
    this.#field[this.#fieldCount] = number
    this.#fieldWeights[this.#fieldCount++] = weight
  }

  readonly #category = remember(MAX_CATEGORIES, id => {
    this.#readField(toCategoryText(id, this.#analyzer.languages))
    const numbers = this.#field.slice(0, this.#fieldCount)
    return { numbers, weights: this.#fieldWeights.slice(0, this.#fieldCount), length: this.#fieldLength }
  })

  #readField(text: string): void {
    this.#fieldCount = 0
    this.#fieldLength = 0
    this.#analyzer.forEachWord(foldWidth(text), this.#visitor)
  }

  #addField(text: string, field: Field): void {
    this.#readField(text)
    this.#add(this.#field, this.#fieldWeights, this.#fieldCount, toShare(field, this.#fieldLength))
  }

  #addKept({ numbers, weights, length }: KeptField, field: Field): void {
    this.#add(numbers, weights, numbers.length, toShare(field, length))
  }

  #add(numbers: Uint32Array, weights: Float32Array, count: number, share: number): void {
    this.#frequencies = grown(this.#frequencies, this.#lexicon.size)
    for (let i = 0; i < count; i++) {
      const number = numbers[i]!
      if (this.#frequencies[number] === 0) {
        this.numbers = grown(this.numbers, this.count + 1)
        this.numbers[this.count++] = number
      }
      this.#frequencies[number]! += share * weights[i]!
    }
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
