/**
 * The requests of one probe: how many are left, as whom they are sent, and what each was answered. A customer's client sends the same
 * headers in the same order; with our name among them nothing else differs.
 */

import type { Clock } from '../runtime/clock.ts'
import {
  type Ask,
  type Asked,
  hasTerms,
  hidesTerms,
  leadsUnseen,
  parseJson,
  retryAfterMs,
  toAsked,
  type Unfollowed,
} from './asked.ts'
import { type Client, NODE, toHeaders } from './clients.ts'
import type { DocumentShelf, ReadDocument } from './document-shelf.ts'
import { isUnder } from './documented.ts'
import type { Spread } from './draw-addresses.ts'
import { readNoStream } from './event-stream.ts'
import type { SafeFetch, SafeRequest, SafeResponse } from './safe-fetch.ts'

/** In all, redirects and documents included. */
export const MAX_REQUESTS = 6
/** Documents of large origins are longer than any answer that asks for money. */
const MAX_DOCUMENT_BYTES = 1024 * 1024

/** `customer`: without our name. */
export type Identity = 'directory' | 'customer'

/** What firewalls say to clients that they do not like the look of. */
const TURNED_AWAY = new Set([401, 403, 406])

/** For the report: what was sent where, and the status that came back. */
export type RequestRecord = {
  readonly method: string
  readonly url: string
  readonly status: number | null
  readonly as: Identity
}

export type Send = Pick<SafeRequest, 'signal' | 'enter'>

export class Asking {
  readonly requests: RequestRecord[] = []
  /** Every answer with terms, readable or not, or that leads where they are not seen, whoever asked and for whatever reason. */
  readonly terms: Asked[] = []
  /** Addresses of its name that took no connection. */
  readonly unreached = new Set<string>()
  /** Which of its addresses are asked, where its name has several. */
  spread: Spread | undefined
  readonly #ask: SafeFetch
  readonly #userAgent: string
  readonly #endpoint: string
  readonly #send: Send
  readonly #shelf: DocumentShelf | undefined
  readonly #clock: Clock | undefined
  #hasWaited = false
  #client: Client

  constructor(
    parts: {
      readonly fetch: SafeFetch
      readonly userAgent: string
      readonly shelf?: DocumentShelf | undefined
      /** Without one nobody is waited for. */
      readonly clock?: Clock | undefined
    },
    endpoint: string,
    send: Send,
    /** As whom everything is asked that does not say otherwise. */
    readonly identity: Identity,
    client: Client = NODE,
  ) {
    this.#ask = parts.fetch
    this.#userAgent = parts.userAgent
    this.#endpoint = endpoint
    this.#send = send
    this.#shelf = parts.shelf
    this.#clock = parts.clock
    this.#client = client
  }

  /** Whose headers are sent. */
  get client(): string {
    return this.#client.name
  }

  get left(): number {
    return MAX_REQUESTS - this.requests.length
  }

  /**
   * Asks for the terms of payment. A client that is turned away is told nothing false, and a firewall may see that it is not what it
   * says: the official client asks in its place from then on. Whoever says that it is busy is asked once more after the pause that it
   * asks for, as clients do that try again: what it answers then is what they pay.
   */
  async ask(ask: Ask, as = this.identity): Promise<Asked> {
    const { url, method, body, contentType, headers = {} } = ask
    const sent = body ?? (method === 'POST' ? '{}' : undefined)
    const type = { 'content-type': contentType ?? 'application/json' }
    const request =
      sent === undefined
        ? { method, headers, readAlong: readNoStream }
        : { method, headers: { ...headers, ...type }, body: sent }
    const asked = this.keep(toAsked(ask, await this.send(url, request, as)))
    const waitMs = this.#hasWaited || this.left === 0 ? undefined : retryAfterMs(asked)
    if (waitMs !== undefined && this.#clock) {
      this.#hasWaited = true
      await this.#clock.sleep(waitMs, this.#send.signal)
      if (!this.#send.signal?.aborted) return this.ask(ask, as)
    }
    const isTurnedAway = as === 'customer' && !hasTerms(asked) && TURNED_AWAY.has(asked.status ?? 0)
    if (!isTurnedAway || this.#client === NODE || this.left === 0) return asked
    this.#client = NODE
    return this.ask(ask, as)
  }

  /** An answer that was not asked for by `ask` belongs to the probe too. */
  keep(asked: Asked): Asked {
    if (hasTerms(asked) || hidesTerms(asked) || leadsUnseen(asked)) this.terms.push(asked)
    return asked
  }

  /** The document is undefined where it is not there, or cannot be read. */
  async readDocument(
    url: string,
    parse: (body: Uint8Array) => unknown = parseJson,
  ): Promise<{ readonly status: number | null; readonly document: unknown }> {
    const { status, body } = this.#shelf?.find(url) ?? (await this.#requestDocument(url))
    return { status, document: status === 200 ? parse(body) : undefined }
  }

  async #requestDocument(url: string): Promise<ReadDocument> {
    const response = await this.send(url, { maxBodyBytes: MAX_DOCUMENT_BYTES })
    const found = { status: response.status ?? null, body: response.ok ? response.body : new Uint8Array() }
    this.#shelf?.put(url, found)
    return found
  }

  async send(
    url: string,
    request: Pick<SafeRequest, 'method' | 'body' | 'headers' | 'maxBodyBytes' | 'readAlong'>,
    as = this.identity,
  ): Promise<SafeResponse & { readonly unfollowed: Unfollowed | undefined }> {
    if (this.left <= 0) throw new Error('A probe has no more requests.')
    let method = request.method ?? 'GET'
    let place = url
    let unfollowed: Unfollowed | undefined
    const record = (status: number | null) => this.requests.push({ method, url: place, status, as })
    const response = await this.#ask(url, {
      ...request,
      headers: toHeaders(
        this.#client,
        request.headers ?? {},
        as === 'customer' ? undefined : this.#userAgent,
      ),
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

  /** Terms of another origin prove nothing, so that nobody is asked there; what is sent stays under the endpoint. */
  #obstacle(to: URL, method: string): Unfollowed | undefined {
    if (to.origin !== URL.parse(this.#endpoint)?.origin) return 'origin'
    if (method !== 'GET' && !isUnder(to.href, this.#endpoint)) return 'place'
    return this.left < 2 ? 'budget' : undefined
  }
}
