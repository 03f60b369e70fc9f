// The feed: changes by request, and events as they happen (server-sent events).
import type { LocalDirectory } from '../../directory/directory.ts'
import { invalid } from '../../domain/errors.ts'
import type { FeedEvent } from '../../domain/feed.ts'
import { parseChangesQuery, parseEventsQuery } from '../../domain/queries.ts'
import { readCursor } from '../../domain/timelines.ts'
import { answerJson } from '../pipeline/answer.ts'
import type { Caller } from '../pipeline/caller.ts'
import type { EnterListener } from '../pipeline/listener-slots.ts'
import { queryOf, readQuery } from '../pipeline/query-string.ts'
import type { Answer, Exchange, Route } from '../pipeline/route.ts'

type Batch = { readonly events: readonly FeedEvent[]; readonly cursor: string }

/** Beyond the longest wait, so that the server does not hang up on who waits politely. */
const WAIT_TIMEOUT_SECONDS = 60
/** Several heartbeats: whoever takes nothing for so long is not there any more, or too slow, and is cut off. */
const STREAM_TIMEOUT_SECONDS = 60
const RECONNECT_MS = 3_000

export type FeedRouteParts = {
  readonly directory: LocalDirectory
  /** Raised when the server wants to end: nobody waits any longer. */
  readonly closing: AbortSignal
  readonly enter: EnterListener
  readonly readCaller: (exchange: Exchange) => Caller
}

export function createFeedRoutes({ directory, closing, enter, readCaller }: FeedRouteParts): Route[] {
  const encode = createEncoder()
  const listen = (exchange: Exchange): Leaving =>
    whenGone(exchange.request, closing, enter(readCaller(exchange).name))
  return [
    {
      path: '/api/changes',
      methods: {
        GET: async exchange => {
          const { request, server } = exchange
          const { parsed } = readQuery(queryOf(request.url), parseChangesQuery)
          if (parsed.wait === 0) return answerJson(request, await directory.changes(parsed))
          using leaving = listen(exchange)
          server.timeout(request, WAIT_TIMEOUT_SECONDS)
          return answerJson(request, await directory.changes(parsed, leaving.signal))
        },
      },
    },
    { path: '/api/events', methods: { GET: exchange => answerStream(directory, listen, encode, exchange) } },
  ]
}

async function answerStream(
  directory: LocalDirectory,
  listen: (exchange: Exchange) => Leaving,
  encode: (batch: Batch) => Uint8Array,
  exchange: Exchange,
): Promise<Answer> {
  const { request, server } = exchange
  const { parsed } = readQuery(queryOf(request.url), parseEventsQuery)
  // A reader that comes back says where it was; the address it began with is older.
  const after = readLastEventId(request) ?? parsed.after
  const headers = {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    // Told to proxies that would gather a stream before they pass it on.
    'X-Accel-Buffering': 'no',
  }
  if (request.method === 'HEAD') return { status: 200, headers, body: null }
  const leaving = listen(exchange)
  try {
    const batches = directory.listen(after, leaving.signal)
    // Asked before the status goes out, so that a failure to begin is told as one.
    const first = await batches.next()
    server.timeout(request, STREAM_TIMEOUT_SECONDS)
    const hello = `retry: ${RECONNECT_MS}\nid: ${first.value?.cursor ?? 0}\n\n`
    return { status: 200, headers, body: toStream(hello, batches, leaving, encode) }
  } catch (error) {
    leaving[Symbol.dispose]()
    throw error
  }
}

function readLastEventId({ headers }: Request): string | undefined {
  const text = headers.get('last-event-id')?.trim() ?? ''
  if (text === '') return undefined
  if (readCursor(text)) return text
  throw invalid([{ path: 'Last-Event-ID', message: 'must be the id of an event' }])
}

/** It is asked for more only when the socket has taken what came before: nothing piles up for a slow reader. */
function toStream(
  hello: string,
  batches: AsyncGenerator<Batch, void>,
  leaving: Leaving,
  encode: (batch: Batch) => Uint8Array,
): ReadableStream<Uint8Array> {
  let isOpen = true
  const close = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    isOpen = false
    leaving[Symbol.dispose]()
    controller.close()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(new TextEncoder().encode(hello))
        // Closed at once: the generator behind it notices with its next batch or heartbeat only.
        leaving.signal.addEventListener('abort', () => isOpen && close(controller))
      },
      async pull(controller) {
        const { value, done } = await batches.next()
        if (!isOpen) return
        if (done) close(controller)
        else controller.enqueue(encode(value))
      },
      cancel() {
        isOpen = false
        leaving.leave()
      },
    },
    { highWaterMark: 0 },
  )
}

/** All listeners get the same batch, so it is written out once. */
function createEncoder(): (batch: Batch) => Uint8Array {
  const encoder = new TextEncoder()
  const heartbeat = encoder.encode(':\n\n')
  const known = new WeakMap<Batch, Uint8Array>()
  return batch => {
    if (batch.events.length === 0) return heartbeat
    let bytes = known.get(batch)
    if (!bytes) {
      bytes = encoder.encode(batch.events.map(toFrame).join(''))
      known.set(batch, bytes)
    }
    return bytes
  }
}

const toFrame = (event: FeedEvent): string =>
  `id: ${event.cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

type Leaving = Disposable & { readonly signal: AbortSignal; leave(): void }

/** Raised when the caller has left or the server ends; disposed of, it no longer listens for either, and its place is free. */
function whenGone({ signal }: Request, closing: AbortSignal, place: Disposable): Leaving {
  const gone = new AbortController()
  const leave = () => {
    gone.abort()
    dispose()
  }
  const dispose = () => {
    signal.removeEventListener('abort', leave)
    closing.removeEventListener('abort', leave)
    place[Symbol.dispose]()
  }
  signal.addEventListener('abort', leave)
  closing.addEventListener('abort', leave)
  if (signal.aborted || closing.aborted) leave()
  return { signal: gone.signal, leave, [Symbol.dispose]: dispose }
}
