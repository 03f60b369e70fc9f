// The catalog as others follow it: the present state of what changed, and what happened one by one.
import { z } from 'zod'
import { EVENT_TYPES, type EventType, type ServiceEvent } from './events.ts'
import { maybeMessageFieldsSchema, NO_MESSAGE, toReason } from './message-view.ts'
import { serviceSchema } from './service.ts'
import { CURSOR_PATTERN, type Timelines } from './timelines.ts'

const seq = z.int().min(0)
const cursor = z.string().regex(new RegExp(CURSOR_PATTERN))

const changeSchema = z
  .object({
    seq: seq.describe('The write at which the service last changed; they rise, with gaps'),
    id: z.string(),
    type: z.enum(['upsert', 'delete']),
    followed: z
      .literal(true)
      .optional()
      .describe(
        'It is listed here as another directory or list tells it; left out where this one speaks for it',
      ),
    home: z
      .string()
      .optional()
      .describe('Of what is followed: the address of the directory that speaks for it, where that is known'),
    key: z
      .string()
      .optional()
      .describe('Of what is followed: its id at its home, where it has another there'),
    service: serviceSchema.optional().describe('As it is now; left out where it was removed'),
  })
  .meta({ id: 'Change' })

export const changesSchema = z
  .object({
    changes: z.array(changeSchema).describe('Each service once, oldest change first'),
    next: cursor.describe('What to send as since the next time: a number, and which history it is of'),
    caughtUp: z.boolean().describe('Whether this is all there is for now'),
  })
  .meta({ id: 'Changes', title: 'The present state of everything that changed' })
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
    number: z.int().min(1).describe('Rises with every event'),
    cursor: cursor.describe(
      'The number, and which history it is of: the id of the server-sent event, to go on from with after or Last-Event-ID',
    ),
    type: z.enum(FEED_EVENT_TYPES),
    serviceId: z.string(),
    seq: seq.describe('The write that it came with'),
    at: z.string().meta({ format: 'date-time' }),
    reason: z.string().nullable(),
    ...maybeMessageFieldsSchema.shape,
    before: z.unknown().describe('What it was: of a removed service all of it, otherwise what changed'),
    after: z.unknown().describe('What it became; of a registered service, all of it as it is now'),
  })
  .meta({ id: 'FeedEvent', title: 'Something happened to a service' })
export type FeedEvent = Readonly<z.output<typeof feedEventSchema>>

export const toFeedEvent = (
  event: ServiceEvent & { readonly number: number; readonly seq: number; readonly serviceId: string },
  timelines: Timelines,
): FeedEvent => {
  const { number, type, serviceId, seq, at, reason, before, after } = event
  const cursor = timelines.toCursor('event', number)
  const told = reason === null ? NO_MESSAGE : toReason(reason)
  return { number, cursor, type: NAMES[type], serviceId, seq, at, ...told, before, after }
}
