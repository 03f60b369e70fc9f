// The history of a service, as responses have it: probes and events with their reasons, and sums per day.
import { z } from 'zod'
import { tellInEnglish } from '../../messages/message.ts'
import { EVENT_TYPES, type ServiceEvent } from '../feed.ts'
import {
  count,
  dateTime,
  maybeMessageFieldsSchema,
  messageSchema,
  NO_MESSAGE,
  toMessageRecord,
  toReason,
} from '../problems.ts'
import { type ProbeDay, type ProbeRecord, probeSchema, tallySchema } from './standing.ts'

const probeItemSchema = z
  .object({
    kind: z.literal('probe').describe('Which of the two kinds of record it is'),
    ...probeSchema.shape,
    reasons: z.array(z.string()).describe('Why, in English'),
    reasonCodes: z.array(messageSchema).describe('The reasons for programs, in the same order'),
  })
  .meta({ id: 'HistoryProbe', title: 'A probe of the endpoint, without payment' })

const eventItemSchema = z
  .object({
    kind: z.literal('event').describe('Which of the two kinds of record it is'),
    at: dateTime.describe('When it happened'),
    type: z.enum(EVENT_TYPES).describe('What happened'),
    reason: z.string().nullable().describe('Why, in English; null: unknown'),
    ...maybeMessageFieldsSchema.shape,
    before: z.unknown().describe('State before, if the type has one'),
    after: z.unknown().describe('State after'),
  })
  .meta({ id: 'HistoryEvent', title: 'A change' })

const daySchema = z
  .object({ day: z.string().meta({ format: 'date' }).describe('UTC'), ...tallySchema.shape })
  .meta({ id: 'HistoryDay', title: 'The probes of one day' })

export const historySchema = z
  .object({
    id: z.string().describe('Id of the service'),
    items: z.array(z.union([probeItemSchema, eventItemSchema])).describe('Newest first'),
    next: z.string().nullable().describe('Send as `before` for the next page; null on the last'),
    days: z
      .array(daySchema)
      .describe(
        'Newest first, since the service is at its present endpoint; a day is stored for a year, its single probes for 30 days',
      ),
  })
  .meta({ id: 'History', title: 'What happened to a service, and why' })
export type History = Readonly<z.output<typeof historySchema>>
export type HistoryEntry = History['items'][number]

export const toProbeItem = ({ serviceId: _, reasons, ...probe }: ProbeRecord): HistoryEntry => ({
  kind: 'probe',
  ...probe,
  reasons: reasons.map(tellInEnglish),
  reasonCodes: reasons.map(toMessageRecord),
})

export const toEventItem = ({ type, at, reason, before, after }: ServiceEvent): HistoryEntry => ({
  kind: 'event',
  at,
  type,
  ...(reason === null ? NO_MESSAGE : toReason(reason)),
  before,
  after,
})

export const toDay = (day: ProbeDay): History['days'][number] => ({ ...day })

/** A position between two items, as text in a query. */
type Cursor = { readonly at: string; readonly number: number }

export const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(\d{1,15})$/

export const toCursorText = ({ at, number }: Cursor): string => `${at}_${number}`

export function readCursor(text: string): Cursor {
  const [, at = '', number = ''] = CURSOR.exec(text) ?? []
  return { at, number: Number(number) }
}

// The catalog in figures, with what its history says about the verdicts.

export const catalogSchema = z
  .object({
    services: count.describe('Listed services'),
    samples: count.describe('Those of them that are invented'),
    accuracy: z
      .object({
        since: dateTime.describe('Beginning of the period'),
        until: dateTime.describe('Its end: a week ago, as a verdict can be corrected for a week'),
        purchases: count.describe('Purchases by this directory of services that were verified'),
        failed: count.describe('Those that took money and did not deliver'),
        verified: count.describe('How often a service became verified'),
        withdrawn: count.describe('How often what was found within a week ended that'),
      })
      .describe('How often this directory was wrong, from its stored history'),
  })
  .meta({ id: 'Catalog', title: 'The catalog in figures' })
export type CatalogFigures = Readonly<z.output<typeof catalogSchema>>
