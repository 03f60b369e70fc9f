import type { HostTable } from '../hosts.ts'
import { rowsOf, type SqliteSession } from './session.ts'

export function createHostTable(session: SqliteSession): HostTable {
  const find = session.prepare('SELECT holder, ends_at FROM host_turns WHERE host = ?')
  const take = session.prepare(
    `INSERT INTO host_turns (host, holder, ends_at) VALUES (?1, ?2, ?3)
     ON CONFLICT DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at`,
  )
  const leave = session.prepare('UPDATE host_turns SET ends_at = ? WHERE host = ? AND holder = ?')
  const prune = session.prepare(
    `DELETE FROM host_turns WHERE host IN
       (SELECT host FROM host_turns WHERE ends_at <= ? ORDER BY ends_at LIMIT 200)`,
  )

  return {
    async take(hosts, { holder, now, leaseMs }) {
      const nowMs = now.getTime()
      const isFree = (host: string) => {
        const [row] = rowsOf(find, host)
        if (!row) return true
        const [currentHolder, endsAtMs] = row as [string, number]
        return currentHolder === holder || endsAtMs <= nowMs || endsAtMs > nowMs + 2 * leaseMs
      }
      // Waiting holders poll often, and a read blocks no writer.
      if (!(await session.read(() => hosts.some(isFree)))) return new Set()
      return session.write(() => {
        const free = new Set(hosts.filter(isFree))
        for (const host of free) take.run(host, holder, nowMs + leaseMs)
        return free
      })
    },
    leave: (ends, { holder, now }) =>
      session.write(() => {
        for (const [host, endsAt] of ends) leave.run(endsAt.getTime(), host, holder)
        prune.run(now.getTime())
      }),
  }
}
