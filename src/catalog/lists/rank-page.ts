// A page of ranked hits: by offset, or after a position. Ranks change with the catalog, so a position is a sort key, not a count.
import type { PagePosition } from '../../domain/queries/page-cursor.ts'
import type { Hit, Hits } from '../../search/search-index.ts'

export type RankPage = {
  readonly hits: readonly Hit[]
  readonly total: number
  /** Whether more hits follow. */
  readonly isMore: boolean
}

/** Extra hits for new entries above the position, so that one ranking is nearly always enough. */
const SLACK = 32

export type Ranking = {
  /** The best `count` hits. */
  readonly rank: (count: number) => Hits
  /** Maximum number of ranked hits. */
  readonly max: number
  readonly trustOf: (slot: number) => number
  readonly idOf: (slot: number) => string
}

export function pageByOffset({ rank, max }: Ranking, offset: number, limit: number): RankPage {
  // The index allocates as many hits as requested: a page far beyond the end must not cost memory.
  const { hits, total } = rank(Math.min(offset + limit, max))
  return {
    hits: offset === 0 ? hits : hits.slice(offset),
    total,
    isMore: offset + limit < Math.min(total, max),
  }
}

export function pageAfter(ranking: Ranking, place: PagePosition, limit: number): RankPage {
  for (let count = place.seen + limit + SLACK; ; count *= 2) {
    const { hits, total } = ranking.rank(Math.min(count, ranking.max))
    const rest = hits.filter(hit => compareTo(ranking, hit, place) > 0)
    const isAll = hits.length < count
    if (rest.length > limit || isAll)
      return { hits: rest.slice(0, limit), total, isMore: rest.length > limit }
  }
}

/** From the least relevant hit on; ranks everything. */
export function pageReversed(
  ranking: Ranking,
  { offset, limit, place }: { offset: number; limit: number; place: PagePosition | undefined },
): RankPage {
  const { hits, total } = ranking.rank(ranking.max)
  const reversed = hits.toReversed()
  const rest = place ? reversed.filter(hit => compareTo(ranking, hit, place) < 0) : reversed.slice(offset)
  return { hits: rest.slice(0, limit), total, isMore: rest.length > limit }
}

/** Positive if the hit comes after the position: less relevant, less trusted, or newer. */
function compareTo({ trustOf, idOf }: Ranking, { slot, key }: Hit, { keys, id }: PagePosition): number {
  const [placeKey, placeTrust] = keys as [number, number]
  if (key !== placeKey) return placeKey - key
  const trust = trustOf(slot)
  if (trust !== placeTrust) return placeTrust - trust
  const own = idOf(slot)
  return own === id ? 0 : own < id ? -1 : 1
}
