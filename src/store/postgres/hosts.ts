import type { HostTable } from '../hosts.ts'
import type { PostgresSession } from './session.ts'

// Rows are locked in the order of their names, so that two processes that take the same hosts do not deadlock.
const TAKE = `
  INSERT INTO host_turns AS turn (host, holder, ends_at)
    SELECT host, $2, $4 FROM json_array_elements_text($1::text::json) AS host ORDER BY host COLLATE "C"
  ON CONFLICT (host) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
    WHERE turn.holder = excluded.holder OR turn.ends_at <= $3 OR turn.ends_at > $5
  RETURNING host`

const LEAVE = `
  WITH own AS (
    SELECT host FROM host_turns WHERE holder = $2 AND host IN
      (SELECT key FROM json_each_text($1::text::json)) ORDER BY host FOR UPDATE)
  UPDATE host_turns SET ends_at = value::bigint FROM own, json_each_text($1::text::json)
    WHERE host_turns.host = own.host AND key = own.host`

const PRUNE = `
  DELETE FROM host_turns WHERE host IN
    (SELECT host FROM host_turns WHERE ends_at <= $1 ORDER BY ends_at LIMIT 200 FOR UPDATE SKIP LOCKED)`

export const createHostTable = (session: PostgresSession): HostTable => ({
  take: (hosts, { holder, now, leaseMs }) =>
    session.run(async query => {
      const nowMs = now.getTime()
      const names = JSON.stringify([...new Set(hosts)])
      const rows = await query(TAKE, [names, holder, nowMs, nowMs + leaseMs, nowMs + 2 * leaseMs])
      return new Set(rows.map(([host]) => host as string))
    }),
  leave: (ends, { holder, now }) =>
    session.run(async query => {
      const times = Object.fromEntries([...ends].map(([host, endsAt]) => [host, String(endsAt.getTime())]))
      await query(LEAVE, [JSON.stringify(times), holder])
      await query(PRUNE, [now.getTime()])
    }),
})
