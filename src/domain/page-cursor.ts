// A place between two pages, as it travels: opaque to callers, bound to its query and to the moment its paging began.
import { type Message, say } from '../messages/message.ts'
import { invalid, toProblem } from './errors.ts'
import { isServiceId } from './ids.ts'
import { areKeysOf, type IndexedOrder } from './orders.ts'
import { type Cursor, readCursor as readHistoryCursor } from './timelines.ts'

/** What a page is ordered by. */
export type PageOrder = IndexedOrder | 'relevance'

/** Behind this entry, whether or not it is still there. */
export type PagePosition = {
  readonly id: string
  /** What it was ordered by, besides its id, when its page was made. */
  readonly keys: readonly (string | number)[]
  /** How many entries the pages before have told. */
  readonly seen: number
  /** Everything up to here was shown by every page of the paging, in its history. */
  readonly since: Cursor
}

/** A query as far as it decides which entries come, and in which order. */
export type PagedQuery = { readonly order: PageOrder; readonly fields: readonly unknown[] }

const VERSION = 2
/** A name has at most 255 code points of four bytes; base64 makes four characters of three bytes. */
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

/** @throws DirectoryError `invalid_request` where it was not made here, or for another query */
export function readCursor(text: string, paged: PagedQuery): PagePosition {
  const [version, fingerprint, place, seen, id, ...keys] = decode(text) ?? []
  const since = typeof place === 'string' ? readHistoryCursor(place) : undefined
  if (version !== VERSION || !since || !isCount(seen) || typeof id !== 'string' || !isServiceId(id))
    throw foreign(say('cursor_of_others'))
  if (fingerprint !== fingerprintOf(paged)) throw foreign(say('cursor_of_other_query'))
  if (!hasKeys(paged.order, keys)) throw foreign(say('cursor_of_others'))
  return { id, keys: keys as (string | number)[], seen, since }
}

const foreign = (said: Message) => invalid([toProblem('cursor', said)])

function decode(text: string): unknown[] | undefined {
  if (text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Of relevance: what it was ranked by, and its trust. */
const hasKeys = (order: PageOrder, keys: readonly unknown[]): boolean =>
  order === 'relevance'
    ? keys.length === 2 && keys.every(key => Number.isFinite(key))
    : areKeysOf(order, keys)
