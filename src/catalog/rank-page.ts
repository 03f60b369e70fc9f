// A page of what a search ranked: by offset, or behind a place. Ranks change with the catalog, so a place is a rank, not a count.
import type { PagePosition } from '../domain/page-cursor.ts'
import type { Hit, Hits } from '../search/search-index.ts'

export type RankPage = {
  readonly hits: readonly Hit[]
  readonly total: number
  /** Whether more hits follow. */
  readonly isMore: boolean
}

/** Room for a few that have come in above the place, so that one ranking is nearly always enough. */
const SLACK = 32

export type Ranking = {
  /** The best so many. */
  readonly rank: (count: number) => Hits
  /** No ranking goes deeper. */
  readonly most: number
  readonly trustOf: (slot: number) => number
  readonly idOf: (slot: number) => string
}

export function pageByOffset({ rank, most }: Ranking, offset: number, limit: number): RankPage {
  // The index makes room for as many hits as it is asked for: a page far beyond the end must not cost any.
  const { hits, total } = rank(Math.min(offset + limit, most))
  return {
    hits: offset === 0 ? hits : hits.slice(offset),
    total,
    isMore: offset + limit < Math.min(total, most),
  }
}

export function pageAfter(ranking: Ranking, place: PagePosition, limit: number): RankPage {
  for (let count = place.seen + limit + SLACK; ; count *= 2) {
    const { hits, total } = ranking.rank(Math.min(count, ranking.most))
    const rest = hits.filter(hit => compareTo(ranking, hit, place) > 0)
    const isAll = hits.length < count
    if (rest.length > limit || isAll)
      return { hits: rest.slice(0, limit), total, isMore: rest.length > limit }
  }
}

/** From the least relevant on: everything is ranked. */
export function pageTurned(
  ranking: Ranking,
  { offset, limit, place }: { offset: number; limit: number; place: PagePosition | undefined },
): RankPage {
  const { hits, total } = ranking.rank(ranking.most)
  const turned = hits.toReversed()
  const rest = place ? turned.filter(hit => compareTo(ranking, hit, place) < 0) : turned.slice(offset)
  return { hits: rest.slice(0, limit), total, isMore: rest.length > limit }
}

/** Above zero where the hit comes after the place: less relevant, less trusted, or younger. */
function compareTo({ trustOf, idOf }: Ranking, { slot, key }: Hit, { keys, id }: PagePosition): number {
  const [placeKey, placeTrust] = keys as [number, number]
  if (key !== placeKey) return placeKey - key
  const trust = trustOf(slot)
  if (trust !== placeTrust) return placeTrust - trust
  const own = idOf(slot)
  return own === id ? 0 : own < id ? -1 : 1
}
