// The sample catalog with its judged queries: runs each query and measures the relevance of the answer.

import { type Service, toService } from '../../src/domain/listing/service.ts'
import { openEmbedder } from '../../src/search/embedding/model.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { MIN_RANKED } from '../../src/search/ranking/answer.ts'
import { toPrior } from '../../src/search/ranking/prior.ts'
import type { IntentHit } from '../../src/search/ranking/rerank.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import type { Intent } from '../../src/search/sentence/intent.ts'
import { createSentenceReader } from '../../src/search/sentence/intent.ts'
import { passesFilters } from '../filters.ts'
import { readStandingSample } from './standing-sample.ts'

const readIntent = createSentenceReader()

export type Judged = {
  readonly query: string
  readonly lang: 'en' | 'ja' | 'mixed'
  readonly kind: string
  readonly relevant: Readonly<Record<string, number>>
  readonly constraints?: Readonly<Record<string, string | boolean>>
  readonly nothing?: boolean
}

export type Answer = {
  readonly intent: Intent
  readonly hits: readonly (IntentHit & {
    readonly service: Service
    readonly host: string
    readonly grade: number
  })[]
  /** nDCG@10 with graded gains; where nothing fits, 1 for an answer without a hit that fits and 0 for any other. */
  readonly score: number
}

const DEPTH = 10
const gain = (grades: readonly number[]): number =>
  grades.slice(0, DEPTH).reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0)

export async function readJudged(): Promise<Judged[]> {
  const lines = await Bun.file(new URL('judged.ndjson', import.meta.url)).text()
  return lines
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

export async function openJudgedCatalog() {
  const entries = await readStandingSample(new Date(Date.UTC(2026, 0, 1)))
  const services = entries.map(toService)
  const hosts = services.map(({ endpoint }) => new URL(endpoint).hostname)
  const index = createSearchIndex({ semantic: createSemanticIndex(openEmbedder()) })
  for (const [slot, service] of services.entries()) index.set(slot, service)
  const order = (a: number, b: number) =>
    services[b]!.trustScore - services[a]!.trustScore || (services[a]!.id < services[b]!.id ? -1 : 1)

  function ask({ query, relevant, nothing }: Judged): Answer {
    const intent = readIntent(query)
    const lean = (slot: number) => {
      const { status, trustScore, pricing } = services[slot]!
      const { currency, pricePerRequest, freeQuota } = pricing
      return toPrior(intent.wishes, {
        status,
        proof: trustScore,
        since: 0,
        currency,
        price: Number(pricePerRequest),
        hasFreeQuota: freeQuota > 0,
        latencyMs: undefined,
      })
    }
    const hits = index
      .rankIntent(intent, MIN_RANKED, order, {
        accept: slot => passesFilters(intent.filter, entries[slot]!),
        prior: lean,
      })
      .hits.slice(0, DEPTH)
      .map(hit => ({
        ...hit,
        service: services[hit.slot]!,
        host: hosts[hit.slot]!,
        grade: relevant[hosts[hit.slot]!] ?? 0,
      }))
    const ideal = gain(Object.values(relevant).sort((a, b) => b - a))
    const score = nothing
      ? Number(hits.every(({ isWeak }) => isWeak))
      : gain(hits.map(({ grade }) => grade)) / ideal
    return { intent, hits, score }
  }

  return { index, ask }
}
