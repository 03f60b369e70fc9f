// The feed: changes by polling, and server-sent events.

import { toFrame } from '../../directory/feed.ts'
import { invalid, toProblem } from '../../domain/errors.ts'
import { type FeedEvent, readCursor } from '../../domain/feed.ts'
import { parseChangesQuery, parseEventsQuery } from '../../domain/queries/queries.ts'
import { say } from '../../messages/message.ts'
import { answerJson } from '../pipeline/answer.ts'
import { nextTurn } from '../pipeline/limits.ts'
import { queryIn, readQuery } from '../pipeline/request.ts'
import type { Answer, Exchange, Handler } from '../pipeline/route.ts'
import type { ApiDeps } from './api-route.ts'

type Batch = { readonly events: readonly FeedEvent[]; readonly cursor: string }

/** What one unit of the rate limit pays for; measured against a plain read. */
const EVENTS_PER_COST = 250
const CHANGES_PER_COST = 25

/** Several heartbeats: a client that accepts nothing for this long is gone or too slow, and is disconnected. */
const STREAM_TIMEOUT_SECONDS = 60
const RECONNECT_MS = 3_000

export function createChanges({ directory, readRequester }: ApiDeps): Handler {
  return async exchange => {
    const { request, charge } = exchange
    const { parsed } = readQuery(queryIn(request.url), parseChangesQuery)
    charge(Math.floor(parsed.limit / CHANGES_PER_COST))
    await nextTurn(readRequester(exchange).name)
    return answerJson(request, await directory.changes(parsed))
  }
}

export function createEvents(deps: ApiDeps): Handler {
  const encode = createEncoder()
  return exchange => answerStream(deps, encode, exchange)
}

async function answerStream(
  { directory, readRequester, closing, enter }: ApiDeps,
  encode: (batch: Batch) => Uint8Array,
  exchange: Exchange,
): Promise<Answer> {
  const { request, server } = exchange
  const { parsed } = readQuery(queryIn(request.url), parseEventsQuery)
  // A reconnecting reader sends its position; the `after` of its URL is older.
  const after = readLastEventId(request) ?? parsed.after
  const headers = {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    // Disables the buffering of proxies.
    'X-Accel-Buffering': 'no',
  }
  if (request.method === 'HEAD') return { status: 200, headers, body: null }
  const { name } = readRequester(exchange)
  const leaving = whenGone(request, closing, enter(name))
  try {
    const batches = directory.listen(after, leaving.signal)
    // Read before the status is sent, so that a failure to start has an error status.
    const first = await batches.next()
    try {
      exchange.charge(Math.ceil((first.value?.behind ?? 0) / EVENTS_PER_COST))
    } catch (error) {
      await batches.return()
      throw error
    }
    server.timeout(request, STREAM_TIMEOUT_SECONDS)
    const hello = `retry: ${RECONNECT_MS}\nid: ${first.value?.cursor ?? 0}\n\n`
    const next = () => nextTurn(name).then(() => batches.next())
    return { status: 200, headers, body: toStream(hello, next, leaving, encode) }
  } catch (error) {
    leaving[Symbol.dispose]()
    throw error
  }
}

function readLastEventId({ headers }: Request): string | undefined {
  const text = headers.get('last-event-id')?.trim() ?? ''
  if (text === '') return undefined
  if (readCursor(text)) return text
  throw invalid([toProblem('Last-Event-ID', say('feed_cursor_expected'))])
}

/** Reads the next batch only when the socket has accepted the last one: nothing accumulates for a slow reader. */
function toStream(
  hello: string,
  next: () => Promise<IteratorResult<Batch, void>>,
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
        // Closed at once: the generator would notice only with its next batch or heartbeat.
        leaving.signal.addEventListener('abort', () => isOpen && close(controller))
      },
      async pull(controller) {
        const { value, done } = await next()
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

/** All listeners get the same batch, so it is encoded once. */
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

type Leaving = Disposable & { readonly signal: AbortSignal; leave(): void }

/** Aborted when the client leaves or the server shuts down; disposing it removes the listeners and ends the count. */
function whenGone({ signal }: Request, closing: AbortSignal, slot: Disposable): Leaving {
  const gone = new AbortController()
  const leave = () => {
    gone.abort()
    dispose()
  }
  const dispose = () => {
    signal.removeEventListener('abort', leave)
    closing.removeEventListener('abort', leave)
    slot[Symbol.dispose]()
  }
  signal.addEventListener('abort', leave)
  closing.addEventListener('abort', leave)
  if (signal.aborted || closing.aborted) leave()
  return { signal: gone.signal, leave, [Symbol.dispose]: dispose }
}
