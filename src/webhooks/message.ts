// The body of a delivery, as the Standard Webhooks convention lays it out: type, timestamp, data.
import type { FeedEvent } from '../domain/feed.ts'
import type { WebhookMessage } from '../domain/webhooks.ts'

export type Message = {
  /** The same however often it is sent. */
  readonly id: string
  readonly body: string
}

/** Beyond any ordinary event; a receiver may rely on it. */
const MAX_BODY_BYTES = 64 * 1024

export function toMessage(webhookId: string, event: FeedEvent): Message {
  // By the cursor: after the directory was put back, the same number is another event, which must not pass for a repetition.
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
