// Distributes events from the store to all listeners, with a single reader of the event log.
import { DirectoryError, historyChanged } from '../domain/errors.ts'
import { type Cursor, type FeedEvent, readCursor, toFeedEvent } from '../domain/feed.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import { createBounded } from '../runtime/scheduling.ts'
import type { Store, StoredEvent } from '../store/store.ts'
import type { Catalog } from './catalog.ts'

/** Consecutive events, one object shared by all listeners; without events it is a heartbeat. */
export type EventBatch = {
  readonly events: readonly FeedEvent[]
  /** The number to continue from, and the same as a cursor. */
  readonly last: number
  readonly cursor: string
  /** In the first batch: the number of events that follow from the log. */
  readonly behind?: number
}

export interface EventTail extends AsyncDisposable {
  /**
   * Events after the cursor, or from now on, in order and without end; the first batch is empty and holds the start position.
   * Nothing is buffered per listener. A listener that has disconnected ends with the next heartbeat at the latest.
   * @throws DirectoryError `history_changed`
   */
  listen(after: Cursor | undefined, signal?: AbortSignal): AsyncGenerator<EventBatch, void>
  readonly listeners: number
}

type RetainedBatch = EventBatch & { readonly after: number }

/** Minimum time between two batches, which bounds the cost of a listener. */
const TICK_MS = 100
const HEARTBEAT_MS = 15_000
const PAGE = 500
/** Events that a listener reads from the log at a time: few, so that many listeners hold up nobody. */
const REPLAYED_AT_ONCE = 100
/** Reads of the log at a time: PostgreSQL's answers to many arrive together, and are then worked on in one turn of the event loop. */
const REPLAYS_AT_ONCE = 4
/** A listener further behind reads from the store at its own pace. */
const MAX_RETAINED_EVENTS = 2_000

export function openEventTail({
  store,
  catalog,
  clock,
}: {
  store: Pick<Store, 'events' | 'history' | 'lastSeq'>
  catalog: Catalog
  clock: Clock
}): EventTail {
  const stopping = new AbortController()
  let listeners = 0
  let last = 0
  let retained: RetainedBatch[] = []
  let begun: Promise<void> | undefined
  let tick = Promise.withResolvers<void>()
  const replay = createBounded(REPLAYS_AT_ONCE)

  /** For the first listener: earlier events are in the store. */
  async function begin(): Promise<void> {
    const number = await store.events.last()
    // The catalog must show everything that the log has reported.
    await catalog.whenReached(await store.lastSeq())
    retained = []
    last = number
  }

  function wakeAll(): void {
    const { resolve } = tick
    tick = Promise.withResolvers()
    resolve()
  }

  async function readNewEvents(): Promise<boolean> {
    const before = last
    for (;;) {
      const from = last
      const page = await store.events.after(from, PAGE)
      // `begin` ran meanwhile and has set another position.
      if (last !== from) return true
      retain(page.filter(({ seq }) => seq <= catalog.seq))
      if (page.length < PAGE || last !== page.at(-1)!.number) return last !== before
    }
  }

  function retain(events: readonly StoredEvent[]): void {
    if (events.length === 0) return
    retained.push({ after: last, ...toBatch(events.map(toEvent), events.at(-1)!.number) })
    last = events.at(-1)!.number
    let count = retained.reduce((sum, batch) => sum + batch.events.length, 0)
    while (count > MAX_RETAINED_EVENTS) count -= retained.shift()!.events.length
  }

  const toBatch = (events: readonly FeedEvent[], last: number): EventBatch => ({
    events,
    last,
    cursor: catalog.timelines.toCursor('event', last),
  })

  /** A registration includes the service, which the log does not store. */
  function toEvent(event: StoredEvent): FeedEvent {
    const feedEvent = toFeedEvent(event, catalog.timelines)
    if (event.type !== 'registered' || event.after !== null) return feedEvent
    return { ...feedEvent, after: catalog.service(event.serviceId)?.decode() ?? null }
  }

  async function run(): Promise<void> {
    let sentAtMs = clock.now().getTime()
    while (!stopping.signal.aborted) {
      const pause = new AbortController()
      const unwatch = catalog.watch(() => pause.abort())
      const hasNew = listeners > 0 && (await begun?.then(readNewEvents).catch(ignoreUnavailable))
      if (hasNew || Math.abs(clock.now().getTime() - sentAtMs) >= HEARTBEAT_MS) {
        sentAtMs = clock.now().getTime()
        wakeAll()
      }
      await clock.sleep(TICK_MS, stopping.signal)
      await clock.sleep(HEARTBEAT_MS, AbortSignal.any([stopping.signal, pause.signal]))
      unwatch()
    }
    wakeAll()
  }

  async function batchAfter(number: number): Promise<EventBatch> {
    if (number < (retained[0]?.after ?? last))
      return replay(async () => {
        const events = await store.events.after(number, Math.min(REPLAYED_AT_ONCE, last - number))
        return toBatch(events.map(toEvent), events.at(-1)?.number ?? last)
      })
    const batch = retained.findLast(({ after }) => after <= number)!
    if (batch.after === number) return batch
    return { ...batch, events: batch.events.filter(event => event.number > number) }
  }

  /** Checks the cursor against the store too, as another process may be ahead of this one. */
  async function judge(cursor: Cursor): Promise<void> {
    if (!(await catalog.includes('event', cursor, last, () => store.history())))
      throw historyChanged('Last-Event-ID', say('listen_anew'))
  }

  async function* listen(after: Cursor | undefined, signal?: AbortSignal): AsyncGenerator<EventBatch, void> {
    if (listeners++ === 0 || !begun) begun = begin()
    try {
      await begun
      if (after) await judge(after)
      let cursor = after?.number ?? last
      let { timelines } = catalog
      let position = after ?? readCursor(timelines.toCursor('event', cursor))!
      yield { ...toBatch([], cursor), behind: last - cursor }
      while (!signal?.aborted && !stopping.signal.aborted) {
        // A listener that received events lost in a failover learns so when it reconnects with the last id.
        if (timelines !== catalog.timelines) {
          timelines = catalog.timelines
          if (!timelines.has('event', position, Number.POSITIVE_INFINITY)) return
        }
        if (cursor < last) {
          const batch = await batchAfter(cursor)
          cursor = batch.last
          position = readCursor(batch.cursor)!
          yield batch
          continue
        }
        await tick.promise
        if (cursor >= last && !signal?.aborted) yield toBatch([], cursor)
      }
    } finally {
      if (--listeners === 0) begun = undefined
    }
  }

  const running = run()
  return {
    listen,
    get listeners() {
      return listeners
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}

/** An unavailable store is read again with the next tick. */
function ignoreUnavailable(error: unknown): false {
  if (error instanceof DirectoryError && error.code === 'store_unavailable') return false
  throw error
}
