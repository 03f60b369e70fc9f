// One message to one receiver: signed, posted through safe-fetch, and judged by the status that comes back.
import type { Clock } from '../clock.ts'
import { endpointHost, isNeverProbed } from '../domain/endpoint.ts'
import type { WebhookRecord } from '../domain/webhooks.ts'
import type { SafeFetch, SafeResponse } from '../probe/safe-fetch.ts'
import type { Message } from './message.ts'
import { toSignatureHeaders } from './signature.ts'

/** A redirect would turn the message into another request, and of the answer only the status counts. */
export const SEND_LIMITS = { redirects: 0, bodyBytes: 16 * 1024 }

export type Attempt = {
  readonly delivered: boolean
  /** null: no answer came. */
  readonly httpStatus: number | null
  readonly latencyMs: number
  readonly sentence: string
  /** How long the receiver asks to be left alone. */
  readonly retryAfterMs: number | null
}

/** Rejects only for reasons of our own, such as the signal. */
export type Sender = (
  to: Pick<WebhookRecord, 'url' | 'secret'>,
  message: Message,
  signal?: AbortSignal,
) => Promise<Attempt>

export function createSender({
  ask,
  clock,
  userAgent,
}: {
  /** Within `SEND_LIMITS`. */
  readonly ask: SafeFetch
  readonly clock: Clock
  readonly userAgent: string
}): Sender {
  return async ({ url, secret }, { id, body }, signal) => {
    if (isNeverProbed(url)) return notSent(url)
    const sentAt = clock.now()
    const answer = await ask(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...toSignatureHeaders(secret, { id, sentAt, body }),
      },
      body,
      ...(signal && { signal }),
    })
    return toAttempt(answer, clock.now())
  }
}

const notSent = (url: string): Attempt => ({
  delivered: false,
  httpStatus: null,
  latencyMs: 0,
  sentence: `${endpointHost(url)} is reserved for examples and tests, so nothing is sent there.`,
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
    sentence: isRedirect
      ? 'It redirects, which is not followed; name the final address.'
      : status === undefined && !answer.ok
        ? answer.sentence
        : `It answered with ${status}${delivered ? '.' : ', and only a 2xx status is a receipt.'}`,
    retryAfterMs: delivered ? null : readRetryAfter(headers?.get('retry-after'), now),
  }
}

/** RFC 9110: seconds or a date. */
function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime()
  return ms > 0 ? ms : null
}
