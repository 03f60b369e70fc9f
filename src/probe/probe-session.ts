/** The requests of one probe: the budget, the identity they are sent under, and the responses. */

import type { Clock } from '../runtime/clock.ts'
import type { DocumentCache, ReadDocument } from './documents/document-cache.ts'
import { isUnder } from './documents/documented.ts'
import {
  hasTerms,
  hidesTerms,
  leadsUnseen,
  type ProbeRequest,
  type ProbeResponse,
  parseJson,
  retryAfterMs,
  toProbeResponse,
  type Unfollowed,
} from './probe-response.ts'
import type { Spread } from './requests/draw-addresses.ts'
import { readNoStream } from './requests/event-stream.ts'
import type { SafeFetch, SafeRequest, SafeResponse } from './requests/safe-fetch.ts'

/** Per probe, including redirects and documents. */
export const MAX_REQUESTS = 6
/** Documents of large origins are longer than any 402. */
const MAX_DOCUMENT_BYTES = 1024 * 1024

/** `customer`: without the directory's name. */
export type Identity = 'directory' | 'customer'

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

export type Send = Pick<SafeRequest, 'signal' | 'enter'>

export class ProbeSession {
  readonly requests: RequestRecord[] = []
  /**
   * All responses with terms, readable or not, or with a redirect to unseen terms, whatever the purpose of the request.
   */
  readonly terms: ProbeResponse[] = []
  /** Addresses of the host that accepted no connection. */
  readonly unreached = new Set<string>()
  /** How to choose among several addresses of the host. */
  spread: Spread | undefined
  readonly #request: SafeFetch
  readonly #userAgent: string
  readonly #endpoint: string
  readonly #send: Send
  readonly #documentCache: DocumentCache | undefined
  readonly #clock: Clock | undefined
  #hasWaited = false

  constructor(
    parts: {
      readonly fetch: SafeFetch
      readonly userAgent: string
      readonly documentCache?: DocumentCache | undefined
      /** Without a clock the session never waits to retry. */
      readonly clock?: Clock | undefined
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
    this.#clock = parts.clock
  }

  get requestsLeft(): number {
    return MAX_REQUESTS - this.requests.length
  }

  /**
   * Requests the terms. After a rate limit the request is repeated once after the announced pause, as clients with retries do: its
   * response is what they pay.
   */
  async request(request: ProbeRequest): Promise<ProbeResponse> {
    const { url, method, body, contentType, headers = {} } = request
    const sent = body ?? (method === 'POST' ? '{}' : undefined)
    const type = { 'content-type': contentType ?? 'application/json' }
    const init =
      sent === undefined
        ? { method, headers, readAlong: readNoStream }
        : { method, headers: { ...headers, ...type }, body: sent }
    const response = this.noteTerms(toProbeResponse(request, await this.send(url, init)))
    const waitMs = this.#hasWaited || this.requestsLeft === 0 ? undefined : retryAfterMs(response)
    if (waitMs !== undefined && this.#clock) {
      this.#hasWaited = true
      await this.#clock.sleep(waitMs, this.#send.signal)
      if (!this.#send.signal?.aborted) return this.request(request)
    }
    return response
  }

  /** Also for responses to requests sent by `send`. */
  noteTerms(response: ProbeResponse): ProbeResponse {
    if (hasTerms(response) || hidesTerms(response) || leadsUnseen(response)) this.terms.push(response)
    return response
  }

  /** The document is undefined if missing or unreadable. */
  async readDocument(
    url: string,
    parse: (body: Uint8Array) => unknown = parseJson,
  ): Promise<{ readonly status: number | null; readonly document: unknown }> {
    const { status, body } = this.#documentCache?.find(url) ?? (await this.#requestDocument(url))
    return { status, document: status === 200 ? parse(body) : undefined }
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
    let place = url
    let unfollowed: Unfollowed | undefined
    const as = this.identity
    const record = (status: number | null) => this.requests.push({ method, url: place, status, as })
    const response = await this.#request(url, {
      ...request,
      headers: plainHeaders(request.headers ?? {}, as === 'customer' ? undefined : this.#userAgent),
      mayFollow: (to, by) => {
        unfollowed = this.#obstacle(to, by.method)
        if (unfollowed) return false
        record(by.status)
        method = by.method
        place = to.href
        return true
      },
      ...(this.spread && { spread: this.spread }),
      ...this.#send,
    })
    record(response.status ?? null)
    for (const address of response.unreached ?? []) this.unreached.add(address)
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
