// Sends one message to one receiver: signed, posted through safe-fetch, and judged by the response.
import { endpointHost, isNeverProbed, networkOf } from '../domain/hosts/endpoint.ts'
import type { WebhookRecord } from '../domain/webhooks.ts'
import { type Message as ResultMessage, say, tellInEnglish } from '../messages/message.ts'
import type { ResolvedHost, SafeFetch, SafeRequest, SafeResponse } from '../probe/requests/safe-fetch.ts'
import type { Clock } from '../runtime/clock.ts'
import type { BudgetTable } from '../store/leases.ts'
import {
  BUDGET_WINDOW_MS,
  budgetsOf,
  type Challenge,
  isChallengeResponse,
  type Message,
  sayChallengesSpent,
  toSignatureHeaders,
} from './message.ts'

/** No redirects, which would change the request; a small body, as a response is a status or a few words. */
export const SEND_LIMITS = { redirects: 0, bodyBytes: 16 * 1024 }

/**
 * Messages in flight to one receiver, however many webhooks and host names lead there: a slow one fills its own limit, not those of
 * the others. A CDN has many receivers at one address, so an address may have more than a host.
 */
export const MAX_IN_FLIGHT = { host: 8, network: 16 }

export type Attempt = {
  /** Whether the receiver accepted the message, or responded to the challenge. */
  readonly delivered: boolean
  /** null if there was no response. */
  readonly httpStatus: number | null
  readonly latencyMs: number
  /** The result. */
  readonly message: ResultMessage
  /** From the Retry-After header. */
  readonly retryAfterMs: number | null
}

/** Not a failure of the receiver: it may be sent later. */
export class Postponed extends Error {
  override readonly name = 'Postponed'
  constructor(
    readonly said: ResultMessage,
    /** undefined: as soon as other messages are done. */
    readonly until?: Date,
  ) {
    super(tellInEnglish(said))
  }
}

type Receiver = Pick<WebhookRecord, 'url' | 'secret' | 'owner'>

/** Each @throws Postponed, or an internal error such as an abort */
export interface Sender {
  message(to: Receiver, message: Message, signal?: AbortSignal): Promise<Attempt>
  challenge(to: Receiver, challenge: Challenge, signal?: AbortSignal): Promise<Attempt>
}

export function createSender({
  request,
  budgets,
  clock,
  userAgent,
}: {
  /** Within `SEND_LIMITS`. */
  readonly request: SafeFetch
  readonly budgets: BudgetTable
  readonly clock: Clock
  readonly userAgent: string
}): Sender {
  /** Messages in flight, by host and by network. */
  const inFlight = new Map<string, number>()

  function enter({ host, addresses }: ResolvedHost): () => void {
    const limits = new Map([
      [`host ${host.replace(/\.(?=$|:)/, '')}`, MAX_IN_FLIGHT.host],
      ...addresses.map(address => [networkOf(address), MAX_IN_FLIGHT.network] as const),
    ])
    if ([...limits].some(([receiver, most]) => (inFlight.get(receiver) ?? 0) >= most))
      throw new Postponed(say('messages_in_flight', { host }))
    for (const receiver of limits.keys()) inFlight.set(receiver, (inFlight.get(receiver) ?? 0) + 1)
    return () => {
      for (const receiver of limits.keys()) {
        const left = inFlight.get(receiver)! - 1
        if (left > 0) inFlight.set(receiver, left)
        else inFlight.delete(receiver)
      }
    }
  }

  async function takeBudgets(to: Receiver, { host, addresses }: ResolvedHost): Promise<void> {
    const networks = [...new Set(addresses.map(networkOf))]
    const spent = await budgets.take(budgetsOf(to.owner, host, networks), clock.now(), BUDGET_WINDOW_MS)
    if (spent) throw new Postponed(sayChallengesSpent(spent.name), spent.until)
  }

  const post = (
    { url, secret }: Receiver,
    { id, body }: Message,
    more: Pick<SafeRequest, 'enter' | 'signal'>,
  ) =>
    request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...toSignatureHeaders(secret, { id, sentAt: clock.now(), body }),
      },
      body,
      ...more,
    })

  return {
    async message(to, message, signal) {
      if (isNeverProbed(to.url)) return notSent(to.url)
      const response = await post(to, message, {
        enter: async host => enter(host),
        ...(signal && { signal }),
      })
      return toAttempt(response, clock.now())
    },

    async challenge(to, challenge, signal) {
      if (isNeverProbed(to.url)) return notSent(to.url)
      const response = await post(to, challenge, {
        async enter(host) {
          const leave = enter(host)
          try {
            await takeBudgets(to, host)
            return leave
          } catch (error) {
            leave()
            throw error
          }
        },
        ...(signal && { signal }),
      })
      return toConsent(response, challenge, toAttempt(response, clock.now()))
    },
  }
}

const notSent = (url: string): Attempt => ({
  delivered: false,
  httpStatus: null,
  latencyMs: 0,
  message: say('delivery_to_reserved_name', { host: endpointHost(url) }),
  retryAfterMs: null,
})

function toAttempt(response: SafeResponse, now: Date): Attempt {
  const { status, headers, latencyMs } = response
  const isRedirect = !response.ok && response.reason === 'redirect'
  // The status alone decides: the body may be endless, broken or too large.
  const delivered = status !== undefined && status >= 200 && status < 300 && !isRedirect
  return {
    delivered,
    httpStatus: status ?? null,
    latencyMs,
    message: toResultMessage(response, delivered),
    retryAfterMs: delivered ? null : readRetryAfter(headers?.get('retry-after'), now),
  }
}

function toResultMessage(response: SafeResponse, delivered: boolean): ResultMessage {
  const { status } = response
  if (!response.ok && (response.reason === 'redirect' || status === undefined))
    return response.reason === 'redirect' ? say('delivery_redirected') : response.message
  return say(delivered ? 'delivery_received' : 'delivery_not_received', { status: status! })
}

function toConsent(response: SafeResponse, { challenge }: Challenge, attempt: Attempt): Attempt {
  if (!attempt.delivered) return attempt
  if (response.ok && isChallengeResponse(response.body, challenge))
    return { ...attempt, message: say('challenge_answered') }
  const message = say('challenge_not_answered', { status: attempt.httpStatus! })
  return { ...attempt, delivered: false, message }
}

/** RFC 9110: seconds or a date. */
function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime()
  return ms > 0 ? ms : null
}
