// What followers read: events, the timelines that tell histories apart, and the feed of changes.
import { z } from 'zod'
import type { Message } from '../messages/message.ts'
import { serviceSchema } from './listing/service.ts'
import { dateTime, maybeMessageFieldsSchema, NO_MESSAGE, toReason } from './problems.ts'

export const EVENT_TYPES = [
  'registered',
  'updated',
  'status',
  'at_risk',
  'price',
  'pay_to',
  'purchase',
  'removed',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export type ServiceEvent = {
  readonly type: EventType
  /** ISO 8601 UTC. */
  readonly at: string
  /** null if the type is sufficient. */
  readonly reason: Message | null
  readonly before: unknown
  readonly after: unknown
}

// Timelines tell which history a number belongs to. Writes and events are numbered, and a store that is restored to an earlier state
// reuses numbers for something else. So the history is divided into timelines, as in PostgreSQL. Every writer starts one with a random
// name, and a cursor is a number with the name of its timeline. A cursor from a lost part of the history names a timeline that is
// unknown here, or lies after the point at which the next one forked.

/** The two sequences: visible writes, and events. */
export type Scale = 'seq' | 'event'

/** Started by a process with its first write. The numbers between fork and start are unused. */
export type Timeline = {
  readonly id: string
  /** The last numbers of the previous timeline. */
  readonly fork: Readonly<Record<Scale, number>>
  /** Its own numbers are greater than these. */
  readonly start: Readonly<Record<Scale, number>>
}

/** A position in a history; without a timeline it was written by hand, or by an older version. */
export type Cursor = { readonly number: number; readonly timeline?: string | undefined }

/** Timelines stored, which is years of restarts: a client with an older cursor is asked to start again. */
export const MAX_TIMELINES = 10_000

export const CURSOR_PATTERN = '^\\d{1,20}(-[0-9a-f]{16})?$'
const CURSOR = new RegExp(CURSOR_PATTERN)

export const createTimelineId = (): string => crypto.getRandomValues(new Uint8Array(8)).toHex()

/** Returns undefined if the text is not a cursor. */
export function readCursor(text: string | number): Cursor | undefined {
  if (!CURSOR.test(String(text))) return undefined
  const [number, timeline] = String(text).split('-') as [string, string | undefined]
  return { number: Math.min(Number(number), Number.MAX_SAFE_INTEGER), timeline }
}

/** The timelines of one history, oldest first. */
export class Timelines {
  readonly #list: readonly Timeline[]
  readonly #indexes: ReadonlyMap<string, number>

  constructor(list: readonly Timeline[] = []) {
    this.#list = list
    this.#indexes = new Map(list.map(({ id }, index) => [id, index]))
  }

  get newest(): string | undefined {
    return this.#list.at(-1)?.id
  }

  /** 0 is the start of every history, so it has no timeline. */
  toCursor(scale: Scale, number: number): string {
    // Histories that share the oldest stored timeline also share everything before it.
    const timeline = this.#list.findLast(({ fork }) => fork[scale] < number) ?? this.#list[0]
    return number === 0 || !timeline ? String(number) : `${number}-${timeline.id}`
  }

  /** Whether the cursor is a position in this history, which extends to `last`. */
  has(scale: Scale, { number, timeline }: Cursor, last: number): boolean {
    if (number > last) return false
    if (number === 0) return true
    if (timeline === undefined)
      return !this.#list.some(({ fork, start }) => fork[scale] < number && number <= start[scale])
    const index = this.#indexes.get(timeline)
    if (index === undefined) return false
    const next = this.#list[index + 1]
    return next === undefined || number <= next.fork[scale]
  }
}

// The feed for followers: the present state of what changed, and the events one by one.

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
  purchase: 'service.purchased',
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
    at: dateTime.describe('When it happened'),
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
