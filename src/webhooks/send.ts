// One message to one receiver: signed, posted through safe-fetch, and judged by what comes back.

import { endpointHost, isNeverProbed } from '../domain/endpoint.ts'
import { networkOf } from '../domain/ip-address.ts'
import type { WebhookPool, WebhookProgress, WebhookRecord } from '../domain/webhooks.ts'
import { type Message as Said, say } from '../messages/message.ts'
import type { ResolvedHost, SafeFetch, SafeResponse } from '../probe/safe-fetch.ts'
import type { Clock } from '../runtime/clock.ts'
import type { BudgetTable } from '../store/budgets.ts'
import { BUDGET_WINDOW_MS, budgetsOf, type Challenge, isAnswered } from './challenge.ts'
import type { Message } from './message.ts'
import { toSignatureHeaders } from './signature.ts'
import { Slots } from './slots.ts'

/** A redirect would turn the message into another request, and an answer is a status or a few words. */
export const SEND_LIMITS = { redirects: 0, bodyBytes: 16 * 1024 }

export type Attempt = {
  /** Whether there is a receipt, or to a challenge the answer. */
  readonly delivered: boolean
  /** null: no answer came. */
  readonly httpStatus: number | null
  readonly latencyMs: number
  /** What became of it. */
  readonly said: Said
  /** How long the receiver asks to be left alone. */
  readonly retryAfterMs: number | null
}

/** Nobody is to blame: it may be sent later. */
export class Postponed extends Error {
  override readonly name = 'Postponed'
  constructor(
    sentence: string,
    /** undefined: as soon as others are done. */
    readonly until?: Date,
  ) {
    super(sentence)
  }
}

/** The name leads to addresses from which nobody has agreed: a challenge comes first. */
export class Strayed extends Error {
  override readonly name = 'Strayed'
}

type To = Pick<WebhookRecord, 'url' | 'secret' | 'owner'> & {
  readonly progress: Pick<WebhookProgress, 'networks' | 'isSlow' | 'confirmedAt'>
}

export interface Sender {
  /** Only to where the receiver has agreed. @throws Postponed, Strayed, or for reasons of our own, such as the signal */
  message(to: To, message: Message, signal?: AbortSignal): Promise<Attempt>
  /** Where it is delivered, `network` tells where the receiver lives. @throws Postponed, or for reasons of our own */
  challenge(to: To, challenge: Challenge, signal?: AbortSignal): Promise<Attempt & { network?: string }>
}

export function createSender({
  ask,
  budgets,
  clock,
  userAgent,
}: {
  /** Within `SEND_LIMITS`. */
  readonly ask: SafeFetch
  readonly budgets: BudgetTable
  readonly clock: Clock
  readonly userAgent: string
}): Sender {
  const slots = new Slots()

  function enter(place: ResolvedHost, pool: WebhookPool): () => void {
    const leave = slots.enter(place, pool, clock.now())
    if (!leave) throw new Postponed(`Enough is on its way to ${place.host} just now.`)
    return leave
  }

  async function pay(to: To, { host, addresses }: ResolvedHost): Promise<void> {
    const networks = [...new Set(addresses.map(networkOf))]
    const hasAgreed = to.progress.networks.length > 0
    const spent = await budgets.take(
      budgetsOf(to.owner, host, networks, hasAgreed),
      clock.now(),
      BUDGET_WINDOW_MS,
    )
    if (spent) throw new Postponed(`There were many ${spent.name} within the hour.`, spent.until)
  }

  const post = (
    { url, secret }: To,
    { id, body }: Message,
    more: Pick<NonNullable<Parameters<SafeFetch>[1]>, 'choose' | 'enter' | 'signal'>,
  ) =>
    ask(url, {
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
      const { networks, isSlow } = to.progress
      let hasOthers = false
      const answer = await post(to, message, {
        choose(addresses) {
          const agreed = agreedOf(addresses, networks)
          hasOthers = agreed.length < addresses.length
          return agreed
        },
        enter: async place => enter(place, isSlow ? 'slow' : 'prompt'),
        ...(signal && { signal }),
      })
      if (!answer.ok && NOT_THERE.has(answer.reason) && hasOthers)
        throw new Strayed('Nobody is there any more where it agreed; its name leads to others too.')
      return toAttempt(answer, clock.now())
    },

    async challenge(to, challenge, signal) {
      if (isNeverProbed(to.url)) return notSent(to.url)
      const answer = await post(to, challenge, {
        async enter(place) {
          const leave = enter(place, 'challenge')
          try {
            await pay(to, place)
            return leave
          } catch (error) {
            leave()
            throw error
          }
        },
        ...(signal && { signal }),
      })
      return toConsent(answer, challenge, toAttempt(answer, clock.now()))
    },
  }
}

const NOT_THERE: ReadonlySet<string> = new Set(['connect', 'connect_timeout'])

function agreedOf(addresses: readonly string[], networks: readonly string[]): readonly string[] {
  const agreed = addresses.filter(address => networks.includes(networkOf(address)))
  if (agreed.length > 0) return agreed
  throw new Strayed('Its name leads to an address from which no challenge was answered.')
}

const notSent = (url: string): Attempt => ({
  delivered: false,
  httpStatus: null,
  latencyMs: 0,
  said: say('delivery_to_reserved_name', { host: endpointHost(url) }),
  retryAfterMs: null,
})

function toAttempt(answer: SafeResponse, now: Date): Attempt {
  const { status, headers, latencyMs } = answer
  const isRedirect = !answer.ok && answer.reason === 'redirect'
  // The status is the receipt: what follows it may be endless, broken or too large.
  const delivered = status !== undefined && status >= 200 && status < 300 && !isRedirect
  return {
    delivered,
    httpStatus: status ?? null,
    latencyMs,
    said: toSaid(answer, delivered),
    retryAfterMs: delivered ? null : readRetryAfter(headers?.get('retry-after'), now),
  }
}

function toSaid(answer: SafeResponse, delivered: boolean): Said {
  const { status } = answer
  if (!answer.ok && (answer.reason === 'redirect' || status === undefined))
    return answer.reason === 'redirect' ? say('delivery_redirected') : answer.message
  return say(delivered ? 'delivery_received' : 'delivery_not_received', { status: status! })
}

function toConsent(
  answer: SafeResponse,
  { challenge }: Challenge,
  attempt: Attempt,
): Attempt & { network?: string } {
  if (!attempt.delivered) return attempt
  if (answer.ok && isAnswered(answer.body, challenge))
    return { ...attempt, network: networkOf(answer.address), said: say('challenge_answered') }
  const said = say('challenge_not_answered', { status: attempt.httpStatus! })
  return { ...attempt, delivered: false, said }
}

/** RFC 9110: seconds or a date. */
function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime()
  return ms > 0 ? ms : null
}
