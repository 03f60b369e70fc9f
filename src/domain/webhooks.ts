// A webhook: what its owner asks for, what is kept of it, and what is told about it.

import { z } from 'zod'
import type { Part } from '../messages/kinds.ts'
import { say } from '../messages/message.ts'
import { CATEGORY_ID, CATEGORY_ID_SCHEMA } from './categories.ts'
import { endpointSchema, privateEndpointProblem } from './endpoint.ts'
import { invalid, toProblem } from './errors.ts'
import { FEED_EVENT_TYPES, feedEventSchema } from './feed.ts'
import { ignoredFields } from './ignored-fields.ts'
import { messageFieldsSchema } from './message-view.ts'
import { expecting, toProblems } from './problems.ts'
import { requiredWords } from './queries.ts'
import { visible } from './text.ts'

export const MAX_WEBHOOKS = 20
/** Of these, so many whose receiver has not agreed: a wallet costs nothing, and each of them sends somebody a challenge. */
export const MAX_UNCONFIRMED = 5
/** After its making, so that whoever receives the first challenge has been told the secret. */
export const FIRST_CHALLENGE_MS = 1_000
const MAX_VALUES = 50

const oneOrSeveral = <S extends z.ZodType<string>>(value: S, what: Part<'webhook_filter'>) =>
  z
    .union([value, z.array(value).min(1).max(MAX_VALUES)], {
      error: expecting('one_or_several_expected', { what, max: MAX_VALUES }),
    })
    .optional()

const FILTERED = ['category', 'chain', 'serviceId', 'query', 'mine']

const filterSchema = z
  .strictObject(
    {
      category: oneOrSeveral(z.string().regex(CATEGORY_ID).meta(CATEGORY_ID_SCHEMA), 'category').describe(
        'Services in this category, or in any of these; without regard to case',
      ),
      chain: oneOrSeveral(visible(64, 'chain', { spaced: true }), 'chain').describe(
        'Services on this chain, or on any of these; by name, alias or CAIP-2 id',
      ),
      serviceId: oneOrSeveral(visible(64, 'id'), 'service').describe('This service, or any of these'),
      query: requiredWords
        .optional()
        .describe(
          'Services that an intent search for this sentence finds, its limits of price, chain and status included, when the event is sent',
        ),
      mine: z
        .literal(true, { error: expecting('true_expected') })
        .optional()
        .describe(
          'Services that belong to whom the webhook belongs to, or are paid at its wallet, also those to come',
        ),
    },
    {
      // A filter that is accepted and ignored would send everything.
      error: issue =>
        issue.code === 'unrecognized_keys'
          ? expecting('filter_fields_unknown', { known: FILTERED, names: issue.keys })
          : expecting('filter_expected', { known: FILTERED }),
    },
  )
  .meta({ id: 'WebhookFilter' })
export type WebhookFilter = Readonly<z.output<typeof filterSchema>>

const events = z
  .array(z.enum(FEED_EVENT_TYPES, { error: expecting('not_one_of', { values: FEED_EVENT_TYPES }) }), {
    error: expecting('event_types_expected'),
  })
  .min(1, expecting('event_types_empty'))
  .overwrite(types => [...new Set(types)])

const url = endpointSchema.describe('Where messages are posted; redirects are not followed')

export const webhookDraftSchema = z
  .object(
    {
      url,
      events: events.optional().describe('What to be told; everything unless given'),
      filter: filterSchema.optional().describe('Which services to be told of; all unless given'),
    },
    { error: expecting('not_json_object') },
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
  if (problem) throw invalid([toProblem('url', say('public_address_expected', { problem }))])
  return { draft: { url, events, filter }, ignored: ignoredFields(body as object, KNOWN_FIELDS) }
}

/** Those that are asked for consent, those that answer at once and those that take their time wait for each other in no case. */
export const WEBHOOK_POOLS = ['challenge', 'prompt', 'slow'] as const
export type WebhookPool = (typeof WEBHOOK_POOLS)[number]

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
  /** When its receiver agreed; null: it gets challenges and nothing else. */
  readonly confirmedAt: string | null
  /** Where it lived whenever it agreed, newest last: a name that leads elsewhere since has to agree again. */
  readonly networks: readonly string[]
  /** Whether it took its time the last time: then it waits among those that do. */
  readonly isSlow: boolean
}

/** Of a new webhook: it begins after the last event there is. */
export const createProgress = (cursor: number, createdAt: string): WebhookProgress => ({
  cursor,
  ahead: [],
  dueAt: new Date(Date.parse(createdAt) + FIRST_CHALLENGE_MS),
  failures: 0,
  failingSince: null,
  reason: null,
  lastDeliveredAt: null,
  confirmedAt: null,
  networks: [],
  isSlow: false,
})

/** Large delivery networks answer by many addresses in turn. */
const MAX_NETWORKS = 64

/** Its receiver has agreed: it goes on where it stopped, with a clean record. */
export const toConfirmed = (before: WebhookProgress, network: string, at: Date): WebhookProgress => ({
  ...before,
  dueAt: at,
  failures: 0,
  failingSince: null,
  reason: null,
  confirmedAt: at.toISOString(),
  networks: [...before.networks.filter(each => each !== network), network].slice(-MAX_NETWORKS),
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
      .enum(['unconfirmed', 'active', 'failing', 'disabled'])
      .describe(
        'unconfirmed: its receiver has not answered a challenge, and gets nothing else; failing: it is tried again; disabled: nothing is sent until a test delivery arrives',
      ),
    reason: z.string().nullable().describe('Why it is unconfirmed, fails or is disabled'),
    createdAt: timestamp,
    confirmedAt: timestamp.nullable().describe('When its receiver answered a challenge'),
    lastDeliveredAt: timestamp.nullable(),
    failingSince: timestamp.nullable(),
    nextTryAt: timestamp.nullable().describe('While it fails or is unconfirmed'),
  })
  .meta({ id: 'Webhook', title: 'A webhook and how it fares' })
export type Webhook = Readonly<z.output<typeof webhookSchema>>

export const createdWebhookSchema = webhookSchema
  .extend({ secret: z.string().describe('Verifies the messages; told this once') })
  .meta({ id: 'CreatedWebhook', title: 'A new webhook, with its secret' })
export type CreatedWebhook = Readonly<z.output<typeof createdWebhookSchema>>

export function toWebhook({ id, url, events, filter, createdAt, progress }: WebhookRecord): Webhook {
  const { dueAt, failingSince, reason, lastDeliveredAt, confirmedAt } = progress
  const state = toState(progress)
  return {
    id,
    url,
    events: [...events],
    filter,
    state,
    reason,
    createdAt,
    confirmedAt,
    lastDeliveredAt,
    failingSince,
    nextTryAt: state === 'failing' || state === 'unconfirmed' ? dueAt!.toISOString() : null,
  }
}

function toState({ dueAt, failures, confirmedAt }: WebhookProgress): Webhook['state'] {
  if (dueAt === null) return 'disabled'
  if (confirmedAt === null) return 'unconfirmed'
  return failures > 0 ? 'failing' : 'active'
}

export const webhookTestSchema = z
  .object({
    delivered: z
      .boolean()
      .describe(
        'Whether it was answered with a 2xx status; a challenge, whether it was answered with its value',
      ),
    httpStatus: z.int().nullable().describe('null: no answer came'),
    latencyMs: z.number(),
    detail: z.string(),
    ...messageFieldsSchema.shape,
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

export const webhookChallengeSchema = z
  .object({
    type: z.literal('webhook.challenge'),
    timestamp: timestamp.describe('When it was made'),
    data: z.object({
      webhookId: z.string(),
      challenge: z
        .string()
        .describe('To be answered as it is, or as {"challenge": …}, by a receiver that agrees'),
      message: z.string().describe('For a person who knows nothing of it'),
    }),
  })
  .meta({ id: 'WebhookChallenge', title: 'The body of a challenge' })
export type WebhookChallenge = Readonly<z.output<typeof webhookChallengeSchema>>

export type WebhookCounts = {
  /** Those whose receiver is still to answer a challenge. */
  readonly unconfirmed: number
  /** Those that are on, without trouble. */
  readonly active: number
  /** Those whose last message did not arrive and is tried again. */
  readonly failing: number
  readonly disabled: number
  /** Those that are confirmed, are on and have events before them. */
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
