// Answers an intent search: reads the sentence, filters and ranks, and says why.
import type { IntentAnswer } from '../domain/answers.ts'
import { Encoded } from '../domain/encoded.ts'
import type { Refinement } from '../domain/facets.ts'
import type { IntentQuery } from '../domain/queries.ts'
import { explainAnswer, explainHit } from '../search/explain.ts'
import { readIntent } from '../search/intent.ts'
import { refineIntent } from '../search/refine-intent.ts'
import type { SearchIndex, SlotOrder } from '../search/search-index.ts'
import type { Columns } from './columns.ts'
import type { Records } from './records.ts'

export function answerIntent(
  parts: { columns: Columns; index: SearchIndex; records: Records; order: SlotOrder },
  { q, limit }: IntentQuery,
  refinement?: Refinement,
): Encoded<IntentAnswer> {
  const read = readIntent(q)
  const intent = refinement ? refineIntent(read, refinement) : read
  const hits = parts.index.rankIntent(intent, limit, parts.order)
  const results = hits.map(hit => {
    const service = parts.records.service(hit.slot).decode()
    return {
      service,
      score: hit.score,
      matchedTokens: [...hit.matchedTokens],
      reason: explainHit(intent, hit, service),
    }
  })
  const matched = new Set(results.flatMap(result => result.matchedTokens))
  return Encoded.of<IntentAnswer>({
    query: q,
    tokens: [...intent.tokens],
    matchedTokens: intent.tokens.filter(token => matched.has(token)),
    reason: explainAnswer(intent, hits),
    constraints: intent.constraints,
    results,
  })
}
