// The feed as OpenAPI tells it.
import { changesQuerySchema, eventsQuerySchema } from '../../domain/queries.ts'
import { CURSOR_PATTERN } from '../../domain/timelines.ts'
import { COMMON_HEADERS, type Json, schemaRef } from './components.ts'
import {
  CACHED_HEADERS,
  failures,
  IF_NONE_MATCH,
  json,
  notModified,
  ok,
  queryParameters,
  READ_FAILURES,
} from './describe.ts'
import { changesExample, feedEventExample } from './examples.ts'

const changes: Json = {
  operationId: 'getChanges',
  tags: ['feed'],
  summary: 'Get the present state of everything that changed',
  description:
    'Begin with since=0 and go on with next: a copy that applies every page holds the catalog. Each service comes once, as it is now; a removed one as a delete. A since that is not of the history of this directory, because it was put back to an earlier state, is answered with 410: read it anew from since=0, and drop what it does not tell. With wait, a request that finds nothing is answered as soon as something changes.',
  parameters: [...queryParameters(changesQuerySchema), IF_NONE_MATCH],
  responses: {
    200: ok('A page of changes', CACHED_HEADERS, json(schemaRef('Changes'), changesExample)),
    ...notModified(CACHED_HEADERS),
    ...failures('invalid_request', 'history_changed', ...READ_FAILURES),
  },
}

const frame = `id: ${feedEventExample.cursor}\nevent: ${feedEventExample.type}\ndata: ${JSON.stringify(feedEventExample)}\n\n`

const events: Json = {
  operationId: 'streamEvents',
  tags: ['feed'],
  summary: 'Listen to what happens',
  description:
    'Server-sent events without end. The data of each is a FeedEvent in JSON, its id the cursor, its event the type. A comment comes at least every 15 seconds. Who takes nothing for a minute is cut off, and goes on with Last-Event-ID. One that is not of the history of this directory is answered with 410: read the present state, and listen without it. One caller may have 200 streams and waiting requests open, unless the operator says otherwise; 429 beyond.',
  parameters: [
    ...queryParameters(eventsQuerySchema),
    {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: 'The id of the last event that is held; everything after it follows',
      schema: { type: 'string', pattern: CURSOR_PATTERN },
    },
  ],
  responses: {
    200: ok('The stream', COMMON_HEADERS, {
      'text/event-stream': { schema: { type: 'string' }, example: frame },
    }),
    ...failures('invalid_request', 'history_changed', ...READ_FAILURES),
  },
}

export const FEED_PATHS: Readonly<Record<string, Json>> = {
  '/api/changes': { get: changes },
  '/api/events': { get: events },
}
