// Census figures that no index provides: one byte per slot, and a counter for each of its values. Samples are counted apart.

import { languageOfText, TEXT_LANGUAGES, type TextLanguage } from '../../domain/languages/text-language.ts'
import type { Entry } from '../../domain/listing/service.ts'
import { FIRST_SLOTS, resized } from '../../memory/arena.ts'

const PRESENT = 1
const SAMPLE = 2
const ALIVE = 4
const LANGUAGE_SHIFT = 3
const VALUES = 256

export class Tallies {
  #marks = new Uint8Array(FIRST_SLOTS.columns)
  #counts = new Array<number>(VALUES).fill(0)

  get bytes(): number {
    return this.#marks.byteLength
  }

  write(slot: number, entry: Entry): void {
    if (slot >= this.#marks.length)
      this.#marks = resized(this.#marks, Math.max(slot + 1, 2 * this.#marks.length))
    this.#set(slot, toMark(entry))
  }

  release(slot: number): void {
    this.#set(slot, 0)
  }

  get samples(): number {
    return this.#sum(mark => (mark & SAMPLE) !== 0)
  }

  get alive(): number {
    return this.#sum(mark => (mark & (ALIVE | SAMPLE)) === ALIVE)
  }

  countOf(language: TextLanguage): number {
    const place = TEXT_LANGUAGES.indexOf(language)
    return this.#sum(mark => mark >> LANGUAGE_SHIFT === place && (mark & SAMPLE) === 0)
  }

  /** The slots of the samples; few, if any. */
  sampleSlots(): number[] {
    const slots: number[] = []
    const { samples } = this
    for (let slot = 0; slots.length < samples; slot++)
      if ((this.#marks[slot]! & SAMPLE) !== 0) slots.push(slot)
    return slots
  }

  #set(slot: number, mark: number): void {
    this.#counts[this.#marks[slot]!]!--
    this.#counts[mark]!++
    this.#marks[slot] = mark
  }

  #sum(counts: (mark: number) => boolean): number {
    let sum = 0
    for (let mark = 0; mark < VALUES; mark++)
      if ((mark & PRESENT) !== 0 && counts(mark)) sum += this.#counts[mark]!
    return sum
  }
}

/** An endpoint that has responded has a latency; one that did before latencies were stored has an uptime. */
const hasResponded = ({ latencyMs, standing }: Entry): boolean =>
  latencyMs !== undefined || standing.uptimeScore > 0

const toMark = (entry: Entry): number =>
  PRESENT |
  (entry.sample ? SAMPLE : 0) |
  (entry.standing.status !== 'inactive' && hasResponded(entry) ? ALIVE : 0) |
  (TEXT_LANGUAGES.indexOf(languageOfText(entry.description)) << LANGUAGE_SHIFT)
