// Converts an entry to a row and back. Rows are arrays in the order of ENTRY_COLUMNS, for speed: a start may read a million of them.

import type { DomainProof, Entry, Hidden } from '../domain/listing/service.ts'
import type { Delivery } from '../domain/standing/delivery.ts'
import type { Status } from '../domain/standing/standing.ts'
import type { PriceUntil, Seen } from '../domain/terms/terms.ts'
import type { Wording } from '../domain/text/wording.ts'

export type Value = string | number | null
export type Row = readonly Value[]

/** Reason codes, as SQL, of removals that withdraw a listing and say nothing about the endpoint itself. */
export const WITHDRAWAL_CODES = "'removed_by_stranger', 'removed_unasked', 'removed_by_source'"

export const ENTRY_COLUMNS = [
  'id',
  'name',
  'description',
  'endpoint',
  'category',
  'currency',
  'price_per_request',
  'free_quota',
  'payment_address',
  'network',
  'supported_chains',
  'status',
  'trust_score',
  'uptime_score',
  'last_checked',
  'tx_count',
  'total_revenue',
  'created_at',
  'updated_at',
  'owner',
  'source',
  'source_url',
  'first_seen',
  'sample',
  'retired',
  'origin_key',
  'origin_seq',
  'origin_held',
  'origin_home',
  'moved_at',
  'origin_home_url',
  'origin_home_key',
  'contested_by',
  'hidden',
  'proof',
  'seen',
  'latency_ms',
  'delivery',
  'worded',
  'raised',
] as const

export const toRow = (entry: Entry): Value[] => [
  entry.id,
  entry.name,
  entry.description,
  entry.endpoint,
  entry.category,
  entry.pricing.currency,
  entry.pricing.pricePerRequest,
  entry.pricing.freeQuota,
  entry.x402Config.paymentAddress,
  entry.x402Config.network,
  JSON.stringify(entry.supportedChains),
  entry.standing.status,
  entry.standing.trustScore,
  entry.standing.uptimeScore,
  entry.standing.lastChecked,
  entry.standing.txCount,
  entry.standing.totalRevenue,
  entry.createdAt,
  entry.updatedAt,
  entry.owner,
  entry.provenance.source,
  entry.provenance.sourceUrl,
  entry.provenance.firstSeen,
  entry.sample ? 1 : 0,
  entry.retired,
  entry.provenance.origin?.key ?? null,
  entry.provenance.origin?.seq ?? null,
  entry.provenance.origin?.held ? JSON.stringify(entry.provenance.origin.held) : null,
  entry.provenance.origin?.home ? 1 : null,
  entry.movedAt ?? null,
  entry.provenance.origin?.homeUrl ?? null,
  entry.provenance.origin?.homeKey ?? null,
  entry.provenance.contestedBy ? JSON.stringify(entry.provenance.contestedBy) : null,
  entry.hidden ? JSON.stringify(entry.hidden) : null,
  entry.proof ? JSON.stringify(entry.proof) : null,
  entry.seen ? JSON.stringify(entry.seen) : null,
  entry.latencyMs ?? null,
  entry.delivery ? JSON.stringify(entry.delivery) : null,
  entry.worded ? JSON.stringify(entry.worded) : null,
  entry.raised ? JSON.stringify(entry.raised) : null,
]

/** The row of a removed entry: all columns but the id are blank, so that nothing of what the owner removed stays stored. */
export const toTombstoneRow = (id: string): Value[] =>
  ENTRY_COLUMNS.map(column => {
    if (column === 'id') return id
    if (NULLABLE.has(column)) return null
    return NUMBERS.has(column) ? 0 : ''
  })

const NULLABLE: ReadonlySet<string> = new Set([
  'owner',
  'source_url',
  'retired',
  'origin_key',
  'origin_seq',
  'origin_held',
  'origin_home',
  'moved_at',
  'origin_home_url',
  'origin_home_key',
  'contested_by',
  'hidden',
  'proof',
  'seen',
  'latency_ms',
  'delivery',
  'worded',
  'raised',
])

const NUMBERS: ReadonlySet<string> = new Set([
  'free_quota',
  'trust_score',
  'uptime_score',
  'tx_count',
  'sample',
])

/** Reads the entry whose columns begin at `at`. */
export const toEntry = (row: Row, at: number): Entry => ({
  id: row[at] as string,
  name: row[at + 1] as string,
  description: row[at + 2] as string,
  endpoint: row[at + 3] as string,
  category: row[at + 4] as string,
  pricing: {
    currency: row[at + 5] as string,
    pricePerRequest: row[at + 6] as string,
    freeQuota: row[at + 7] as number,
  },
  x402Config: { paymentAddress: row[at + 8] as string, network: row[at + 9] as string },
  supportedChains: JSON.parse(row[at + 10] as string) as string[],
  standing: {
    status: row[at + 11] as Status,
    trustScore: row[at + 12] as number,
    uptimeScore: row[at + 13] as number,
    lastChecked: row[at + 14] as string,
    txCount: row[at + 15] as number,
    totalRevenue: row[at + 16] as string,
  },
  createdAt: row[at + 17] as string,
  updatedAt: row[at + 18] as string,
  ...(row[at + 29] !== null && { movedAt: row[at + 29] as string }),
  owner: row[at + 19] as string | null,
  provenance: {
    source: row[at + 20] as Entry['provenance']['source'],
    sourceUrl: row[at + 21] as string | null,
    firstSeen: row[at + 22] as string,
    ...(row[at + 25] !== null && {
      origin: {
        key: row[at + 25] as string,
        seq: row[at + 26] as number,
        ...(row[at + 28] === 1 && { home: true }),
        ...(row[at + 30] !== null && { homeUrl: row[at + 30] as string }),
        ...(row[at + 31] !== null && { homeKey: row[at + 31] as string }),
        ...(row[at + 27] !== null && { held: JSON.parse(row[at + 27] as string) as string[] }),
      },
    }),
    ...(row[at + 32] !== null && { contestedBy: JSON.parse(row[at + 32] as string) as string[] }),
  },
  sample: row[at + 23] === 1,
  retired: row[at + 24] as string | null,
  ...(row[at + 33] !== null && { hidden: JSON.parse(row[at + 33] as string) as Hidden }),
  ...(row[at + 34] !== null && { proof: JSON.parse(row[at + 34] as string) as DomainProof }),
  ...(row[at + 35] !== null && { seen: JSON.parse(row[at + 35] as string) as Seen }),
  ...(row[at + 36] !== null && { latencyMs: row[at + 36] as number }),
  ...(row[at + 37] !== null && { delivery: JSON.parse(row[at + 37] as string) as Delivery }),
  ...(row[at + 38] !== null && { worded: JSON.parse(row[at + 38] as string) as Wording }),
  ...(row[at + 39] !== null && { raised: JSON.parse(row[at + 39] as string) as PriceUntil[] }),
})
