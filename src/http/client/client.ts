// The directory over HTTP: sends every operation of the table (directory/wire.ts) to a running directory, and reads its answers.

import type { Directory, Health } from '../../directory/directory.ts'
import { type OperationName, PROBLEM_TYPES, WIRE, type WireForm } from '../../directory/wire.ts'
import { DirectoryError, type ErrorCode, invalid, type Problem, toProblem } from '../../domain/errors.ts'
import type { FeedEvent } from '../../domain/feed.ts'
import { Encoded } from '../../domain/json.ts'
import type { ExportEntry, Service } from '../../domain/listing/service.ts'
import type { Page } from '../../domain/queries/queries.ts'
import { isMessage, type Message, say, verbatim } from '../../messages/message.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { BrokenDocument, JsonItems } from '../../runtime/json-items.ts'

const isJson = (response: Response) => /[/+]json\b/i.test(response.headers.get('content-type') ?? '')

/** @throws DirectoryError if the response is not JSON, or the connection breaks */
export async function readJson<T>(response: Response, base: string): Promise<Encoded<T>> {
  if (!isJson(response)) throw notADirectory(base)
  try {
    return new ResponseBody<T>(new Uint8Array(await response.arrayBuffer()), base)
  } catch (error) {
    throw unreachable(base, error)
  }
}

/** JSON from whatever server is at the address. Every response of a directory is an object or a list. */
class ResponseBody<T> extends Encoded<T> {
  readonly #base: string

  constructor(bytes: Uint8Array, base: string) {
    super(bytes)
    this.#base = base
  }

  /** @throws DirectoryError if it is neither */
  override decode(): T {
    let value: T
    try {
      value = super.decode()
    } catch (error) {
      throw notADirectory(this.#base, error)
    }
    if (typeof value !== 'object' || value === null) throw notADirectory(this.#base)
    return value
  }
}

/** The directory's error, with its code, sentence and problems. */
export async function toError(response: Response, base: string): Promise<DirectoryError> {
  const body: unknown = isJson(response) ? await response.json().catch(() => undefined) : undefined
  if (typeof body !== 'object' || body === null) return notADirectory(base)
  const { code, detail, detailCode, errors } = body as Readonly<Record<string, unknown>>
  return new DirectoryError(
    isCode(code) ? code : codeOf(response.status),
    typeof detail === 'string'
      ? readMessage(detailCode, detail)
      : say('answered_status', { url: base, status: response.status }),
    Array.isArray(errors) ? errors.filter(isProblem).map(toReadProblem) : [],
  )
}

export const unreachable = (base: string, cause: unknown): DirectoryError =>
  new DirectoryError('store_unavailable', say('directory_unreachable', { url: base }), [], { cause })

export const notADirectory = (base: string, cause?: unknown): DirectoryError =>
  new DirectoryError('store_unavailable', say('not_a_directory', { url: base }), [], { cause })

/** A body and a key go to the address that was given, and nowhere else. */
const redirected = (base: string, { headers }: Response): DirectoryError => {
  const to = URL.parse(headers.get('location') ?? '', base)?.origin ?? 'elsewhere'
  return new DirectoryError('store_unavailable', say('write_redirected', { url: base, to }))
}

/** A browser shows nothing of a redirect that it does not follow. */
const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400)

const isCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(PROBLEM_TYPES, code)

/** A newer directory may send an unknown code; the status then decides. */
function codeOf(status: number): ErrorCode {
  const codes = Object.keys(PROBLEM_TYPES) as ErrorCode[]
  return (
    codes.find(code => PROBLEM_TYPES[code].status === status) ??
    (status < 500 ? 'invalid_request' : 'internal')
  )
}

type SentProblem = Pick<Problem, 'path' | 'message'> & { readonly code?: unknown; readonly values?: unknown }

const isProblem = (value: unknown): value is SentProblem =>
  typeof (value as Problem | null)?.path === 'string' && typeof (value as Problem).message === 'string'

const toReadProblem = ({ path, message, code, values }: SentProblem): Problem =>
  toProblem(path, readMessage({ code, values }, message))

/** An unknown code is reported by the sentence sent with it. */
const readMessage = (message: unknown, sentence: string): Message =>
  isMessage(message) ? message : verbatim(sentence)

// Reads response headers: links, texts, and retry delays.

/** Longer delays are not waited for. */
const MAX_WAIT_MS = 10_000
/** Without a Retry-After header; doubled with every retry. */
const FIRST_WAIT_MS = 250

/** Texts in a header are percent-encoded; several notices are joined into one text. */
export function readTexts(header: string | null, separator: string): string[] {
  if (header === null) return []
  return header.split(separator).map(text => {
    try {
      return decodeURIComponent(text.trim())
    } catch {
      return text.trim()
    }
  })
}

/** @returns the delay before a retry; undefined if a retry is useless */
export function retryDelayMs(response: Response, tries: number, clock: Clock): number | undefined {
  if (response.status !== 429 && response.status !== 503) return undefined
  const header = response.headers.get('retry-after')
  if (header === null) return FIRST_WAIT_MS * 2 ** tries
  const seconds = /^\d+$/.test(header) ? Number(header) : undefined
  const waitMs = seconds === undefined ? Date.parse(header) - clock.now().getTime() : seconds * 1000
  return waitMs <= MAX_WAIT_MS ? Math.max(0, waitMs) : undefined
}

/** The data of each event; comments and events without data are skipped. */
async function* readEventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = text
        .slice(0, end)
        .split('\n')
        .filter(line => line.startsWith('data:'))
        .map(line => line.slice('data:'.length).replace(/^ /, ''))
      text = text.slice(end + 2)
      if (data.length > 0) yield data.join('\n')
    }
  }
}

// Builds requests to a directory: path, query, body and headers.

/** The path with the id of the resource that comes before it, like `/api/services/:id`. */
export const withId = (path: string, id: string): string =>
  path.replace(/(\w+)s\/:id/, (_, what) => `${what}s/${idSegment(id, what)}`)

function idSegment(id: string, what: string): string {
  // An empty or dot segment would lead to another path, and is never an id.
  if (/^\.{0,2}$/.test(id) || !id.isWellFormed()) {
    throw new DirectoryError('not_found', say('id_unknown', { what }))
  }
  return encodeURIComponent(id)
}

export function queryString(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(
    // `unapplied` names what was read and not applied.
    ([name, value]) => value !== undefined && value !== '' && name !== 'unapplied',
  )
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
}

/** Who calls. */
export type Credentials = {
  readonly key?: string
  readonly idempotencyKey?: string
}

export function toHeaders({ key, idempotencyKey }: Credentials): Headers {
  const headers = new Headers({ 'content-type': 'application/json' })
  try {
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
  } catch {
    throw new DirectoryError('unauthorized', say('key_not_sendable'))
  }
  try {
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  } catch {
    throw invalid([toProblem('Idempotency-Key', say('request_key_malformed'))])
  }
  return headers
}

/** The address of a directory, without a slash at its end. @param what names the option in the error */
export function toBase(url: unknown, what: string): string {
  // Node.js 20 has no URL.parse.
  if (typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url))
    return url.replace(/\/+$/, '')
  const given = typeof url === 'string' ? JSON.stringify(url) : String(url)
  throw new TypeError(
    `${what} must be the address of a directory, like https://directory.example, not ${given}.`,
  )
}

export { DirectoryError }

/** Retries of a refused call. */
const MAX_RETRIES = 3

export type Client = Directory

export type ClientOptions = {
  readonly url: string
  /** Sent with reads, which are then under the policy of the key, and to no other address. */
  readonly key?: string | undefined
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  readonly clock?: Clock
}

/** @throws TypeError if `url` is not an address of http or https */
export function createClient({
  url,
  key,
  fetch = globalThis.fetch,
  clock = systemClock,
}: ClientOptions): Client {
  const base = toBase(url, 'createClient: url')

  async function send(path: string, init: RequestInit = {}, { again = true } = {}): Promise<Response> {
    const isRead = init.method === undefined || init.method === 'GET'
    const redirect = isRead && key === undefined ? 'follow' : 'manual'
    for (let tries = 0; ; tries++) {
      const response = await fetch(base + path, { redirect, ...init }).catch(error => {
        throw unreachable(base, error)
      })
      if (redirect === 'manual' && isRedirect(response)) throw redirected(base, response)
      const waitMs = again && tries < MAX_RETRIES ? retryDelayMs(response, tries, clock) : undefined
      if (waitMs === undefined) return response
      await response.body?.cancel()
      await clock.sleep(waitMs)
    }
  }

  function toPage(services: Encoded<Service[]>, headers: Headers): Page {
    const total = headers.get('x-total-count')
    const suppressed = /^policy=(\d+)$/.exec(headers.get('x-suppressed') ?? '')?.[1]
    return {
      services,
      total: total === null ? undefined : Number(total),
      ...(suppressed !== undefined && { suppressed: Number(suppressed) }),
    }
  }

  /** Sends an operation of the table. Its arguments are the id, the query or the body, and the caller, as far as it has them. */
  async function run(wire: WireForm, args: readonly unknown[]): Promise<unknown> {
    const { method, path, takes, scope, isSentOnce } = wire
    const rest = [...args]
    const id = path.includes(':id') ? (rest.shift() as string) : ''
    const input = takes && rest.shift()
    const query = takes === 'query' ? queryString(input as Readonly<Record<string, unknown>>) : ''
    const signal = rest.find(each => each instanceof AbortSignal)
    const init: RequestInit = {
      method,
      ...(signal && { signal }),
      ...((scope || takes === 'body' || key !== undefined) && {
        headers: toHeaders(
          scope ? (rest[0] as Credentials) : method === 'GET' && key !== undefined ? { key } : {},
        ),
      }),
      ...(takes === 'body' && { body: JSON.stringify(input) ?? '' }),
    }
    const response = await send(withId(path, id) + query, init, { again: !isSentOnce })
    if (!response.ok) throw await toError(response, base)
    return readResult(wire, response)
  }

  async function readResult({ gives, as }: WireForm, response: Response): Promise<unknown> {
    if (gives === 'nothing') return
    if (gives === 'text') return response.text()
    const body = await readJson<unknown>(response, base)
    if (gives === 'encoded') return body
    if (gives === 'page') return toPage(body as Encoded<Service[]>, response.headers)
    if (gives !== 'noted') return body.decode()
    return {
      [as!]: as === 'service' ? body : body.decode(),
      notices: readTexts(response.headers.get('x-notice'), '%0A'),
      ignored: readTexts(response.headers.get('x-ignored-fields'), ','),
    }
  }

  const operations = Object.fromEntries(
    Object.entries(WIRE).map(([name, wire]) => [name, (...args: unknown[]) => run(wire, args)]),
  ) as unknown as Pick<Directory, OperationName>

  return {
    ...operations,

    async *events({ after, signal } = {}) {
      const path = `/api/events${queryString({ after })}`
      const response = await send(path, signal ? { signal } : {})
      if (!response.ok) throw await toError(response, base)
      try {
        for await (const data of readEventData(response.body!)) yield JSON.parse(data) as FeedEvent
      } catch (error) {
        if (!signal?.aborted) throw unreachable(base, error)
      }
    },

    async health() {
      const response = await send('/readyz', {}, { again: false })
      if (!response.ok && response.status !== 503) throw await toError(response, base)
      return (await readJson<Health>(response, base)).decode()
    },

    async register(body, by) {
      // The idempotency key makes it safe to retry a registration.
      const written = await operations.register(body, {
        ...by,
        idempotencyKey: by.idempotencyKey ?? crypto.randomUUID(),
      })
      return { ...written, id: written.service.decode().id }
    },

    async *export() {
      const response = await send('/api/export')
      if (!response.ok) throw await toError(response, base)
      const items = new JsonItems(['endpoints'])
      try {
        for await (const chunk of response.body ?? []) {
          for (const { text } of items.push(chunk)) yield JSON.parse(text) as ExportEntry
        }
        const frame = items.end() as { endpoints?: unknown } | null
        if (!Array.isArray(frame?.endpoints)) throw new BrokenDocument('This is not an export document')
      } catch (error) {
        const isBroken = error instanceof BrokenDocument || error instanceof SyntaxError
        throw isBroken ? notADirectory(base, error) : unreachable(base, error)
      }
    },
  }
}
