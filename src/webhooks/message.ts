// The body of a delivery in the format of Standard Webhooks: type, timestamp, data.
import type { FeedEvent } from '../domain/feed.ts'
import type { WebhookMessage } from '../domain/webhooks.ts'

export type Message = {
  /** The same for every attempt. */
  readonly id: string
  readonly body: string
}

/** Larger than any ordinary event; a documented limit for receivers. */
const MAX_BODY_BYTES = 64 * 1024

export function toMessage(webhookId: string, event: FeedEvent): Message {
  // Contains the cursor, which names the timeline: after a restore, the same number is another event, not a repetition.
  const id = `${webhookId}_${event.cursor}`
  const message: WebhookMessage = { type: event.type, timestamp: event.at, data: event }
  const body = JSON.stringify(message)
  if (Buffer.byteLength(body) <= MAX_BODY_BYTES) return { id, body }
  const data = { ...event, before: null, after: null }
  return { id, body: JSON.stringify({ ...message, data, truncated: true } satisfies WebhookMessage) }
}

export function createTestMessage(webhookId: string, now: Date): Message {
  const body = JSON.stringify({
    type: 'webhook.test',
    timestamp: now.toISOString(),
    data: { webhookId, message: 'This is a test delivery. Answer it with a 2xx status.' },
  })
  return { id: `${webhookId}_test_${crypto.randomUUID()}`, body }
}
