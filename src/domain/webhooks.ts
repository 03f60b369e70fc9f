// A webhook: what its owner asks for, what is kept of it, and what is told about it.
import { z } from 'zod'
import { CATEGORY_ID } from './categories.ts'
import { endpointSchema, privateEndpointProblem } from './endpoint.ts'
import { invalid } from './errors.ts'
import { FEED_EVENT_TYPES, feedEventSchema } from './feed.ts'
import { ignoredFields } from './ignored-fields.ts'
import { toProblems } from './problems.ts'
import { visible } from './text.ts'

export const MAX_WEBHOOKS = 20
const MAX_VALUES = 50

const oneOrSeveral = <S extends z.ZodType<string>>(value: S, what: string) =>
  z
    .union([value, z.array(value).min(1).max(MAX_VALUES)], {
      error: `must be ${what}, or a list of 1 to ${MAX_VALUES} of them`,
    })
    .optional()

const filterSchema = z
  .strictObject(
    {
      category: oneOrSeveral(z.string().regex(CATEGORY_ID), 'a category id').describe(
        'Services in this category, or in any of these; without regard to case',
      ),
      chain: oneOrSeveral(visible(64, 'a chain', { spaced: true }), 'the name of a chain').describe(
        'Services on this chain, or on any of these; by name, alias or CAIP-2 id',
      ),
      serviceId: oneOrSeveral(visible(64, 'an id'), 'the id of a service').describe(
        'This service, or any of these',
      ),
    },
    {
      // A filter that is accepted and ignored would send everything.
      error: issue =>
        issue.code === 'unrecognized_keys'
          ? `takes only category, chain and serviceId, not ${issue.keys.join(', ')}`
          : 'must be an object with category, chain or serviceId',
    },
  )
  .meta({ id: 'WebhookFilter' })
export type WebhookFilter = Readonly<z.output<typeof filterSchema>>

const events = z
  .array(z.enum(FEED_EVENT_TYPES, { error: `must be one of ${FEED_EVENT_TYPES.join(', ')}` }), {
    error: 'must be a list of event types, like service.price_changed',
  })
  .min(1, 'must name at least one event type, or be left out for all of them')
  .overwrite(types => [...new Set(types)])

const url = endpointSchema.describe('Where messages are posted; redirects are not followed')

export const webhookDraftSchema = z
  .object(
    {
      url,
      events: events.optional().describe('What to be told; everything unless given'),
      filter: filterSchema.optional().describe('Which services to be told of; all unless given'),
    },
    { error: 'must be a JSON object' },
  )
  .meta({ id: 'WebhookDraft', title: 'What to be told, and where' })

export type WebhookDraft = {
  readonly url: string
  readonly events: readonly FeedEventType[]
  readonly filter: WebhookFilter
}
export type FeedEventType = (typeof FEED_EVENT_TYPES)[number]

const KNOWN_FIELDS = { '': Object.keys(webhookDraftSchema.shape) }

/** @throws DirectoryError `invalid_request` that lists every problem. */
export function readWebhookDraft(
  body: unknown,
  { allowPrivateEndpoints }: { readonly allowPrivateEndpoints: boolean },
): { draft: WebhookDraft; ignored: string[] } {
  const parsed = webhookDraftSchema.safeParse(body)
  if (!parsed.success) throw invalid(toProblems(parsed.error, body))
  const { url, events = FEED_EVENT_TYPES, filter = {} } = parsed.data
  const problem = allowPrivateEndpoints ? undefined : privateEndpointProblem(url)
  if (problem) throw invalid([{ path: 'url', message: `must be a public address. ${problem}` }])
  return { draft: { url, events, filter }, ignored: ignoredFields(body as object, KNOWN_FIELDS) }
}

/** How far a webhook has come. */
export type WebhookProgress = {
  /** Every event up to this number was delivered or passed over. */
  readonly cursor: number
  /** Numbers beyond the cursor that were delivered, ascending. */
  readonly ahead: readonly number[]
  /** When the next try may be made; null: it is disabled. */
  readonly dueAt: Date | null
  /** Failed tries since the last message that arrived. */
  readonly failures: number
  readonly failingSince: string | null
  /** Why the last try failed, or why there are no more; null while messages arrive. */
  readonly reason: string | null
  readonly lastDeliveredAt: string | null
}

/** Of a new webhook: it begins after the last event there is. */
export const createProgress = (cursor: number, createdAt: string): WebhookProgress => ({
  cursor,
  ahead: [],
  dueAt: new Date(createdAt),
  failures: 0,
  failingSince: null,
  reason: null,
  lastDeliveredAt: null,
})

/** What is kept. The secret signs every message, so it is kept as it is; nothing but the signature leaves with it. */
export type WebhookRecord = WebhookDraft & {
  readonly id: string
  /** A key, or the wallet of several keys. */
  readonly owner: string
  readonly secret: string
  readonly createdAt: string
  readonly progress: WebhookProgress
}

const timestamp = z.string().meta({ format: 'date-time' })

export const webhookSchema = z
  .object({
    id: z.string(),
    url,
    events: z.array(z.enum(FEED_EVENT_TYPES)),
    filter: filterSchema,
    state: z
      .enum(['active', 'failing', 'disabled'])
      .describe('failing: it is tried again; disabled: nothing is sent until a test delivery arrives'),
    reason: z.string().nullable().describe('Why it fails or is disabled'),
    createdAt: timestamp,
    lastDeliveredAt: timestamp.nullable(),
    failingSince: timestamp.nullable(),
    nextTryAt: timestamp.nullable().describe('While it fails'),
  })
  .meta({ id: 'Webhook', title: 'A webhook and how it fares' })
export type Webhook = Readonly<z.output<typeof webhookSchema>>

export const createdWebhookSchema = webhookSchema
  .extend({ secret: z.string().describe('Verifies the messages; told this once') })
  .meta({ id: 'CreatedWebhook', title: 'A new webhook, with its secret' })
export type CreatedWebhook = Readonly<z.output<typeof createdWebhookSchema>>

export function toWebhook({ id, url, events, filter, createdAt, progress }: WebhookRecord): Webhook {
  const { dueAt, failures, failingSince, reason, lastDeliveredAt } = progress
  const state = dueAt === null ? 'disabled' : failures > 0 ? 'failing' : 'active'
  return {
    id,
    url,
    events: [...events],
    filter,
    state,
    reason,
    createdAt,
    lastDeliveredAt,
    failingSince,
    nextTryAt: state === 'failing' ? dueAt!.toISOString() : null,
  }
}

export const webhookTestSchema = z
  .object({
    delivered: z.boolean().describe('Whether it was answered with a 2xx status'),
    httpStatus: z.int().nullable().describe('null: no answer came'),
    latencyMs: z.number(),
    detail: z.string(),
  })
  .meta({ id: 'WebhookTest', title: 'What became of a test delivery' })
export type WebhookTest = Readonly<z.output<typeof webhookTestSchema>>

export const webhookMessageSchema = z
  .object({
    type: z.enum(FEED_EVENT_TYPES),
    timestamp: timestamp.describe('When it happened'),
    data: feedEventSchema,
    truncated: z.literal(true).optional().describe('before and after were too large and are null'),
  })
  .meta({ id: 'WebhookMessage', title: 'The body of a delivery' })
export type WebhookMessage = Readonly<z.output<typeof webhookMessageSchema>>

export type WebhookCounts = {
  /** Those that are on, without trouble. */
  readonly active: number
  /** Those whose last message did not arrive and is tried again. */
  readonly failing: number
  readonly disabled: number
  /** Those that are on and have events before them. */
  readonly pending: number
  /** How many events the one furthest behind has before it. */
  readonly behind: number
}

/** What is counted while messages are sent, for those who watch the process. */
export type WebhookMeter = {
  /** Messages since the start of the process; those that failed are tried again. */
  readonly sent: Readonly<Record<'delivered' | 'failed', number>>
  count(): Promise<WebhookCounts>
}
