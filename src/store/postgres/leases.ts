import { latestPlausibleEndMs } from '../../domain/ahead.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { LeaseTable, LeaseTerms } from '../leases.ts'
import type { Query } from './link.ts'
import type { PostgresSession } from './session.ts'

const TAKE = `
  INSERT INTO leases (name, holder, ends_at, note) VALUES ($1, $2, $3, $4)
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at, note = excluded.note
    WHERE leases.holder = excluded.holder OR leases.ends_at <= $5 OR leases.ends_at > $6`

export const createLeaseTable = (session: PostgresSession): LeaseTable => ({
  find: name =>
    session.run(async query => {
      const [row] = await query('SELECT holder, ends_at, note FROM leases WHERE name = $1', [name])
      if (!row) return undefined
      const [holder, endsAt, note] = row as [string, number, string]
      return { holder, endsAt: new Date(endsAt), note }
    }),
  take: (name, terms) => session.run(query => take(query, name, terms, session.clock)),
})

/** The same through the write queue, so that its result shows whether writes succeed. */
export const takeWithWrites = (session: PostgresSession, name: string, terms: LeaseTerms): Promise<boolean> =>
  session.write([], ({ query }) => take(query, name, terms, session.clock))

async function take(
  query: Query,
  name: string,
  { holder, now, leaseMs, note }: LeaseTerms,
  clock: Clock,
): Promise<boolean> {
  const nowMs = now.getTime()
  const values = [name, holder, nowMs + leaseMs, note, nowMs, latestPlausibleEndMs(now, clock, leaseMs)]
  return (await query(TAKE, values)).count > 0
}
