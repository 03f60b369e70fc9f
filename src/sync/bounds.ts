// What is read of one source has an end: whoever sends more is told so, and nothing goes unsaid.
import type { SafeFetch } from '../probe/safe-fetch.ts'
import type { Store } from '../store/store.ts'
import { SourceFailure } from './ask-source.ts'

/** 0: no limit. */
export type SyncBounds = {
  /** What one reading may take in. */
  readonly bytes: number
  /** How many entries a source may have here. */
  readonly entries: number
}

export class BoundReached extends SourceFailure {}

/** The way out for one reading. */
export function createBoundedFetch(
  safeFetch: SafeFetch,
  sourceUrl: string,
  { bytes }: SyncBounds,
): SafeFetch {
  let taken = 0
  return async (url, request) => {
    const answer = await safeFetch(url, request)
    if (answer.ok) taken += answer.body.length
    if (bytes === 0 || taken <= bytes) return answer
    throw new BoundReached(`${sourceUrl} sends more than ${told(bytes)} bytes (SYNC_MAX_BYTES).`)
  }
}

/** A feed tells each entry once, as it is now, and again only where it changed while the feed is read. */
const MAX_REPEATS = 5_000
/** Each page costs a request, and of a feed a commit, however little is in it. */
const MAX_PAGES = 5_000

/** One reading of a feed: a source that tells the same entries over and over could otherwise go on for ever. */
export class FeedReading {
  readonly #sourceUrl: string
  readonly #told = new Set<number | bigint>()
  #repeats = 0
  #pages = 0

  constructor(sourceUrl: string) {
    this.#sourceUrl = sourceUrl
  }

  /** To be called before a page with these ids is written. @throws BoundReached */
  take(ids: readonly string[]): void {
    const before = this.#told.size
    for (const id of ids) this.#told.add(Bun.hash(id))
    this.#repeats += ids.length - (this.#told.size - before)
    if (this.#repeats > MAX_REPEATS)
      throw new BoundReached(`${this.#sourceUrl} tells entries again more than ${told(MAX_REPEATS)} times.`)
    checkPages(++this.#pages, this.#sourceUrl)
  }
}

/** @throws BoundReached */
export function checkPages(count: number, sourceUrl: string): void {
  if (count > MAX_PAGES) throw new BoundReached(`${sourceUrl} sends more than ${told(MAX_PAGES)} pages.`)
}

type CountParts = { readonly store: Pick<Store, 'countOfSource'>; readonly sourceUrl: string }

/** How many entries a source has here: counted once, then kept while they come and go. */
export class EntryCount {
  readonly #parts: CountParts
  readonly #bounds: SyncBounds
  #count: number | undefined
  #isListed = false

  constructor(parts: CountParts, bounds: SyncBounds) {
    this.#parts = parts
    this.#bounds = bounds
  }

  /** While a source is read anew, what it has lost is still here: what it lists counts instead. */
  restart(listed: number): void {
    this.#count = listed
    this.#isListed = true
  }

  /** To be called before so many that are listed are written. @throws BoundReached */
  list(by: number): void {
    this.#count = (this.#count ?? 0) + by
    checkEntries(this.#count, this.#parts.sourceUrl, this.#bounds)
  }

  /** To be called before so many are written. @throws BoundReached, and then none is */
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
  throw new BoundReached(`${sourceUrl} lists more than ${told(entries)} entries (SYNC_MAX_ENTRIES).`)
}

export const told = (count: number): string => count.toLocaleString('en')
