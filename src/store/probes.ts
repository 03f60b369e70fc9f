// Probes, their daily sums, the latest judgement of each service (judgements.ts writes it), and the terms last observed at its endpoint.

import { type Entry, laterOf } from '../domain/listing/service.ts'
import { type Finding, LOOK_BACK, type ProbeHistory } from '../domain/standing/judge.ts'
import {
  createProbeCounts,
  LATENCY_ANSWERS,
  type ProbeDay,
  type ProbeOutcome,
  type ProbeRecord,
  TALLY_FIELDS,
  type Tally,
  toTally,
} from '../domain/standing/standing.ts'
import type { TrustFacts } from '../domain/standing/trust.ts'
import type { StoredTerms } from '../domain/terms/terms.ts'
import { dayOf } from '../domain/time.ts'
import { type Message, readMessages } from '../messages/message.ts'
import { EVENTS } from './events.ts'
import {
  Columns,
  findEach,
  fromJson,
  json,
  placeholders,
  type Query,
  type Row,
  type Session,
  toColumn,
} from './session.ts'
import type { HistoryItem, HistoryPosition, ProbeLog, StoredEntry, TermsTable } from './store.ts'

/** Rows deleted per transaction, so that other writes run in between. */
const PRUNED_AT_ONCE = 1_000

const PROBE = new Columns<ProbeRecord>({
  serviceId: true,
  at: true,
  outcome: true,
  httpStatus: true,
  latencyMs: true,
  priceSeen: true,
  asListed: { write: Number, read: stored => stored === 1 },
  reasons: json<readonly Message[]>(readMessages),
})

const toProbeRecord = (row: Row): ProbeRecord => PROBE.read(row)

const TALLY_COLUMNS = TALLY_FIELDS.map(toColumn)

/** SQL returns null for a sum over no rows. */
const toStoredTally = (row: Row, at: number): Tally =>
  Object.fromEntries(
    TALLY_FIELDS.map((field, index) => [field, (row[at + index] as number | null) ?? 0]),
  ) as Tally

const INSERT = `INSERT INTO probes (${PROBE.names}, former) VALUES (${PROBE.placeholders}, 0) ON CONFLICT DO NOTHING`
const ADD_TO_DAY = `
  INSERT INTO probe_days (service_id, day, ${TALLY_COLUMNS.join(', ')}) VALUES (${placeholders(2 + TALLY_FIELDS.length)})
  ON CONFLICT (service_id, day) DO UPDATE SET
    ${TALLY_COLUMNS.map(name => `${name} = probe_days.${name} + excluded.${name}`).join(', ')}`

/** Inside the caller's transaction. False if it is already stored. */
export async function insertProbe(query: Query, probe: ProbeRecord): Promise<boolean> {
  const { count } = await query(INSERT, PROBE.values(probe))
  if (count === 0) return false
  const tally = toTally(probe)
  await query(ADD_TO_DAY, [probe.serviceId, dayOf(probe.at), ...TALLY_FIELDS.map(field => tally[field])])
  return true
}

const OWN = 'FROM probes WHERE service_id = $1 AND at <= $2 AND former = 0'
const LATEST = `SELECT ${PROBE.names} ${OWN} AND outcome <> 'refused' ORDER BY at DESC LIMIT ${LOOK_BACK}`
/** Answered probes: those that are counted and not failed (`isCounted`, `isFailed` in domain/standing/standing.ts). */
const LATENCIES = `
  SELECT latency_ms ${OWN} AND latency_ms IS NOT NULL AND outcome NOT IN ('refused', 'unreachable')
    AND NOT (outcome = 'unpayable' AND http_status IS NOT NULL AND (http_status = 410 OR http_status >= 500))
  ORDER BY at DESC LIMIT ${LATENCY_ANSWERS}`
const SUMS = `
  SELECT max(CASE WHEN payable > 0 AND day <= $2 THEN day END),
    ${TALLY_COLUMNS.map(name => `CAST(sum(${name}) AS bigint)`).join(', ')}
  FROM probe_days WHERE service_id = $1`

/** Inside the caller's transaction. */
export const readSums = async (query: Query, serviceId: string, day: string) => {
  const [sums] = await query(SUMS, [serviceId, day])
  return { lastPayableDay: sums![0] as string | null, tally: toStoredTally(sums!, 1) }
}

/** Inside the caller's transaction: the history including this probe, which must be stored already. */
export async function readHistory(
  query: Query,
  { serviceId, at }: ProbeRecord,
  now: Date,
): Promise<Omit<ProbeHistory, 'finding' | 'payments' | 'purchases'>> {
  const until = laterOf(at, now)
  const [latest, latencies, newest, sums] = await Promise.all([
    query(LATEST, [serviceId, until]),
    query<[number]>(LATENCIES, [serviceId, until]),
    query<[string]>(`SELECT max(at) ${OWN}`, [serviceId, until]),
    readSums(query, serviceId, dayOf(until)),
  ])
  return {
    latest: latest.map(toProbeRecord),
    latencies: latencies.map(([ms]) => ms),
    newestAt: newest[0]![0],
    ...sums,
  }
}

/** Inside the caller's transaction. */
export async function findFinding(query: Query, serviceId: string): Promise<Finding | null> {
  const [row] = await query('SELECT finding FROM judgements WHERE service_id = $1', [serviceId])
  return fromJson<Finding>(row?.[0])
}

/** An entry with its judgement; undefined if it is unknown or removed. */
export async function findStored(query: Query, id: string): Promise<StoredEntry | undefined> {
  const [row] = await query<[string, string | null, string | null]>(
    `SELECT entry, facts, finding FROM services LEFT JOIN judgements ON service_id = id
     WHERE id = $1 AND entry IS NOT NULL`,
    [id],
  )
  if (!row) return undefined
  const [entry, facts, finding] = row
  return {
    entry: JSON.parse(entry) as Entry,
    facts: fromJson<TrustFacts>(facts),
    finding: fromJson<Finding>(finding),
  }
}

const deleteFrom = (query: Query, tables: readonly string[], serviceId: string) =>
  Promise.all(tables.map(table => query(`DELETE FROM ${table} WHERE service_id = $1`, [serviceId])))

/** Inside the caller's transaction: deletes facts, finding and observed terms. */
export async function dropJudgement(query: Query, serviceId: string): Promise<void> {
  await deleteFrom(query, ['judgements', 'terms'], serviceId)
}

/** Inside the caller's transaction. */
export async function dropProbes(query: Query, serviceId: string): Promise<void> {
  await deleteFrom(query, ['probes', 'probe_days'], serviceId)
}

/** Inside the caller's transaction: excludes all probes so far from judgement; they stay in the history. */
export async function forgetProbes(query: Query, serviceId: string): Promise<void> {
  await Promise.all([
    deleteFrom(query, ['judgements', 'terms', 'probe_days'], serviceId),
    query('UPDATE probes SET former = 1 WHERE service_id = $1 AND former = 0', [serviceId]),
  ])
}

/** Sorts after every ISO 8601 time. */
const END: HistoryPosition = { at: '~', number: 0 }

export const createProbeReads = (session: Session): Omit<ProbeLog, 'record'> => ({
  history: (serviceId, limit, before = END) =>
    session.read(query => readTimeline(query, serviceId, limit, before)),
  days: (serviceId, limit) =>
    session.read(async query => {
      const sql = `SELECT day, ${TALLY_COLUMNS.join(', ')} FROM probe_days WHERE service_id = $1 ORDER BY day DESC LIMIT $2`
      return (await query(sql, [serviceId, limit])).map(
        (row): ProbeDay => ({ day: row[0] as string, ...toStoredTally(row, 1) }),
      )
    }),
  count: since =>
    session.read(async query => {
      const [rows, newest] = await Promise.all([
        query<[ProbeOutcome, number]>('SELECT outcome, count(*) FROM probes WHERE at > $1 GROUP BY outcome', [
          since.toISOString(),
        ]),
        query<[string | null]>('SELECT max(at) FROM probes'),
      ])
      return { byOutcome: { ...createProbeCounts(), ...Object.fromEntries(rows) }, newestAt: newest[0]![0] }
    }),
  async prune(before) {
    await deleteBefore(session, 'probe_days', 'day', dayOf(before.days.toISOString()))
    return deleteBefore(session, 'probes', 'at', before.probes.toISOString())
  },
})

/** Reads probes and events of one service as one list, newest first. */
async function readTimeline(
  query: Query,
  serviceId: string,
  limit: number,
  { at, number }: HistoryPosition,
): Promise<HistoryItem[]> {
  // Each list as far as the page can reach, then the page of both.
  const [probes, events] = await Promise.all([
    query(
      `SELECT ${PROBE.names} FROM probes WHERE service_id = $1 AND (at, CAST(0 AS bigint)) < ($2, $3) ORDER BY at DESC LIMIT $4`,
      [serviceId, at, number, limit],
    ),
    query(
      `SELECT ${EVENTS.names} FROM events
       WHERE service_id = $1 AND (at, number) < ($2, $3) ORDER BY at DESC, number DESC LIMIT $4`,
      [serviceId, at, number, limit],
    ),
  ])
  return [
    ...probes.map(row => ({ at: row[1] as string, number: 0, row })),
    ...events.map(row => ({ at: row[4] as string, number: row[0] as number, row })),
  ]
    .sort((a, b) => (a.at === b.at ? b.number - a.number : a.at < b.at ? 1 : -1))
    .slice(0, limit)
    .map(item =>
      item.number === 0
        ? { kind: 'probe', probe: toProbeRecord(item.row) }
        : { kind: 'event', event: EVENTS.read(item.row) },
    )
}

async function deleteBefore(
  session: Session,
  table: string,
  column: string,
  before: string,
): Promise<number> {
  const sql = `
    DELETE FROM ${table} WHERE (service_id, ${column}) IN
      (SELECT service_id, ${column} FROM ${table} WHERE ${column} < $1 ORDER BY ${column} LIMIT ${PRUNED_AT_ONCE})`
  for (let pruned = 0; ; ) {
    const { count } = await session.run(query => query(sql, [before]))
    pruned += count
    if (count < PRUNED_AT_ONCE) return pruned
  }
}

export function createTermsTable(session: Session): TermsTable {
  const ofAll: TermsTable['ofAll'] = serviceIds =>
    session.read(async query => {
      const sql = 'SELECT service_id, seen_at, terms FROM terms WHERE service_id = $1'
      const rows = await findEach<[string, string, string]>(query, sql, serviceIds)
      return new Map(
        rows.map(([id, seenAt, terms]) => [
          id,
          { seenAt, ...(JSON.parse(terms) as Omit<StoredTerms, 'seenAt'>) },
        ]),
      )
    })
  return { ofAll, of: async serviceId => (await ofAll([serviceId])).get(serviceId) }
}
