// The feed: changes by polling, and server-sent events.

import { changesExample, feedEventExample } from '../../directory/examples/feed.ts'
import { invalid, toProblem } from '../../domain/errors.ts'
import type { FeedEvent } from '../../domain/feed.ts'
import {
  changesQuerySchema,
  eventsQuerySchema,
  parseChangesQuery,
  parseEventsQuery,
} from '../../domain/queries/queries.ts'
import { CURSOR_PATTERN, readCursor } from '../../domain/timelines.ts'
import { say } from '../../messages/message.ts'
import {
  CACHED_HEADERS,
  cachedRead,
  failures,
  IF_NONE_MATCH,
  json,
  ok,
  queryParameters,
  READ_FAILURES,
} from '../openapi/describe.ts'
import { COMMON_HEADERS } from '../openapi/headers.ts'
import { schemaRef } from '../openapi/json-schema.ts'
import { answerJson } from '../pipeline/answer.ts'
import { nextTurn } from '../pipeline/limits.ts'
import { queryOf, readQuery } from '../pipeline/query-string.ts'
import type { Answer, Exchange } from '../pipeline/route.ts'
import type { ApiParts, ApiRoute, Endpoint } from './api-route.ts'

type Batch = { readonly events: readonly FeedEvent[]; readonly cursor: string }

/** What one unit of the rate limit pays for; measured against a plain read. */
const EVENTS_PER_COST = 250
const CHANGES_PER_COST = 100

/** Above the longest poll, so that the server does not close a waiting connection. */
const WAIT_TIMEOUT_SECONDS = 60
/** Several heartbeats: a client that accepts nothing for this long is gone or too slow, and is disconnected. */
const STREAM_TIMEOUT_SECONDS = 60
const RECONNECT_MS = 3_000

const changes: Endpoint = {
  operation: () => ({
    operationId: 'getChanges',
    tags: ['feed'],
    summary: 'List changed services',
    description:
      'Start with `since=0`, and send `next` of each response as `since` of the following request: a copy that applies every page contains the catalog. Each service appears once, in its current state; a removed one as a delete. A `since` of another history, because the directory was restored to an earlier state, returns 410: read again from `since=0`, and drop what no longer appears. With `wait`, a request without changes is answered as soon as something changes.',
    parameters: [...queryParameters(changesQuerySchema), IF_NONE_MATCH],
    responses: cachedRead(
      'A page of changes',
      CACHED_HEADERS,
      json(schemaRef('Changes'), changesExample),
      'invalid_request',
      'history_changed',
    ),
  }),
  create(parts) {
    const { directory, readCaller } = parts
    const listen = createListen(parts)
    return async exchange => {
      const { request, server, charge } = exchange
      const { parsed } = readQuery(queryOf(request.url), parseChangesQuery)
      charge(Math.floor(parsed.limit / CHANGES_PER_COST))
      using leaving = parsed.wait === 0 ? undefined : listen(exchange)
      if (leaving) server.timeout(request, WAIT_TIMEOUT_SECONDS)
      await nextTurn(readCaller(exchange).name)
      return answerJson(request, await directory.changes(parsed, leaving?.signal))
    }
  },
}

const events: Endpoint = {
  operation: () => ({
    operationId: 'streamEvents',
    tags: ['feed'],
    summary: 'Stream events',
    description:
      'An endless stream of server-sent events. The data of each is a FeedEvent in JSON, its id the cursor, its event the type. A comment is sent at least every 15 seconds. A client that reads nothing for a minute is disconnected; it resumes with Last-Event-ID. If that is not from the history of this directory, the answer is 410: read the current state, then listen without it. One caller may have 200 streams and waiting requests open, unless the operator says otherwise; more are answered with 429.',
    parameters: [
      ...queryParameters(eventsQuerySchema),
      {
        name: 'Last-Event-ID',
        in: 'header',
        required: false,
        description: 'The id of the last event received; everything after it follows',
        schema: { type: 'string', pattern: CURSOR_PATTERN },
      },
    ],
    responses: {
      200: ok('The stream', COMMON_HEADERS, {
        'text/event-stream': { schema: { type: 'string' }, example: toFrame(feedEventExample) },
      }),
      ...failures('invalid_request', 'history_changed', ...READ_FAILURES),
    },
  }),
  create(parts) {
    const listen = createListen(parts)
    const encode = createEncoder()
    return exchange => answerStream(parts, listen, encode, exchange)
  },
}

export const FEED_ROUTES: readonly ApiRoute[] = [
  { path: '/api/changes', methods: { GET: changes } },
  { path: '/api/events', methods: { GET: events } },
]

type Listen = (exchange: Exchange) => Leaving

/** Takes a slot for a poll or stream, until the client leaves or the server shuts down. */
function createListen({ closing, enter, readCaller }: ApiParts): Listen {
  return exchange => whenGone(exchange.request, closing, enter(readCaller(exchange).name))
}

async function answerStream(
  { directory, readCaller }: ApiParts,
  listen: Listen,
  encode: (batch: Batch) => Uint8Array,
  exchange: Exchange,
): Promise<Answer> {
  const { request, server } = exchange
  const { parsed } = readQuery(queryOf(request.url), parseEventsQuery)
  // A reconnecting reader sends its position; the `after` of its URL is older.
  const after = readLastEventId(request) ?? parsed.after
  const headers = {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    // Disables the buffering of proxies.
    'X-Accel-Buffering': 'no',
  }
  if (request.method === 'HEAD') return { status: 200, headers, body: null }
  const leaving = listen(exchange)
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
    const { name } = readCaller(exchange)
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
  throw invalid([toProblem('Last-Event-ID', say('event_id_expected'))])
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

function toFrame(event: FeedEvent): string {
  return `id: ${event.cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

type Leaving = Disposable & { readonly signal: AbortSignal; leave(): void }

/** Aborted when the client leaves or the server shuts down; disposing it removes the listeners and frees the slot. */
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
