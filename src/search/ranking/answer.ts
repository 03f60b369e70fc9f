// Answers an intent search: ranks the catalog under the filters and exclusions of the sentence, with sellers and copies in their final
// order, and writes the answer.

import { endpointHost } from '../../domain/hosts/endpoint.ts'
import { Encoded, type JsonPiece, joinJson } from '../../domain/json.ts'
import type { LanguageCode } from '../../domain/languages/languages.ts'
import type { Marks } from '../../domain/listing/backing.ts'
import type { Service } from '../../domain/listing/service.ts'
import type { DollarPrice, Rates } from '../../domain/money/rates.ts'
import type { AppliedFilters } from '../../domain/queries/filters.ts'
import type { IntentAnswer, IntentQuery } from '../../domain/queries/queries.ts'
import { type Protocol, toDollarFields } from '../../domain/terms/terms.ts'
import { skeletonOf } from '../../domain/text/text.ts'
import type { SlotTest } from '../../memory/sorted-slots.ts'
import type { SearchIndex } from '../search-index.ts'
import { type Intent, inOneMeasure, isUnitOfLimit, refineIntent, relaxations } from '../sentence/intent.ts'
import { type FinalOrderSource, isOfOneSeller, SCORE_STEPS, toFinalOrder } from './final-order.ts'
import { type PriorSignals, type StandingSignals, toPlacedPrior, toPrior, toStandingPrior } from './prior.ts'
import { type Explain, explainAnswer, explainBriefly, explainHit, toAbsent, toUnmet } from './reasons.ts'
import type { IntentHit, IntentHits, Prior } from './rerank.ts'

/** What ranking needs of the catalog: filters and records, by slot. */
export type RankingSource = FinalOrderSource & {
  readonly index: SearchIndex
  readonly rates: Rates
  /** Returns a test for the filters; undefined when nothing can pass. */
  acceptor(filter: AppliedFilters): SlotTest | undefined
  /** Returns all slots that pass the filters and `passes`, when they are few. */
  few(filter: AppliedFilters, passes?: SlotTest): readonly number[] | undefined
  /** Returns the most trusted of the accepted slots, the older first among equals. */
  mostTrusted(filter: AppliedFilters, accept: SlotTest, count: number): readonly number[]
  marksOf(slot: number): Marks
  /** Returns a test for the filters, a verified status and proof above what costs nothing; undefined when nothing can pass. */
  verifiedWithProof(filter: AppliedFilters): SlotTest | undefined
  hasProof(slot: number): boolean
  /** Returns a test for the filters and a verified status; undefined when nothing can pass, or the filters name a status themselves. */
  verified(filter: AppliedFilters): SlotTest | undefined
  /** What its prior without wishes is made of. */
  standingOf(slot: number): StandingSignals
  signalsOf(slot: number): PriorSignals
  /** Returns undefined without an exchange rate. */
  dollarPriceOf(slot: number): DollarPrice | undefined
  protocolsOf(slot: number): readonly Protocol[]
  service(slot: number): Encoded<Service>
}

/** Returns the best slots for a sentence among those that pass, with the constraints of the sentence. */
export const rankSlots = (
  source: RankingSource,
  sentence: string,
  limit: number,
  passes: SlotTest,
): number[] =>
  rankUnderConditions(source, source.index.readIntent(sentence), limit, { allowed: passes }).hits.map(
    ({ slot }) => slot,
  )

/** So many more than requested are compared word by word, to take the places of those that are demoted, and at least MIN_RANKED. */
const SPARE = 4
export const MIN_RANKED = 16
const NO_HITS: IntentHits = { hits: [], total: 0 }

/** `behind`: the hits that were ranked and have no place among the first. */
type RankedIntent = IntentHits & { readonly behind?: IntentHits['hits'] }

function toPriorOf(source: RankingSource, { wishes }: Intent): Prior {
  const priorOf: Prior =
    wishes.length === 0
      ? slot => toStandingPrior(source.standingOf(slot))
      : slot => toPrior(wishes, source.signalsOf(slot))
  return slot => toPlacedPrior(source, slot, priorOf(slot))
}

/** Returns a test for what the sentence does not exclude; undefined when it excludes nothing. */
export function toIncluded(source: RankingSource, { excluded }: Intent): SlotTest | undefined {
  const { words, others, chains } = excluded
  if (words.length === 0 && chains.length === 0) return undefined
  const named = [...words, ...others].map(phrase => source.index.matchExactly(phrase.join(' ')))
  const paidThere = chains.length > 0 ? source.acceptor({ chain: chains }) : undefined
  return slot => !(paidThere?.(slot) ?? false) && !named.some(entries => entries.has(slot))
}

/** Shorter words are part of many names. */
const MIN_DISGUISED = 4

/** Returns whether the name of a hit looks like one that the sentence excludes: Goog1e, G o o g l e. */
function isDisguised({ service }: RankingSource, { excluded }: Intent, slot: number): boolean {
  const names = excluded.words.map(words => skeletonOf(words.join(' ')))
  if (names.length === 0) return false
  const skeleton = skeletonOf(service(slot).decode().name)
  return names.some(name => name.length >= MIN_DISGUISED && skeleton.includes(name))
}

function both(first: SlotTest | undefined, second: SlotTest | undefined): SlotTest | undefined {
  return first && second ? slot => first(slot) && second(slot) : (first ?? second)
}

/**
 * Ranks what the sentence asks for, under its conditions and exclusions.
 * @param candidates those of the whole sentence, among which a step of it is ranked
 */
export function rankUnderConditions(
  source: RankingSource,
  intent: Intent,
  limit: number,
  {
    allowed,
    candidates,
  }: { readonly allowed?: SlotTest | undefined; readonly candidates?: IntentHits['candidates'] } = {},
): RankedIntent {
  const { index, order } = source
  const passes = both(allowed, toIncluded(source, intent))
  const filter = inOneMeasure(intent.filter, source.rates)
  const isFiltered = passes !== undefined || Object.keys(filter).length > 0
  const constrained = isFiltered ? source.acceptor(filter) : undefined
  if (isFiltered && !constrained) return NO_HITS
  const accept = both(passes, constrained)
  const isByFilter = intent.contentTokens.length === 0
  const among =
    candidates !== undefined || !isFiltered
      ? candidates
      : isByFilter && intent.wishes.length === 0
        ? source.mostTrusted(filter, accept!, limit)
        : source.few(filter, passes)
  if (among?.length === 0) return NO_HITS
  const prior = toPriorOf(source, intent)
  if (isByFilter) return index.rankIntent(intent, limit, order, { accept, prior, among })
  // The best of each kind are among the candidates of the whole sentence.
  const kinds = candidates === undefined ? [source.verified(filter), source.verifiedWithProof(filter)] : []
  const preferred = kinds.flatMap(kind => both(passes, kind) ?? [])
  const sellerOf = (slot: number) => [source.keyOf(slot, 'payee'), source.keyOf(slot, 'domain')]
  const count = candidates === undefined ? Math.max(limit + SPARE, MIN_RANKED) : limit + SPARE
  const options = { accept, prior, among, preferred, sellerOf }
  const ranked = index.rankIntent(intent, count, order, options)
  const hits = ranked.hits.filter(({ slot }) => !isDisguised(source, intent, slot))
  const final = inFinalOrder(source, hits)
  return { ...ranked, hits: final.slice(0, limit), behind: final.slice(limit) }
}

/** Puts hits into their final order, with scores that agree with it. */
function inFinalOrder(source: RankingSource, hits: IntentHits['hits']): IntentHits['hits'] {
  const fitting = hits.filter(({ isWeak }) => !isWeak)
  const scores = Float64Array.from(fitting, ({ score }) => score)
  const final = toFinalOrder(
    source,
    fitting.map(({ slot }) => slot),
    scores,
  )
  if (!final) return hits
  let lowest = 1
  return [
    ...final.places.map(i => ({ ...fitting[i]!, score: scores[i]!, demotion: final.demotions[i] })),
    ...hits.slice(fitting.length),
  ].map(hit => {
    lowest = Math.min(lowest, hit.score)
    return hit.score === lowest ? hit : { ...hit, score: lowest }
  })
}

// The answer: the results with reasons, the steps of the sentence, and what is nearest.

type Nearest = NonNullable<IntentAnswer['nearest']>

type AnswerOptions = {
  /** Whether reasons omit what the reader sees next to them. */
  readonly isBrief?: boolean
  /** Only these results, by their places, get a reason; default: all. */
  readonly explained?: { readonly from: number; readonly to: number } | undefined
  /** The language of all reasons. Default: that of the query. */
  readonly reasonLanguage?: LanguageCode | undefined
  /** Called with the filters that are applied. */
  readonly onFilter?: ((filter: AppliedFilters) => void) | undefined
  /** What the policy of the caller allows. */
  readonly allowed?: SlotTest | undefined
  /** How many entries meet the conditions, but not the policy. */
  readonly countRefused?: (filter: AppliedFilters) => number
}

export function answerIntent(
  source: RankingSource,
  query: IntentQuery,
  {
    isBrief = false,
    explained,
    reasonLanguage,
    onFilter,
    allowed,
    countRefused = () => 0,
  }: AnswerOptions = {},
): Encoded<IntentAnswer> {
  const { q, limit } = query
  const explain = isBrief ? explainBriefly : explainHit
  const intent = refineIntent(source.index.readIntent(q, reasonLanguage), query)
  const filter = inOneMeasure(intent.filter, source.rates)
  onFilter?.(filter)
  const found = rankUnderConditions(source, intent, limit, { allowed })
  const { hits: ranked, total, behind = [], candidates } = found
  const isOnlyWeak = ranked.every(({ isWeak }) => isWeak)
  const nearest = isOnlyWeak ? findNearest(source, intent, limit, allowed) : undefined
  // A result that fails only one condition is closer than one that only meets the conditions.
  const hits = nearest ? [] : ranked
  const fitting = hits.some(({ isWeak }) => !isWeak) ? total : 0
  const matched = new Set(hits.flatMap(hit => hit.matchedTokens))
  const matchedTokens = intent.tokens.filter(token => matched.has(token))
  const absentTokens = fitting > 0 ? toAbsent(intent, hits, source.index.isAbsent) : []
  const head: Omit<IntentAnswer, 'results' | 'steps' | 'nearest'> = {
    query: q,
    tokens: [...intent.tokens],
    matchedTokens,
    total: fitting,
    reason: explainAnswer(intent, { hits, total: fitting, matchedTokens, absentTokens, isBrief }),
    ...(absentTokens.length > 0 && { absentTokens }),
    constraints: toConstraints(intent, filter, fitting > 0 ? toUnmet(intent, hits, absentTokens) : []),
    wishes: [...intent.wishes],
    suppressed: {
      policy: countRefused(filter),
      ...countBehind(source, nearest ? [...ranked, ...behind] : behind),
    },
  }
  const pieces: JsonPiece[] = [
    `${JSON.stringify(head).slice(0, -1)},"results":`,
    ...toResults(source, intent, hits, explain, explained),
  ]
  pieces.push(...toSteps(source, intent, { candidates, limit, explain, allowed }))
  if (nearest) {
    const relaxed: Nearest['relaxed'] = nearest.relaxed
    pieces.push(`,"nearest":{"relaxed":${JSON.stringify(relaxed)},"results":`)
    pieces.push(...toResults(source, nearest.intent, nearest.hits, explain), '}')
  }
  pieces.push('}')
  return new Encoded(joinJson(pieces))
}

/** Counts the hits that have no place in the answer, each by its first reason. */
function countBehind({ dangerOf }: RankingSource, hits: IntentHits['hits']) {
  const counts = { weak: 0, sameSeller: 0, danger: 0 }
  for (const { slot, isWeak, demotion } of hits) {
    if (dangerOf(slot) !== undefined) counts.danger++
    else if (isWeak) counts.weak++
    else if (demotion !== undefined) counts.sameSeller++
  }
  return counts
}

/**
 * Returns the constraints, with a note if a limit is compared only with prices in its own currency.
 * @param applied the filter in one measure, as far as there is a rate for it
 * @param unmet names that no fitting hit has
 */
function toConstraints(
  { constraints, filter, language }: Intent,
  applied: AppliedFilters,
  unmet: readonly string[],
): IntentAnswer['constraints'] {
  const { otherCurrencies, unapplied: why } = language.reasons
  const { currency } = constraints
  const unapplied = [...constraints.unapplied, ...unmet.map(text => ({ text, why: why.unmet_name('') }))]
  if (currency !== undefined && isUnitOfLimit(filter) && applied === filter)
    unapplied.push({ text: otherCurrencies, why: why.no_rate(currency) })
  return { ...constraints, unapplied }
}

const MAX_OF_STEP = 3
/** Returns the results as a JSON array with the encoded services. */
function toResults(
  source: RankingSource,
  intent: Intent,
  hits: readonly IntentHit[],
  explain: Explain,
  explained = { from: 0, to: hits.length },
): JsonPiece[] {
  const { service, index, dollarPriceOf, protocolsOf, marksOf, dangerOf } = source
  const pieces: JsonPiece[] = []
  let before = '[{"service":'
  for (const [i, hit] of hits.entries()) {
    const encoded = service(hit.slot)
    const demotion = dangerOf(hit.slot) ?? hit.demotion
    const isExplained = i >= explained.from && i < explained.to
    const first =
      isExplained && demotion === 'seller'
        ? hits.slice(0, i).find(({ slot }) => isOfOneSeller(source, slot, hit.slot))
        : undefined
    const above = first && endpointHost(service(first.slot).decode().endpoint)
    const reason = isExplained
      ? explain(intent, { ...hit, demotion, above }, encoded.decode(), index.languages)
      : ''
    const score = Math.round(hit.score * SCORE_STEPS) / SCORE_STEPS
    const rest = {
      score,
      ...(hit.isWeak && { weak: true }),
      matchedTokens: hit.matchedTokens,
      reason,
      ...toDollarFields(dollarPriceOf(hit.slot)),
      protocols: protocolsOf(hit.slot),
      backing: marksOf(hit.slot),
    }
    pieces.push(before, encoded.bytes, `,${JSON.stringify(rest).slice(1)}`)
    before = ',{"service":'
  }
  pieces.push(hits.length === 0 ? '[]' : ']')
  return pieces
}

/** Answers each step by the best of the candidates of the whole sentence, which meet its conditions. */
function toSteps(
  source: RankingSource,
  intent: Intent,
  {
    limit,
    explain,
    ...options
  }: {
    readonly candidates: IntentHits['candidates']
    readonly limit: number
    readonly explain: Explain
    readonly allowed: SlotTest | undefined
  },
): JsonPiece[] {
  const { steps } = intent
  return steps.flatMap((step, i): JsonPiece[] => {
    const request = { ...intent, ...step }
    const { hits } = rankUnderConditions(source, request, Math.min(limit, MAX_OF_STEP), options)
    const before = i === 0 ? ',"steps":[' : ','
    const text = JSON.stringify(step.text)
    const after = i === steps.length - 1 ? '}]' : '}'
    return [`${before}{"text":${text},"results":`, ...toResults(source, request, hits, explain), after]
  })
}

/** Returns the first relaxation with a result. */
function findNearest(source: RankingSource, intent: Intent, limit: number, allowed: SlotTest | undefined) {
  for (const { relaxed, intent: wider } of relaxations(intent)) {
    const hits = rankUnderConditions(source, wider, limit, { allowed }).hits.filter(({ isWeak }) => !isWeak)
    if (hits.length > 0) return { relaxed, intent: wider, hits }
  }
  return undefined
}
