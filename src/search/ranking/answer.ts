// Answers an intent search: the results with reasons, the steps of the sentence, and what is nearest.

import { Encoded, type JsonPiece, joinJson } from '../../domain/json.ts'
import type { LanguageCode } from '../../domain/languages/languages.ts'
import type { Rates } from '../../domain/money/rates.ts'
import type { AppliedFilters } from '../../domain/queries/filters.ts'
import type { IntentAnswer, IntentQuery } from '../../domain/queries/queries.ts'
import { toDollarFields } from '../../domain/terms/terms.ts'
import type { IntentHit } from '../search-index.ts'
import { type Intent, inOneMeasure, isUnitOfLimit, refineIntent, relaxations } from '../sentence/intent.ts'
import { type Explain, explainAnswer, explainBriefly, explainHit, toAbsent } from './explain.ts'
import { SCORE_STEPS } from './final-order.ts'
import { type RankingSource, rankIntent } from './rank-intent.ts'

type Nearest = NonNullable<IntentAnswer['nearest']>

type AnswerOptions = {
  /** Whether reasons omit what the reader sees next to them. */
  readonly isBrief?: boolean
  /** The language of all reasons. Default: that of the query. */
  readonly reasonLanguage?: LanguageCode | undefined
  /** Called with the filters that are applied. */
  readonly onFilter?: ((filter: AppliedFilters) => void) | undefined
}

export function answerIntent(
  source: RankingSource,
  query: IntentQuery,
  { isBrief = false, reasonLanguage, onFilter }: AnswerOptions = {},
): Encoded<IntentAnswer> {
  const { q, limit } = query
  const explain = isBrief ? explainBriefly : explainHit
  const intent = refineIntent(source.index.readIntent(q, reasonLanguage), query)
  onFilter?.(inOneMeasure(intent.filter, source.rates))
  const { hits: ranked, total, slots } = rankIntent(source, intent, limit)
  const isOnlyWeak = ranked.every(({ isWeak }) => isWeak)
  const nearest = isOnlyWeak ? findNearest(source, intent, limit) : undefined
  // A result that fails only one condition is closer than one that only meets the conditions.
  const hits = nearest ? [] : ranked
  const fitting = hits.some(({ isWeak }) => !isWeak) ? total : 0
  const matched = new Set<string>()
  for (const hit of hits) for (const token of hit.matchedTokens) matched.add(token)
  const matchedTokens = intent.tokens.filter(token => matched.has(token))
  const absentTokens = fitting > 0 ? toAbsent(intent, hits, source.index.isAbsent) : []
  const head: Omit<IntentAnswer, 'results' | 'steps' | 'nearest'> = {
    query: q,
    tokens: [...intent.tokens],
    matchedTokens,
    total: fitting,
    reason: explainAnswer(intent, { hits, total: fitting, matchedTokens, absentTokens, isBrief }),
    ...(absentTokens.length > 0 && { absentTokens }),
    constraints: toConstraints(intent, source.rates),
    wishes: [...intent.wishes],
  }
  const pieces: JsonPiece[] = [
    `${JSON.stringify(head).slice(0, -1)},"results":`,
    ...toResults(source, intent, hits, explain),
  ]
  pieces.push(...toSteps(source, intent, slots, limit, explain))
  if (nearest) {
    const relaxed: Nearest['relaxed'] = nearest.relaxed
    pieces.push(`,"nearest":{"relaxed":${JSON.stringify(relaxed)},"results":`)
    pieces.push(...toResults(source, nearest.intent, nearest.hits, explain), '}')
  }
  pieces.push('}')
  return new Encoded(joinJson(pieces))
}

/** Returns the constraints, with a note if a limit is compared only with prices in its own currency. */
function toConstraints({ constraints, filter, language }: Intent, rates: Rates): IntentAnswer['constraints'] {
  const { currency, unapplied } = constraints
  if (currency === undefined || !isUnitOfLimit(filter) || inOneMeasure(filter, rates) !== filter)
    return constraints
  const { otherCurrencies, unapplied: why } = language.reasons
  const note = { text: otherCurrencies, why: why.no_rate(currency) }
  return { ...constraints, unapplied: [...unapplied, note] }
}

const MAX_OF_STEP = 3
/** Returns the results as a JSON array with the encoded services. */
function toResults(
  { service, index, dollarPriceOf, protocolsOf, marksOf, dangerOf }: RankingSource,
  intent: Intent,
  hits: readonly IntentHit[],
  explain: Explain,
): JsonPiece[] {
  const pieces: JsonPiece[] = []
  let before = '[{"service":'
  for (const hit of hits) {
    const encoded = service(hit.slot)
    const decoded = encoded.decode()
    const demotion = dangerOf(hit.slot) ?? hit.demotion
    const reason = explain(intent, { ...hit, demotion }, decoded, index.languages)
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

/** Answers each step under the conditions of the whole sentence. */
function toSteps(
  source: RankingSource,
  intent: Intent,
  near: readonly number[],
  limit: number,
  explain: Explain,
): JsonPiece[] {
  const { steps } = intent
  return steps.flatMap((step, i): JsonPiece[] => {
    const request = { ...intent, ...step }
    const { hits } = rankIntent(source, request, Math.min(limit, MAX_OF_STEP), { near })
    const before = i === 0 ? ',"steps":[' : ','
    const text = JSON.stringify(step.text)
    const after = i === steps.length - 1 ? '}]' : '}'
    return [`${before}{"text":${text},"results":`, ...toResults(source, request, hits, explain), after]
  })
}

/** Returns the first relaxation with a result. */
function findNearest(source: RankingSource, intent: Intent, limit: number) {
  for (const { relaxed, intent: wider } of relaxations(intent)) {
    const hits = rankIntent(source, wider, limit).hits.filter(({ isWeak }) => !isWeak)
    if (hits.length > 0) return { relaxed, intent: wider, hits }
  }
  return undefined
}
