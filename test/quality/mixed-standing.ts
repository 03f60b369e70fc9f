// Relevance if the standing of services differs as in a real directory: most are verified and not yet paid. Every service of a
// judged catalog gets a random standing, the same for the same seed, and the judged queries are run through the whole catalog.

import { Catalog } from '../../src/catalog/catalog.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import type { Status } from '../../src/domain/standing/standing.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { createSentenceReader } from '../../src/search/sentence/intent.ts'
import { sharedEmbedder } from '../embedder.ts'
import { withProof } from '../entries.ts'
import { readJudged } from './judged-catalog.ts'
import { readMarket } from './market.ts'
import { readStandingSample } from './standing-sample.ts'

export type GradedQuery = {
  readonly query: string
  /** By id of the service; what is absent has grade 0. */
  readonly grades: ReadonlyMap<string, number>
}

type Drawn = { readonly status: Status; readonly trustScore: number; readonly since?: string }
type Share = { readonly share: number; readonly status: Status; readonly trust: readonly [number, number] }

/** Trust up to 10 is what an endpoint has that nobody has paid. */
const SHARES: readonly Share[] = [
  { share: 0.6, status: 'verified', trust: [4, 10] },
  { share: 0.15, status: 'verified', trust: [18, 90] },
  { share: 0.15, status: 'unverified', trust: [0, 4] },
  { share: 0.1, status: 'inactive', trust: [0, 4] },
]
const ALIKE: Drawn = { status: 'verified', trustScore: 10 }
const MAX_UNPAID = 10
/** The first established payers came within a year. */
const MARKET_SINCE = Date.UTC(2026, 0, 1)
const MARKET_MS = 365 * 86_400_000
const DEPTH = 10
/** So many hits at least are verified ones on a page. */
const DEEP = 40
/** From this grade on a service does what was asked for. */
const DOES_IT = 2

export type Relevance = {
  /** nDCG@10 over all services, with their standings and with equal standings. */
  readonly all: number
  readonly allAlike: number
  /** The same over the verified ones alone: that others come behind them is meant. */
  readonly verified: number
  readonly verifiedAlike: number
  /**
   * The share of queries where a service that was paid and has nothing to do with them is first, in place of a verified one that
   * does it and is first where all stand alike.
   */
  readonly overtaken: number
}

const gain = (grades: readonly number[]): number =>
  grades.slice(0, DEPTH).reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0)

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function createLot(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function drawStanding(lot: () => number, day: () => number): Drawn {
  let left = lot()
  const drawn = SHARES.find(({ share }) => {
    left -= share
    return left < 0
  })!
  const [least, most] = drawn.trust
  const trustScore = least + Math.floor(lot() * (most - least + 1))
  const since = new Date(MARKET_SINCE + day() * MARKET_MS).toISOString()
  return { status: drawn.status, trustScore, ...(trustScore > MAX_UNPAID && { since }) }
}

/** The catalog once: to give its entries another standing costs little. */
export function openMixedStanding(entries: readonly Entry[], queries: readonly GradedQuery[]) {
  const catalog = new Catalog(createSearchIndex({ semantic: createSemanticIndex(sharedEmbedder()) }))
  let seq = 0
  function stand(draw: () => Drawn): ReadonlyMap<string, Drawn> {
    const standings = new Map(entries.map(({ id }) => [id, draw()]))
    const changes = entries.map(entry => {
      const drawn = standings.get(entry.id)!
      const { since, ...standing } = drawn
      const standingOf = { ...entry.standing, ...standing }
      const stood = withProof({ ...entry, standing: standingOf }, drawn.trustScore, since)
      return { seq: ++seq, objectSeq: seq, id: entry.id, entry: stood }
    })
    catalog.apply(changes)
    return standings
  }
  const askAll = (): string[][] =>
    queries.map(({ query }) =>
      catalog
        .searchByIntent({ q: query, limit: DEEP })
        .decode()
        .results.map(({ service }) => service.id),
    )
  stand(() => ALIKE)
  const alike = askAll()

  return function measure(seed: number): Relevance {
    const [lot, day] = [createLot(seed), createLot(~seed)]
    const standings = stand(() => drawStanding(lot, day))
    const isVerified = (id: string) => standings.get(id)!.status === 'verified'
    const isPaid = (id: string) => isVerified(id) && standings.get(id)!.trustScore > MAX_UNPAID
    const mean = (score: (query: GradedQuery, i: number) => number) =>
      queries.reduce((sum, query, i) => sum + score(query, i), 0) / queries.length
    const ndcgOf = (rankings: readonly string[][], counts: (id: string) => boolean) =>
      mean(({ grades }, i) => {
        const ideal = gain(
          [...grades].flatMap(([id, grade]) => (counts(id) ? grade : [])).sort((a, b) => b - a),
        )
        const found = rankings[i]!.filter(counts).map(id => grades.get(id) ?? 0)
        return ideal === 0 ? 1 : gain(found) / ideal
      })
    const mixed = askAll()
    const gradeOf = (id: string | undefined, i: number) =>
      id === undefined ? 0 : (queries[i]!.grades.get(id) ?? 0)
    const overtaken = mean((_, i) => {
      const [[first], [now]] = [alike[i]!, mixed[i]!]
      const wasRight = gradeOf(first, i) >= DOES_IT && isVerified(first!) && !isPaid(first!)
      return wasRight && now !== undefined && isPaid(now) && gradeOf(now, i) === 0 ? 1 : 0
    })
    const everything = () => true
    return {
      all: ndcgOf(mixed, everything),
      allAlike: ndcgOf(alike, everything),
      verified: ndcgOf(mixed, isVerified),
      verifiedAlike: ndcgOf(alike, isVerified),
      overtaken,
    }
  }
}

type GradedCatalog = { readonly entries: readonly Entry[]; readonly queries: readonly GradedQuery[] }

/** The judged catalogs, without what asks for a standing itself. */
export async function readGraded(): Promise<Readonly<Record<'sample' | 'market', GradedCatalog>>> {
  const readIntent = createSentenceReader()
  const isFree = ({ query }: { readonly query: string }): boolean => {
    const { filter, wishes } = readIntent(query)
    return filter.status === undefined && !wishes.includes('reliable')
  }
  const sample = await readStandingSample(new Date(Date.UTC(2026, 0, 1)))
  const idOf = new Map(sample.map(({ id, endpoint }) => [new URL(endpoint).hostname, id]))
  const judged = (await readJudged()).filter(each => !each.nothing && isFree(each))
  const market = await readMarket()
  return {
    sample: {
      entries: sample,
      queries: judged.map(({ query, relevant }) => ({
        query,
        grades: new Map(Object.entries(relevant).map(([host, grade]) => [idOf.get(host)!, grade])),
      })),
    },
    market: { entries: market.entries, queries: market.queries.filter(isFree) },
  }
}
