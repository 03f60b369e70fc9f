// Probes, their daily sums, and the latest judgement of each service.
import { chainKey } from '../../domain/chains/chains.ts'
import { type Entry, laterOf } from '../../domain/listing/service.ts'
import { MAX_EVIDENCE, toEvidenceSource } from '../../domain/standing/delivery-evidence.ts'
import type { Finding } from '../../domain/standing/finding.ts'
import type { ProbeHistory } from '../../domain/standing/judge.ts'
import { LOOK_BACK } from '../../domain/standing/judge-status.ts'
import { LATENCY_ANSWERS } from '../../domain/standing/latency.ts'
import {
  dayOf,
  isCounted,
  type ProbeDay,
  type ProbeRecord,
  readProbe,
  TALLY_FIELDS,
  toTally,
} from '../../domain/standing/probes.ts'
import type { TrustFacts } from '../../domain/standing/trust.ts'
import type { HistoryItem, HistoryPlace, Judged, ProbeLog, StoredEntry } from '../store.ts'
import { TALLY_COLUMNS, toStoredTally } from '../tally-rows.ts'
import { toStoredEvent } from './events.ts'
import type { Query } from './link.ts'
import { findPaymentFacts } from './payer-facts.ts'
import { findEvidence } from './purchases.ts'
import { reschedule } from './schedule-writes.ts'
import type { ServiceRow } from './services.ts'
import type { PostgresSession } from './session.ts'
import { dropTerms, saveTerms } from './terms.ts'

/** Rows deleted per statement, so that other writes run in between. */
const PRUNED_AT_ONCE = 1_000

export type EntryHistory = { readonly row: ServiceRow; readonly history: ProbeHistory }

// One statement instead of five, because it runs under the write lock.
const HISTORY = `
  SELECT object_seq, entry,
    (SELECT json_agg(probe ORDER BY at DESC) FROM (SELECT at, probe FROM probes
       WHERE service_id = $1 AND at <= $2 AND counts AND NOT former ORDER BY at DESC LIMIT ${LOOK_BACK}) AS latest),
    finding,
    (SELECT json_agg(chain) FROM chain_cursors),
    (SELECT max(at) FROM probes WHERE service_id = $1 AND at <= $2 AND NOT former),
    (SELECT EXISTS (SELECT FROM purchases)),
    (SELECT json_agg(ms ORDER BY at DESC) FROM (SELECT at, (probe ->> 'latencyMs')::float8 AS ms FROM probes
       WHERE service_id = $1 AND at <= $2 AND counts AND NOT former AND probe ->> 'latencyMs' IS NOT NULL
         AND probe ->> 'outcome' <> 'unreachable' AND NOT (probe ->> 'outcome' = 'unpayable'
           AND ((probe ->> 'httpStatus')::int = 410 OR (probe ->> 'httpStatus')::int >= 500))
       ORDER BY at DESC LIMIT ${LATENCY_ANSWERS}) AS answers),
    days.*
  FROM services LEFT JOIN judgements ON service_id = id,
    (SELECT max(CASE WHEN payable > 0 AND day <= $3 THEN day END), ${TALLY_COLUMNS.map(name => `sum(${name})::bigint`).join(', ')}
     FROM probe_days WHERE service_id = $1) AS days
  WHERE id = $1 AND entry IS NOT NULL`

/** The entry of a probe, which must be stored already, with its history; undefined if there is no such entry. */
export async function readHistory(
  query: Query,
  { serviceId, at }: ProbeRecord,
  { now, resourceUrl }: { readonly now: Date; readonly resourceUrl: string | undefined },
): Promise<EntryHistory | undefined> {
  const until = laterOf(at, now)
  const [row] = await query(HISTORY, [serviceId, until, dayOf(until)])
  if (!row) return undefined
  const entry = row[1] as Entry
  const source = toEvidenceSource(entry, resourceUrl)
  const isRead = ((row[4] ?? []) as string[]).includes(chainKey(entry.x402Config.network))
  return {
    row: { objectSeq: row[0] as number, entry },
    history: {
      latest: ((row[2] ?? []) as unknown[]).map(readProbe),
      finding: (row[3] ?? null) as Finding | null,
      payments: isRead ? await findPaymentFacts(query, entry) : null,
      purchases: row[6] ? await findEvidence(query, { ...source, limit: MAX_EVIDENCE }) : [],
      newestAt: row[5] as string,
      latencies: (row[7] ?? []) as number[],
      lastPayableDay: row[8] as string | null,
      tally: toStoredTally(row, 9),
    },
  }
}

/** False if it is already stored, its service does not exist, or `holder` is given and does not hold its lease. */
export async function insertProbe(query: Query, probe: ProbeRecord, holder?: string): Promise<boolean> {
  const { serviceId, at, outcome, httpStatus, latencyMs, priceSeen, asListed, reasons } = probe
  const stored = { serviceId, at, outcome, httpStatus, latencyMs, priceSeen, asListed, reasons }
  const tally = toTally(probe)
  const sums = TALLY_COLUMNS.map(name => `${name} = probe_days.${name} + excluded.${name}`).join(', ')
  const places = TALLY_COLUMNS.map((_, index) => `$${index + 7}::bigint`).join(', ')
  const { count } = await query(
    `WITH inserted AS (
       INSERT INTO probes (service_id, at, counts, probe)
         SELECT $1, $2, $3, $4::text::json FROM services WHERE id = $1 AND entry IS NOT NULL
           AND ($6::text IS NULL OR EXISTS (SELECT FROM probe_schedule WHERE service_id = $1 AND lease = $6))
       ON CONFLICT DO NOTHING RETURNING service_id)
     INSERT INTO probe_days (service_id, day, ${TALLY_COLUMNS.join(', ')})
       SELECT service_id, $5, ${places} FROM inserted
     ON CONFLICT (service_id, day) DO UPDATE SET ${sums}`,
    [
      serviceId,
      at,
      isCounted(probe),
      JSON.stringify(stored),
      dayOf(at),
      holder ?? null,
      ...TALLY_FIELDS.map(field => tally[field]),
    ],
  )
  return count > 0
}

/** Deletes facts, finding and observed terms. */
export async function dropJudgement(query: Query, serviceId: string): Promise<void> {
  await Promise.all([
    query('DELETE FROM judgements WHERE service_id = $1', [serviceId]),
    dropTerms(query, serviceId),
  ])
}

/** Excludes all probes so far from judgement; they stay in the history. */
export async function forgetProbes(query: Query, serviceId: string): Promise<void> {
  await Promise.all([
    dropJudgement(query, serviceId),
    query('UPDATE probes SET former = true WHERE service_id = $1 AND NOT former', [serviceId]),
    query('DELETE FROM probe_days WHERE service_id = $1', [serviceId]),
  ])
}

/** Also sets the next due date and ends the holder's lease. */
export async function saveJudgement(
  query: Query,
  serviceId: string,
  judged: Judged,
  settled: { readonly now: Date; readonly holder: string | undefined },
): Promise<void> {
  const { facts, finding, terms, dueAt } = judged
  await Promise.all([
    query(
      `INSERT INTO judgements (service_id, facts, finding) VALUES ($1, $2::text::json, $3::text::json)
       ON CONFLICT (service_id) DO UPDATE SET facts = excluded.facts, finding = excluded.finding`,
      [serviceId, JSON.stringify(facts), JSON.stringify(finding)],
    ),
    reschedule(query, serviceId, dueAt, settled),
    terms && saveTerms(query, serviceId, terms.terms, terms.isChanged),
  ])
}

/** Reads the columns `facts` and `finding` of a left join. */
export const toJudgement = (facts: unknown, finding: unknown): Pick<StoredEntry, 'facts' | 'finding'> => ({
  facts: (facts ?? null) as TrustFacts | null,
  finding: (finding ?? null) as Finding | null,
})

/** Sorts after every ISO 8601 time. */
const END: HistoryPlace = { at: '~', number: 0 }

export const createProbeReads = (session: PostgresSession): Omit<ProbeLog, 'record'> => ({
  history: (serviceId, limit, { at, number } = END) =>
    session.run(async query => {
      const rows = await query(
        `SELECT * FROM (
           SELECT at, 0::bigint AS number, 0::bigint AS seq, probe AS item FROM probes WHERE service_id = $1
           UNION ALL
           SELECT at, number, seq, event FROM events WHERE service_id = $1
         ) AS items WHERE (at, number) < ($2, $3) ORDER BY at DESC, number DESC LIMIT $4`,
        [serviceId, at, number, limit],
      )
      return rows.map(row => toHistoryItem(serviceId, row))
    }),
  days: (serviceId, limit) =>
    session.run(async query => {
      const text = `SELECT day, ${TALLY_COLUMNS.join(', ')} FROM probe_days
        WHERE service_id = $1 ORDER BY day DESC LIMIT $2`
      return (await query(text, [serviceId, limit])).map(
        (row): ProbeDay => ({ day: row[0] as string, ...toStoredTally(row, 1) }),
      )
    }),
  async prune(before) {
    await deleteBefore(session, 'probe_days', 'day', dayOf(before.days.toISOString()))
    return deleteBefore(session, 'probes', 'at', before.probes.toISOString())
  },
})

function toHistoryItem(serviceId: string, [at, number, seq, item]: readonly unknown[]): HistoryItem {
  if (number === 0) return { kind: 'probe', probe: readProbe(item) }
  return { kind: 'event', event: toStoredEvent([number, seq, serviceId, at, item]) }
}

async function deleteBefore(session: PostgresSession, table: string, column: string, before: string) {
  for (let pruned = 0; ; ) {
    const { count } = await session.run(query =>
      query(
        `DELETE FROM ${table} WHERE (service_id, ${column}) IN
           (SELECT service_id, ${column} FROM ${table} WHERE ${column} < $1 ORDER BY ${column} LIMIT ${PRUNED_AT_ONCE})`,
        [before],
      ),
    )
    pruned += count
    if (count < PRUNED_AT_ONCE) return pruned
  }
}
