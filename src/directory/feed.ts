// Operations for followers and copies of the catalog.

import { historyChanged, invalid, toProblem } from '../domain/errors.ts'
import {
  type Changes,
  CURSOR_PATTERN,
  type Cursor,
  changesSchema,
  type FeedEvent,
  readCursor,
} from '../domain/feed.ts'
import type { Encoded } from '../domain/json.ts'
import { type ExportEntry, exportDocumentSchema, toExportEntry } from '../domain/listing/service.ts'
import { type ChangesQuery, changesQuerySchema, eventsQuerySchema } from '../domain/queries/queries.ts'
import { say } from '../messages/message.ts'
import type { OperationDeps } from './deps.ts'
import { changesExample, exportExample, feedEventExample } from './examples.ts'
import { type Operation, requestHeader } from './operation.ts'

export interface Feed {
  /**
   * The present state of every entry whose public object changed after `since`, removals included, oldest change first.
   * @throws DirectoryError `history_changed`
   */
  changes(query: ChangesQuery): Promise<Encoded<Changes>>
  /** Events from now on, or after the event of the cursor; never ends. @throws DirectoryError `history_changed` */
  events(from?: { readonly after?: string | number; readonly signal?: AbortSignal }): AsyncIterable<FeedEvent>
  /** All services at one point in time, oldest first. */
  export(): AsyncIterable<ExportEntry>
}

export const FEED_OPERATIONS = {
  changes: {
    id: 'getChanges',
    tag: 'feed',
    summary: 'List changed services',
    description:
      'Start with `since=0`, and send `next` of each response as `since` of the following request: a copy that applies every page contains the catalog. Each service appears once, in its current state; a removed one as a delete. If `since` belongs to another history (the directory was restored to an earlier state), the answer is 410: read again from `since=0`, and drop what no longer appears.',
    query: { schema: changesQuerySchema },
    answer: 'A page of changes',
    result: changesSchema,
    example: changesExample,
    errors: ['history_changed'],
  },
  events: {
    id: 'streamEvents',
    tag: 'feed',
    summary: 'Stream events',
    description:
      'An endless stream of server-sent events. The data of each is a FeedEvent in JSON, its id the cursor, its event the type. A comment is sent at least every 15 seconds. A client that reads nothing for a minute is disconnected; it resumes with Last-Event-ID. If that is not from the history of this directory, the answer is 410: read the current state, then listen without it. One caller may have 200 streams open, unless the operator says otherwise; more are answered with 429.',
    query: { schema: eventsQuerySchema },
    headers: [
      requestHeader('Last-Event-ID', 'The id of the last event received; everything after it follows', {
        type: 'string',
        pattern: CURSOR_PATTERN,
      }),
    ],
    answer: 'The stream',
    example: toFrame(feedEventExample),
    errors: ['history_changed'],
  },
  export: {
    id: 'exportCatalog',
    tag: 'export',
    summary: 'Export the complete catalog',
    description: 'One document with every service, streamed; compressed when accepted.',
    answer: 'The document',
    result: exportDocumentSchema,
    example: exportExample,
  },
} satisfies Readonly<Record<keyof Feed, Operation>>

/** A server-sent event. */
export function toFrame(event: FeedEvent): string {
  return `id: ${event.cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

/** @throws DirectoryError `invalid_request` */
export function toCursor(path: string, text: string | number): Cursor {
  const cursor = readCursor(text)
  if (!cursor) throw invalid([toProblem(path, say('feed_cursor_expected'))])
  return cursor
}

export function createFeed({ requireCatalog, tail, store }: OperationDeps): Feed {
  /** Another process may be ahead of this one, so the store decides. */
  async function toSince(cursor: Cursor): Promise<number> {
    const catalog = requireCatalog()
    if (!(await catalog.includes('seq', cursor, catalog.seq, () => store.history())))
      throw historyChanged('since', say('read_changes_anew'))
    return cursor.number
  }

  return {
    async changes({ since: from, limit }) {
      return requireCatalog().changes(await toSince(toCursor('since', from)), limit)
    },

    async *events({ after, signal } = {}) {
      requireCatalog()
      const from = after === undefined ? undefined : toCursor('after', after)
      for await (const { events } of tail.listen(from, signal)) yield* events
    },

    async *export() {
      for (const service of requireCatalog().freeze()) yield toExportEntry(service.decode())
    },
  }
}
