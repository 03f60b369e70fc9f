import { latestPlausibleEndMs } from '../../domain/ahead.ts'
import { createSourceState, type SourceState, type SourceTable } from '../sources.ts'
import type { PostgresSession } from './session.ts'

const CLAIM = `
  INSERT INTO sync_sources (url, state, leased_until) VALUES ($1, $2::text::json, $3)
  ON CONFLICT (url) DO UPDATE SET leased_until = excluded.leased_until
    WHERE sync_sources.leased_until IS NULL OR sync_sources.leased_until <= $4
      OR sync_sources.leased_until > $5
  RETURNING state`

export const createSourceTable = (session: PostgresSession): SourceTable => ({
  list: () =>
    session.run(async query =>
      (await query('SELECT state FROM sync_sources ORDER BY url')).map(([state]) => state as SourceState),
    ),
  claim: (url, now, leaseMs) =>
    session.run(async query => {
      const nowMs = now.getTime()
      const newState = JSON.stringify(createSourceState(url))
      const [row] = await query(CLAIM, [
        url,
        newState,
        nowMs + leaseMs,
        nowMs,
        latestPlausibleEndMs(now, session.clock, leaseMs),
      ])
      return row && (row[0] as SourceState)
    }),
  save: (state, leasedUntil) =>
    session.run(async query => {
      await query('UPDATE sync_sources SET state = $1::text::json, leased_until = $2 WHERE url = $3', [
        JSON.stringify(state),
        leasedUntil?.getTime() ?? null,
        state.url,
      ])
    }),
  noteSeen: (url, ids) =>
    session.run(async query => {
      await query(
        `INSERT INTO sync_seen (url, id) SELECT $1, * FROM json_array_elements_text($2::text::json)
         ON CONFLICT DO NOTHING`,
        [url, JSON.stringify(ids)],
      )
    }),
  seen: url =>
    session.run(
      async query =>
        new Set((await query('SELECT id FROM sync_seen WHERE url = $1', [url])).map(([id]) => id as string)),
    ),
  forgetSeen: url =>
    session.run(async query => {
      await query('DELETE FROM sync_seen WHERE url = $1', [url])
    }),
})
