// The requests that webhook receivers get: no route of ours describes them.

import { feedEventExample, webhookExample } from '../../directory/examples/feed.ts'
import type { WebhookChallenge } from '../../domain/webhooks.ts'
import { json, jsonBody } from './describe.ts'
import { type Json, schemaRef } from './json-schema.ts'

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
    webhookId: webhookExample.id,
    challenge: 'q8Zt0n3vJx5rYb1cKd7fLw2hPm9sTg4u',
    message:
      'Someone asked to send webhook messages to this address. To accept, respond with the challenge; otherwise ignore this.',
  },
}

export const WEBHOOK_MESSAGES: Json = {
  challenge: {
    post: {
      operationId: 'answerChallenge',
      tags: ['webhooks'],
      summary: 'Confirm that you accept messages',
      description:
        'Sent first, and again when the host of the receiver resolves to another address. Nothing else is sent until a response contains the value of the challenge.',
      parameters: SIGNED,
      requestBody: jsonBody(schemaRef('WebhookChallenge'), challenge),
      responses: {
        '2XX': {
          description: 'Accepted: the value of the challenge and nothing else',
          content: {
            'text/plain': { schema: { type: 'string' }, example: challenge.data.challenge },
            ...json(
              { type: 'object', required: ['challenge'], properties: { challenge: { type: 'string' } } },
              { challenge: challenge.data.challenge },
            ),
          },
        },
        410: { description: 'Refused: the webhook is disabled' },
        default: { description: 'Not confirmed: the challenge is repeated a few times' },
      },
    },
  },
  serviceEvent: {
    post: {
      operationId: 'receiveServiceEvent',
      tags: ['webhooks'],
      summary: 'Something happened to a service',
      parameters: SIGNED,
      requestBody: jsonBody(schemaRef('WebhookMessage'), { type, timestamp, data: feedEventExample }),
      responses: {
        '2XX': { description: 'Received' },
        410: { description: 'No more messages are wanted: the webhook is disabled' },
        default: { description: 'Not received: it is sent again later' },
      },
    },
  },
}
