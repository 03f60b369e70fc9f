// A position between two pages as text: opaque to callers, bound to its query and to the time at which the paging began.
import { type Message, say } from '../../messages/message.ts'
import { invalid, toProblem } from '../errors.ts'
import { isServiceId } from '../ids.ts'
import { type Cursor, readCursor as readHistoryCursor } from '../timelines.ts'
import { areKeysOf, type IndexedOrder, isCount } from './orders.ts'

/** The order of a page. */
export type PageOrder = IndexedOrder | 'relevance'

/** The position after this entry, which may be gone by now. */
export type PagePosition = {
  readonly id: string
  /** Its sort keys in addition to the id, when its page was made. */
  readonly keys: readonly (string | number)[]
  /** Number of entries on the previous pages. */
  readonly seen: number
  /** Everything up to this position in the history was included in every page. */
  readonly since: Cursor
}

/** The parts of a query that decide which entries are returned, and in which order. */
export type PagedQuery = { readonly order: PageOrder; readonly fields: readonly unknown[] }

const VERSION = 2
/** A name has at most 255 code points of four bytes each; base64 encodes three bytes in four characters. */
const MAX_LENGTH = 2_000

const fingerprintOf = ({ order, fields }: PagedQuery): string =>
  Bun.hash(JSON.stringify([order, ...fields.map(field => field ?? null)])).toString(36)

export function toCursor(
  paged: PagedQuery,
  { id, keys, seen, since }: Omit<PagePosition, 'since'> & { readonly since: string },
): string {
  const place = [VERSION, fingerprintOf(paged), since, seen, id, ...keys]
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** @throws DirectoryError `invalid_request` if it was made elsewhere, or for another query */
export function readCursor(text: string, paged: PagedQuery): PagePosition {
  const [version, fingerprint, place, seen, id, ...keys] = decode(text) ?? []
  const since = typeof place === 'string' ? readHistoryCursor(place) : undefined
  if (version !== VERSION || !since || !isCount(seen) || typeof id !== 'string' || !isServiceId(id))
    throw foreign(say('cursor_of_others'))
  if (fingerprint !== fingerprintOf(paged)) throw foreign(say('cursor_of_other_query'))
  if (!hasKeys(paged.order, keys)) throw foreign(say('cursor_of_others'))
  return { id, keys: keys as (string | number)[], seen, since }
}

const foreign = (problem: Message) => invalid([toProblem('cursor', problem)])

function decode(text: string): unknown[] | undefined {
  if (text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** With relevance the keys are the rank and the trust score. */
const hasKeys = (order: PageOrder, keys: readonly unknown[]): boolean =>
  order === 'relevance'
    ? keys.length === 2 && keys.every(key => Number.isFinite(key))
    : areKeysOf(order, keys)
