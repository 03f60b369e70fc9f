// Carries what happened from the store to everybody who listens: one reader of the event log, however many listen.

import { DirectoryError, historyChanged } from '../domain/errors.ts'
import { type FeedEvent, toFeedEvent } from '../domain/feed.ts'
import { type Cursor, readCursor } from '../domain/timelines.ts'
import { say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store, StoredEvent } from '../store/store.ts'
import type { Catalog } from './catalog.ts'

/** Events in a row, the same object for all who get them; without any it says that the line is alive. */
export type EventBatch = {
  readonly events: readonly FeedEvent[]
  /** The number to go on from, and the same as a cursor. */
  readonly last: number
  readonly cursor: string
}

export interface EventTail extends AsyncDisposable {
  /**
   * What happened after the number, or from now on, in order and without end; the first batch only tells where it begins.
   * Nothing is held for who does not ask for the next batch. Who has left ends with the next heartbeat at the latest.
   * @throws DirectoryError `history_changed`
   */
  listen(after: Cursor | undefined, signal?: AbortSignal): AsyncGenerator<EventBatch, void>
  readonly listeners: number
}

type RetainedBatch = EventBatch & { readonly after: number }

/** One write to each listener a tick, however much happens: the cost of a listener has a bound. */
const APART_MS = 100
const HEARTBEAT_MS = 15_000
const PAGE = 500
/** Whoever is further behind reads from the store at its own pace. */
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
  let kept: RetainedBatch[] = []
  let begun: Promise<void> | undefined
  let tick = Promise.withResolvers<void>()

  /** Nobody listened before: what happened until now is in the store. */
  async function begin(): Promise<void> {
    const number = await store.events.last()
    // What was read of the log must be visible to who looks it up.
    await catalog.reached(await store.lastSeq())
    kept = []
    last = number
  }

  function wakeAll(): void {
    const { resolve } = tick
    tick = Promise.withResolvers()
    resolve()
  }

  async function readNews(): Promise<boolean> {
    const before = last
    for (;;) {
      const from = last
      const page = await store.events.after(from, PAGE)
      // Who began anew in the meantime has been told where from.
      if (last !== from) return true
      keep(page.filter(({ seq }) => seq <= catalog.seq))
      if (page.length < PAGE || last !== page.at(-1)!.number) return last !== before
    }
  }

  function keep(events: readonly StoredEvent[]): void {
    if (events.length === 0) return
    kept.push({ after: last, ...toBatch(events.map(tell), events.at(-1)!.number) })
    last = events.at(-1)!.number
    let count = kept.reduce((sum, batch) => sum + batch.events.length, 0)
    while (count > MAX_RETAINED_EVENTS) count -= kept.shift()!.events.length
  }

  const toBatch = (events: readonly FeedEvent[], last: number): EventBatch => ({
    events,
    last,
    cursor: catalog.timelines.toCursor('event', last),
  })

  /** A registration tells the service itself, which the log does not repeat. */
  function tell(event: StoredEvent): FeedEvent {
    const told = toFeedEvent(event, catalog.timelines)
    if (event.type !== 'registered' || event.after !== null) return told
    return { ...told, after: catalog.service(event.serviceId)?.decode() ?? null }
  }

  async function run(): Promise<void> {
    let toldAtMs = clock.now().getTime()
    while (!stopping.signal.aborted) {
      const pause = new AbortController()
      const unwatch = catalog.watch(() => pause.abort())
      const isNews = listeners > 0 && (await begun?.then(readNews).catch(forgive))
      if (isNews || Math.abs(clock.now().getTime() - toldAtMs) >= HEARTBEAT_MS) {
        toldAtMs = clock.now().getTime()
        wakeAll()
      }
      await clock.sleep(APART_MS, stopping.signal)
      await clock.sleep(HEARTBEAT_MS, AbortSignal.any([stopping.signal, pause.signal]))
      unwatch()
    }
    wakeAll()
  }

  async function batchAfter(number: number): Promise<EventBatch> {
    if (number < (kept[0]?.after ?? last)) {
      const events = await store.events.after(number, Math.min(PAGE, last - number))
      return toBatch(events.map(tell), events.at(-1)?.number ?? last)
    }
    const batch = kept.findLast(({ after }) => after <= number)!
    if (batch.after === number) return batch
    return { ...batch, events: batch.events.filter(event => event.number > number) }
  }

  /** Another process may know of more than this one. */
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
      let place = after ?? readCursor(timelines.toCursor('event', cursor))!
      yield toBatch([], cursor)
      while (!signal?.aborted && !stopping.signal.aborted) {
        // Who was told of what a failover has lost finds out as soon as it comes back with the last id.
        if (timelines !== catalog.timelines) {
          timelines = catalog.timelines
          if (!timelines.has('event', place, Number.POSITIVE_INFINITY)) return
        }
        if (cursor < last) {
          const batch = await batchAfter(cursor)
          cursor = batch.last
          place = readCursor(batch.cursor)!
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

/** A store that is away is asked again with the next tick. */
function forgive(error: unknown): false {
  if (error instanceof DirectoryError && error.code === 'store_unavailable') return false
  throw error
}
