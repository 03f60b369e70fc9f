// The order of keyword hits: retrieved by words, weighted by standing, then put into the final order.

import type { AppliedFilters } from '../../domain/queries/filters.ts'
import type { SlotTest } from '../../memory/sorted-slots.ts'
import type { Hit, Hits, RetrievedHits } from '../search-index.ts'
import type { RankingSource } from './answer.ts'
import { SCORE_STEPS, toFinalOrder, WINDOW } from './final-order.ts'
import { toPlacedPrior, toStandingPrior } from './prior.ts'
import { toScore } from './rerank.ts'

/** At least this many verified entries are ranked, if there are as many, so that others cannot crowd them out. */
const MIN_VERIFIED = 20
/** The same for entries with proof, as endpoints cost little. */
const MIN_WITH_PROOF = 10
/** Keys of hits in the window are above all keys of retrieval. */
const BEHIND = 2 ** 44
const FRONT = 2 ** 45

/** @param accept replaces the filter */
export type RetrieveKeywords = (count: number, accept?: SlotTest) => RetrievedHits

/** Returns the best hits. The key of each encodes whether it is demoted, then its final score. */
export function toKeywordRanker(
  source: RankingSource,
  filter: AppliedFilters,
  retrieve: RetrieveKeywords,
): (count: number) => Hits {
  return count => {
    const isDeep = count > WINDOW
    const { hits, total, relevanceOf } = retrieve(Math.max(count, WINDOW))
    const window = isDeep ? hits.slice(0, WINDOW) : hits
    const added = hits.length < WINDOW ? [] : missingVerified(source, filter, retrieve, window)
    const placed = toPlaced(source, [...window, ...added], relevanceOf, count)
    if (placed.length === count || !isDeep) return { hits: placed, total }
    const isAdded = new Set(added.map(({ slot }) => slot))
    const rest = hits.slice(WINDOW).filter(({ slot }) => !isAdded.has(slot))
    return { hits: [...placed, ...rest].slice(0, count), total }
  }
}

/** Returns the best hits in their final order. */
function toPlaced(
  source: RankingSource,
  hits: readonly Hit[],
  relevanceOf: RetrievedHits['relevanceOf'],
  count: number,
): Hit[] {
  const scored = hits.map(({ slot, key }) => {
    const standing = toStandingPrior(source.standingOf(slot))
    return { slot, score: toScore(relevanceOf(key), toPlacedPrior(source, slot, standing)) }
  })
  scored.sort((a, b) => b.score - a.score || source.order(a.slot, b.slot))
  const slots = scored.map(({ slot }) => slot)
  const scores = new Float64Array(scored.map(({ score }) => score))
  const final = toFinalOrder(source, slots, scores)
  const places = final?.places ?? slots.keys()
  return Array.from(places, i => ({
    slot: slots[i]!,
    key: (final?.isBehind(i) ? BEHIND : FRONT) + Math.round(scores[i]! * SCORE_STEPS),
  })).slice(0, count)
}

/** Returns the best verified entries and the best of them with proof, when few of them are among the first hits. */
function missingVerified(
  source: RankingSource,
  filter: AppliedFilters,
  retrieve: RetrieveKeywords,
  window: readonly Hit[],
): readonly Hit[] {
  let verified = 0
  let withProof = 0
  for (const { slot } of window) {
    if (!source.isVerified(slot)) continue
    verified++
    if (source.hasProof(slot)) withProof++
  }
  const tests = [
    verified < MIN_VERIFIED ? source.verified(filter) : undefined,
    withProof < MIN_WITH_PROOF ? source.verifiedWithProof(filter) : undefined,
  ]
  if (tests.every(accept => accept === undefined)) return []
  const known = new Set(window.map(({ slot }) => slot))
  const missing: Hit[] = []
  for (const accept of tests) {
    if (!accept) continue
    for (const hit of retrieve(MIN_VERIFIED, accept).hits) {
      if (known.has(hit.slot)) continue
      known.add(hit.slot)
      missing.push(hit)
    }
  }
  return missing
}
