// Caches which entries pass frequent filters, as a bitmap. Queries often say "on Base", "verified" or "with a free tier", and each
// tests thousands of scattered entries: a bitmap stays in the processor's cache.
import type { AppliedFilters } from '../../domain/queries/filters.ts'
import { resized } from '../../memory/arena.ts'
import { bitOf, WORD_SHIFT } from '../../memory/bits.ts'
import type { Accept } from '../../search/search-index.ts'
import type { Columns } from '../columns/columns.ts'
import { markPassing, toAcceptor } from './filter-predicate.ts'

/** A test that knows the passing slots as a bitmap, if it is cached. */
type CachedAccept = Accept & { readonly passing?: Int32Array }

/** Maximum number of cached filters; the least recently used is evicted. */
const MAX_CACHED = 16
/** A filter is cached if it is used again before this many others. */
const MAX_CANDIDATES = 64
/** After this many changes the cache is cleared: the next use of a filter would have to test all of them at once. */
const MAX_CHANGES = 4_096
const WORD = 1 << WORD_SHIFT
/** Words of 32 entries computed per use of a filter: no more than a search tests. */
const MAX_AT_ONCE = 1_024

const NO_FILTER = '{}'

type CachedFilter = {
  passing: Int32Array<ArrayBuffer>
  /** Number of computed words. */
  words: number
  /** Number of changes already applied. */
  applied: number
}

export class FilterCache {
  readonly #columns: Columns
  /** By the filter as text, in LRU order: the most recently used is last. */
  readonly #cached = new Map<string, CachedFilter>()
  readonly #usedOnce = new Set<string>()
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

  /** Like `toAcceptor`: a test for the filter, valid until the catalog changes. */
  acceptor(filter: AppliedFilters): CachedAccept | undefined {
    const text = JSON.stringify(filter)
    const cached = this.#cached.get(text)
    if (cached === undefined) {
      const test = toAcceptor(this.#columns, filter)
      if (test !== undefined && text !== NO_FILTER && this.#isUsedAgain(text))
        this.#touch(text, { passing: new Int32Array(0), words: 0, applied: this.#changed.length })
      return test
    }
    this.#touch(text, cached)
    this.#extend(cached, filter)
    if (cached.words < this.#wordCount) return toAcceptor(this.#columns, filter)
    this.#catchUp(cached, filter)
    return toAccept(cached)
  }

  /** To be called when filterable values of a slot have changed. */
  changed(slot: number): void {
    if (this.#cached.size === 0) return
    if (this.#changed.length < MAX_CHANGES) this.#changed.push(slot)
    else this.clear()
  }

  /** Clears the cache. */
  clear(): void {
    this.#cached.clear()
    this.#changed = []
  }

  /** Length of a bitmap of all slots, in words. */
  get #wordCount(): number {
    return Math.ceil(this.#columns.capacity / WORD)
  }

  #isUsedAgain(text: string): boolean {
    if (this.#usedOnce.delete(text)) return true
    this.#usedOnce.add(text)
    if (this.#usedOnce.size > MAX_CANDIDATES) this.#usedOnce.delete(firstOf(this.#usedOnce))
    return false
  }

  #touch(text: string, cached: CachedFilter): void {
    this.#cached.delete(text)
    this.#cached.set(text, cached)
    if (this.#cached.size > MAX_CACHED) this.#cached.delete(firstOf(this.#cached))
  }

  /** Computes the next part of the bitmap: no single search has to test all of a large catalog. */
  #extend(cached: CachedFilter, filter: AppliedFilters): void {
    const total = this.#wordCount
    if (cached.words === total) return
    if (cached.passing.length < total) cached.passing = resized(cached.passing, total)
    const end = Math.min(total, cached.words + MAX_AT_ONCE)
    markPassing(this.#columns, filter, cached.passing, cached.words, end)
    cached.words = end
  }

  #catchUp(cached: CachedFilter, filter: AppliedFilters): void {
    if (cached.applied === this.#changed.length) return
    const { passing } = cached
    const test = toAcceptor(this.#columns, filter)
    for (; cached.applied < this.#changed.length; cached.applied++) {
      const slot = this.#changed[cached.applied]!
      if (test?.(slot)) passing[slot >> WORD_SHIFT]! |= bitOf(slot)
      else passing[slot >> WORD_SHIFT]! &= ~bitOf(slot)
    }
  }
}

const toAccept = ({ passing }: CachedFilter): CachedAccept =>
  Object.assign((slot: number) => (passing[slot >> WORD_SHIFT]! & bitOf(slot)) !== 0, { passing })

const firstOf = (texts: Map<string, CachedFilter> | Set<string>): string => texts.keys().next().value!
