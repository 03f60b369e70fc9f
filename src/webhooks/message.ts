// What is sent to a receiver, by the Standard Webhooks specification: events, a test, and the challenge to which it has to consent.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FeedEvent } from '../domain/feed.ts'
import type { WebhookChallenge, WebhookMessage } from '../domain/webhooks.ts'
import { say } from '../messages/message.ts'
import type { Budget } from '../store/leases.ts'

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

// A receiver consents by responding to a challenge with its value. Nothing else is sent to it before that: an address in a request
// is the claim of the caller, not of the owner of the address.

const CHALLENGE_BYTES = 24

export type Challenge = Message & { readonly challenge: string }

/** Small, so that it is useless for amplification; with a sentence for an administrator who finds it in a log. */
export function createChallenge(webhookId: string, now: Date): Challenge {
  const challenge = Buffer.from(crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES))).toString('base64url')
  const message =
    'Someone asked to send webhook messages to this address. To accept, respond with the challenge; otherwise ignore this.'
  const body: WebhookChallenge = {
    type: 'webhook.challenge',
    timestamp: now.toISOString(),
    data: { webhookId, challenge, message },
  }
  return { id: `${webhookId}_challenge_${crypto.randomUUID()}`, body: JSON.stringify(body), challenge }
}

/**
 * Whether the body is the value itself, or a JSON object with it as `challenge`. A server that echoes the request, or embeds it in a
 * page, does not consent by that: in the request the value is nested deeper.
 */
export function isChallengeResponse(body: Uint8Array, challenge: string): boolean {
  const text = new TextDecoder().decode(body).trim()
  return isSame(text, challenge) || isSame(valueIn(text), challenge)
}

function valueIn(text: string): unknown {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value.challenge : undefined
  } catch {
    return undefined
  }
}

function isSame(candidate: unknown, challenge: string): boolean {
  if (typeof candidate !== 'string') return false
  const [a, b] = [Buffer.from(candidate), Buffer.from(challenge)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export const BUDGET_WINDOW_MS = 60 * 60_000
/** Challenges per window. A host name may be shared by many owners: the 20 webhooks that one caller can create need 60 at most. */
export const MAX_CHALLENGES = { owner: 30, host: 120, address: 240 }

/** The names of budgets: challenges to a place, or for the webhooks of an owner. */
const AT = 'challenges at '

/** @param budget the name of one that is spent */
export const sayChallengesSpent = (budget: string) =>
  budget.startsWith(AT)
    ? say('challenges_spent', { place: budget.slice(AT.length) })
    : say('challenges_spent_by_owner')

/** The budgets that a challenge draws on. */
export const budgetsOf = (owner: string, host: string, networks: readonly string[]): Budget[] => [
  ...networks.map(network => ({ name: AT + network, most: MAX_CHALLENGES.address })),
  { name: AT + host, most: MAX_CHALLENGES.host },
  { name: `challenges of ${owner}`, most: MAX_CHALLENGES.owner },
]

// Signs messages by the Standard Webhooks specification, so that receivers can verify them with its libraries.

const PREFIX = 'whsec_'
/** The specification requires 24 to 64. */
const SECRET_BYTES = 32

export const createSecret = (): string =>
  PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64')

type SignedMessage = {
  /** The same for every attempt, so that a receiver recognises duplicates. */
  readonly id: string
  readonly sentAt: Date
  readonly body: string
}

/** The headers that authenticate sender, message and time. */
export function toSignatureHeaders(
  secret: string,
  { id, sentAt, body }: SignedMessage,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
