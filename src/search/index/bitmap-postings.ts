// Bitmap postings of a frequent term, next to its postings list: whole words of 32 slots are counted and skipped at once.

import { bitOf, countBits, lowestSlot, WORD_SHIFT } from '../../memory/bits.ts'
import { grown } from '../../memory/growing.ts'
import type { BitmapRows, RowReader } from './bitmap-rows.ts'
import { ChampionList } from './champion-list.ts'

/**
 * Impacts from here on are strong: the word is in the name, or several times in the description. The top entries of a
 * frequent term nearly always have a strong impact, and are found by bitmap operations alone.
 */
export const STRONG = 144
/** The highest impact that is not strong. */
export const WEAK = STRONG - 1

export class BitmapPostings implements RowReader {
  readonly rows: BitmapRows
  readonly bitsRow: number
  readonly strongRow: number
  bits: Int32Array<ArrayBuffer>
  /** The bits whose impact is strong. */
  strong: Int32Array<ArrayBuffer>
  /** The number of postings before each word, so that the posting of a slot is found without a search. */
  ranks: Int32Array<ArrayBuffer>
  /** The highest impact in each word (block-max). */
  blockMax: Uint8Array<ArrayBuffer>
  /** An upper bound of all impacts. */
  maxImpact = 0
  /** Words from here on are empty and have no valid rank. */
  #end = 0
  /** Built on first use. */
  #champions: ChampionList | undefined

  constructor(rows: BitmapRows, words: number) {
    rows.reserve(words)
    this.rows = rows
    this.bitsRow = rows.take()
    this.strongRow = rows.take()
    this.bits = rows.view(this.bitsRow)
    this.strong = rows.view(this.strongRow)
    this.ranks = new Int32Array(words)
    this.blockMax = new Uint8Array(words)
    rows.add(this)
  }

  /** Returns its rows to the pool. It must not be used afterwards. */
  close(): void {
    this.rows.delete(this)
    this.rows.give(this.bitsRow)
    this.rows.give(this.strongRow)
  }

  moved(): void {
    this.bits = this.rows.view(this.bitsRow)
    this.strong = this.rows.view(this.strongRow)
  }

  /** Without the rows. */
  get bytes(): number {
    return this.ranks.byteLength + this.blockMax.byteLength
  }

  has(slot: number): boolean {
    const word = slot >> WORD_SHIFT
    return word < this.#end && (this.bits[word]! & bitOf(slot)) !== 0
  }

  /** Returns the index of a slot in the sorted postings. The slot must be in the set. */
  rank(slot: number): number {
    const word = slot >> WORD_SHIFT
    return this.ranks[word]! + countBits(this.bits[word]! & (bitOf(slot) - 1))
  }

  /** Returns an upper bound of the impact of a slot, given its word and bit. The slot must be in the set. */
  maxAt(word: number, bit: number): number {
    const max = this.blockMax[word]!
    return max < STRONG || (this.strong[word]! & bit) !== 0 ? max : WEAK
  }

  add(slot: number, impact: number, count: number): void {
    const word = slot >> WORD_SHIFT
    if (word >= this.blockMax.length || word >= this.bits.length) this.reserve(word + 1)
    for (let at = this.#end; at <= word; at++) this.ranks[at] = count
    if (word >= this.#end) this.#end = word + 1
    for (let at = word + 1; at < this.#end; at++) this.ranks[at]!++
    this.bits[word]! |= bitOf(slot)
    if (impact >= STRONG) this.strong[word]! |= bitOf(slot)
    if (impact > this.blockMax[word]!) this.blockMax[word] = impact
    if (impact > this.maxImpact) this.maxImpact = impact
    this.#champions?.add(slot, impact)
  }

  /** Returns the postings with the highest impacts. The postings list starts at `start` and has `count` entries. */
  champions(slots: Uint32Array, impacts: Uint8Array, start: number, count: number): ChampionList {
    if (this.#champions === undefined || this.#champions.isWorn)
      this.#champions = new ChampionList(slots, impacts, start, count)
    return this.#champions
  }

  /** `impacts` are those of the postings list after the removal, which starts at `start`. */
  remove(slot: number, impacts: Uint8Array, start: number): void {
    const word = slot >> WORD_SHIFT
    this.bits[word]! &= ~bitOf(slot)
    for (let at = word + 1; at < this.#end; at++) this.ranks[at]!--
    this.#champions?.remove(slot)
    this.#refresh(word, impacts, start)
  }

  /** Called after an impact in the word has changed. */
  refreshBlock(word: number, impacts: Uint8Array, start: number): void {
    this.#champions = undefined
    this.#refresh(word, impacts, start)
  }

  #refresh(word: number, impacts: Uint8Array, start: number): void {
    let top = 0
    let strong = 0
    for (let left = this.bits[word]!; left !== 0; left &= left - 1) {
      const impact = impacts[start + this.rank(lowestSlot(left, word))]!
      if (impact >= STRONG) strong |= left & -left
      top = Math.max(top, impact)
    }
    this.blockMax[word] = top
    this.strong[word] = strong
    if (top > this.maxImpact) this.maxImpact = top
  }

  reserve(words: number): void {
    this.rows.reserve(words)
    this.ranks = grown(this.ranks, words)
    this.blockMax = grown(this.blockMax, words)
  }
}
