// Reads texts into rows of the embedding, as toEmbeddingRows does, and remembers the rows of every word: a catalog says
// the same words over and over.

import { grown } from '../../memory/growing.ts'
import { WordTable } from '../text/token-table.ts'
import { MAX_NUMBER_LENGTH, MAX_TOKENS, toRunRows, toRuns } from './tokens.ts'
import type { EmbeddingVocabulary } from './vocabulary.ts'

const MAX_REMEMBERED = 65_536

const isUpper = (unit: number): boolean => unit >= 0x41 && unit <= 0x5a
const isLower = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39
/** Within ASCII, whatever is neither letter nor digit ends a word, and no character beyond ASCII changes that. */
const isSeparator = (unit: number): boolean =>
  unit < 0x80 && !isLower(unit) && !isUpper(unit) && !isDigit(unit)

export class EmbeddingReader {
  readonly #vocabulary: EmbeddingVocabulary
  /** Words of ASCII letters and digits without a capital inside, whatever their case, by the number of their list. */
  #plain = new WordTable()
  #runs = new Map<string, number>()
  #lists = 0
  #starts = new Uint32Array(1024)
  #flat = new Uint32Array(8192)
  /** In which reading a row was met last, so that each counts once. */
  readonly #seen: Uint32Array
  #reading = 0
  /** The rows of the text read last, in order of first appearance; the first `count` count. */
  readonly rows = new Uint32Array(MAX_TOKENS)
  count = 0

  constructor(vocabulary: EmbeddingVocabulary, rows: number) {
    this.#vocabulary = vocabulary
    this.#seen = new Uint32Array(rows)
  }

  get bytes(): number {
    return (
      this.#plain.bytes +
      this.#runs.size * 96 +
      this.#starts.byteLength +
      this.#flat.byteLength +
      this.#seen.byteLength
    )
  }

  read(text: string): void {
    this.count = 0
    if (++this.#reading === 2 ** 32) {
      this.#seen.fill(0)
      this.#reading = 1
    }
    if (this.#lists >= MAX_REMEMBERED) this.#forget()
    for (let at = 0; at < text.length && this.count < MAX_TOKENS; at++) {
      if (!isSeparator(text.charCodeAt(at))) at = this.#readStretch(text, at)
    }
  }

  /** Reads what stands between two separators; answers where it ends. */
  #readStretch(text: string, start: number): number {
    let at = start
    let capitals = 0
    let digits = 0
    let plain = true
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (isLower(unit)) {
        if (capitals > 1 && capitals === at - start) plain = false
      } else if (isUpper(unit)) {
        if (at > start && capitals !== at - start) plain = false
        capitals++
      } else if (isDigit(unit)) digits++
      else if (unit > 0x7f) plain = false
      else break
    }
    // Long numbers have no row, and a catalog holds no end of them.
    if (digits === at - start && digits > MAX_NUMBER_LENGTH) return at
    if (plain) this.#add(this.#listOfPlain(text, start, at))
    else for (const run of toRuns(text.slice(start, at))) this.#add(this.#listOf(run))
    return at
  }

  #listOfPlain(text: string, start: number, end: number): number {
    let list = this.#plain.find(text, start, end)
    if (list < 0) {
      list = this.#listOf(text.slice(start, end).toLowerCase())
      this.#plain.add(text, start, end, list)
    }
    return list
  }

  #listOf(run: string): number {
    let list = this.#runs.get(run)
    if (list === undefined) {
      list = this.#lists++
      const rows = toRunRows(run, this.#vocabulary)
      const start = this.#starts[list]!
      this.#starts = grown(this.#starts, list + 2)
      this.#flat = grown(this.#flat, start + rows.length)
      this.#flat.set(rows, start)
      this.#starts[list + 1] = start + rows.length
      this.#runs.set(run, list)
    }
    return list
  }

  #add(list: number): void {
    const end = this.#starts[list + 1]!
    for (let at = this.#starts[list]!; at < end && this.count < MAX_TOKENS; at++) {
      const row = this.#flat[at]!
      if (this.#seen[row] === this.#reading) continue
      this.#seen[row] = this.#reading
      this.rows[this.count++] = row
    }
  }

  #forget(): void {
    this.#plain = new WordTable()
    this.#runs = new Map()
    this.#lists = 0
  }
}
