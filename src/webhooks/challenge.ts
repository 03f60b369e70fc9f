// A receiver agrees by answering a challenge with its value. Nothing else is sent to it before: an address in a request is the word
// of whoever sent the request, and not of who lives there.
import { timingSafeEqual } from 'node:crypto'
import type { WebhookChallenge } from '../domain/webhooks.ts'
import type { Budget } from '../store/budgets.ts'
import type { Message } from './message.ts'

const CHALLENGE_BYTES = 24

export type Challenge = Message & { readonly challenge: string }

/** Small, so that it is worth nothing as a weapon; in words too, for a person who finds it in a log. */
export function createChallenge(webhookId: string, now: Date): Challenge {
  const challenge = Buffer.from(crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES))).toString('base64url')
  const message =
    'Somebody asks for messages to be sent to this address. To agree, answer with the challenge; otherwise do nothing.'
  const body: WebhookChallenge = {
    type: 'webhook.challenge',
    timestamp: now.toISOString(),
    data: { webhookId, challenge, message },
  }
  return { id: `${webhookId}_challenge_${crypto.randomUUID()}`, body: JSON.stringify(body), challenge }
}

/**
 * Asks whether the body is the value itself, or a JSON object whose `challenge` it is. A server that sends back whatever it
 * gets, or puts it into a page, has agreed to nothing: in the request the value stands deeper.
 */
export function isAnswered(body: Uint8Array, challenge: string): boolean {
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

function isSame(given: unknown, challenge: string): boolean {
  if (typeof given !== 'string') return false
  const [a, b] = [Buffer.from(given), Buffer.from(challenge)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export const BUDGET_WINDOW_MS = 60 * 60_000
export const MAX_CHALLENGES = { owner: 30, host: 30, address: 120 }

/**
 * What a challenge is paid from. A receiver that has agreed once and moved is asked again for its own sake: then only those
 * are spared who may live there now.
 */
export function budgetsOf(
  owner: string,
  host: string,
  networks: readonly string[],
  hasAgreed: boolean,
): Budget[] {
  return [
    ...networks.map(network => ({ name: `challenges at ${network}`, most: MAX_CHALLENGES.address })),
    ...(hasAgreed
      ? []
      : [
          { name: `challenges at ${host}`, most: MAX_CHALLENGES.host },
          { name: `challenges of ${owner}`, most: MAX_CHALLENGES.owner },
        ]),
  ]
}
