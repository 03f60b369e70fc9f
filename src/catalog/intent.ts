// Answers an intent search: reads the sentence, filters and ranks, and says why.
import type { IntentAnswer } from '../domain/answers.ts'
import { Encoded } from '../domain/encoded.ts'
import type { AppliedFilters } from '../domain/filters.ts'
import type { IntentQuery } from '../domain/queries.ts'
import { createExplainer, explainAnswer } from '../search/ranking/explain.ts'
import { toPrior, toStandingPrior } from '../search/ranking/prior.ts'
import type { Accept, IntentHit, Prior, SearchIndex, SlotOrder } from '../search/search-index.ts'
import { type Intent, relaxations } from '../search/sentence/read-intent.ts'
import { refineIntent } from '../search/sentence/refine.ts'
import { smallestRange } from './bounds.ts'
import type { Columns } from './columns.ts'
import type { FilterCache } from './filter-cache.ts'
import { toAcceptor } from './filter-test.ts'
import { type JsonPiece, joinJson } from './json-pieces.ts'
import type { Records } from './records.ts'
import type { SortedIndexes } from './sorted-indexes.ts'

export type Parts = {
  readonly columns: Columns
  readonly orders: SortedIndexes
  readonly filters: FilterCache
  readonly index: SearchIndex
  readonly records: Records
  readonly order: SlotOrder
}
type Nearest = NonNullable<IntentAnswer['nearest']>

export function answerIntent(parts: Parts, query: IntentQuery): Encoded<IntentAnswer> {
  const { q, limit } = query
  const intent = refineIntent(parts.index.readIntent(q), query)
  const hits = rank(parts, intent, limit)
  const matched = new Set<string>()
  for (const hit of hits) for (const token of hit.matchedTokens) matched.add(token)
  const matchedTokens = intent.tokens.filter(token => matched.has(token))
  const head: Omit<IntentAnswer, 'results' | 'nearest'> = {
    query: q,
    tokens: [...intent.tokens],
    matchedTokens,
    reason: explainAnswer(intent, { hits, matchedTokens }),
    constraints: intent.constraints,
  }
  const nearest = hits.length === 0 ? findNearest(parts, intent, limit) : undefined
  const pieces: JsonPiece[] = [
    `${JSON.stringify(head).slice(0, -1)},"results":`,
    ...toResults(parts, intent, hits),
  ]
  if (nearest) {
    const relaxed: Nearest['relaxed'] = nearest.relaxed
    pieces.push(`,"nearest":{"relaxed":${JSON.stringify(relaxed)},"results":`)
    pieces.push(...toResults(parts, nearest.intent, nearest.hits), '}')
  }
  pieces.push('}')
  return new Encoded(joinJson(pieces))
}

/** The best slots for a sentence among those that pass, with the constraints that it holds. */
export const rankSlots = (
  parts: Parts,
  sentence: string,
  limit: number,
  passes: (slot: number) => boolean,
): number[] => rank(parts, parts.index.readIntent(sentence), limit, passes).map(({ slot }) => slot)

/** So many that can pass by a sorted index and a bound are looked at; of so few that do, each is judged. */
const MAX_LOOKED_AT = 6_000
const FEW = 1_200
/** A score is told to the millionth. */
const MILLION = 1_000_000

/** All that pass a filter, where they are few. */
function fewOf(
  { columns, orders }: Parts,
  filter: AppliedFilters,
  passes: (slot: number) => boolean = () => true,
): number[] | undefined {
  const narrowed = orders.narrow(filter)
  if (!narrowed) return []
  const { set, rest } = narrowed
  const range = smallestRange(columns, set, rest)
  const { order, from, to } = range ?? { order: 'age', from: 0, to: set.age.size }
  if (to - from > MAX_LOOKED_AT) return undefined
  // Those within a bound need no test for it.
  const accept = toAcceptor(columns, range ? { ...rest, [range.filter]: undefined } : rest)
  if (!accept) return []
  return set[order].fewOf(from, to, slot => accept(slot) && passes(slot), FEW)
}

/** The most trusted that pass, the older first among equals, as many as are wanted. */
function mostTrusted(
  { columns, orders }: Parts,
  filter: AppliedFilters,
  accept: Accept,
  wanted: number,
): number[] {
  const { trust } = columns
  const byTrust = orders.narrow(filter)?.set.trustScore
  const best: number[] = []
  for (let end = byTrust?.size ?? 0; byTrust && end > 0 && best.length < wanted; ) {
    let highest = 0
    byTrust.scan(end - 1, -1, slot => {
      highest = trust[slot]!
      return false
    })
    end = byTrust.countWhile(slot => trust[slot]! < highest)
    byTrust.scan(end, 1, slot => {
      if (trust[slot] !== highest) return false
      if (accept(slot)) best.push(slot)
      return best.length < wanted
    })
  }
  return best
}

function priorOf(columns: Columns, { wishes }: Intent): Prior {
  const { trust } = columns
  if (wishes.length === 0) return slot => toStandingPrior(columns.status(slot), trust[slot]!)
  return slot =>
    toPrior(wishes, {
      status: columns.status(slot),
      trustScore: trust[slot]!,
      price: columns.keys.price.rough(slot),
      currency: columns.currencies.texts[columns.currency[slot]!]!,
      hasFreeQuota: columns.hasFreeQuota(slot),
    })
}

function rank(
  parts: Parts,
  intent: Intent,
  limit: number,
  passes?: (slot: number) => boolean,
): readonly IntentHit[] {
  const { columns, filters, index, order } = parts
  const prior = priorOf(columns, intent)
  const isFiltered = passes !== undefined || Object.keys(intent.filter).length > 0
  if (!isFiltered) return index.rankIntent(intent, limit, order, undefined, prior)
  const constrained = filters.acceptor(intent.filter)
  if (!constrained) return []
  const accept = passes ? (slot: number) => passes(slot) && constrained(slot) : constrained
  const few =
    intent.contentTokens.length === 0 && intent.wishes.length === 0
      ? mostTrusted(parts, intent.filter, accept, limit)
      : fewOf(parts, intent.filter, passes)
  return few?.length === 0 ? [] : index.rankIntent(intent, limit, order, accept, prior, few)
}

/** The results as a JSON array, with the services as they are encoded. */
function toResults({ records, index }: Parts, intent: Intent, hits: readonly IntentHit[]): JsonPiece[] {
  const explain = createExplainer(intent, index.languages)
  const pieces: JsonPiece[] = []
  let before = '[{"service":'
  for (const hit of hits) {
    let reason = ''
    const say = (text: string) => {
      reason += text
    }
    const service = records.service(hit.slot)
    explain(say, hit, service.decode())
    const score = Math.round(hit.score * MILLION) / MILLION
    const rest = { score, matchedTokens: hit.matchedTokens, reason }
    pieces.push(before, service.bytes, `,${JSON.stringify(rest).slice(1)}`)
    before = ',{"service":'
  }
  pieces.push(hits.length === 0 ? '[]' : ']')
  return pieces
}

/** The first constraint whose leaving out gives something. */
function findNearest(parts: Parts, intent: Intent, limit: number) {
  for (const { relaxed, intent: wider } of relaxations(intent)) {
    const hits = rank(parts, wider, limit)
    if (hits.length > 0) return { relaxed, intent: wider, hits }
  }
  return undefined
}
