// Probes, their daily sums, and the latest judgement of each service.

import { laterOf } from '../../domain/listing/service.ts'
import type { Finding } from '../../domain/standing/finding.ts'
import type { Judgement, ProbeHistory } from '../../domain/standing/judge.ts'
import { LOOK_BACK } from '../../domain/standing/judge-status.ts'
import { LATENCY_ANSWERS } from '../../domain/standing/latency.ts'
import {
  dayOf,
  type ProbeDay,
  type ProbeOutcome,
  type ProbeRecord,
  TALLY_FIELDS,
  toTally,
} from '../../domain/standing/probes.ts'
import type { TrustFacts } from '../../domain/standing/trust.ts'
import { readMessages } from '../../messages/message.ts'
import type { Row, Value } from '../rows.ts'
import type { HistoryItem, HistoryPlace, ProbeLog, StoredEntry } from '../store.ts'
import { TALLY_COLUMNS, toStoredTally } from '../tally-rows.ts'
import { EVENT_COLUMNS, toStoredEvent } from './events.ts'
import { rowsOf, type SqliteSession } from './session.ts'
import { createTermsTables, type TermsTables } from './terms.ts'

/** Rows deleted per transaction, so that other writes run in between. */
const PRUNED_AT_ONCE = 1_000

export const PROBE_COLUMNS = [
  'service_id',
  'at',
  'outcome',
  'http_status',
  'latency_ms',
  'price_seen',
  'as_listed',
  'reasons',
] as const

export type ProbeTables = ReturnType<typeof createProbeTables>

/** Except for `reads`, its functions run inside the caller's transaction. */
export function createProbeTables(session: SqliteSession) {
  const terms = createTermsTables(session)
  const judgements = createJudgements(session, terms)
  const insert = session.prepare(
    `INSERT OR IGNORE INTO probes (${PROBE_COLUMNS.join(', ')}) VALUES (${PROBE_COLUMNS.map(() => '?').join(', ')})`,
  )
  const addToDay = session.prepare(
    `INSERT INTO probe_days (service_id, day, ${TALLY_COLUMNS.join(', ')})
       VALUES (?, ?, ${TALLY_COLUMNS.map(() => '?').join(', ')})
     ON CONFLICT DO UPDATE SET ${TALLY_COLUMNS.map(name => `${name} = ${name} + excluded.${name}`).join(', ')}`,
  )
  const latest = session.prepare(
    `SELECT ${PROBE_COLUMNS.join(', ')} FROM probes
     WHERE service_id = ? AND at <= ? AND outcome <> 'refused' AND former = 0 ORDER BY at DESC LIMIT ${LOOK_BACK}`,
  )
  const latencies = session.prepare(
    `SELECT latency_ms FROM probes
     WHERE service_id = ? AND at <= ? AND former = 0 AND latency_ms IS NOT NULL AND outcome NOT IN ('refused', 'unreachable')
       AND NOT (outcome = 'unpayable' AND (http_status = 410 OR http_status >= 500))
     ORDER BY at DESC LIMIT ${LATENCY_ANSWERS}`,
  )
  const newest = session.prepare(
    'SELECT at FROM probes WHERE service_id = ? AND at <= ? AND former = 0 ORDER BY at DESC LIMIT 1',
  )
  const sums = session.prepare(
    `SELECT ${TALLY_COLUMNS.map(name => `sum(${name})`).join(', ')}, max(CASE WHEN payable > 0 AND day <= ?2 THEN day END)
     FROM probe_days WHERE service_id = ?1`,
  )
  const leave = session.prepare('UPDATE probes SET former = 1 WHERE service_id = ? AND former = 0')
  const dropDays = session.prepare('DELETE FROM probe_days WHERE service_id = ?')
  const days = session.prepare(
    `SELECT day, ${TALLY_COLUMNS.join(', ')} FROM probe_days WHERE service_id = ? ORDER BY day DESC LIMIT ?`,
  )

  const items = createTimeline(session)

  return {
    ...judgements,
    /** False if it is already stored. */
    insert(probe: ProbeRecord): boolean {
      const { serviceId, at } = probe
      if (insert.run(...toProbeRow(probe)).changes === 0) return false
      const tally = toTally(probe)
      addToDay.run(serviceId, dayOf(at), ...TALLY_FIELDS.map(field => tally[field]))
      return true
    },
    /** The history including this probe, which must be stored already. */
    historyOf(
      { serviceId, at }: ProbeRecord,
      now: Date,
    ): Omit<ProbeHistory, 'finding' | 'payments' | 'purchases'> {
      const until = laterOf(at, now)
      const row = rowsOf(sums, serviceId, dayOf(until))[0]!
      return {
        latest: rowsOf(latest, serviceId, until).map(each => toProbeRecord(each, 0)),
        latencies: rowsOf(latencies, serviceId, until).map(([ms]) => ms as number),
        tally: toStoredTally(row, 0),
        lastPayableDay: row[TALLY_FIELDS.length] as string | null,
        newestAt: rowsOf(newest, serviceId, until)[0]?.[0] as string,
      }
    },
    /** Excludes all probes so far from judgement; they stay in the history. */
    forget(serviceId: string): void {
      judgements.dropJudgement(serviceId)
      leave.run(serviceId)
      dropDays.run(serviceId)
    },
    terms: terms.table,
    reads: {
      history: (serviceId, limit, before) => session.read(() => items(serviceId, limit, before)),
      days: (serviceId, limit) =>
        session.read(() =>
          rowsOf(days, serviceId, limit).map(
            (row): ProbeDay => ({ day: row[0] as string, ...toStoredTally(row, 1) }),
          ),
        ),
      prune: createPrune(session),
    } satisfies Omit<ProbeLog, 'record'>,
  }
}

function createJudgements(session: SqliteSession, terms: TermsTables) {
  const find = session.prepare('SELECT facts, finding FROM judgements WHERE service_id = ?')
  const save = session.prepare(
    `INSERT INTO judgements (service_id, facts, finding) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET facts = excluded.facts, finding = excluded.finding`,
  )
  const drop = session.prepare('DELETE FROM judgements WHERE service_id = ?')
  const drops = ['probes', 'probe_days'].map(table =>
    session.prepare(`DELETE FROM ${table} WHERE service_id = ?`),
  )
  return {
    findJudgement(serviceId: string): Pick<StoredEntry, 'facts' | 'finding'> {
      const [row] = rowsOf(find, serviceId)
      if (!row) return { facts: null, finding: null }
      return {
        facts: JSON.parse(row[0] as string) as TrustFacts,
        finding: JSON.parse(row[1] as string) as Finding,
      }
    },
    saveJudgement(serviceId: string, { facts, finding, terms: observed }: Judgement): void {
      save.run(serviceId, JSON.stringify(facts), JSON.stringify(finding))
      if (observed) terms.save(serviceId, observed.terms, observed.isChanged)
    },
    dropJudgement(serviceId: string): void {
      drop.run(serviceId)
      terms.drop(serviceId)
    },
    dropProbes(serviceId: string): void {
      for (const statement of drops) statement.run(serviceId)
    },
  }
}

/** Sorts after every ISO 8601 time. */
const END: HistoryPlace = { at: '~', number: 0 }

/** Reads probes and events of one service as one list. */
function createTimeline(session: SqliteSession) {
  const probeColumns = PROBE_COLUMNS.slice(2)
  const eventColumns = EVENT_COLUMNS.filter(name => !['number', 'service_id', 'at'].includes(name))
  const none = (columns: readonly string[]) => columns.map(() => 'NULL').join(', ')
  const statement = session.prepare(
    `SELECT * FROM (
       SELECT at, 0 AS number, ${probeColumns.join(', ')}, ${none(eventColumns)} FROM probes WHERE service_id = ?1
       UNION ALL
       SELECT at, number, ${none(probeColumns)}, ${eventColumns.join(', ')} FROM events WHERE service_id = ?1
     ) WHERE (at, number) < (?2, ?3) ORDER BY at DESC, number DESC LIMIT ?4`,
  )
  return (serviceId: string, limit: number, { at, number } = END): HistoryItem[] =>
    rowsOf(statement, serviceId, at, number, limit).map(row => {
      const [when, count] = row as [string, number]
      if (count === 0)
        return { kind: 'probe', probe: toProbeRecord([serviceId, when, ...row.slice(2)], 0) } as const
      const [seq, ...rest] = row.slice(2 + probeColumns.length)
      const [type, ...others] = rest
      const event = toStoredEvent([count, seq!, serviceId, type!, when, ...others])
      return { kind: 'event', event } as const
    })
}

function createPrune(session: SqliteSession) {
  const prepareDelete = (table: string, column: string) =>
    session.prepare(
      `DELETE FROM ${table} WHERE (service_id, ${column}) IN
         (SELECT service_id, ${column} FROM ${table} WHERE ${column} < ? ORDER BY ${column} LIMIT ${PRUNED_AT_ONCE})`,
    )
  const probes = prepareDelete('probes', 'at')
  const days = prepareDelete('probe_days', 'day')
  const deleteBefore = async (statement: typeof probes, before: string): Promise<number> => {
    for (let pruned = 0; ; ) {
      const { changes } = await session.write(() => statement.run(before))
      pruned += changes
      if (changes < PRUNED_AT_ONCE) return pruned
    }
  }
  return async (before: { readonly probes: Date; readonly days: Date }): Promise<number> => {
    await deleteBefore(days, dayOf(before.days.toISOString()))
    return deleteBefore(probes, before.probes.toISOString())
  }
}

export const toProbeRow = (probe: ProbeRecord): Value[] => {
  const { serviceId, at, outcome, httpStatus, latencyMs, priceSeen, asListed, reasons } = probe
  return [serviceId, at, outcome, httpStatus, latencyMs, priceSeen, asListed ? 1 : 0, JSON.stringify(reasons)]
}

export const toProbeRecord = (row: Row, at: number): ProbeRecord => ({
  serviceId: row[at] as string,
  at: row[at + 1] as string,
  outcome: row[at + 2] as ProbeOutcome,
  httpStatus: row[at + 3] as number | null,
  latencyMs: row[at + 4] as number | null,
  priceSeen: row[at + 5] as string | null,
  asListed: row[at + 6] === 1,
  reasons: readMessages(JSON.parse(row[at + 7] as string)),
})
