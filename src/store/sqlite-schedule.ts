// When each service is probed next, and who is at it.
import type { Entry } from '../domain/service.ts'
import { ENTRY_COLUMNS, toEntry } from './rows.ts'
import type { ProbeTables } from './sqlite-probes.ts'
import { rowsOf, type SqliteSession } from './sqlite-session.ts'
import type { ProbeSchedule } from './store.ts'

export type ScheduleTable = {
  readonly schedule: ProbeSchedule
  /** Inside the transaction of the insert. */
  readonly add: (entry: Entry, dueAt: Date) => void
  /** Inside the transaction of the probe. */
  readonly isHeldBy: (serviceId: string, holder: string) => boolean
  /** Inside the transaction of the probe. */
  readonly put: (serviceId: string, dueAt: Date | null) => void
  /** Inside the transaction of the removal. */
  readonly drop: (serviceId: string) => void
}

export function createScheduleTable(session: SqliteSession, probes: ProbeTables): ScheduleTable {
  const insert = session.prepare('INSERT INTO probe_schedule (service_id, due_at) VALUES (?, ?)')
  const remove = session.prepare('DELETE FROM probe_schedule WHERE service_id = ?')
  const due = (order: 'ASC' | 'DESC') =>
    session.prepare(
      `SELECT ${ENTRY_COLUMNS.join(', ')} FROM probe_schedule JOIN services ON id = service_id
     WHERE due_at <= ?1 AND (leased_until IS NULL OR leased_until <= ?1) ORDER BY due_at ${order}, service_id ${order} LIMIT ?2`,
    )
  const orders = { oldest: due('ASC'), newest: due('DESC') }
  const countDue = session.prepare(
    `SELECT count(*) FROM (SELECT 1 FROM probe_schedule
       WHERE due_at <= ?1 AND (leased_until IS NULL OR leased_until <= ?1) LIMIT ?2)`,
  )
  const lease = session.prepare('UPDATE probe_schedule SET lease = ?, leased_until = ? WHERE service_id = ?')
  const held = session.prepare('SELECT 1 FROM probe_schedule WHERE service_id = ? AND lease = ?')
  const releaseAll = session.prepare(
    'UPDATE probe_schedule SET lease = NULL, leased_until = NULL WHERE lease = ?',
  )
  const set = session.prepare(
    `INSERT INTO probe_schedule (service_id, due_at)
       SELECT id, ? FROM services WHERE id = ? AND removed = 0 AND sample = 0
     ON CONFLICT DO UPDATE SET due_at = excluded.due_at, lease = NULL, leased_until = NULL`,
  )
  const put = (serviceId: string, dueAt: Date | null) =>
    void (dueAt ? set.run(dueAt.getTime(), serviceId) : remove.run(serviceId))
  const isHeldBy = (serviceId: string, holder: string) => rowsOf(held, serviceId, holder).length > 0
  return {
    schedule: {
      claimDue: (now, limit, { holder, leaseMs }, first = 'oldest') =>
        session.write(() => {
          const entries = rowsOf(orders[first], now.getTime(), limit).map(row => toEntry(row, 0))
          for (const { id } of entries) lease.run(holder, now.getTime() + leaseMs, id)
          return entries.map(entry => ({ entry, ...probes.findJudgement(entry.id) }))
        }),
      countDue: (now, limit) => session.read(() => rowsOf(countDue, now.getTime(), limit)[0]?.[0] as number),
      release: (serviceId, holder, dueAt) =>
        session.write(() => {
          if (isHeldBy(serviceId, holder)) put(serviceId, dueAt)
        }),
      async releaseAll(holder) {
        await session.write(() => releaseAll.run(holder))
      },
    },
    add(entry, dueAt) {
      if (!entry.sample) insert.run(entry.id, dueAt.getTime())
    },
    isHeldBy,
    put,
    drop: serviceId => void remove.run(serviceId),
  }
}
