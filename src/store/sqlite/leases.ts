import { latestPlausibleEndMs } from '../../domain/ahead.ts'
import type { LeaseTable } from '../leases.ts'
import { rowsOf, type SqliteSession } from './session.ts'

export function createLeaseTable(session: SqliteSession): LeaseTable {
  const find = session.prepare('SELECT holder, ends_at, note FROM leases WHERE name = ?')
  const take = session.prepare(
    `INSERT INTO leases (name, holder, ends_at, note) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at, note = excluded.note
       WHERE holder = excluded.holder OR ends_at <= ?5 OR ends_at > ?6`,
  )
  return {
    find: name =>
      session.read(() => {
        const [row] = rowsOf(find, name)
        if (!row) return undefined
        const [holder, endsAt, note] = row as [string, number, string]
        return { holder, endsAt: new Date(endsAt), note }
      }),
    take: (name, { holder, now, leaseMs, note }) =>
      session.write(() => {
        const nowMs = now.getTime()
        const far = latestPlausibleEndMs(now, session.clock, leaseMs)
        return take.run(name, holder, nowMs + leaseMs, note, nowMs, far).changes > 0
      }),
  }
}
