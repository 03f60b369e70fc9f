// Builds requests to a directory: path, query, body and headers.
import type { Preconditions } from '../../domain/entity-tag.ts'
import { DirectoryError, invalid, toProblem } from '../../domain/errors.ts'
import type { Part } from '../../messages/kinds.ts'
import { say } from '../../messages/message.ts'

/** The path with the id of the resource that comes before it, like `/api/services/:id`. */
export const withId = (path: string, id: string): string =>
  path.replace(/(\w+)s\/:id/, (_, what) => `${what}s/${idSegment(id, what as Part<'resource'>)}`)

function idSegment(id: string, what: Part<'resource'>): string {
  // An empty or dot segment would lead to another path, and is never an id.
  if (/^\.{0,2}$/.test(id) || !id.isWellFormed()) {
    throw new DirectoryError('not_found', say('id_unknown', { what }))
  }
  return encodeURIComponent(id)
}

export function queryString(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(
    // An empty cursor starts paging; with a cursor the offset has no effect. `unapplied` names what was read and not applied.
    ([name, value]) =>
      value !== undefined &&
      name !== 'unapplied' &&
      (value !== '' || name === 'cursor') &&
      !(name === 'offset' && query.cursor !== undefined),
  )
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
}

/** Who calls, and under which conditions. */
export type Credentials = {
  readonly key?: string
  /** An idempotency key. */
  readonly once?: string
} & Preconditions

export function toHeaders({ key, once, ifMatch, ifNoneMatch }: Credentials): Headers {
  const headers = new Headers({ 'content-type': 'application/json' })
  try {
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
  } catch {
    throw new DirectoryError('unauthorized', say('key_not_sendable'))
  }
  try {
    if (once !== undefined) headers.set('idempotency-key', once)
  } catch {
    throw invalid([toProblem('Idempotency-Key', say('request_key_malformed'))])
  }
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
  if (ifNoneMatch !== undefined) headers.set('if-none-match', ifNoneMatch)
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
