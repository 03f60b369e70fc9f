// Ranks a sentence over the catalog: its filters and exclusions decide what is ranked, and sellers and copies the final order.

import type { Encoded } from '../../domain/json/encoded.ts'
import type { Marks } from '../../domain/listing/backing.ts'
import type { Service } from '../../domain/listing/service.ts'
import type { DollarPrice, Rates } from '../../domain/money/rates.ts'
import type { AppliedFilters } from '../../domain/queries/filters.ts'
import type { Status } from '../../domain/standing/standing.ts'
import type { Accept, IntentHit, IntentHits, Prior, SearchIndex } from '../search-index.ts'
import type { Intent } from '../sentence/intent.ts'
import { inOneMeasure } from '../sentence/one-measure.ts'
import { compareClaims, WORDS } from './copies.ts'
import type { FinalOrderSource } from './demotion.ts'
import { toReversed } from './direction.ts'
import { markDemoted, type Placed, toFinalOrder, WINDOW } from './final-order.ts'
import { isSameSeller, rowOf } from './fingerprint.ts'
import { type PriorSignals, toPlacedPrior, toPrior, toStandingPrior } from './prior.ts'
import type { IntentRanker } from './rank.ts'

/** What ranking needs of the catalog: filters and records, by slot. */
export type RankingSource = FinalOrderSource & {
  readonly index: SearchIndex
  readonly rates: Rates
  /** Returns a test for the filters; undefined when nothing can pass. */
  acceptor(filter: AppliedFilters): Accept | undefined
  /** Returns all slots that pass the filters and `passes`, when they are few. */
  few(filter: AppliedFilters, passes?: (slot: number) => boolean): readonly number[] | undefined
  /** Returns the most trusted of the accepted slots, the older first among equals. */
  mostTrusted(filter: AppliedFilters, accept: Accept, count: number): readonly number[]
  /** Returns entries of other owners with a confusable name. */
  namesakesOf(slot: number): readonly number[]
  marksOf(slot: number): Marks
  /** Returns a test for the filters, a verified status and trust above what costs nothing; undefined when nothing can pass. */
  paid(filter: AppliedFilters): Accept | undefined
  isPaid(slot: number): boolean
  /** Returns a test for the filters and a verified status; undefined when nothing can pass. */
  verified(filter: AppliedFilters): Accept | undefined
  statusOf(slot: number): Status
  signalsOf(slot: number): PriorSignals
  /** Returns undefined without an exchange rate. */
  dollarPriceOf(slot: number): DollarPrice | undefined
  service(slot: number): Encoded<Service>
}
/** Returns the best slots for a sentence among those that pass, with the constraints of the sentence. */
export const rankSlots = (
  source: RankingSource,
  sentence: string,
  limit: number,
  passes: (slot: number) => boolean,
): number[] =>
  rankIntent(source, source.index.readIntent(sentence), limit, passes).hits.map(({ slot }) => slot)

/** The score factor of an entry that converts in the opposite direction. */
const REVERSED_KEPT = 0.5

function toPriorOf(source: RankingSource, { wishes }: Intent): Prior {
  const priorOf: Prior =
    wishes.length === 0
      ? slot => toStandingPrior(source.statusOf(slot), source.trustOf(slot))
      : slot => toPrior(wishes, source.signalsOf(slot))
  return slot => toPlacedPrior(source, slot, priorOf(slot))
}

type Passes = (slot: number) => boolean

/** Returns a test for what the sentence does not exclude; undefined when it excludes nothing. */
function toIncluded(source: RankingSource, { excluded }: Intent): Passes | undefined {
  const { words, others, chains } = excluded
  if (words.length === 0 && chains.length === 0) return undefined
  const named = [...words, ...others].map(phrase => source.index.matchExactly(phrase.join(' ')))
  const paidThere = chains.length > 0 ? source.acceptor({ chain: chains }) : undefined
  return slot => !(paidThere?.(slot) ?? false) && !named.some(entries => entries.has(slot))
}

function both(first: Passes | undefined, second: Passes | undefined): Passes | undefined {
  return first && second ? slot => first(slot) && second(slot) : (first ?? second)
}

const NO_HITS: IntentHits = { hits: [], total: () => 0 }

/** Ranks what the sentence asks for, under its conditions and exclusions. */
export function rankIntent(
  source: RankingSource,
  intent: Intent,
  limit: number,
  wanted?: Passes,
): IntentHits {
  const { index, order } = source
  const passes = both(wanted, toIncluded(source, intent))
  const prior = toPriorOf(source, intent)
  const filter = inOneMeasure(intent.filter, source.rates)
  const isFiltered = passes !== undefined || Object.keys(filter).length > 0
  const constrained = isFiltered ? source.acceptor(filter) : undefined
  if (isFiltered && !constrained) return NO_HITS
  const accept = passes ? (slot: number) => passes(slot) && constrained!(slot) : constrained
  const isByFilter = intent.contentTokens.length === 0
  const few = !isFiltered
    ? undefined
    : isByFilter && intent.wishes.length === 0
      ? source.mostTrusted(filter, accept!, limit)
      : source.few(filter, passes)
  if (few?.length === 0) return NO_HITS
  const kinds = isByFilter ? [] : [source.verified(filter), source.paid(filter)]
  const preferred = kinds.flatMap(kind => (kind ? both(passes, kind)! : []))
  const ranker = index.intentRanker(intent, order, { accept, prior, among: few, preferred })
  return isByFilter
    ? ranker.rank(limit)
    : toOrdered(source, ranker, limit, toReversed(source, intent.subject))
}

/**
 * Ranks one page first, which suffices unless one of its hits is demoted: ranking the whole window costs more than twice as
 * much.
 */
function toOrdered(
  source: RankingSource,
  ranker: IntentRanker,
  limit: number,
  isReversed: Passes = () => false,
): IntentHits {
  const page = limit < WINDOW ? ranker.rank(limit) : undefined
  const hasReversed = page?.hits.some(({ slot }) => isReversed(slot))
  if (page && !hasReversed && isSettled(source, ranker, page.hits)) return page
  const { hits, total } = ranker.rank(Math.max(limit, WINDOW))
  const isOrdered = (hit: IntentHit, i: number) => i < WINDOW && !hit.isWeak
  let lowest = 1
  const directed = withReversedDemoted(hits.filter(isOrdered), isReversed)
  const final = toFinalOrder(source, directed)
  if (page && !hasReversed && isOfOneSeller(source, final, directed)) return page
  const placed = final.map(({ hit, score, demotion }) => {
    // The order must agree with the scores.
    lowest = Math.min(lowest, score)
    return demotion === undefined ? hit : { ...hit, score: lowest, demotion }
  })
  const rest = hits.filter((hit, i) => !isOrdered(hit, i))
  const ordered = [...placed, ...rest.map(hit => ({ ...hit, score: Math.min(hit.score, lowest) }))]
  return { hits: ordered.slice(0, limit), total }
}

/**
 * Returns whether all hits are of one seller and in order, so that nothing is demoted. The page alone is then better than
 * the window, for which more candidates are reranked: it is the same as among many sellers.
 */
function isOfOneSeller(
  { fingerprints: { rows } }: RankingSource,
  final: readonly Placed<IntentHit>[],
  hits: readonly IntentHit[],
): boolean {
  const first = hits[0] && rowOf(hits[0].slot)
  return final.every(
    ({ hit }, i) => hit === hits[i] && (hit === hits[0] || isSameSeller(rows, first!, rowOf(hit.slot))),
  )
}

/** Returns whether none of the hits is demoted, neither by another hit nor by an entry with the same name that may follow. */
function isSettled(source: RankingSource, ranker: IntentRanker, hits: readonly IntentHit[]): boolean {
  const slots = hits.map(({ slot }) => slot)
  const scores = Float64Array.from(hits, ({ score }) => score)
  if (markDemoted(source, slots, scores) !== undefined) return false
  const { rows } = source.fingerprints
  const isOriginal = (other: number, slot: number): boolean =>
    WORDS.some(part => compareClaims(source, other, slot, part) < 0) &&
    !isSameSeller(rows, rowOf(other), rowOf(slot)) &&
    ranker.fits(other)
  return !slots.some(slot => source.namesakesOf(slot).some(other => isOriginal(other, slot)))
}

/** Halves the score of entries that convert in the opposite direction: the query probably does not mean these, but it may. */
const withReversedDemoted = (hits: readonly IntentHit[], isReversed: Passes): IntentHit[] =>
  hits
    .map((hit): IntentHit => {
      if (!isReversed(hit.slot)) return hit
      return { ...hit, score: hit.score * REVERSED_KEPT, demotion: 'reversed' }
    })
    .sort((a, b) => b.score - a.score)
