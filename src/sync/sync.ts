// Follows a source: reads what is new there, writes it, and stores the read position.
import { readCursor } from '../domain/feed.ts'
import { createIdSource, isServiceId } from '../domain/ids.ts'
import { asRecord } from '../domain/json.ts'
import type { DraftPolicy } from '../domain/listing/service.ts'
import { dueMs, readFollowed, type SourcePreview } from '../domain/operating.ts'
import { toOneLine } from '../domain/text/invisible.ts'
import type { SafeFetch } from '../probe/requests/safe-fetch.ts'
import type { Clock } from '../runtime/clock.ts'
import { createProcessLease, RENEW_EVERY_MS } from '../runtime/lease.ts'
import type { SourceState } from '../store/sources.ts'
import type { Store } from '../store/store.ts'
import { removeFollowedEntries } from './followed-entries.ts'
import { groupResources, type Listings, readExport } from './group-resources.ts'
import {
  itemsOf,
  paginationOf,
  type RecognisedSource,
  readList,
  readOrigin,
  readServices,
  recognise,
} from './read-source.ts'
import {
  BoundReached,
  checkEntries,
  checkPages,
  createBoundedFetch,
  createSourceReader,
  formatCount,
  SourceFailure,
  type SourceReader,
  type SyncBounds,
  type SyncProgress,
  type SyncReport,
  Tally,
} from './source-reader.ts'
import { takePurchases, type WriteDeps, writeChanges } from './write-changes.ts'
import { readFollowers, writeListings } from './write-listings.ts'

/** Documents of a source are larger than responses of an endpoint, and may take longer. */
export const SOURCE_LIMITS = { bodyBytes: 32 * 1024 * 1024, firstByteMs: 30_000, totalMs: 120_000 }
const CHANGES_PAGE = 500
/** Of a collection: it is read every second for each key with a policy that names it. */
const MAX_COLLECTED = 10_000
/** HTTP status: the cursor is not part of the source's history. */
const GONE = 410
/** Renewed with every page; it expires if the process died. */
const LEASE_MS = 10 * 60_000

export type SyncDeps = {
  readonly store: WriteDeps['store'] & Pick<Store, 'sources' | 'countOfSource' | 'collections' | 'purchases'>
  readonly fetch: SafeFetch
  readonly clock: Clock
  readonly policy: DraftPolicy
  readonly userAgent: string
  readonly bounds: SyncBounds
}

/** Reads a followed source. @throws SourceFailure with a sentence, which is stored with the source */
export type Sync = (url: string, signal?: AbortSignal, onProgress?: SyncProgress) => Promise<SyncReport>

export function createSync(deps: SyncDeps): Sync {
  const { store, clock } = deps
  const newId = createIdSource()
  return async (url, signal, onProgress) => {
    const leased = await store.sources.lease(url, clock.now(), LEASE_MS)
    if (!leased)
      throw new SourceFailure(`${url} was removed, or another process is reading it at this moment.`)
    const tally = new Tally()
    const fetch = createBoundedFetch(deps.fetch, url, deps.bounds)
    const run = new Run({ ...deps, fetch, signal, onProgress, sourceUrl: url, newId }, leased, tally)
    const report = (): SyncReport => ({ url, kind: run.kind, ...tally })
    try {
      await run.read()
      return report()
    } catch (thrown) {
      const error = run.explain(thrown)
      await (signal?.aborted ? run.release() : run.recordFailure(error))
      if (error instanceof SourceFailure) error.report = report()
      throw error
    }
  }
}

const PREVIEWED = 5

/** What a source would bring in, from its first document alone. @throws SourceFailure */
export async function previewSource(
  deps: Pick<SyncDeps, 'fetch' | 'userAgent' | 'policy' | 'bounds'>,
  url: string,
): Promise<Omit<SourcePreview, 'source'>> {
  const fetch = createBoundedFetch(deps.fetch, url, deps.bounds)
  const source = createSourceReader({ ...deps, fetch })
  const recognised = await recognise(source, url)
  const { kind } = recognised
  const toNames = ({ listings }: Listings) => listings.slice(0, PREVIEWED).map(({ draft }) => draft.name)
  if (kind === 'origin' || kind === 'services') return { url, kind, count: null, names: [] }
  if (kind === 'list') {
    const { total } = paginationOf(recognised.first)
    const names = toNames(groupResources(itemsOf(recognised.first), deps.policy))
    return { url, kind, count: isCount(total) ? total : null, names }
  }
  if (kind === 'collection') return { url, kind, count: itemsOf(recognised.document).length, names: [] }
  if (kind === 'export') {
    const { listings } = readExport(recognised.document, deps.policy)
    return { url, kind, count: listings.length, names: toNames({ listings, problems: [] }) }
  }
  const [health, listed] = await Promise.all([
    source.maybeJson(`${recognised.base}/readyz`),
    source.maybeJson(`${recognised.base}/api/services?limit=${PREVIEWED}`),
  ])
  const { services } = asRecord(health)
  const names = (Array.isArray(listed) ? listed : []).map(asRecord).map(({ name }) => String(name))
  return {
    url,
    kind,
    count: isCount(services) ? services : null,
    names: names.slice(0, PREVIEWED).map(toOneLine),
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

// The server follows its sources: one process at a time, one source after the other.

const LOOK_EVERY_MS = 5_000

/** Reads sources when they are due, until it is disposed. */
export function openSourceFollower({
  store,
  sync,
  clock,
  onTrouble,
}: {
  readonly store: Pick<Store, 'sources' | 'leases'>
  readonly sync: Sync
  readonly clock: Clock
  readonly onTrouble: (message: string, error: unknown) => void
}): AsyncDisposable {
  const ending = new AbortController()
  const lease = createProcessLease({ leases: store.leases, name: 'sources', clock })

  async function readDue(): Promise<void> {
    for (const { url } of await store.sources.list()) {
      // Read again before each: reading takes minutes, and the operator may have paused or removed the next one.
      const source = (await store.sources.list()).find(each => each.url === url)
      const isDue = source?.pausedAt === null && dueMs(source) <= clock.now().getTime()
      if (!isDue || ending.signal.aborted || !(await lease.isOurs())) continue
      await readOne(url)
    }
  }

  async function readOne(url: string): Promise<void> {
    let isDone = false
    const reading = sync(url, ending.signal)
      .catch(error => {
        // What is wrong with a source is stored with it, for the operator.
        if (!(error instanceof SourceFailure || ending.signal.aborted)) onTrouble('a source failed', error)
      })
      .finally(() => {
        isDone = true
      })
    // A long list takes minutes, and the lease is shorter.
    while (!isDone && !ending.signal.aborted) {
      await Promise.race([reading, clock.sleep(RENEW_EVERY_MS, ending.signal)])
      await lease.isOurs()
    }
    await reading
  }

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        if (await lease.isOurs()) await readDue()
      } catch (error) {
        onTrouble('sources are not followed at the moment', error)
      }
      await clock.sleep(LOOK_EVERY_MS, ending.signal)
    }
    await lease.release().catch(() => {})
  }

  const done = run()
  return {
    async [Symbol.asyncDispose]() {
      ending.abort()
      await done
    },
  }
}

type RunDeps = SyncDeps &
  WriteDeps & {
    readonly signal: AbortSignal | undefined
    readonly onProgress: SyncProgress | undefined
    readonly newId: ReturnType<typeof createIdSource>
  }

class Run {
  readonly #deps: RunDeps
  readonly #source: SourceReader
  readonly #tally: Tally
  #state: SourceState

  constructor(deps: RunDeps, state: SourceState, tally: Tally) {
    this.#deps = deps
    this.#source = createSourceReader(deps)
    this.#state = state
    this.#tally = tally
  }

  /** null before it is recognised. */
  get kind(): string | null {
    return this.#state.kind
  }

  /** Adds to a reached bound how far the sync came. */
  explain(error: unknown): unknown {
    if (!(error instanceof BoundReached)) return error
    const { kind, cursor } = this.#state
    const end =
      kind === 'shirube'
        ? `It was read up to its number ${formatCount(readCursor(cursor)!.number)}; the next reading continues from there.`
        : 'Nothing of it was taken over.'
    return new BoundReached(`${error.message} ${end}`)
  }

  async read(): Promise<void> {
    const recognised = await recognise(this.#source, this.#deps.sourceUrl)
    this.#state = { ...this.#state, kind: recognised.kind }
    if (recognised.kind === 'shirube') await this.#followChanges(recognised.base)
    else if (recognised.kind === 'collection') await this.#takeCollection(recognised.document)
    else {
      const read = await this.#readListings(recognised)
      for (const problem of read.problems) this.#tally.countSkipped(problem)
      await writeListings(this.#deps, read, this.#now(), this.#tally)
    }
    const at = this.#now().toISOString()
    const dropped = (this.#state.dropped ?? 0) + this.#tally.removed + this.#tally.vanished
    await this.#end({ checkedAt: at, succeededAt: at, failures: 0, problem: null, cause: undefined, dropped })
  }

  async #takeCollection(document: unknown): Promise<void> {
    const { store, sourceUrl, bounds } = this.#deps
    const items = readFollowed(document, sourceUrl, this.#now())
    if (!items) throw new SourceFailure(`The response of ${sourceUrl} is not a collection.`)
    checkEntries(items.length, sourceUrl, { ...bounds, entries: MAX_COLLECTED })
    await store.collections.replace(sourceUrl, items)
  }

  /** Whoever ended it says nothing about the source. */
  async release(): Promise<void> {
    await this.#end()
  }

  /** What was read so far stays; the next sync continues from there. */
  async recordFailure(error: unknown): Promise<void> {
    const failure = error instanceof SourceFailure ? error : new SourceFailure('Something went wrong here.')
    const { message: problem, why: cause } = failure
    const { failures } = this.#state
    const checkedAt = this.#now().toISOString()
    await this.#end({ checkedAt, failures: failures + 1, problem, cause })
  }

  /** Saves the state and gives the lease up. */
  async #end(changes: Partial<SourceState> = {}): Promise<void> {
    const { read: _, ...state } = { ...this.#state, ...changes }
    this.#state = state
    await this.#deps.store.sources.save(state)
  }

  async #followChanges(base: string): Promise<void> {
    try {
      await (this.#state.rereading ? this.#readAgain(base) : this.#readChanges(base))
    } catch (error) {
      const why = error instanceof SourceFailure ? error.why : undefined
      const isGone = why?.code === 'answers' && why.values.status === GONE
      if (!isGone || this.#state.rereading || this.#state.cursor === '0') throw error
      await this.#readAgain(base)
    }
    const { store, sourceUrl } = this.#deps
    await takePurchases({ store, source: this.#source, sourceUrl }, base, {
      after: this.#state.purchase ?? '',
      now: this.#now(),
      onPage: purchase => this.#save({ ...this.#state, purchase }),
    })
  }

  /**
   * What was read so far may be from a history that the source has lost: everything is read and compared. What it no longer lists is
   * known only after one whole reading, so one that was interrupted starts over.
   */
  async #readAgain(base: string): Promise<void> {
    const { store, sourceUrl } = this.#deps
    const { purchase: _, ...state } = this.#state
    await this.#save({ ...state, cursor: '0', rereading: true })
    const seen = await this.#readChanges(base)
    const stored = [...(await readFollowers(store, sourceUrl))]
    // An empty source more likely has an outage than removed everything.
    if (seen.size === 0 && stored.length > 0) {
      this.#tally.countSkipped(
        `${sourceUrl} has another history now, and lists nothing; what it listed stays as it is`,
      )
      return
    }
    this.#tally.readAnew = true
    const gone = stored.filter(([key]) => !seen.has(key)).map(([, id]) => id)
    this.#tally.removed += await removeFollowedEntries(store, gone, sourceUrl, this.#now())
    const { rereading: __, ...rest } = this.#state
    await this.#save(rest)
  }

  /** Returns the ids of all that it listed. */
  async #readChanges(base: string): Promise<Set<string>> {
    const { store, sourceUrl, bounds } = this.#deps
    const onPage = await this.#progressOf(base)
    const seen = new Set<string>()
    let stored = await store.countOfSource(sourceUrl)
    const grow = (by: number): void => {
      stored += by
      if (by > 0) checkEntries(stored, sourceUrl, bounds)
    }
    for (let pages = 1; ; pages++) {
      const { cursor } = this.#state
      const page = asRecord(
        await this.#source.json(`${base}/api/changes?since=${cursor}&limit=${CHANGES_PAGE}`),
      )
      const { changes, caughtUp } = page
      const next = toNext(page.next, cursor)
      const isFeed = Array.isArray(changes) && next !== undefined
      // A source that sends more than requested, or an empty page without being caught up, could continue for ever.
      const isValid = isFeed && changes.length <= CHANGES_PAGE && (changes.length > 0 || caughtUp === true)
      if (!isValid) throw new SourceFailure(`The response of ${base}/api/changes is not a feed of changes.`)
      checkPages(pages, sourceUrl)
      for (const id of idsOf(changes)) seen.add(id)
      await writeChanges({ ...this.#deps, grow }, changes, this.#now(), this.#tally)
      const read = (this.#state.read ?? 0) + changes.length
      await this.#save({ ...this.#state, cursor: next, read })
      onPage?.(changes.length, readCursor(next)!.number)
      if (caughtUp === true || next === cursor) return seen
      this.#deps.signal?.throwIfAborted()
    }
  }

  /** Progress relative to the current seq of the source. */
  async #progressOf(base: string): Promise<((more: number, reached: number) => void) | undefined> {
    const { onProgress } = this.#deps
    if (!onProgress) return undefined
    const { seq } = asRecord(await this.#source.maybeJson(`${base}/readyz`))
    const from = readCursor(this.#state.cursor)!.number
    const length = typeof seq === 'number' ? seq - from : 0
    let read = 0
    return (more, reached) => {
      read += more
      onProgress(read, length > 0 ? (reached - from) / length : undefined)
    }
  }

  /** Saves the state and renews the lease. */
  async #save(state: SourceState): Promise<void> {
    this.#state = state
    await this.#deps.store.sources.save(state, new Date(this.#now().getTime() + LEASE_MS))
  }

  async #readListings(
    recognised: Exclude<RecognisedSource, { kind: 'shirube' | 'collection' }>,
  ): Promise<Listings> {
    const { policy } = this.#deps
    if (recognised.kind === 'export') {
      const entries = asRecord(recognised.document).endpoints as readonly unknown[]
      checkEntries(entries.length, this.#deps.sourceUrl, this.#deps.bounds)
      return readExport(recognised.document, policy)
    }
    if (recognised.kind === 'list')
      return {
        ...groupResources(
          await readList(this.#source, recognised.url, this.#deps.bounds, async (read, fraction) => {
            this.#deps.onProgress?.(read, fraction)
            await this.#save({ ...this.#state, read })
          }),
          policy,
        ),
        dropsUnused: true,
      }
    const { items, problems } =
      recognised.kind === 'services'
        ? await readServices(this.#deps, recognised.document, read => this.#save({ ...this.#state, read }))
        : await readOrigin(this.#deps, recognised.base, recognised.document)
    const grouped = groupResources(items, policy)
    return {
      ...grouped,
      problems: [...problems, ...grouped.problems],
      isPartial: problems.length > 0,
    }
  }

  #now(): Date {
    return this.#deps.clock.now()
  }
}

/** The next cursor; undefined if it would move back. */
function toNext(next: unknown, cursor: string): string | undefined {
  const place = typeof next === 'string' ? readCursor(next) : undefined
  return place && place.number >= readCursor(cursor)!.number ? (next as string) : undefined
}

const idsOf = (changes: readonly unknown[]): string[] =>
  changes
    .map(asRecord)
    .flatMap(({ id, type }) => (typeof id === 'string' && isServiceId(id) && type !== 'delete' ? [id] : []))
