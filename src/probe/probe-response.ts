// The response to one request of a probe, and what follows from it for the next request.
import type { Resource } from '../domain/standing/finding.ts'
import type { Method } from './documents/documented.ts'
import type { ResponseHeaders } from './requests/exchange.ts'
import type { Failure, FailureReason } from './requests/remote-failure.ts'
import { REDIRECTS, type SafeResponse } from './requests/safe-fetch.ts'
import type { Declared } from './terms/bazaar-extension.ts'
import { type Reading, readTerms } from './terms/x402.ts'

export type ProbeRequest = Pick<Resource, 'url' | 'body' | 'contentType' | 'headers' | 'tool' | 'place'> & {
  readonly method: Method
}

export function toProbeRequest({
  url,
  method = 'GET',
  body,
  contentType,
  headers,
  tool,
  place,
}: Resource): ProbeRequest {
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

/** Why a redirect was not followed: to another origin, out of the endpoint by POST, too many or malformed, or no requests left. */
export type Unfollowed = 'origin' | 'place' | 'limit' | 'budget'

export type ProbeResponse = {
  readonly request: ProbeRequest
  /** null without a response. */
  readonly status: number | null
  readonly latencyMs: number
  readonly failure: Failure | undefined
  /** undefined without a response. */
  readonly reading: Reading | undefined
  readonly headers: ResponseHeaders
  readonly body: Uint8Array
  /** What the server's list of tools declares about the tool. */
  readonly declared?: Pick<Declared, 'input' | 'output' | 'description'>
  /** The target of a redirect that was not followed. */
  readonly elsewhere: string | undefined
  readonly unfollowed?: Unfollowed | undefined
  /** The address connected to. */
  readonly address?: string | undefined
}

export function toProbeResponse(
  request: ProbeRequest,
  response: SafeResponse & { readonly unfollowed?: Unfollowed | undefined },
): ProbeResponse {
  const { latencyMs } = response
  const failure = response.ok ? undefined : { reason: response.reason, message: response.message }
  const { unfollowed } = response
  const address = response.ok ? response.address : undefined
  const base = { request, latencyMs, failure, elsewhere: undefined, unfollowed, address }
  if (response.status === undefined || response.headers === undefined)
    return { ...base, status: null, reading: undefined, headers: new Map(), body: new Uint8Array() }
  const { status, headers } = response
  const body = response.ok ? response.body : new Uint8Array()
  const location = status >= 300 && status < 400 ? headers.get('location') : undefined
  const elsewhere = location === undefined ? undefined : URL.parse(location, response.url)?.href
  const reading = readTerms({ status, headers, body, bodyProblem: failure?.message })
  return { ...base, status, headers, body, elsewhere, reading }
}

export function parseJson(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/** Whether payment requirements can be read. */
export const hasTerms = ({ reading }: ProbeResponse): boolean =>
  reading?.readable === true && reading.payments.length > 0

/** Whether a client may find payment requirements that cannot be read here. */
export const hidesTerms = ({ reading }: ProbeResponse): boolean =>
  reading?.readable === false && reading.unread.length > 0

/** Whether a client would follow a redirect to terms that were not seen here. */
export const leadsUnseen = ({ status, elsewhere, unfollowed }: ProbeResponse): boolean =>
  unfollowed !== undefined && REDIRECTS.has(status ?? 0) && /^https?:/i.test(elsewhere ?? '')

const LATE: readonly FailureReason[] = ['first_byte_timeout', 'total_timeout']
const UNREADABLE: readonly FailureReason[] = ['protocol', 'headers_too_large']
const failedBy = (reasons: readonly FailureReason[], { status, failure }: ProbeResponse): boolean =>
  status === null && failure !== undefined && reasons.includes(failure.reason)

/** Whether a more patient client may get a response. */
const isLate = (response: ProbeResponse): boolean => failedBy(LATE, response)
/** Whether a client with a laxer HTTP parser or higher limits may read the response. */
export const isUnreadable = (response: ProbeResponse): boolean => failedBy(UNREADABLE, response)

/** Whether some client may get a response that was not seen here. */
export const isUnseen = (response: ProbeResponse): boolean => isLate(response) || isUnreadable(response)

/** Whether the request has to be repeated, with more requests left or at another time, before it counts. */
export const isInconclusive = (response: ProbeResponse): boolean =>
  isUnseen(response) || (leadsUnseen(response) && response.unfollowed === 'budget')

/** A gateway without its backend; 52x and 530 are codes of large CDNs. */
export const isGatewayError = ({ status }: Pick<ProbeResponse, 'status'>): boolean =>
  status !== null && ((status >= 502 && status <= 504) || (status >= 520 && status <= 530))

/** Further requests now are useless: the host is down or limits our rate. */
export const isFinal = (response: ProbeResponse): boolean =>
  response.status === null || response.status === 429 || isGatewayError(response)

/** After a longer pause the next probe tries instead. */
const MAX_PAUSE_MS = 5_000
const USUAL_PAUSE_MS = 2_000

/** @returns the pause after which a client would retry; undefined if it would not, or only after a long pause */
export function retryAfterMs({ status, headers }: ProbeResponse): number | undefined {
  const after = headers.get('retry-after')?.trim()
  if (status !== 429 && (status !== 503 || after === undefined)) return undefined
  const seconds = after === undefined ? Number.NaN : Number(after)
  const pauseMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : USUAL_PAUSE_MS
  return pauseMs <= MAX_PAUSE_MS ? pauseMs : undefined
}

const INCOMPLETE = new Set([400, 406, 411, 412, 413, 415, 422, 428])

/** The request lacks something; another one may succeed. */
export const isIncomplete = ({ status }: Pick<ProbeResponse, 'status'>): boolean =>
  status !== null && INCOMPLETE.has(status)
