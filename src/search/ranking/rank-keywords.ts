// The order of hits for keywords: retrieved by their words, then weighed with their standing and put into the final order.
import type { AppliedFilters } from '../../domain/filters.ts'
import type { Accept, Hit, Hits, RetrievedHits } from '../search-index.ts'
import type { RankingSource } from './answer.ts'
import { toFinalOrder, WINDOW } from './final-order.ts'
import { toStandingPrior } from './prior.ts'
import { toScore } from './score.ts'

/** So many verified entries at least are looked at, where there are as many: others may be many and say much. */
const MIN_VERIFIED = 20
/** Keys of hits within the window, above all that retrieval gives. */
const BEHIND = 2 ** 44
const FRONT = 2 ** 45
const STEPS = 1_000_000

/** Returns the best so many; the key of each says where it stands. @param retrieve with what is to pass, unless the filter itself */
export function toKeywordRanker(
  source: RankingSource,
  filter: AppliedFilters,
  retrieve: (count: number, accept?: Accept) => RetrievedHits,
): (count: number) => Hits {
  return count => {
    const { hits, total, relevanceOf } = retrieve(Math.max(count, WINDOW))
    const window = hits.slice(0, WINDOW)
    const added = hits.length < WINDOW ? [] : missingVerified(source, filter, retrieve, window)
    const scored = [...window, ...added].map(({ slot, key }) => ({
      slot,
      score: toScore(relevanceOf(key), toStandingPrior(source.statusOf(slot), source.trustOf(slot))),
    }))
    scored.sort((a, b) => b.score - a.score || source.order(a.slot, b.slot))
    const placed = toFinalOrder(source, scored).map(
      ({ hit, score, isBehind }): Hit => ({
        slot: hit.slot,
        key: (isBehind ? BEHIND : FRONT) + Math.round(score * STEPS),
      }),
    )
    const isAdded = new Set(added.map(({ slot }) => slot))
    const rest = hits.slice(WINDOW).filter(({ slot }) => !isAdded.has(slot))
    return { hits: [...placed, ...rest].slice(0, count), total }
  }
}

/** The best verified entries, where few of them are among the first hits. */
function missingVerified(
  source: RankingSource,
  filter: AppliedFilters,
  retrieve: (count: number, accept: Accept) => RetrievedHits,
  window: readonly Hit[],
): readonly Hit[] {
  let found = 0
  for (const { slot } of window) if (source.isVerified(slot)) found++
  const verified = found < MIN_VERIFIED ? source.verified(filter) : undefined
  if (!verified) return []
  const known = new Set(window.map(({ slot }) => slot))
  return retrieve(MIN_VERIFIED, verified).hits.filter(({ slot }) => !known.has(slot))
}
