// Webhooks as OpenAPI tells them: the operations, and what a receiver gets.
import type { ErrorCode } from '../../domain/errors.ts'
import type { CreatedWebhook, Webhook, WebhookChallenge, WebhookTest } from '../../domain/webhooks.ts'
import { COMMON_HEADERS, headerRefs, type Json, schemaRef } from './components.ts'
import { arrayOf, failures, json, ok } from './describe.ts'
import { feedEventExample } from './examples.ts'

const security = [{ apiKey: [] }]
const FAILURES: ErrorCode[] = ['unauthorized', 'forbidden', 'rate_limited', 'internal', 'store_unavailable']

const draft = {
  url: 'https://receiver.example.com/shirube',
  events: ['service.price_changed' as const, 'service.removed' as const],
  filter: { category: 'weather', chain: ['base', 'solana'] },
}
const webhook: Webhook = {
  id: 'whk_5f0c9c1b7d5e4b0f9a3e2d1c0b9a8f7e',
  ...draft,
  state: 'active',
  reason: null,
  createdAt: '2026-02-01T12:00:00.000Z',
  confirmedAt: '2026-02-01T12:00:01.500Z',
  lastDeliveredAt: '2026-02-01T12:30:00.000Z',
  failingSince: null,
  nextTryAt: null,
}
const created: CreatedWebhook = {
  ...webhook,
  state: 'unconfirmed',
  confirmedAt: null,
  lastDeliveredAt: null,
  nextTryAt: '2026-02-01T12:00:01.000Z',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
}
const tested: WebhookTest = {
  delivered: true,
  httpStatus: 204,
  latencyMs: 42,
  detail: 'It answered with 204.',
}

const ID: Json = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the webhook',
  schema: { type: 'string' },
  example: webhook.id,
}

const list: Json = {
  operationId: 'listWebhooks',
  tags: ['webhooks'],
  summary: 'List your webhooks and how they fare',
  security,
  responses: {
    200: ok(
      'Your webhooks, by age',
      [...COMMON_HEADERS, 'Link', 'X-Total-Count'],
      json(arrayOf('Webhook'), [webhook]),
    ),
    ...failures('invalid_request', ...FAILURES),
  },
}

const create: Json = {
  operationId: 'createWebhook',
  tags: ['webhooks'],
  summary: 'Ask to be told what happens',
  description:
    'Its receiver is sent a challenge first, a second later, and nothing else until it has answered one with its value; without an answer after three it is disabled. Messages are signed by the Standard Webhooks convention with the secret that this answer tells once. What happens from now on is sent at least once, in order for each service, and retried for five days.',
  security,
  requestBody: { required: true, content: json(schemaRef('WebhookDraft'), draft) },
  responses: {
    201: ok(
      'The webhook with its secret',
      [...COMMON_HEADERS, 'Location', 'X-Ignored-Fields'],
      json(schemaRef('CreatedWebhook'), created),
    ),
    ...failures('invalid_request', 'body_too_large', 'unsupported_media_type', ...FAILURES),
  },
}

const remove: Json = {
  operationId: 'removeWebhook',
  tags: ['webhooks'],
  summary: 'Remove a webhook',
  security,
  parameters: [ID],
  responses: {
    204: { description: 'It is gone; nothing more is sent', headers: headerRefs(...COMMON_HEADERS) },
    ...failures('invalid_request', 'not_found', 'precondition_failed', ...FAILURES),
  },
}

const test: Json = {
  operationId: 'testWebhook',
  tags: ['webhooks'],
  summary: 'Send a test delivery',
  description:
    'Sends a signed message of the type webhook.test now, or a challenge to a receiver that has answered none, and tells what became of it. If it arrives, a webhook that was unconfirmed, failing or disabled goes on where it stopped.',
  security,
  parameters: [ID],
  responses: {
    200: ok('What became of it', COMMON_HEADERS, json(schemaRef('WebhookTest'), tested)),
    ...failures('invalid_request', 'not_found', 'precondition_failed', ...FAILURES),
  },
}

export const WEBHOOK_PATHS: Readonly<Record<string, Json>> = {
  '/api/webhooks': { get: list, post: create },
  '/api/webhooks/{id}': { delete: remove },
  '/api/webhooks/{id}/test': { post: test },
}

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})
const SIGNED = [
  header('webhook-id', 'The same however often the message is sent'),
  header('webhook-timestamp', 'When it was sent, in seconds since 1970'),
  header('webhook-signature', 'v1, a comma, and HMAC-SHA256 over id.timestamp.body in base64'),
]
const { type, at: timestamp } = feedEventExample
const challenge: WebhookChallenge = {
  type: 'webhook.challenge',
  timestamp,
  data: {
    webhookId: webhook.id,
    challenge: 'q8Zt0n3vJx5rYb1cKd7fLw2hPm9sTg4u',
    message:
      'Somebody asks for messages to be sent to this address. To agree, answer with the challenge; otherwise do nothing.',
  },
}

/** What is posted to the address of a webhook. */
export const WEBHOOK_MESSAGES: Json = {
  challenge: {
    post: {
      operationId: 'answerChallenge',
      tags: ['webhooks'],
      summary: 'Whether you agree to get messages',
      description:
        'The first that is sent, and again when the name of the receiver leads to another address. Without the value of the challenge in the answer nothing else follows.',
      parameters: SIGNED,
      requestBody: { required: true, content: json(schemaRef('WebhookChallenge'), challenge) },
      responses: {
        '2XX': {
          description: 'With the value of the challenge and nothing else: agreed',
          content: {
            'text/plain': { schema: { type: 'string' }, example: challenge.data.challenge },
            ...json(
              { type: 'object', required: ['challenge'], properties: { challenge: { type: 'string' } } },
              { challenge: challenge.data.challenge },
            ),
          },
        },
        410: { description: 'Refused: the webhook is disabled' },
        default: { description: 'Not agreed: it is asked a few times more' },
      },
    },
  },
  serviceEvent: {
    post: {
      operationId: 'receiveServiceEvent',
      tags: ['webhooks'],
      summary: 'Something happened to a service',
      parameters: SIGNED,
      requestBody: {
        required: true,
        content: json(schemaRef('WebhookMessage'), { type, timestamp, data: feedEventExample }),
      },
      responses: {
        '2XX': { description: 'Received' },
        410: { description: 'No more messages are wanted: the webhook is disabled' },
        default: { description: 'Not received: it is sent again later' },
      },
    },
  },
}
