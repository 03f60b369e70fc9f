// Character classes for the tokenizer, in a table that is filled on demand.
import type { Unspaced } from './languages/language.ts'
import type { Languages } from './languages/languages.ts'

export const SEPARATOR = 1
export const LOWER = 2
export const UPPER = 3
export const DIGIT = 4
/** Scripts without spaces whose language is unknown. */
const UNSPACED = 5
/** The characters of the first language with its own segmenter; further languages follow. */
const FIRST_OWN = 6

const LETTER = /[\p{L}\p{N}\p{M}]/u
const UNSPACED_SCRIPTS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const segmenter = new Intl.Segmenter('th', { granularity: 'word' })

/** Returns whether words of this class have spaces between them. */
export const isSpaced = (kind: number): boolean => kind === LOWER || kind === UPPER || kind === DIGIT

export class CharacterClasses {
  readonly #classes = new Uint8Array(0x10000)
  readonly #unspaced: readonly Unspaced[]

  constructor({ all }: Languages) {
    this.#unspaced = all.flatMap(({ text }) => text.unspaced ?? [])
  }

  at(text: string, at: number): number {
    const unit = text.charCodeAt(at)
    if (unit >= 0xd800 && unit < 0xe000) return this.#ofPair(text, at, unit)
    if (this.#classes[unit] === 0) this.#classes[unit] = this.#classify(String.fromCharCode(unit))
    return this.#classes[unit]!
  }

  /** Returns the words of a run of one class, which is neither spaced nor a separator. */
  segment(kind: number, run: string): readonly string[] {
    return kind === UNSPACED
      ? Array.from(segmenter.segment(run), ({ segment }) => segment)
      : this.#unspaced[kind - FIRST_OWN]!.segment(run)
  }

  #classify(character: string): number {
    const own = this.#unspaced.findIndex(({ isOwn }) => isOwn(character))
    if (own >= 0) return FIRST_OWN + own
    if (UNSPACED_SCRIPTS.test(character)) return UNSPACED
    if (/\p{Nd}/u.test(character)) return DIGIT
    if (/\p{Lu}/u.test(character)) return UPPER
    return LETTER.test(character) ? LOWER : SEPARATOR
  }

  #ofPair(text: string, at: number, unit: number): number {
    const pair = unit < 0xdc00 ? text.slice(at, at + 2) : text.slice(at - 1, at + 1)
    if (!pair.isWellFormed()) return SEPARATOR
    const own = this.#unspaced.findIndex(({ isOwn }) => isOwn(pair))
    if (own >= 0) return FIRST_OWN + own
    return LETTER.test(pair) ? LOWER : SEPARATOR
  }
}
