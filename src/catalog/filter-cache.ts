// Which entries pass the filters that are asked for again and again, a bit each. Sentences say "on Base", "verified" and "with
// a free tier" all day, and for every one of them thousands of entries are tested, here and there in memory: bits stay near.
import type { AppliedFilters } from '../domain/filters.ts'
import { resized } from '../memory/arena.ts'
import { bitOf, WORD_SHIFT } from '../memory/bits.ts'
import type { Accept } from '../search/search-index.ts'
import type { Columns } from './columns.ts'
import { markPassing, toAcceptor } from './filter-predicate.ts'

/** The one that was asked for longest ago goes first. */
const MAX_CACHED = 16
/** A filter is cached when it is asked for again before so many others are asked for. */
const MAX_CANDIDATES = 64
/** After so many changes none stays cached: they would all have to be looked at in one go when a filter is next asked for. */
const MAX_CHANGES = 4_096
const WORD = 1 << WORD_SHIFT
/** So many words of 32 entries are looked at for one asking: no more than a search looks at. */
const MAX_AT_ONCE = 1_024

const NOTHING_ASKED = '{}'

type CachedFilter = {
  passing: Int32Array<ArrayBuffer>
  /** So many words of them are known. */
  known: number
  /** So many of the changes are seen to. */
  seen: number
}

export class FilterCache {
  readonly #columns: Columns
  /** By the filter as text; what was asked for last stands last. */
  readonly #cached = new Map<string, CachedFilter>()
  readonly #askedOnce = new Set<string>()
  /** Slots that were written while some filter was cached. */
  #changed: number[] = []

  constructor(columns: Columns) {
    this.#columns = columns
  }

  get bytes(): number {
    let bytes = 0
    for (const { passing } of this.#cached.values()) bytes += passing.byteLength
    return bytes
  }

  /** As `toAcceptor`: a test for the filter, good until the catalog changes. */
  acceptor(filter: AppliedFilters): Accept | undefined {
    const text = JSON.stringify(filter)
    const cached = this.#cached.get(text)
    if (cached === undefined) {
      const test = toAcceptor(this.#columns, filter)
      if (test !== undefined && text !== NOTHING_ASKED && this.#isAskedAgain(text))
        this.#touch(text, { passing: new Int32Array(0), known: 0, seen: this.#changed.length })
      return test
    }
    this.#touch(text, cached)
    this.#extend(cached, filter)
    if (cached.known < this.#words) return toAcceptor(this.#columns, filter)
    this.#catchUp(cached, filter)
    return toAccept(cached)
  }

  /** Tells that what filters ask about has changed of a slot. */
  changed(slot: number): void {
    if (this.#cached.size === 0) return
    if (this.#changed.length < MAX_CHANGES) this.#changed.push(slot)
    else this.clear()
  }

  /** Forgets all. */
  clear(): void {
    this.#cached.clear()
    this.#changed = []
  }

  /** Words of bits that all slots take. */
  get #words(): number {
    return Math.ceil(this.#columns.capacity / WORD)
  }

  #isAskedAgain(text: string): boolean {
    if (this.#askedOnce.delete(text)) return true
    this.#askedOnce.add(text)
    if (this.#askedOnce.size > MAX_CANDIDATES) this.#askedOnce.delete(firstOf(this.#askedOnce))
    return false
  }

  #touch(text: string, cached: CachedFilter): void {
    this.#cached.delete(text)
    this.#cached.set(text, cached)
    if (this.#cached.size > MAX_CACHED) this.#cached.delete(firstOf(this.#cached))
  }

  /** Goes on where the last asking ended: nobody has to wait for all of a large catalog. */
  #extend(cached: CachedFilter, filter: AppliedFilters): void {
    const words = this.#words
    if (cached.known === words) return
    if (cached.passing.length < words) cached.passing = resized(cached.passing, words)
    const end = Math.min(words, cached.known + MAX_AT_ONCE)
    markPassing(this.#columns, filter, cached.passing, cached.known, end)
    cached.known = end
  }

  #catchUp(cached: CachedFilter, filter: AppliedFilters): void {
    if (cached.seen === this.#changed.length) return
    const { passing } = cached
    const test = toAcceptor(this.#columns, filter)
    for (; cached.seen < this.#changed.length; cached.seen++) {
      const slot = this.#changed[cached.seen]!
      if (test?.(slot)) passing[slot >> WORD_SHIFT]! |= bitOf(slot)
      else passing[slot >> WORD_SHIFT]! &= ~bitOf(slot)
    }
  }
}

const toAccept = ({ passing }: CachedFilter): Accept =>
  Object.assign((slot: number) => (passing[slot >> WORD_SHIFT]! & bitOf(slot)) !== 0, { passing })

const firstOf = (texts: Map<string, CachedFilter> | Set<string>): string => texts.keys().next().value!
