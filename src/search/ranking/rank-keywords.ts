// The order of keyword hits: retrieved by words, weighted by standing, then put into the final order.
import type { AppliedFilters } from '../../domain/queries/filters.ts'
import type { Accept, Hit, Hits, RetrievedHits } from '../search-index.ts'
import { inFinalOrder, isBehind, markDemoted, WINDOW } from './final-order.ts'
import { toPlacedPrior, toStandingPrior } from './prior.ts'
import type { RankingSource } from './rank-intent.ts'
import { SCORE_STEPS, toScore } from './score.ts'

/** At least this many verified entries are ranked, if there are as many, so that others cannot crowd them out. */
const MIN_VERIFIED = 20
/** The same for entries that were paid, as endpoints cost little. */
const MIN_PAID = 10
/** Keys of hits in the window are above all keys of retrieval. */
const BEHIND = 2 ** 44
const FRONT = 2 ** 45
/** More than are ever ranked. */
const MAX_PLACES = 256

/** @param accept replaces the filter */
export type RetrieveKeywords = (count: number, accept?: Accept) => RetrievedHits

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
    const scored = toScored(source, added.length > 0 ? [...window, ...added] : window, relevanceOf)
    const placed = toPlaced(source, scored, count)
    if (placed.length === count || !isDeep) return { hits: placed, total }
    const isAdded = new Set(added.map(({ slot }) => slot))
    const rest = hits.slice(WINDOW).filter(({ slot }) => !isAdded.has(slot))
    return { hits: [...placed, ...rest].slice(0, count), total }
  }
}

/** Slots and their scores, best first. */
type Scored = { readonly slots: Int32Array; readonly scores: Float64Array }

function toScored(
  source: RankingSource,
  hits: readonly Hit[],
  relevanceOf: RetrievedHits['relevanceOf'],
): Scored {
  const count = hits.length
  // Scores are integers, so that a score and an index fit one number, which is sorted without comparing objects.
  const order = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const { slot, key } = hits[i]!
    const standing = toStandingPrior(source.statusOf(slot), source.trustOf(slot))
    const score = toScore(relevanceOf(key), toPlacedPrior(source, slot, standing))
    order[i] = (SCORE_STEPS - Math.round(score * SCORE_STEPS)) * MAX_PLACES + i
  }
  order.sort()
  const slots = new Int32Array(count)
  const scores = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const place = order[i]! % MAX_PLACES
    const { slot } = hits[place]!
    const score = (SCORE_STEPS - (order[i]! - place) / MAX_PLACES) / SCORE_STEPS
    let at = i
    for (; at > 0 && scores[at - 1] === score && source.order(slots[at - 1]!, slot) > 0; at--)
      slots[at] = slots[at - 1]!
    slots[at] = slot
    scores[i] = score
  }
  return { slots, scores }
}

/** Returns the best hits in their final order. */
function toPlaced(source: RankingSource, { slots, scores }: Scored, count: number): Hit[] {
  const flags = markDemoted(source, slots, scores)
  const places = flags && inFinalOrder(source, slots, scores, flags)
  const placed = new Array<Hit>(Math.min(count, slots.length))
  for (let i = 0; i < placed.length; i++) {
    const place = places ? places[i]! : i
    const front = flags && isBehind(flags[place]!) ? BEHIND : FRONT
    placed[i] = { slot: slots[place]!, key: front + Math.round(scores[place]! * SCORE_STEPS) }
  }
  return placed
}

/** Returns the best verified entries and the best paid ones, when few of them are among the first hits. */
function missingVerified(
  source: RankingSource,
  filter: AppliedFilters,
  retrieve: RetrieveKeywords,
  window: readonly Hit[],
): readonly Hit[] {
  let verified = 0
  let paid = 0
  for (const { slot } of window) {
    if (!source.isVerified(slot)) continue
    verified++
    if (source.isPaid(slot)) paid++
  }
  const wanted = [
    verified < MIN_VERIFIED ? source.verified(filter) : undefined,
    paid < MIN_PAID ? source.paid(filter) : undefined,
  ]
  if (wanted.every(accept => accept === undefined)) return []
  const known = new Set(window.map(({ slot }) => slot))
  const missing: Hit[] = []
  for (const accept of wanted) {
    if (!accept) continue
    for (const hit of retrieve(MIN_VERIFIED, accept).hits) {
      if (known.has(hit.slot)) continue
      known.add(hit.slot)
      missing.push(hit)
    }
  }
  return missing
}
