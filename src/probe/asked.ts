// What one request was answered, and what follows from it for the next.
import type { Resource } from '../domain/finding.ts'
import type { Declared } from './bazaar-extension.ts'
import type { Method } from './documented.ts'
import type { ResponseHeaders } from './exchange.ts'
import type { Failure, FailureReason } from './remote-failure.ts'
import { REDIRECTS, type SafeResponse } from './safe-fetch.ts'
import { type Reading, readTerms } from './x402.ts'

export type Ask = Pick<Resource, 'url' | 'body' | 'contentType' | 'headers' | 'tool' | 'place'> & {
  readonly method: Method
}

/** What is sent of what an earlier probe found. */
export function toAsk({ url, method = 'GET', body, contentType, headers, tool, place }: Resource): Ask {
  return {
    url,
    method,
    ...(body !== undefined && { body }),
    ...(contentType !== undefined && { contentType }),
    ...(headers && { headers }),
    ...(tool !== undefined && { tool }),
    ...(place && { place }),
  }
}

/** Why a redirect was not followed: to another origin, out of the endpoint by POST, too many in a row or a bad one, or for want of requests. */
export type Unfollowed = 'origin' | 'place' | 'limit' | 'budget'

export type Asked = {
  readonly ask: Ask
  /** null where no answer came. */
  readonly status: number | null
  readonly latencyMs: number
  readonly failure: Failure | undefined
  /** undefined where no answer came. */
  readonly reading: Reading | undefined
  readonly headers: ResponseHeaders
  readonly body: Uint8Array
  /** What the tool's own listing says of it. */
  readonly declared?: Pick<Declared, 'input' | 'output' | 'description'>
  /** Where it redirects to, if that is not to be followed. */
  readonly elsewhere: string | undefined
  readonly unfollowed?: Unfollowed | undefined
  /** Where the host was found. */
  readonly address?: string | undefined
}

export function toAsked(
  ask: Ask,
  response: SafeResponse & { readonly unfollowed?: Unfollowed | undefined },
): Asked {
  const { latencyMs } = response
  const failure = response.ok ? undefined : { reason: response.reason, message: response.message }
  const { unfollowed } = response
  const address = response.ok ? response.address : undefined
  const seen = { ask, latencyMs, failure, elsewhere: undefined, unfollowed, address }
  if (response.status === undefined || response.headers === undefined)
    return { ...seen, status: null, reading: undefined, headers: new Map(), body: new Uint8Array() }
  const { status, headers } = response
  const body = response.ok ? response.body : new Uint8Array()
  const location = status >= 300 && status < 400 ? headers.get('location') : undefined
  const elsewhere = location === undefined ? undefined : URL.parse(location, response.url)?.href
  const reading = readTerms({ status, headers, body, bodyProblem: failure?.message })
  return { ...seen, status, headers, body, elsewhere, reading }
}

export function parseJson(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/** Whether something to pay can be read. */
export const hasTerms = ({ reading }: Asked): boolean =>
  reading?.readable === true && reading.payments.length > 0

/** Whether a client may find something to pay in it, although it cannot be read here. */
export const hidesTerms = ({ reading }: Asked): boolean =>
  reading?.readable === false && reading.unread.length > 0

/** Whether a client is led on, and what it is asked to pay there is not known here. */
export const leadsUnseen = ({ status, elsewhere, unfollowed }: Asked): boolean =>
  unfollowed !== undefined && REDIRECTS.has(status ?? 0) && /^https?:/i.test(elsewhere ?? '')

const LATE: readonly FailureReason[] = ['first_byte_timeout', 'total_timeout']
const UNREADABLE: readonly FailureReason[] = ['protocol', 'headers_too_large']
const isAmong = (reasons: readonly FailureReason[], { status, failure }: Asked): boolean =>
  status === null && failure !== undefined && reasons.includes(failure.reason)

/** Whether a client that waits longer may be answered. */
const isLate = (asked: Asked): boolean => isAmong(LATE, asked)
/** Whether a client that is less strict about HTTP, or takes longer headers, may read an answer. */
export const isUnreadable = (asked: Asked): boolean => isAmong(UNREADABLE, asked)

/** Whether some client may get an answer that is not seen here. */
export const isUnseen = (asked: Asked): boolean => isLate(asked) || isUnreadable(asked)

/** Whether it has to be asked again, with more requests or another time, before anything follows from it. */
export const isOpen = (asked: Asked): boolean =>
  isUnseen(asked) || (leadsUnseen(asked) && asked.unfollowed === 'budget')

/** A gateway that says that nobody is behind it; 52x and 530 are what the large ones say. */
export const isAway = ({ status }: Pick<Asked, 'status'>): boolean =>
  status !== null && ((status >= 502 && status <= 504) || (status >= 520 && status <= 530))

/** Nothing more is to be learnt from this host now: it is away, or asks for peace. */
export const isFinal = (asked: Asked): boolean =>
  asked.status === null || asked.status === 429 || isAway(asked)

/** Longer pauses are kept by coming back with the next probe. */
const MAX_PAUSE_MS = 5_000
const USUAL_PAUSE_MS = 2_000

/** After which pause a client tries again that was told to; undefined where it was not, or would wait long. */
export function retryAfterMs({ status, headers }: Asked): number | undefined {
  const after = headers.get('retry-after')?.trim()
  if (status !== 429 && (status !== 503 || after === undefined)) return undefined
  const seconds = after === undefined ? Number.NaN : Number(after)
  const pauseMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : USUAL_PAUSE_MS
  return pauseMs <= MAX_PAUSE_MS ? pauseMs : undefined
}

const INCOMPLETE = new Set([400, 406, 411, 412, 413, 415, 422, 428])

/** The request is not what was expected; another one might be. */
export const isIncomplete = ({ status }: Pick<Asked, 'status'>): boolean =>
  status !== null && INCOMPLETE.has(status)
