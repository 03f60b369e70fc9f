// Pages of services: by offset, or by a cursor, which is stable while the catalog changes.

import { historyChanged } from '../../domain/errors.ts'
import type { Page } from '../../domain/queries/answers.ts'
import { toApplied } from '../../domain/queries/filters.ts'
import { type PagedQuery, type PagePosition, toCursor } from '../../domain/queries/page-cursor.ts'
import {
  type KeywordQuery,
  type ListQuery,
  MAX_SEARCH_DEPTH,
  pagedList,
  pagedSearch,
  placeOfList,
  placeOfSearch,
} from '../../domain/queries/queries.ts'
import type { Timelines } from '../../domain/timelines.ts'
import type { SlotOrder } from '../../memory/sorted-slots.ts'
import { say } from '../../messages/message.ts'
import type { RankingSource } from '../../search/ranking/rank-intent.ts'
import { toKeywordRanker } from '../../search/ranking/rank-keywords.ts'
import { NO_HITS, type SearchIndex } from '../../search/search-index.ts'
import type { Seq } from '../../store/store.ts'
import type { Columns } from '../columns/columns.ts'
import type { SlotTable } from '../columns/id-table.ts'
import { toAcceptor } from '../filters.ts'
import type { Records } from '../records/records.ts'
import { keysAt } from './cursor.ts'
import { listSlots, type SlotPage } from './list.ts'
import { pageAfter, pageByOffset, pageReversed, type Ranking, type RankPage } from './rank-page.ts'
import type { SortedIndexes } from './sorted-indexes.ts'

type Parts = {
  readonly ids: SlotTable
  readonly columns: Columns
  readonly sortedIndexes: SortedIndexes
  readonly records: Records
  readonly index: SearchIndex
  readonly ranking: RankingSource
  /** Breaks ties between hits of equal relevance. */
  readonly order: SlotOrder
  readonly seq: Seq
  readonly timelines: Timelines
}

/** The cursor part of a query. */
type PageRequest = {
  readonly cursor: string | undefined
  readonly place: PagePosition | undefined
  /** Called only if a next cursor is created. */
  readonly paged: () => PagedQuery
}

/** Whether the cursor belongs to the history, if the caller has already checked it against the store. */
export type KnownCursor = { readonly isKnown: boolean }

/** @throws DirectoryError `history_changed` */
export function pageOfList(parts: Parts, query: ListQuery, known?: KnownCursor): Page {
  const { columns, index, order } = parts
  const place = checkPlace(parts, placeOfList(query), known)
  const request = { cursor: query.cursor, place, paged: () => pagedList(query) }
  if (query.query === undefined || query.sortBy !== undefined) {
    const matches = query.query === undefined ? undefined : index.matchAll(query.query)
    const page = listSlots(parts, query, { place, matches: matches && (slot => matches.has(slot)) })
    return toPage(parts, page, request, slot => keysAt(parts, query.sortBy ?? 'age', slot))
  }
  const accepts = toAcceptor(columns, toApplied(query))
  const words = query.query
  const filter = toApplied(query)
  const retrieve = accepts ? index.retrieverOfAll(words, order) : () => NO_HITS
  const rank = toKeywordRanker(parts.ranking, filter, (count, accept = accepts) => retrieve(count, accept))
  const ranking = toRanking(parts, rank, parts.ids.size)
  const { offset, limit } = query
  const page =
    query.sortOrder === 'asc'
      ? pageReversed(ranking, { offset, limit, place })
      : place
        ? pageAfter(ranking, place, limit)
        : pageByOffset(ranking, offset, limit)
  return toRankedPage(parts, page, request, page.total)
}

/** @throws DirectoryError `history_changed` */
export function pageOfSearch(parts: Parts, query: KeywordQuery, known?: KnownCursor): Page {
  const { q, limit, offset, prefix = false } = query
  const place = checkPlace(parts, placeOfSearch(query), known)
  const rank = toKeywordRanker(parts.ranking, {}, parts.index.retrieverOfAny(q, parts.order, { prefix }))
  const ranking = toRanking(parts, rank, MAX_SEARCH_DEPTH)
  const page = place ? pageAfter(ranking, place, limit) : pageByOffset(ranking, offset, limit)
  const request = { cursor: query.cursor, place, paged: () => pagedSearch(query) }
  return toRankedPage(parts, page, request, page.total > MAX_SEARCH_DEPTH ? undefined : page.total)
}

/** If a failover or restore lost what earlier pages showed, later pages would not be consistent with them. */
function checkPlace({ timelines, seq }: Parts, place: PagePosition | undefined, known?: KnownCursor) {
  if (place && !(known?.isKnown ?? timelines.has('seq', place.since, seq)))
    throw historyChanged('cursor', say('begin_with_empty_cursor'))
  return place
}

const toRanking = ({ columns, ids }: Parts, rank: Ranking['rank'], max: number): Ranking => ({
  rank,
  max,
  trustOf: slot => columns.trust[slot]!,
  idOf: slot => ids.id(slot),
})

function toRankedPage(
  parts: Parts,
  { hits, isMore }: Omit<RankPage, 'total'>,
  request: PageRequest,
  total: number | undefined,
): Page {
  const page = { slots: hits.map(({ slot }) => slot), total, isMore }
  const keyOf = (slot: number) => hits.find(hit => hit.slot === slot)!.key
  return toPage(parts, page, request, slot => [keyOf(slot), parts.columns.trust[slot]!])
}

/** With a cursor, adds the cursor of the next page, and the position from which the changes feed continues. */
function toPage(
  { records, ids, seq, timelines }: Parts,
  { slots, total, isMore }: Omit<SlotPage, 'total'> & Pick<Page, 'total'>,
  { cursor, place, paged }: PageRequest,
  keysOf: (slot: number) => readonly (string | number)[],
): Page {
  const services = records.array(slots)
  if (cursor === undefined) return { services, total }
  // This process may be behind the one that served the first page, so the changes feed starts at the earlier of both positions.
  const since = timelines.toCursor('seq', Math.min(place?.since.number ?? seq, seq))
  const last = isMore ? slots.at(-1) : undefined
  if (last === undefined) return { services, total, since }
  const seen = (place?.seen ?? 0) + slots.length
  const next = toCursor(paged(), { id: ids.id(last), keys: keysOf(last), seen, since })
  return { services, total, since, next }
}
