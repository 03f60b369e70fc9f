/**
 * One request and its response, for safe-fetch only. The address is resolved and checked before; the socket's own lookup returns that
 * address, so there is no second resolution that could differ. Measured on Bun 1.4.4: `node:http` follows no redirect, decodes no
 * content coding and reads no proxy variable; `lookup` is called with `{all: true}` for names (also `localhost` and `2130706433`),
 * never for literal addresses; `maxHeaderSize` covers trailers too; header lines after the 1,000th are dropped; after `101 Switching
 * Protocols` neither a response nor an error arrives, so `upgrade` has to end the exchange.
 */

import * as http from 'node:http'
import * as https from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { type Message, say } from '../../messages/message.ts'
import { type Failure, failure, type Reached, type ResolvedAddress, socketFailure } from './addresses.ts'

/** A list of this length may have been cut. */
const MAX_HEADER_LINES = 1_000

/** Lower-case names; repeated headers joined by a comma. */
export type ResponseHeaders = ReadonlyMap<string, string>

export type OutgoingRequest = {
  readonly url: URL
  readonly method: string
  /** Sent in this order and spelling. The values of Host and Content-Length are filled in here, in their position if they have one. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Overrides the usual limit. */
  readonly maxBodyBytes?: number | undefined
  /** Ends a body early that may be endless. */
  readonly readAlong?: ReadAlong | undefined
}

/**
 * Called once per response; undefined reads to the end. The returned function gets every part of the body, an empty one
 * first, and returns true to end.
 */
export type ReadAlong = (
  headers: ResponseHeaders,
  status: number,
) => ((part: Uint8Array) => boolean) | undefined

export type ReceivedResponse = {
  readonly status: number
  readonly headers: ResponseHeaders
  /** As received, before content decoding. Empty for a redirect. */
  readonly body: Uint8Array
  /** On the clock of `performance.now()`. */
  readonly firstByteAt: number
}

/** `status` and `headers` are set if the failure occurred in the body. */
export type FailedExchange = Failure & { readonly status?: number; readonly headers?: ResponseHeaders }

export type Limits = {
  /** DNS, connection and TLS together. */
  readonly connectMs: number
  /** From the connection to the end of the headers. */
  readonly firstByteMs: number
  /** Over all redirects, to the last byte. */
  readonly totalMs: number
  /** Applies to received and to decompressed bytes. */
  readonly bodyBytes: number
  /** Real PAYMENT-REQUIRED headers exceed the usual 16 KiB. */
  readonly headerBytes: number
  readonly redirects: number
}

export type ExchangeOptions = {
  /** @returns why a host or address must not be connected to */
  readonly judge: (host: string) => Message | undefined
  /** The resolved address of the host. */
  readonly address: ResolvedAddress
  /** Time left for DNS, connection and TLS. */
  readonly connectMs: number
  readonly ca?: readonly string[]
  readonly limits: Limits
  readonly deadline: AbortSignal
  readonly signal: AbortSignal | undefined
}

/** Rejects only for local reasons: the caller's signal, or no free sockets. */
export const exchange = (
  request: OutgoingRequest,
  options: ExchangeOptions,
): Promise<ReceivedResponse | FailedExchange> => new Exchange(request, options).outcome

export const connectTimeout = (host: string, { connectMs }: Limits): Failure =>
  failure('connect_timeout', say('connect_timeout', { host, seconds: connectMs / 1000 }))

export const totalTimeout = (host: string, { totalMs }: Limits): Failure =>
  failure('total_timeout', say('total_timeout', { host, seconds: totalMs / 1000 }))

/** Host comes first unless it has a position. No caller can set the value of Host or Content-Length. */
function toSentHeaders(
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

/** Tracks how far the exchange has come, and ends it once. */
class Exchange {
  readonly outcome: Promise<ReceivedResponse | FailedExchange>
  readonly #options: ExchangeOptions
  readonly #host: string
  readonly #request: http.ClientRequest
  readonly #ended = new AbortController()
  readonly #resolve: (outcome: ReceivedResponse | FailedExchange) => void
  readonly #reject: (reason: unknown) => void
  #reached: Reached = 'nothing'
  readonly #maxBodyBytes: number
  readonly #readAlong: ReadAlong | undefined
  #answered: { readonly status: number; readonly headers: ResponseHeaders } | undefined

  constructor(
    { url, method, headers, body, maxBodyBytes, readAlong }: OutgoingRequest,
    options: ExchangeOptions,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<ReceivedResponse | FailedExchange>()
    this.outcome = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#options = options
    this.#host = url.hostname
    this.#maxBodyBytes = maxBodyBytes ?? options.limits.bodyBytes
    this.#readAlong = readAlong
    const isSecure = url.protocol === 'https:'
    this.#request = (isSecure ? https : http).request({
      agent: false,
      host: this.#host.replace(/^\[|\]$/g, ''),
      port: url.port || (isSecure ? 443 : 80),
      path: `${url.pathname}${url.search}`,
      method,
      headers: toSentHeaders(headers, url.host, body),
      lookup: this.#lookup,
      maxHeaderSize: options.limits.headerBytes,
      ...(options.ca ? { ca: [...options.ca] } : {}),
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
    const { limits, connectMs, deadline, signal } = this.#options
    this.#when(AbortSignal.timeout(connectMs), () => {
      if (this.#reached === 'nothing' || this.#reached === 'tcp')
        this.#fail(connectTimeout(this.#host, limits))
    })
    this.#when(deadline, () => this.#fail(totalTimeout(this.#host, limits)))
    if (signal) this.#when(signal, () => this.#end(() => this.#reject(signal.reason)))
  }

  readonly #lookup: LookupFunction = (_, { all }, callback) => {
    const { address, family } = this.#options.address
    // A socket expects the result asynchronously, as from a resolver.
    queueMicrotask(() => {
      if (all) callback(null, [{ address, family }])
      else callback(null, address, family)
    })
  }

  #watch(socket: Socket, isSecure: boolean) {
    socket.on('connect', () => {
      this.#reached = 'tcp'
      // Checks again the address that the socket is connected to.
      const problem = this.#options.judge(socket.remoteAddress ?? '')
      if (problem) this.#fail(failure('private_address', problem))
      else if (!isSecure) this.#awaitAnswer()
    })
    socket.on('secureConnect', () => this.#awaitAnswer())
  }

  #awaitAnswer() {
    this.#reached = 'request'
    const { firstByteMs } = this.#options.limits
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
    // Other clients may find terms in the dropped lines, so the rest is not used.
    if (response.rawHeaders.length >= 2 * MAX_HEADER_LINES)
      return this.#fail(failure('headers_too_large', say('headers_too_large', { host: this.#host })))
    const status = response.statusCode ?? 0
    this.#answered = { status, headers: toHeaders(response.rawHeaders) }
    const answer = { ...this.#answered, firstByteAt: performance.now() }
    const finish = (body: Uint8Array) => this.#end(() => this.#resolve({ ...answer, body }))
    response.on('error', this.#broke)
    response.on('aborted', this.#broke)
    // The body of a redirect is not used, and may be endless.
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

  /** @param judge throws if the fault is local */
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
