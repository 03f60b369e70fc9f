// Answers an intent search: reads the sentence, filters and ranks, and says why.
import type { IntentAnswer } from '../domain/answers.ts'
import type { Encoded } from '../domain/encoded.ts'
import type { IntentQuery } from '../domain/queries.ts'
import { STATUSES } from '../domain/standing.ts'
import { explainAnswer, explainHit } from '../search/explain.ts'
import { type Intent, readIntent, relaxations } from '../search/intent.ts'
import { toLean } from '../search/lean.ts'
import { refineIntent } from '../search/refine-intent.ts'
import type { IntentHit, SearchIndex, SlotOrder } from '../search/search-index.ts'
import type { Columns } from './columns.ts'
import type { Records } from './records.ts'

export type Parts = {
  readonly columns: Columns
  readonly index: SearchIndex
  readonly records: Records
  readonly order: SlotOrder
}
type Nearest = NonNullable<IntentAnswer['nearest']>

export function answerIntent(parts: Parts, query: IntentQuery): Encoded<IntentAnswer> {
  const { q, limit } = query
  const intent = refineIntent(readIntent(q), query)
  const hits = rank(parts, intent, limit)
  const matched = new Set(hits.flatMap(hit => hit.matchedTokens))
  const head: Omit<IntentAnswer, 'results' | 'nearest'> = {
    query: q,
    tokens: [...intent.tokens],
    matchedTokens: intent.tokens.filter(token => matched.has(token)),
    reason: explainAnswer(intent, hits),
    constraints: intent.constraints,
  }
  const pieces: Pieces = [`${JSON.stringify(head).slice(0, -1)},"results":[`]
  addResults(pieces, parts, intent, hits)
  const nearest = hits.length === 0 ? findNearest(parts, intent, limit) : undefined
  if (nearest) {
    const relaxed: Nearest['relaxed'] = nearest.relaxed
    pieces.push(`],"nearest":{"relaxed":${JSON.stringify(relaxed)},"results":[`)
    addResults(pieces, parts, nearest.intent, nearest.hits)
  }
  pieces.push(nearest ? ']}}' : ']}')
  return parts.records.weave(pieces)
}

/** The best slots for a sentence among those that pass, with the constraints that it holds. */
export const rankSlots = (
  parts: Parts,
  sentence: string,
  limit: number,
  passes: (slot: number) => boolean,
): number[] => rank(parts, readIntent(sentence), limit, passes).map(({ slot }) => slot)

function rank(
  { columns, index, order }: Parts,
  intent: Intent,
  limit: number,
  passes?: (slot: number) => boolean,
): readonly IntentHit[] {
  const constrained = columns.acceptor(intent.filter)
  if (!constrained) return []
  const accept = passes ? (slot: number) => passes(slot) && constrained(slot) : constrained
  const lean = (slot: number) =>
    toLean(intent.wishes, {
      status: STATUSES[columns.status[slot]!]!,
      trustScore: columns.trust[slot]!,
      price: columns.roughPrice(slot),
      currency: columns.currencies.texts[columns.currency[slot]!]!,
      hasFreeQuota: columns.freeQuota[slot] === 1,
    })
  const isFiltered = passes !== undefined || Object.keys(intent.filter).length > 0
  return index.rankIntent(intent, limit, order, isFiltered ? accept : undefined, lean)
}

/** JSON whose services are written as they are kept: a number stands for a slot. */
type Pieces = (string | number)[]

function addResults(pieces: Pieces, { records }: Parts, intent: Intent, hits: readonly IntentHit[]): void {
  hits.forEach((hit, i) => {
    const rest: Omit<IntentAnswer['results'][number], 'service'> = {
      score: hit.score,
      matchedTokens: [...hit.matchedTokens],
      reason: explainHit(intent, hit, records.offered(hit.slot)),
    }
    pieces.push(i === 0 ? '{"service":' : ',{"service":', hit.slot, `,${JSON.stringify(rest).slice(1)}`)
  })
}

/** The first constraint whose leaving out gives something. */
function findNearest(parts: Parts, intent: Intent, limit: number) {
  for (const { relaxed, intent: wider } of relaxations(intent)) {
    const hits = rank(parts, wider, limit)
    if (hits.length > 0) return { relaxed, intent: wider, hits }
  }
  return undefined
}
