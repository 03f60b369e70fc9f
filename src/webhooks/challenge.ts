// A receiver consents by responding to a challenge with its value. Nothing else is sent to it before that: an address in a request
// is the claim of the caller, not of the owner of the address.
import { timingSafeEqual } from 'node:crypto'
import type { WebhookChallenge } from '../domain/webhooks.ts'
import { say } from '../messages/message.ts'
import type { Budget } from '../store/leases.ts'
import type { Message } from './message.ts'

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

/**
 * The budgets that a challenge draws on. A receiver that has consented and then moved is challenged in its own interest, so only the
 * budget of the new addresses applies, which may belong to others.
 */
export function budgetsOf(
  owner: string,
  host: string,
  networks: readonly string[],
  hasConsented: boolean,
): Budget[] {
  return [
    ...networks.map(network => ({ name: AT + network, most: MAX_CHALLENGES.address })),
    ...(hasConsented
      ? []
      : [
          { name: AT + host, most: MAX_CHALLENGES.host },
          { name: `challenges of ${owner}`, most: MAX_CHALLENGES.owner },
        ]),
  ]
}
