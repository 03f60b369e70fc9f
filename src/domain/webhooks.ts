// Webhooks: the request of an owner, the stored record, and the response.
import { z } from 'zod'
import type { Word } from '../messages/kinds.ts'
import { type Message, readMessage, say, tellInEnglish } from '../messages/message.ts'
import { invalid, toProblem } from './errors.ts'
import { FEED_EVENT_TYPES, feedEventSchema } from './feed.ts'
import { endpointSchema, privateEndpointProblem } from './hosts/endpoint.ts'
import { CATEGORY_ID, CATEGORY_ID_SCHEMA } from './listing/categories.ts'
import {
  dateTime,
  expecting,
  maybeMessageFieldsSchema,
  messageFieldsSchema,
  NO_MESSAGE,
  readKnownFields,
  toReason,
} from './problems.ts'
import { visible } from './text/text.ts'

/** Webhooks per owner. */
export const MAX_WEBHOOKS = 20
/** Webhooks whose receiver has not confirmed: wallets cost nothing, and each such webhook sends a challenge to a third party. */
export const MAX_UNCONFIRMED = 5
/** Delay after creation, so that the owner of the receiver has the secret before the first challenge. */
export const FIRST_CHALLENGE_MS = 1_000
/** Values per filter; every event is tested against them. */
const MAX_VALUES = 50

const oneOrSeveral = <S extends z.ZodType<string>>(value: S, what: Word<'webhook_filter'>) =>
  z
    .union([value, z.array(value).min(1).max(MAX_VALUES)], {
      error: expecting('one_or_several_expected', { what, max: MAX_VALUES }),
    })
    .optional()

const FILTER_FIELDS = ['category', 'chain', 'serviceId', 'mine']

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
      mine: z
        .literal(true, { error: expecting('true_expected') })
        .optional()
        .describe(
          'Services that the owner of the webhook owns, or that are paid at its wallet, including future ones',
        ),
    },
    {
      // Ignoring an unknown filter would send everything.
      error: issue =>
        issue.code === 'unrecognized_keys'
          ? expecting('filter_fields_unknown', { known: FILTER_FIELDS, names: issue.keys })
          : expecting('filter_expected', { known: FILTER_FIELDS }),
    },
  )
  .meta({ id: 'WebhookFilter', title: 'Which services events are about' })
export type WebhookFilter = Readonly<z.output<typeof filterSchema>>

const events = z
  .array(z.enum(FEED_EVENT_TYPES, { error: expecting('not_one_of', { values: FEED_EVENT_TYPES }) }), {
    error: expecting('event_types_expected'),
  })
  .min(1, expecting('event_types_empty'))
  .overwrite(types => [...new Set(types)])

const url = endpointSchema.describe('URL to which messages are posted; redirects are not followed')

export const webhookDraftSchema = z
  .object({
    url,
    events: events
      .default([...FEED_EVENT_TYPES])
      .meta({ default: undefined })
      .describe('Event types to send; default: all'),
    filter: filterSchema
      .default({})
      .meta({ default: undefined })
      .describe('Services to send events of; default: all'),
  })
  .meta({ id: 'WebhookDraft', title: 'Which events to send, and where' })

export type WebhookDraft = Readonly<z.output<typeof webhookDraftSchema>>
export type FeedEventType = (typeof FEED_EVENT_TYPES)[number]

/** @throws DirectoryError `invalid_request` that lists every problem. */
export function readWebhookDraft(
  body: unknown,
  { allowPrivateEndpoints }: { readonly allowPrivateEndpoints: boolean },
): { draft: WebhookDraft; ignored: readonly string[] } {
  const { value: draft, ignored } = readKnownFields(webhookDraftSchema, body)
  const problem = allowPrivateEndpoints ? undefined : privateEndpointProblem(draft.url)
  if (problem) throw invalid([toProblem('url', say('public_address_expected', { problem }))])
  return { draft, ignored }
}

/** The delivery state of a webhook. */
export type WebhookProgress = {
  /** Every event up to this number was delivered or skipped. */
  readonly cursor: number
  /** Time of the next attempt; null: it is disabled. */
  readonly dueAt: Date | null
  /** Failed attempts since the last delivery. */
  readonly failures: number
  readonly failingSince: string | null
  /** Why the last attempt failed, or why there are no more; null while deliveries succeed. */
  readonly reason: string | null
  /** The reason with its code, for interfaces in other languages. */
  readonly said?: Message
  readonly lastDeliveredAt: string | null
  /** When its receiver confirmed; null: only challenges are sent. */
  readonly confirmedAt: string | null
}

/** For a new webhook: it starts after the last event. */
export const createProgress = (cursor: number, createdAt: string): WebhookProgress => ({
  cursor,
  dueAt: new Date(Date.parse(createdAt) + FIRST_CHALLENGE_MS),
  failures: 0,
  failingSince: null,
  reason: null,
  lastDeliveredAt: null,
  confirmedAt: null,
})

/** After a confirmation: delivery continues where it stopped, without failures. */
export const toConfirmed = (before: WebhookProgress, at: Date): WebhookProgress => ({
  ...before,
  dueAt: at,
  failures: 0,
  failingSince: null,
  reason: null,
  confirmedAt: at.toISOString(),
})

/** The stored record. The secret signs every message, so it is stored in plain text; only signatures made with it are sent. */
export type WebhookRecord = WebhookDraft & {
  readonly id: string
  /** A key, or the wallet of several keys. */
  readonly owner: string
  readonly secret: string
  readonly createdAt: string
  readonly progress: WebhookProgress
}

export const webhookSchema = z
  .object({
    id: z.string().describe('Id of the webhook'),
    url,
    events: z.array(z.enum(FEED_EVENT_TYPES)).describe('The events that are sent'),
    filter: filterSchema.describe('Which services the events are about'),
    state: z
      .enum(['unconfirmed', 'active', 'failing', 'disabled'])
      .describe(
        'unconfirmed: its receiver has not answered a challenge, and gets nothing else; failing: deliveries are retried; disabled: nothing is sent until a test delivery succeeds',
      ),
    reason: z.string().nullable().describe('Why it is unconfirmed, failing or disabled'),
    ...maybeMessageFieldsSchema.shape,
    createdAt: dateTime.describe('When it was created'),
    confirmedAt: dateTime.nullable().describe('When its receiver answered a challenge'),
    lastDeliveredAt: dateTime.nullable().describe('Time of the last delivery; null: none yet'),
    failingSince: dateTime.nullable().describe('Since when deliveries fail; null: they do not'),
    nextTryAt: dateTime.nullable().describe('While it fails or is unconfirmed'),
  })
  .meta({ id: 'Webhook', title: 'A webhook and its state' })
export type Webhook = Readonly<z.output<typeof webhookSchema>>

export const createdWebhookSchema = webhookSchema
  .extend({ secret: z.string().describe('Verifies the messages; returned only this once') })
  .meta({ id: 'CreatedWebhook', title: 'A new webhook, with its secret' })
export type CreatedWebhook = Readonly<z.output<typeof createdWebhookSchema>>

/** Why the last attempt failed, as it is stored. */
export const toStoredReason = (said: Message): Pick<WebhookProgress, 'reason' | 'said'> => ({
  reason: tellInEnglish(said),
  said,
})

const messageOf = ({ reason, said }: WebhookProgress): Message | undefined =>
  reason === null ? undefined : readMessage(said ?? reason)

export function toWebhook({ id, url, events, filter, createdAt, progress }: WebhookRecord): Webhook {
  const { dueAt, failingSince, lastDeliveredAt, confirmedAt } = progress
  const said = messageOf(progress)
  const state = toState(progress)
  return {
    id,
    url,
    events: [...events],
    filter,
    state,
    ...(said ? toReason(said) : NO_MESSAGE),
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
      .describe('Whether the response had a 2xx status; for a challenge, whether it returned its value'),
    httpStatus: z.int().nullable().describe('null: no response'),
    latencyMs: z.number().describe('Milliseconds until the response'),
    detail: z.string().describe('What was found, in English'),
    ...messageFieldsSchema.shape,
  })
  .meta({ id: 'WebhookTest', title: 'Result of a test delivery' })
export type WebhookTest = Readonly<z.output<typeof webhookTestSchema>>

export const webhookMessageSchema = z
  .object({
    type: z.enum(FEED_EVENT_TYPES).describe('What happened'),
    timestamp: dateTime.describe('Time of the event'),
    data: feedEventSchema.describe('The event'),
    truncated: z.literal(true).optional().describe('before and after were too large and are null'),
  })
  .meta({ id: 'WebhookMessage', title: 'The body of a delivery' })
export type WebhookMessage = Readonly<z.output<typeof webhookMessageSchema>>

export const webhookChallengeSchema = z
  .object({
    type: z.literal('webhook.challenge').describe('Always webhook.challenge'),
    timestamp: dateTime.describe('When it was created'),
    data: z
      .object({
        webhookId: z.string().describe('Id of the webhook'),
        challenge: z
          .string()
          .describe('A receiver that accepts returns it unchanged, or as {"challenge": …}'),
        message: z.string().describe('Explanation for people who did not expect it'),
      })
      .describe('What the receiver is asked to confirm'),
  })
  .meta({ id: 'WebhookChallenge', title: 'The body of a challenge' })
export type WebhookChallenge = Readonly<z.output<typeof webhookChallengeSchema>>

/** Delivery counters, for metrics of the process. */
export type WebhookMeter = {
  /** Messages since the start of the process; failed ones are retried. */
  readonly sent: Readonly<Record<'delivered' | 'failed', number>>
}
