// Limits on what is read from one source. Reaching a limit is reported as a failure of the source.
import type { SafeFetch } from '../probe/requests/safe-fetch.ts'
import type { Store } from '../store/store.ts'
import { SourceFailure } from './source-reader.ts'

/** 0: no limit. */
export type SyncBounds = {
  /** Bytes per sync. */
  readonly bytes: number
  /** Entries stored per source. */
  readonly entries: number
}

export class BoundReached extends SourceFailure {}

/** A fetch function for one sync, with a limit on the total size of responses. */
export function createBoundedFetch(
  safeFetch: SafeFetch,
  sourceUrl: string,
  { bytes }: SyncBounds,
): SafeFetch {
  let received = 0
  return async (url, request) => {
    const response = await safeFetch(url, request)
    if (response.ok) received += response.body.length
    if (bytes === 0 || received <= bytes) return response
    throw new BoundReached(`${sourceUrl} sends more than ${formatCount(bytes)} bytes (SYNC_MAX_BYTES).`)
  }
}

/** Repeated entries per sync: a feed has each entry once, and again only if it changes while the feed is read. */
const MAX_REPEATS = 5_000
/** Pages per sync: each costs a request, and for a feed a commit, however small it is. */
const MAX_PAGES = 5_000

/** Limits one sync of a feed: a source that repeats its entries could otherwise continue forever. */
export class FeedLimits {
  readonly #sourceUrl: string
  readonly #ids = new Set<number | bigint>()
  #repeats = 0
  #pages = 0

  constructor(sourceUrl: string) {
    this.#sourceUrl = sourceUrl
  }

  /** To be called before a page with these ids is written. @throws BoundReached */
  countPage(ids: readonly string[]): void {
    const before = this.#ids.size
    for (const id of ids) this.#ids.add(Bun.hash(id))
    this.#repeats += ids.length - (this.#ids.size - before)
    if (this.#repeats > MAX_REPEATS)
      throw new BoundReached(
        `${this.#sourceUrl} tells entries again more than ${formatCount(MAX_REPEATS)} times.`,
      )
    checkPages(++this.#pages, this.#sourceUrl)
  }
}

/** @throws BoundReached */
export function checkPages(count: number, sourceUrl: string): void {
  if (count > MAX_PAGES)
    throw new BoundReached(`${sourceUrl} sends more than ${formatCount(MAX_PAGES)} pages.`)
}

type CountParts = { readonly store: Pick<Store, 'countOfSource'>; readonly sourceUrl: string }

/** The number of entries of a source: counted once, then updated. */
export class EntryCount {
  readonly #parts: CountParts
  readonly #bounds: SyncBounds
  #count: number | undefined
  #isListed = false

  constructor(parts: CountParts, bounds: SyncBounds) {
    this.#parts = parts
    this.#bounds = bounds
  }

  /** While a source is read again from the start, entries that it no longer lists are still stored, so listed entries are counted instead. */
  restart(listed: number): void {
    this.#count = listed
    this.#isListed = true
  }

  /** To be called before `by` listed entries are written. @throws BoundReached */
  list(by: number): void {
    this.#count = (this.#count ?? 0) + by
    checkEntries(this.#count, this.#parts.sourceUrl, this.#bounds)
  }

  /** To be called before `by` entries are written. @throws BoundReached; the caller then writes none */
  async grow(by: number): Promise<void> {
    if (this.#isListed || this.#bounds.entries === 0 || (by <= 0 && this.#count === undefined)) return
    const { store, sourceUrl } = this.#parts
    this.#count = (this.#count ?? (await store.countOfSource(sourceUrl))) + by
    if (by > 0) checkEntries(this.#count, sourceUrl, this.#bounds)
  }
}

/** @throws BoundReached */
export function checkEntries(count: number, sourceUrl: string, { entries }: SyncBounds): void {
  if (entries === 0 || count <= entries) return
  throw new BoundReached(`${sourceUrl} lists more than ${formatCount(entries)} entries (SYNC_MAX_ENTRIES).`)
}

export const formatCount = (count: number): string => count.toLocaleString('en')
