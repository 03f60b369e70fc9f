// Which entries pass the filters that are asked for again and again, a bit each. Sentences say "on Base", "verified" and "with
// a free tier" all day, and for every one of them thousands of entries are tested, here and there in memory: bits stay near.
import type { AppliedFilters } from '../domain/filters.ts'
import { grown } from '../memory/arena.ts'
import { bitOf, WORD_SHIFT } from '../memory/bits.ts'
import type { Accept } from '../search/search-index.ts'
import type { Columns } from './columns.ts'
import { markPassing, toAcceptor } from './filter-test.ts'

/** The one that was asked for longest ago goes first. */
const MAX_KEPT = 16
/** Kept is what is asked for again before so many others are asked for. */
const MAX_REMEMBERED = 64
/** After so many changes none is kept: they would all have to be looked at in one go when a filter is next asked for. */
const MAX_CHANGES = 4_096
const WORD = 1 << WORD_SHIFT
/** So many words of 32 entries are looked at for one asking: no more than a search looks at. */
const MAX_AT_ONCE = 1_024

const NOTHING_ASKED = '{}'

type Kept = {
  passing: Int32Array<ArrayBuffer>
  /** So many words of them are known. */
  known: number
  /** So many of the changes are seen to. */
  seen: number
}

export class KeptFilters {
  readonly #columns: Columns
  /** By the filter as text; what was asked for last stands last. */
  readonly #kept = new Map<string, Kept>()
  readonly #askedOnce = new Set<string>()
  /** Slots that were written while some filter was kept. */
  #changed: number[] = []

  constructor(columns: Columns) {
    this.#columns = columns
  }

  get bytes(): number {
    let bytes = 0
    for (const { passing } of this.#kept.values()) bytes += passing.byteLength
    return bytes
  }

  /** As `toAcceptor`: a test for the filter, good until the catalog changes. */
  acceptor(filter: AppliedFilters): Accept | undefined {
    const text = JSON.stringify(filter)
    const kept = this.#kept.get(text)
    if (kept === undefined) {
      const test = toAcceptor(this.#columns, filter)
      if (test !== undefined && text !== NOTHING_ASKED && this.#isAskedAgain(text))
        this.#keep(text, { passing: new Int32Array(0), known: 0, seen: this.#changed.length })
      return test
    }
    this.#keep(text, kept)
    this.#gather(kept, filter)
    if (kept.known < this.#words) return toAcceptor(this.#columns, filter)
    this.#catchUp(kept, filter)
    return toAccept(kept)
  }

  /** Tells that what filters ask about has changed of a slot. */
  changed(slot: number): void {
    if (this.#kept.size === 0) return
    if (this.#changed.length < MAX_CHANGES) this.#changed.push(slot)
    else this.clear()
  }

  /** Keeps none any more. */
  clear(): void {
    this.#kept.clear()
    this.#changed = []
  }

  /** Words of bits that all slots take. */
  get #words(): number {
    return Math.ceil(this.#columns.capacity / WORD)
  }

  #isAskedAgain(text: string): boolean {
    if (this.#askedOnce.delete(text)) return true
    this.#askedOnce.add(text)
    if (this.#askedOnce.size > MAX_REMEMBERED) this.#askedOnce.delete(firstOf(this.#askedOnce))
    return false
  }

  #keep(text: string, kept: Kept): void {
    this.#kept.delete(text)
    this.#kept.set(text, kept)
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(firstOf(this.#kept))
  }

  /** Goes on where the last asking ended: nobody has to wait for all of a large catalog. */
  #gather(kept: Kept, filter: AppliedFilters): void {
    const words = this.#words
    if (kept.known === words) return
    if (kept.passing.length < words) kept.passing = grown(kept.passing, words)
    const end = Math.min(words, kept.known + MAX_AT_ONCE)
    markPassing(this.#columns, filter, kept.passing, kept.known, end)
    kept.known = end
  }

  #catchUp(kept: Kept, filter: AppliedFilters): void {
    if (kept.seen === this.#changed.length) return
    const { passing } = kept
    const test = toAcceptor(this.#columns, filter)
    for (; kept.seen < this.#changed.length; kept.seen++) {
      const slot = this.#changed[kept.seen]!
      if (test?.(slot)) passing[slot >> WORD_SHIFT]! |= bitOf(slot)
      else passing[slot >> WORD_SHIFT]! &= ~bitOf(slot)
    }
  }
}

const toAccept = ({ passing }: Kept): Accept =>
  Object.assign((slot: number) => (passing[slot >> WORD_SHIFT]! & bitOf(slot)) !== 0, { passing })

const firstOf = (texts: Map<string, Kept> | Set<string>): string => texts.keys().next().value!
