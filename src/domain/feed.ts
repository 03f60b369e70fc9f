// The feed for followers: the present state of what changed, and the events one by one.
import { z } from 'zod'
import { EVENT_TYPES, type EventType, type ServiceEvent } from './events.ts'
import { serviceSchema } from './listing/service.ts'
import { maybeMessageFieldsSchema, NO_MESSAGE, toReason } from './message-view.ts'
import { CURSOR_PATTERN, type Timelines } from './timelines.ts'

const seq = z.int().min(0)
const cursor = z.string().regex(new RegExp(CURSOR_PATTERN))

const changeSchema = z
  .object({
    seq: seq.describe('Sequence number of the last change of the service; ascending, with gaps'),
    id: z.string().describe('Id of the service'),
    type: z.enum(['upsert', 'delete']).describe('delete: the service is no longer listed'),
    followed: z
      .literal(true)
      .optional()
      .describe(
        'true: it is listed here as another directory or list describes it; left out if this directory is its home',
      ),
    home: z
      .string()
      .optional()
      .describe('Of a followed service: the address of its home directory, if known'),
    service: serviceSchema.optional().describe('Its present state; left out if it was removed'),
  })
  .meta({ id: 'Change', title: 'A change of a service' })

export const changesSchema = z
  .object({
    changes: z.array(changeSchema).describe('Each service once, oldest change first'),
    next: cursor.describe(
      'Send as `since` in the next request: a number, and the history that it belongs to',
    ),
    caughtUp: z.boolean().describe('Whether there are no further changes at present'),
  })
  .meta({ id: 'Changes', title: 'Present state of everything that changed' })
export type Changes = Readonly<z.output<typeof changesSchema>>

const NAMES = {
  registered: 'service.registered',
  updated: 'service.updated',
  status: 'service.status_changed',
  at_risk: 'service.at_risk',
  price: 'service.price_changed',
  pay_to: 'service.payto_changed',
  scheme: 'service.scheme_changed',
  schema: 'service.schema_changed',
  purchase: 'service.purchased',
  outcome: 'service.outcome_reported',
  removed: 'service.removed',
} as const satisfies Record<EventType, string>

export const FEED_EVENT_TYPES = EVENT_TYPES.map(type => NAMES[type])

export const feedEventSchema = z
  .object({
    number: z.int().min(1).describe('Ascending with every event'),
    cursor: cursor.describe(
      'The number, and the history that it belongs to: the id of the server-sent event, to resume from with after or Last-Event-ID',
    ),
    type: z.enum(FEED_EVENT_TYPES).describe('What happened'),
    serviceId: z.string().describe('Id of the service'),
    seq: seq.describe('Sequence number of the write that caused it'),
    at: z.string().meta({ format: 'date-time' }).describe('When it happened'),
    reason: z.string().nullable().describe('Why, in English; null: unknown'),
    ...maybeMessageFieldsSchema.shape,
    before: z.unknown().describe('State before: of a removed service all of it, otherwise what changed'),
    after: z.unknown().describe('State after; of a registered service all of it, as it is now'),
  })
  .meta({ id: 'FeedEvent', title: 'An event of a service' })
export type FeedEvent = Readonly<z.output<typeof feedEventSchema>>

export const toFeedEvent = (
  event: ServiceEvent & { readonly number: number; readonly seq: number; readonly serviceId: string },
  timelines: Timelines,
): FeedEvent => {
  const { number, type, serviceId, seq, at, reason, before, after } = event
  const cursor = timelines.toCursor('event', number)
  const message = reason === null ? NO_MESSAGE : toReason(reason)
  return { number, cursor, type: NAMES[type], serviceId, seq, at, ...message, before, after }
}
