// The requests of one probe: the budget, the identity they are sent under, the responses, and what each means for the next request.
import type { FirstRequest, ProbeRequest } from '../domain/standing/judge.ts'
import type { Clock } from '../runtime/clock.ts'
import { isUnder } from './documents/documented.ts'
import { readNoStream } from './mcp-session.ts'
import type { Failure } from './requests/addresses.ts'
import type { ResponseHeaders } from './requests/exchange.ts'
import { REDIRECTS, type SafeFetch, type SafeRequest, type SafeResponse } from './requests/safe-fetch.ts'
import type { Declared } from './terms/declared.ts'
import { type Reading, readTerms } from './terms/x402.ts'
import { parseJson } from './untrusted.ts'

/** Per probe, including redirects and documents. */
const MAX_REQUESTS = 6
/** Documents of large origins are longer than any 402. */
const MAX_DOCUMENT_BYTES = 1024 * 1024

/** `customer`: without the directory's name. */
type Identity = 'directory' | 'customer'

/** What a client sends that does not say who it is. Under the directory's name only the user agent differs. */
export const plainHeaders = (
  own: Readonly<Record<string, string>>,
  userAgent = 'node',
): Record<string, string> => ({
  accept: '*/*',
  'accept-encoding': 'gzip, deflate',
  'user-agent': userAgent,
  ...own,
})

/** For the report. */
export type RequestRecord = {
  readonly method: string
  readonly url: string
  readonly status: number | null
  readonly as: Identity
}

type Send = Pick<SafeRequest, 'signal' | 'enter'>

export class ProbeSession {
  readonly requests: RequestRecord[] = []
  /**
   * All responses with terms, readable or not, or with a redirect to unseen terms, whatever the purpose of the request.
   */
  readonly terms: ProbeResponse[] = []
  readonly #request: SafeFetch
  readonly #userAgent: string
  readonly #endpoint: string
  readonly #send: Send
  readonly #documentCache: DocumentCache | undefined

  constructor(
    parts: {
      readonly fetch: SafeFetch
      readonly userAgent: string
      readonly documentCache?: DocumentCache | undefined
    },
    endpoint: string,
    send: Send,
    readonly identity: Identity,
  ) {
    this.#request = parts.fetch
    this.#userAgent = parts.userAgent
    this.#endpoint = endpoint
    this.#send = send
    this.#documentCache = parts.documentCache
  }

  get requestsLeft(): number {
    return MAX_REQUESTS - this.requests.length
  }

  /** Requests the terms. */
  async request(request: ProbeRequest): Promise<ProbeResponse> {
    const { url, method, body, contentType, headers = {} } = request
    const sent = body ?? (method === 'POST' ? '{}' : undefined)
    const type = { 'content-type': contentType ?? 'application/json' }
    const init =
      sent === undefined
        ? { method, headers, readAlong: readNoStream }
        : { method, headers: { ...headers, ...type }, body: sent }
    return this.noteTerms(toProbeResponse(request, await this.send(url, init)))
  }

  /** Also for responses to requests sent by `send`. */
  noteTerms(response: ProbeResponse): ProbeResponse {
    if (hasTerms(response) || hidesTerms(response) || leadsUnseen(response)) this.terms.push(response)
    return response
  }

  /** The document is undefined if missing or unreadable. */
  async readDocument(url: string): Promise<{ readonly status: number | null; readonly document: unknown }> {
    const { status, body } = this.#documentCache?.find(url) ?? (await this.#requestDocument(url))
    return { status, document: status === 200 ? parseJson(body) : undefined }
  }

  async #requestDocument(url: string): Promise<ReadDocument> {
    const response = await this.send(url, { maxBodyBytes: MAX_DOCUMENT_BYTES })
    const document = { status: response.status ?? null, body: response.ok ? response.body : new Uint8Array() }
    this.#documentCache?.put(url, document)
    return document
  }

  async send(
    url: string,
    request: Pick<SafeRequest, 'method' | 'body' | 'headers' | 'maxBodyBytes' | 'readAlong'>,
  ): Promise<SafeResponse & { readonly unfollowed: Unfollowed | undefined }> {
    if (this.requestsLeft <= 0) throw new Error('A probe has no more requests.')
    let method = request.method ?? 'GET'
    let at = url
    let unfollowed: Unfollowed | undefined
    const as = this.identity
    const record = (status: number | null) => this.requests.push({ method, url: at, status, as })
    const response = await this.#request(url, {
      ...request,
      headers: plainHeaders(request.headers ?? {}, as === 'customer' ? undefined : this.#userAgent),
      mayFollow: (to, by) => {
        unfollowed = this.#obstacle(to, by.method)
        if (unfollowed) return false
        record(by.status)
        method = by.method
        at = to.href
        return true
      },
      ...this.#send,
    })
    record(response.status ?? null)
    if (!response.ok && response.reason === 'redirect') unfollowed = 'limit'
    return { ...response, unfollowed }
  }

  /** Terms of another origin prove nothing, so redirects there are not followed; a POST stays under the endpoint. */
  #obstacle(to: URL, method: string): Unfollowed | undefined {
    if (to.origin !== URL.parse(this.#endpoint)?.origin) return 'origin'
    if (method !== 'GET' && !isUnder(to.href, this.#endpoint)) return 'place'
    return this.requestsLeft < 2 ? 'budget' : undefined
  }
}

export const toProbeRequest = ({ asCustomer: _, recheck: __, ...request }: FirstRequest): ProbeRequest => ({
  method: 'GET',
  ...request,
})

/** Why a redirect was not followed: to another origin, out of the endpoint by POST, too many or malformed, or no requests left. */
type Unfollowed = 'origin' | 'place' | 'limit' | 'budget'

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
}

export function toProbeResponse(
  request: ProbeRequest,
  response: SafeResponse & { readonly unfollowed?: Unfollowed | undefined },
): ProbeResponse {
  const { latencyMs } = response
  const failure = response.ok ? undefined : { reason: response.reason, message: response.message }
  const { unfollowed } = response
  const base = { request, latencyMs, failure, elsewhere: undefined, unfollowed }
  if (response.status === undefined || response.headers === undefined)
    return { ...base, status: null, reading: undefined, headers: new Map(), body: new Uint8Array() }
  const { status, headers } = response
  const body = response.ok ? response.body : new Uint8Array()
  const location = status >= 300 && status < 400 ? headers.get('location') : undefined
  const elsewhere = location === undefined ? undefined : URL.parse(location, response.url)?.href
  const reading = readTerms({ status, headers, body, bodyProblem: failure?.message })
  return { ...base, status, headers, body, elsewhere, reading }
}

/** Whether payment requirements can be read. */
export const hasTerms = ({ reading }: ProbeResponse): boolean =>
  reading?.readable === true && reading.payments.length > 0

/** Whether a client may find payment requirements that cannot be read here. */
const hidesTerms = ({ reading }: ProbeResponse): boolean =>
  reading?.readable === false && reading.unread.length > 0

/** Whether a client would follow a redirect to terms that are not seen here, however many requests are left. */
export const leadsUnseen = ({ status, elsewhere, unfollowed }: ProbeResponse): boolean =>
  unfollowed !== undefined &&
  unfollowed !== 'budget' &&
  REDIRECTS.has(status ?? 0) &&
  /^https?:/i.test(elsewhere ?? '')

/** A gateway without its backend; 52x and 530 are codes of large CDNs. */
export const isGatewayError = ({ status }: Pick<ProbeResponse, 'status'>): boolean =>
  status !== null && ((status >= 502 && status <= 504) || (status >= 520 && status <= 530))

/** Further requests now are useless: the host is down or limits our rate. */
export const isFinal = (response: ProbeResponse): boolean =>
  response.status === null || response.status === 429 || isGatewayError(response)

const INCOMPLETE = new Set([400, 406, 411, 412, 413, 415, 422, 428])

/** The request lacks something; another one may succeed. */
export const isIncomplete = ({ status }: Pick<ProbeResponse, 'status'>): boolean =>
  status !== null && INCOMPLETE.has(status)

// Caches documents for some minutes: the many services of one origin are probed one after the other and share its documents.

const TTL_MS = 10 * 60_000
const MAX_DOCUMENTS = 192
/** With `MAX_DOCUMENTS` this bounds the cache to 12 MiB; larger documents are read again. */
const MAX_BYTES = 64 * 1024

type ReadDocument = { readonly status: number | null; readonly body: Uint8Array }

/** Keyed by URL; evicts the oldest. */
export class DocumentCache {
  readonly #clock: Clock
  readonly #documents = new Map<string, ReadDocument & { readonly untilMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  find(url: string): ReadDocument | undefined {
    const cached = this.#documents.get(url)
    const nowMs = this.#clock.now().getTime()
    // A clock set back must not extend the lifetime.
    return cached && cached.untilMs > nowMs && cached.untilMs <= nowMs + TTL_MS ? cached : undefined
  }

  /** Errors that may pass are not cached. */
  put(url: string, { status, body }: ReadDocument): void {
    if (status === null || status === 429 || status >= 500 || body.length > MAX_BYTES) return
    this.#documents.delete(url)
    this.#documents.set(url, { status, body, untilMs: this.#clock.now().getTime() + TTL_MS })
    if (this.#documents.size > MAX_DOCUMENTS) this.#documents.delete(this.#documents.keys().next().value!)
  }
}
