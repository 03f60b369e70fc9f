// Answers an intent search: reads the sentence, filters, ranks, and explains the results.

import type { IntentAnswer } from '../../domain/answers.ts'
import type { Marks } from '../../domain/backing.ts'
import { toDollarFields } from '../../domain/dollar-fields.ts'
import { Encoded } from '../../domain/encoded.ts'
import { type AppliedFilters, FILTER_NAMES } from '../../domain/filters.ts'
import { type JsonPiece, joinJson } from '../../domain/json-pieces.ts'
import type { LanguageCode } from '../../domain/languages/languages.ts'
import type { IntentQuery } from '../../domain/queries.ts'
import type { DollarPrice, Rates } from '../../domain/rates.ts'
import type { Service } from '../../domain/service.ts'
import type { Status } from '../../domain/standing.ts'
import type { Accept, IntentHit, IntentHits, Prior, SearchIndex } from '../search-index.ts'
import type { Intent } from '../sentence/intent.ts'
import { inOneMeasure } from '../sentence/one-measure.ts'
import { refineIntent } from '../sentence/refine.ts'
import { relaxations } from '../sentence/relaxations.ts'
import { toSearchedWords } from '../sentence/searched-words.ts'
import { compareClaims, WORDS } from './copies.ts'
import type { FinalOrderSource } from './demotion.ts'
import { toReversed } from './direction.ts'
import { type Explain, explainAnswer, explainBriefly, explainHit } from './explain.ts'
import { markDemoted, type Placed, toFinalOrder, WINDOW } from './final-order.ts'
import { isSameSeller, rowOf } from './fingerprint.ts'
import { type PriorSignals, toPrior, toSamplePrior, toStandingPrior } from './prior.ts'
import type { IntentRanker } from './rank.ts'
import { SCORE_STEPS } from './score.ts'

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
type Nearest = NonNullable<IntentAnswer['nearest']>

type AnswerOptions = {
  /** Whether reasons omit what the reader sees next to them. */
  readonly isBrief?: boolean
  /** The language of all reasons. Default: that of the query. */
  readonly reasonLanguage?: LanguageCode | undefined
  /** Called with the filters that are applied. */
  readonly onFilter?: ((filter: AppliedFilters) => void) | undefined
  /** Called with the slots that match, best first. */
  readonly onHits?: (slots: readonly number[]) => void
  /** Called with the words of a sentence without results, when no filter was given in addition. */
  readonly onNothing?: ((words: readonly string[]) => void) | undefined
}

export function answerIntent(
  source: RankingSource,
  query: IntentQuery,
  { isBrief = false, reasonLanguage, onFilter, onHits, onNothing }: AnswerOptions = {},
): Encoded<IntentAnswer> {
  const { q, limit } = query
  const explain = isBrief ? explainBriefly : explainHit
  const intent = refineIntent(source.index.readIntent(q, reasonLanguage), query)
  onFilter?.(intent.filter)
  const { hits: ranked, total } = rank(source, intent, limit)
  const isOnlyWeak = ranked.every(({ isWeak }) => isWeak)
  const nearest =
    isOnlyWeak || isPoor(intent, ranked) ? findNearest(source, intent, limit, ranked) : undefined
  // A result that fails only one condition is closer than one that only meets the conditions.
  const hits = nearest && isOnlyWeak ? [] : ranked
  onHits?.(hits.flatMap(({ slot, isWeak }) => (isWeak ? [] : [slot])))
  const fitting = hits.some(({ isWeak }) => !isWeak) ? total() : 0
  const isUnmet = fitting === 0 && !nearest && intent.steps.length === 0
  if (isUnmet && FILTER_NAMES.every(name => query[name] === undefined)) onNothing?.(toSearchedWords(intent))
  const matched = new Set<string>()
  for (const hit of hits) for (const token of hit.matchedTokens) matched.add(token)
  const matchedTokens = intent.tokens.filter(token => matched.has(token))
  const head: Omit<IntentAnswer, 'results' | 'steps' | 'nearest'> = {
    query: q,
    tokens: [...intent.tokens],
    matchedTokens,
    total: fitting,
    reason: explainAnswer(intent, { hits, total: fitting, matchedTokens, isBrief }),
    constraints: intent.constraints,
    wishes: [...intent.wishes],
  }
  const pieces: JsonPiece[] = [
    `${JSON.stringify(head).slice(0, -1)},"results":`,
    ...toResults(source, intent, hits, explain),
  ]
  pieces.push(...toSteps(source, intent, limit, explain))
  if (nearest) {
    const relaxed: Nearest['relaxed'] = nearest.relaxed
    pieces.push(`,"nearest":{"relaxed":${JSON.stringify(relaxed)},"results":`)
    pieces.push(...toResults(source, nearest.intent, nearest.hits, explain), '}')
  }
  pieces.push('}')
  return new Encoded(joinJson(pieces))
}

/** Returns the best slots for a sentence among those that pass, with the constraints of the sentence. */
export const rankSlots = (
  source: RankingSource,
  sentence: string,
  limit: number,
  passes: (slot: number) => boolean,
): number[] => rank(source, source.index.readIntent(sentence), limit, passes).hits.map(({ slot }) => slot)

const MAX_OF_STEP = 5
/** The score factor of an entry that converts in the opposite direction. */
const REVERSED_KEPT = 0.5

function toPriorOf(source: RankingSource, { wishes }: Intent): Prior {
  const priorOf: Prior =
    wishes.length === 0
      ? slot => toStandingPrior(source.statusOf(slot), source.trustOf(slot))
      : slot => toPrior(wishes, source.signalsOf(slot))
  return slot => (source.isSample(slot) ? toSamplePrior(priorOf(slot)) : priorOf(slot))
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

function rank(source: RankingSource, intent: Intent, limit: number, wanted?: Passes): IntentHits {
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

/** Returns the results as a JSON array with the encoded services. */
function toResults(
  { service, index, dollarPriceOf, marksOf }: RankingSource,
  intent: Intent,
  hits: readonly IntentHit[],
  explain: Explain,
): JsonPiece[] {
  const pieces: JsonPiece[] = []
  let before = '[{"service":'
  for (const hit of hits) {
    const encoded = service(hit.slot)
    const decoded = encoded.decode()
    const reason = explain(intent, hit, decoded, index.languages)
    const score = Math.round(hit.score * SCORE_STEPS) / SCORE_STEPS
    const rest = {
      score,
      ...(hit.isWeak && { weak: true }),
      matchedTokens: hit.matchedTokens,
      reason,
      ...toDollarFields(dollarPriceOf(hit.slot)),
      backing: marksOf(hit.slot),
    }
    pieces.push(before, encoded.bytes, `,${JSON.stringify(rest).slice(1)}`)
    before = ',{"service":'
  }
  pieces.push(hits.length === 0 ? '[]' : ']')
  return pieces
}

/** Answers each step under the conditions of the whole sentence. */
function toSteps(source: RankingSource, intent: Intent, limit: number, explain: Explain): JsonPiece[] {
  const { steps } = intent
  return steps.flatMap((step, i): JsonPiece[] => {
    const request = { ...intent, ...step }
    const { hits } = rank(source, request, Math.min(limit, MAX_OF_STEP))
    const before = i === 0 ? ',"steps":[' : ','
    const text = JSON.stringify(step.text)
    const after = i === steps.length - 1 ? '}]' : '}'
    return [`${before}{"text":${text},"results":`, ...toResults(source, request, hits, explain), after]
  })
}

const countMatched = ({ contentTokens }: Intent, { matchedTokens, isWeak }: IntentHit): number =>
  isWeak ? 0 : contentTokens.filter(token => matchedTokens.includes(token)).length

const mostMatched = (intent: Intent, hits: readonly IntentHit[]): number =>
  Math.max(0, ...hits.map(hit => countMatched(intent, hit)))

/** Each is one more search for a request that has results already. */
const MAX_TRIED_BESIDE = 2

/** Returns whether no hit has half of the words of a request with conditions. */
const isPoor = (intent: Intent, hits: readonly IntentHit[]): boolean =>
  intent.contentTokens.length > 1 &&
  Object.keys(intent.filter).length > 0 &&
  mostMatched(intent, hits) * 2 < intent.contentTokens.length

/**
 * Returns the first relaxation with a result. Beside other hits, only the first few are tried, and its best result must be another one with
 * half of the words.
 */
function findNearest(source: RankingSource, intent: Intent, limit: number, beside: readonly IntentHit[]) {
  const shown = new Set(beside.flatMap(({ slot, isWeak }) => (isWeak ? [] : [slot])))
  const least = shown.size === 0 ? 0 : intent.contentTokens.length / 2
  let tried = 0
  for (const { relaxed, intent: wider } of relaxations(intent)) {
    if (shown.size > 0 && ++tried > MAX_TRIED_BESIDE) break
    const hits = rank(source, wider, limit).hits.filter(({ isWeak, slot }) => !isWeak && !shown.has(slot))
    if (hits.length > 0 && countMatched(wider, hits[0]!) >= least) return { relaxed, intent: wider, hits }
  }
  return undefined
}
