// When each service is probed next, and the leases of probers.
import { latestPlausibleMs, MAX_AHEAD_MS } from '../../domain/ahead.ts'
import type { Entry } from '../../domain/listing/service.ts'
import { extraProbeTimes, REQUESTED_AT, rescheduledTimes, resetTimes } from '../due-times.ts'
import { ENTRY_COLUMNS, toEntry } from '../rows.ts'
import type { ProbeSchedule } from '../store.ts'
import type { ProbeTables } from './probes.ts'
import { rowsOf, type SqliteSession } from './session.ts'

/** Dates written by a wrong clock that one claim corrects; bounds how long it blocks other writers. */
const REDATED_AT_ONCE = 1_000

export type ScheduleTable = {
  readonly schedule: ProbeSchedule
  /** Inside the transaction of the insert. */
  readonly add: (entry: Entry, dueAt: Date) => void
  /** Inside the transaction of the probe. */
  readonly isHeldBy: (serviceId: string, holder: string) => boolean
  /** Inside the transaction of the change. */
  readonly resetSchedule: (serviceId: string, dueAt: Date | null) => void
  /** Inside the transaction of the change. */
  readonly addExtraProbe: (serviceId: string, at: Date) => void
  /** Inside the transaction of the probe: ends the lease of the holder. */
  readonly reschedule: (serviceId: string, dueAt: Date | null, holder: string | undefined) => void
  /** Inside the transaction of the removal. */
  readonly drop: (serviceId: string) => void
}

const DIALECT = { least: 'min', greatest: 'max' }
const END_LEASE = 'lease = NULL, leased_until = NULL'

export function createScheduleTable(session: SqliteSession, probes: ProbeTables): ScheduleTable {
  const insert = session.prepare('INSERT INTO probe_schedule (service_id, due_at) VALUES (?, ?)')
  const remove = session.prepare('DELETE FROM probe_schedule WHERE service_id = ?')
  const isFree = 'due_at <= ?1 AND (leased_until IS NULL OR leased_until <= ?1 OR leased_until > ?3)'
  const due = (order: 'ASC' | 'DESC') =>
    session.prepare(
      `SELECT ${ENTRY_COLUMNS.join(', ')}, wished_at FROM probe_schedule JOIN services ON id = service_id
     WHERE ${isFree} ORDER BY due_at ${order}, service_id ${order} LIMIT ?2`,
    )
  const orders = { oldest: due('ASC'), newest: due('DESC') }
  // Two counts: a combined condition would scan the whole schedule.
  const countDue = session.prepare(
    `SELECT min(?2, (SELECT count(*) FROM (SELECT 1 FROM probe_schedule WHERE ${isFree} LIMIT ?2))
       + (SELECT count(*) FROM (SELECT 1 FROM probe_schedule WHERE due_at > ?4 LIMIT ?2)))`,
  )
  const redate = session.prepare(
    `UPDATE probe_schedule SET due_at = ?1 WHERE service_id IN
       (SELECT service_id FROM probe_schedule WHERE due_at > ?2 LIMIT ${REDATED_AT_ONCE})`,
  )
  // The probe that begins now also serves as the requested extra one.
  const lease = session.prepare(
    'UPDATE probe_schedule SET lease = ?, leased_until = ?, wished_at = NULL WHERE service_id = ?',
  )
  const held = session.prepare('SELECT 1 FROM probe_schedule WHERE service_id = ? AND lease = ?')
  const releaseAll = session.prepare(`UPDATE probe_schedule SET ${END_LEASE} WHERE lease = ?`)
  const release = session.prepare(`UPDATE probe_schedule SET due_at = ?, ${END_LEASE} WHERE service_id = ?`)
  const put = (times: string) =>
    session.prepare(
      `INSERT INTO probe_schedule (service_id, due_at)
         SELECT id, ?1 FROM services WHERE id = ?2 AND removed = 0 AND sample = 0
       ON CONFLICT DO UPDATE SET ${times}`,
    )
  const reset = put(`${resetTimes('?1', DIALECT)}, ${END_LEASE}`)
  const reschedule = put(
    `${rescheduledTimes('?1', '?3', DIALECT)},
     lease = CASE WHEN ?4 IS NULL THEN lease END, leased_until = CASE WHEN ?4 IS NULL THEN leased_until END`,
  )
  const extraProbe = put(`${extraProbeTimes('?1', DIALECT)} WHERE wished_at IS NULL`)
  const requestedAt = session.prepare(`SELECT ${REQUESTED_AT} FROM probe_schedule WHERE service_id = ?`)
  const isHeldBy = (serviceId: string, holder: string) => rowsOf(held, serviceId, holder).length > 0
  return {
    schedule: {
      claimDue: (now, limit, { holder, leaseMs }, first = 'oldest') =>
        session.write(() => {
          const nowMs = now.getTime()
          redate.run(nowMs, latestPlausibleMs(now, session.clock, MAX_AHEAD_MS.probe))
          const rows = rowsOf(
            orders[first],
            nowMs,
            limit,
            latestPlausibleMs(now, session.clock, MAX_AHEAD_MS.probeLease),
          )
          return rows.map(row => {
            const entry = toEntry(row, 0)
            lease.run(holder, now.getTime() + leaseMs, entry.id)
            return {
              entry,
              ...probes.findJudgement(entry.id),
              ...(row.at(-1) !== null && { isRequested: true as const }),
            }
          })
        }),
      requestedAt: serviceId =>
        session.read(() => {
          const at = rowsOf(requestedAt, serviceId)[0]?.[0] as number | null | undefined
          return at == null ? undefined : new Date(at)
        }),
      countDue: (now, limit) =>
        session.read(() => {
          const nowMs = now.getTime()
          const bounds = [
            latestPlausibleMs(now, session.clock, MAX_AHEAD_MS.probeLease),
            latestPlausibleMs(now, session.clock, MAX_AHEAD_MS.probe),
          ]
          return rowsOf(countDue, nowMs, limit, ...bounds)[0]?.[0] as number
        }),
      release: (serviceId, holder, dueAt) =>
        session.write(() => {
          if (!isHeldBy(serviceId, holder)) return
          if (dueAt) release.run(dueAt.getTime(), serviceId)
          else remove.run(serviceId)
        }),
      async releaseAll(holder) {
        await session.write(() => releaseAll.run(holder))
      },
    },
    add(entry, dueAt) {
      if (!entry.sample) insert.run(entry.id, dueAt.getTime())
    },
    isHeldBy,
    resetSchedule: (serviceId, dueAt) =>
      void (dueAt ? reset.run(dueAt.getTime(), serviceId) : remove.run(serviceId)),
    addExtraProbe: (serviceId, at) => void extraProbe.run(at.getTime(), serviceId),
    reschedule: (serviceId, dueAt, holder) =>
      void (dueAt
        ? reschedule.run(dueAt.getTime(), serviceId, session.clock.now().getTime(), holder ?? null)
        : remove.run(serviceId)),
    drop: serviceId => void remove.run(serviceId),
  }
}
