/**
 * One request and its answer, for safe-fetch alone. The address was found and judged before; the socket's own lookup gets
 * this one and no other, so there is no second resolution that could answer otherwise.
 *
 * Measured on Bun 1.4.4: `node:http` follows no redirect, undoes no content coding and reads no proxy variable; `lookup` is
 * called with `{all: true}` for names (also `localhost` and `2130706433`), never for literal addresses; `maxHeaderSize`
 * covers trailers too; of more than 1,000 header lines the rest is dropped; after `101 Switching Protocols` neither answer
 * nor error comes, so `upgrade` has to end the exchange.
 */

import * as http from 'node:http'
import * as https from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { type Message, say } from '../messages/message.ts'
import { type Failure, failure, type Reached, socketFailure } from './remote-failure.ts'
import type { ResolvedAddress } from './resolve.ts'

/** A list of this many may have been cut. */
const MAX_HEADER_LINES = 1_000

/** Lower-case names; repeated headers joined by a comma. */
export type ResponseHeaders = ReadonlyMap<string, string>

export type Ask = {
  readonly url: URL
  readonly method: string
  /** Sent in this order and spelling. Host and Content-Length are written here, in their place if they have one. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Where more or less than usual is read. */
  readonly maxBodyBytes?: number | undefined
  /** Reads along with a body that may have no end: the answer is whole as soon as this says so. */
  readonly readAlong?: ReadAlong | undefined
}

/** Called once per answer; undefined: to the end. What it returns gets every part of the body in turn, an empty one first. */
export type ReadAlong = (
  headers: ResponseHeaders,
  status: number,
) => ((part: Uint8Array) => boolean) | undefined

export type Answer = {
  readonly status: number
  readonly headers: ResponseHeaders
  /** As received: content codings are not undone. Empty where the answer is a redirect. */
  readonly body: Uint8Array
  /** On the clock of `performance.now()`. */
  readonly firstByteAt: number
  readonly address: string
}

/** `status` and `headers` are there where the remote got as far as its body. */
export type Failed = Failure & { readonly status?: number; readonly headers?: ResponseHeaders }

export type Limits = {
  /** Name, connection and TLS together. */
  readonly connectMs: number
  /** From the connection to the end of the headers. */
  readonly firstByteMs: number
  /** Over all redirects, to the last byte. */
  readonly totalMs: number
  /** Counted on received and again on decompressed bytes. */
  readonly bodyBytes: number
  /** Real PAYMENT-REQUIRED headers exceed the usual 16 KiB. */
  readonly headerBytes: number
  readonly redirects: number
}

export type Terms = {
  /** Why a host or address must not be connected to. */
  readonly judge: (host: string) => Message | undefined
  /** Where the host leads. */
  readonly address: ResolvedAddress
  /** What is left of the time for name, connection and TLS. */
  readonly connectMs: number
  readonly ca?: readonly string[]
  readonly limits: Limits
  readonly deadline: AbortSignal
  readonly signal: AbortSignal | undefined
}

/** Rejects only for reasons of our own: the caller's signal, a machine out of sockets. */
export const exchange = (ask: Ask, terms: Terms): Promise<Answer | Failed> => new Exchange(ask, terms).outcome

export const connectTimeout = (host: string, { connectMs }: Limits): Failure =>
  failure('connect_timeout', say('connect_timeout', { host, seconds: connectMs / 1000 }))

export const totalTimeout = (host: string, { totalMs }: Limits): Failure =>
  failure('total_timeout', say('total_timeout', { host, seconds: totalMs / 1000 }))

/** Host comes first unless it has a place, and nobody else says where the request goes or how long it is. */
function toSent(
  headers: Readonly<Record<string, string>>,
  host: string,
  body: string | undefined,
): Record<string, string> {
  const names = new Set(Object.keys(headers).map(name => name.toLowerCase()))
  const all = {
    ...(!names.has('host') && { host }),
    ...(!names.has('accept-encoding') && { 'accept-encoding': 'identity' }),
    ...headers,
    ...(!names.has('content-length') && { 'content-length': '' }),
  }
  const length = body === undefined ? undefined : String(Buffer.byteLength(body))
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]): [string, string][] => {
      if (/^host$/i.test(name)) return [[name, host]]
      if (!/^content-length$/i.test(name)) return [[name, value]]
      return length === undefined ? [] : [[name, length]]
    }),
  )
}

/** Guards how far the exchange has come, and that it ends once. */
class Exchange {
  readonly outcome: Promise<Answer | Failed>
  readonly #terms: Terms
  readonly #host: string
  readonly #request: http.ClientRequest
  readonly #ended = new AbortController()
  readonly #resolve: (outcome: Answer | Failed) => void
  readonly #reject: (reason: unknown) => void
  #reached: Reached = 'nothing'
  #address = ''
  readonly #maxBodyBytes: number
  readonly #readAlong: ReadAlong | undefined
  #answered: { readonly status: number; readonly headers: ResponseHeaders } | undefined

  constructor({ url, method, headers, body, maxBodyBytes, readAlong }: Ask, terms: Terms) {
    const { promise, resolve, reject } = Promise.withResolvers<Answer | Failed>()
    this.outcome = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#terms = terms
    this.#host = url.hostname
    this.#maxBodyBytes = maxBodyBytes ?? terms.limits.bodyBytes
    this.#readAlong = readAlong
    const isSecure = url.protocol === 'https:'
    this.#request = (isSecure ? https : http).request({
      agent: false,
      host: this.#host.replace(/^\[|\]$/g, ''),
      port: url.port || (isSecure ? 443 : 80),
      path: `${url.pathname}${url.search}`,
      method,
      headers: toSent(headers, url.host, body),
      lookup: this.#lookup,
      maxHeaderSize: terms.limits.headerBytes,
      ...(terms.ca ? { ca: [...terms.ca] } : {}),
    })
    this.#request.on('error', this.#broke)
    this.#request.on('upgrade', () =>
      this.#fail(failure('protocol', say('other_protocol', { host: this.#host }))),
    )
    this.#request.on('socket', socket => this.#watch(socket, isSecure))
    this.#request.on('response', this.#receive)
    this.#setLimits()
    if (!this.#ended.signal.aborted) this.#request.end(body)
  }

  #setLimits() {
    const { limits, connectMs, deadline, signal } = this.#terms
    this.#when(AbortSignal.timeout(connectMs), () => {
      if (this.#reached === 'nothing' || this.#reached === 'tcp')
        this.#fail(connectTimeout(this.#host, limits))
    })
    this.#when(deadline, () => this.#fail(totalTimeout(this.#host, limits)))
    if (signal) this.#when(signal, () => this.#end(() => this.#reject(signal.reason)))
  }

  readonly #lookup: LookupFunction = (_, { all }, callback) => {
    const { address, family } = this.#terms.address
    // A socket expects its answer later, as from a resolver.
    queueMicrotask(() => {
      if (all) callback(null, [{ address, family }])
      else callback(null, address, family)
    })
  }

  #watch(socket: Socket, isSecure: boolean) {
    socket.on('connect', () => {
      this.#reached = 'tcp'
      this.#address = socket.remoteAddress ?? ''
      // A second witness to the lookup: what the socket itself says it is connected to.
      const problem = this.#terms.judge(this.#address)
      if (problem) this.#fail(failure('private_address', problem))
      else if (!isSecure) this.#awaitAnswer()
    })
    socket.on('secureConnect', () => this.#awaitAnswer())
  }

  #awaitAnswer() {
    this.#reached = 'request'
    const { firstByteMs } = this.#terms.limits
    this.#when(AbortSignal.timeout(firstByteMs), () => {
      if (this.#reached === 'request')
        this.#fail(
          failure(
            'first_byte_timeout',
            say('first_byte_timeout', { host: this.#host, seconds: firstByteMs / 1000 }),
          ),
        )
    })
  }

  readonly #receive = (response: http.IncomingMessage) => {
    this.#reached = 'headers'
    // Terms that stand in what was dropped are there for other clients, so nothing is made of the rest.
    if (response.rawHeaders.length >= 2 * MAX_HEADER_LINES)
      return this.#fail(failure('headers_too_large', say('headers_too_large', { host: this.#host })))
    const status = response.statusCode ?? 0
    this.#answered = { status, headers: toHeaders(response.rawHeaders) }
    const answer = { ...this.#answered, firstByteAt: performance.now(), address: this.#address }
    const finish = (body: Uint8Array) => this.#end(() => this.#resolve({ ...answer, body }))
    response.on('error', this.#broke)
    response.on('aborted', this.#broke)
    // The body of a redirect says nothing, and may be endless.
    if (status >= 300 && status < 400) finish(new Uint8Array())
    else this.#readBody(response, finish)
  }

  #readBody(response: http.IncomingMessage, finish: (body: Uint8Array) => void) {
    const bodyBytes = this.#maxBodyBytes
    const { headers, status } = this.#answered!
    const isWhole = this.#readAlong?.(headers, status)
    if (isWhole?.(new Uint8Array())) return finish(new Uint8Array())
    const chunks: Uint8Array[] = []
    let received = 0
    const count = (bytes: number) => {
      received += bytes
      if (received > bodyBytes)
        this.#fail(failure('body_too_large', say('body_too_large', { kib: bodyBytes / 1024 })))
    }
    const declared = Number(response.headers['content-length'])
    if (declared > bodyBytes && this.#request.method !== 'HEAD') return count(declared)
    response.on('data', (chunk: Uint8Array) => {
      count(chunk.length)
      if (this.#ended.signal.aborted) return
      chunks.push(chunk)
      if (isWhole?.(chunk)) finish(Buffer.concat(chunks))
    })
    response.on('end', () => (response.complete ? finish(Buffer.concat(chunks)) : this.#broke(undefined)))
  }

  readonly #broke = (error: unknown) => this.#failBy(() => socketFailure(this.#host, error, this.#reached))

  /** @param judge throws where the fault is ours */
  #failBy(judge: () => Failure) {
    try {
      this.#fail(judge())
    } catch (ours) {
      this.#end(() => this.#reject(ours))
    }
  }

  #fail(found: Failure) {
    this.#end(() => this.#resolve({ ...found, ...this.#answered }))
  }

  #end(settle: () => void) {
    if (this.#ended.signal.aborted) return
    this.#ended.abort()
    settle()
    this.#request.destroy()
  }

  #when(signal: AbortSignal, react: () => void) {
    if (signal.aborted) react()
    else signal.addEventListener('abort', react, { once: true, signal: this.#ended.signal })
  }
}

function toHeaders(raw: readonly string[]): ResponseHeaders {
  const headers = new Map<string, string>()
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase()
    const before = headers.get(name)
    headers.set(name, before === undefined ? raw[i + 1]! : `${before}, ${raw[i + 1]!}`)
  }
  return headers
}
