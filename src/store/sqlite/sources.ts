import { latestPlausibleEndMs } from '../../domain/ahead.ts'
import { createSourceState, type SourceState, type SourceTable } from '../sources.ts'
import { rowsOf, type SqliteSession } from './session.ts'

export function createSourceTable(session: SqliteSession): SourceTable {
  const list = session.prepare('SELECT state FROM sync_sources ORDER BY url')
  const claim = session.prepare(
    `INSERT INTO sync_sources (url, state, leased_until) VALUES (?1, ?2, ?3)
     ON CONFLICT DO UPDATE SET leased_until = excluded.leased_until
       WHERE leased_until IS NULL OR leased_until <= ?4 OR leased_until > ?5
     RETURNING state`,
  )
  const save = session.prepare('UPDATE sync_sources SET state = ?, leased_until = ? WHERE url = ?')
  const noteSeen = session.prepare('INSERT OR IGNORE INTO sync_seen (url, id) VALUES (?, ?)')
  const seen = session.prepare('SELECT id FROM sync_seen WHERE url = ?')
  const forgetSeen = session.prepare('DELETE FROM sync_seen WHERE url = ?')
  const toState = (text: unknown) => JSON.parse(text as string) as SourceState
  return {
    list: () => session.read(() => rowsOf(list).map(([state]) => toState(state))),
    claim: (url, now, leaseMs) =>
      session.write(() => {
        const nowMs = now.getTime()
        const newState = JSON.stringify(createSourceState(url))
        const [row] = rowsOf(
          claim,
          url,
          newState,
          nowMs + leaseMs,
          nowMs,
          latestPlausibleEndMs(now, session.clock, leaseMs),
        )
        return row && toState(row[0])
      }),
    async save(state, leasedUntil) {
      await session.write(() => save.run(JSON.stringify(state), leasedUntil?.getTime() ?? null, state.url))
    },
    async noteSeen(url, ids) {
      await session.write(() => {
        for (const id of ids) noteSeen.run(url, id)
      })
    },
    seen: url => session.read(() => new Set(rowsOf(seen, url).map(([id]) => id as string))),
    async forgetSeen(url) {
      await session.write(() => forgetSeen.run(url))
    },
  }
}
