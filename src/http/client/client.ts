// Implements Directory over HTTP, against a running directory.

import type { Directory, Health } from '../../directory/directory.ts'
import { type OperationName, WIRE, type WireForm } from '../../directory/wire.ts'
import { DirectoryError } from '../../domain/errors.ts'
import type { FeedEvent } from '../../domain/feed.ts'
import type { Encoded } from '../../domain/json/encoded.ts'
import type { Service } from '../../domain/listing/service.ts'
import type { ExportEntry } from '../../domain/listing/views.ts'
import type { Page } from '../../domain/queries/answers.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { BrokenDocument, JsonItems } from '../../runtime/json-items.ts'
import { readEventData } from '../pipeline/event-stream.ts'
import { notADirectory, readJson, toError, unreachable } from './answers.ts'
import { linkTo, readTexts, retryDelayMs } from './headers.ts'
import { createPagination, type Pagination } from './pagination.ts'
import { type Credentials, queryString, toBase, toHeaders, withId } from './requests.ts'

export { DirectoryError }

/** Retries of a refused call. */
const MAX_RETRIES = 3

export type Client = Directory & Pagination

export type ClientOptions = {
  readonly url: string
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  readonly clock?: Clock
}

/** @throws TypeError if `url` is not an address of http or https */
export function createClient({ url, fetch = globalThis.fetch, clock = systemClock }: ClientOptions): Client {
  const base = toBase(url, 'createClient: url')

  async function send(path: string, init: RequestInit = {}, { again = true } = {}): Promise<Response> {
    for (let tries = 0; ; tries++) {
      const response = await fetch(base + path, init).catch(error => {
        throw unreachable(base, error)
      })
      const waitMs = again && tries < MAX_RETRIES ? retryDelayMs(response, tries, clock) : undefined
      if (waitMs === undefined) return response
      await response.body?.cancel()
      await clock.sleep(waitMs)
    }
  }

  function toPage(services: Encoded<Service[]>, headers: Headers): Page {
    const total = headers.get('x-total-count')
    const next = linkTo('next', headers)?.searchParams.get('cursor') ?? undefined
    const since = linkTo('monitor', headers)?.searchParams.get('since')
    return {
      services,
      total: total === null ? undefined : Number(total),
      ...(next !== undefined && { next }),
      ...(since && { since }),
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
      ...((scope || takes === 'body') && { headers: toHeaders(scope ? (rest[0] as Credentials) : {}) }),
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
    ...createPagination(operations.list),

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
      const written = await operations.register(body, { ...by, once: by.once ?? crypto.randomUUID() })
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
