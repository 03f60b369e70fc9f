// When each service is probed next, and the leases of probers. A requested probe is an extra one and does not move the probe at the
// randomly drawn time: a provider that could postpone that one, or trigger a new draw, would know when no probe comes.
import type { Entry } from '../domain/listing/service.ts'
import { findStored } from './probes.ts'
import { insertRows, type Query, type Session } from './session.ts'
import type { LeasedEntry, ProbeSchedule } from './store.ts'

/** Token bucket per service: at most this many extra probes at once, then one more per interval. */
export const MAX_EXTRA_PROBES = 5
export const EXTRA_PROBE_EVERY_MS = 60_000

/** One probe beyond the bucket is queued. */
const EXTRA_PROBES_AHEAD_MS = (MAX_EXTRA_PROBES + 1) * EXTRA_PROBE_EVERY_MS

/** A row, in milliseconds since 1970. */
type Times = {
  /** Time of the next probe. */
  readonly dueAt: number
  /** The drawn time, if it is not `dueAt`. */
  readonly drawnAt: number | null
  /** Time of a requested extra probe that has not begun. */
  readonly requestedAt: number | null
  /** Time up to which the extra probes are used up. */
  readonly usedUntil: number | null
}

/** End of the used-up time before a probe at this time. */
const usedBefore = ({ usedUntil }: Times, at: number): number => Math.max(usedUntil ?? at, at)

const extraProbeTime = (times: Times, at: number): number =>
  Math.max(at, usedBefore(times, at) - (MAX_EXTRA_PROBES - 1) * EXTRA_PROBE_EVERY_MS)

const useUp = (times: Times, at: number): number =>
  Math.min(usedBefore(times, at) + EXTRA_PROBE_EVERY_MS, at + EXTRA_PROBES_AHEAD_MS)

const withExtraProbe = (times: Times, at: number): Times => {
  const requestedAt = extraProbeTime(times, at)
  return {
    dueAt: Math.min(times.dueAt, requestedAt),
    drawnAt: times.drawnAt ?? times.dueAt,
    requestedAt,
    usedUntil: useUp(times, at),
  }
}

const afterReset = (times: Times, at: number): Times => ({
  dueAt: extraProbeTime(times, at),
  drawnAt: null,
  requestedAt: null,
  usedUntil: useUp(times, at),
})

/** Once a probe is recorded: the newly drawn time, unless the previously drawn one is still ahead and earlier. */
const afterProbe = (times: Times, next: number, now: number): Times => {
  const drawn = times.drawnAt ?? times.dueAt
  const drawnAt = drawn > now ? Math.min(drawn, next) : next
  return { ...times, drawnAt, dueAt: Math.min(drawnAt, times.requestedAt ?? drawnAt) }
}

type ScheduleRow = Times & { readonly lease: string | null }

/** Inside the caller's transaction. */
export async function findSchedule(query: Query, serviceId: string): Promise<ScheduleRow | undefined> {
  const [row] = await query<[number, number | null, number | null, number | null, string | null]>(
    'SELECT due_at, drawn_at, requested_at, used_until, lease FROM probe_schedule WHERE service_id = $1',
    [serviceId],
  )
  if (!row) return undefined
  const [dueAt, drawnAt, requestedAt, usedUntil, lease] = row
  return { dueAt, drawnAt, requestedAt, usedUntil, lease }
}

/** Inside the transaction of the insert. Samples are never probed. */
export async function addToSchedule(query: Query, entries: readonly Entry[], dueAt: Date): Promise<void> {
  const probed = entries.filter(({ sample }) => !sample)
  const rows = probed.map(({ id }) => [id, dueAt.getTime()])
  await insertRows(query, 'INSERT INTO probe_schedule (service_id, due_at)', rows)
}

/** Inside the caller's transaction. */
export async function dropSchedule(query: Query, serviceId: string): Promise<void> {
  await query('DELETE FROM probe_schedule WHERE service_id = $1', [serviceId])
}

const END_LEASE = 'lease = NULL, leased_until = NULL'

async function putTimes(
  query: Query,
  serviceId: string,
  { dueAt, drawnAt, requestedAt, usedUntil }: Times,
  endsLease: boolean,
): Promise<void> {
  await query(
    `INSERT INTO probe_schedule (service_id, due_at, drawn_at, requested_at, used_until) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (service_id) DO UPDATE SET due_at = excluded.due_at, drawn_at = excluded.drawn_at,
       requested_at = excluded.requested_at, used_until = excluded.used_until${endsLease ? `, ${END_LEASE}` : ''}`,
    [serviceId, dueAt, drawnAt, requestedAt, usedUntil],
  )
}

const firstTimes = (dueAt: number): Times => ({ dueAt, drawnAt: null, requestedAt: null, usedUntil: null })

/** Inside the transaction of the change: ends the lease and sets the first probe after a reset; null ends probing. */
export async function resetSchedule(query: Query, { id, sample }: Entry, dueAt: Date | null): Promise<void> {
  if (dueAt === null) return dropSchedule(query, id)
  if (sample) return
  const row = await findSchedule(query, id)
  const at = dueAt.getTime()
  await putTimes(query, id, row ? afterReset(row, at) : firstTimes(at), true)
}

/** Inside the transaction of the change. */
export async function addExtraProbe(query: Query, { id, sample }: Entry, at: Date): Promise<void> {
  if (sample) return
  const row = await findSchedule(query, id)
  if (row && row.requestedAt !== null) return
  await putTimes(query, id, row ? withExtraProbe(row, at.getTime()) : firstTimes(at.getTime()), false)
}

/** Inside the transaction of the probe: sets the next one and ends the lease of the holder; null ends probing. */
export async function reschedule(
  query: Query,
  { id, sample }: Entry,
  row: ScheduleRow | undefined,
  { dueAt, now, holder }: { dueAt: Date | null; now: Date; holder: string | undefined },
): Promise<void> {
  if (dueAt === null) return dropSchedule(query, id)
  if (sample) return
  const next = dueAt.getTime()
  const times = row ? afterProbe(row, next, now.getTime()) : firstTimes(next)
  await putTimes(query, id, times, holder !== undefined)
}

// In these statements, $1 is now and $2 the limit.
const IS_FREE = 'due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)'
const COUNT = `SELECT count(*) FROM (SELECT 1 FROM probe_schedule WHERE ${IS_FREE} LIMIT $2) AS due`
/** The next one is drawn with the first probe. */
const COUNT_WAITING =
  'SELECT count(*) FROM (SELECT 1 FROM probe_schedule WHERE due_at <= $1 OR drawn_at IS NULL LIMIT $2) AS waiting'

const due = (order: 'ASC' | 'DESC') => `
  SELECT service_id, requested_at FROM probe_schedule
  WHERE ${IS_FREE} ORDER BY due_at ${order}, service_id ${order} LIMIT $2`
const DUE = { oldest: due('ASC'), newest: due('DESC') }

export function createSchedule(session: Session): ProbeSchedule {
  const countBy = (sql: string) => (now: Date, limit: number) =>
    session.read(async query => (await query<[number]>(sql, [now.getTime(), limit]))[0]![0])
  const countDue = countBy(COUNT)

  return {
    countDue,
    countWaiting: countBy(COUNT_WAITING),
    async leaseDue(now, limit, { holder, leaseMs }, first = 'oldest') {
      // A read first: an empty lease blocks no writer.
      if ((await countDue(now, 1)) === 0) return []
      return session.write(undefined, async ({ query }) => {
        const nowMs = now.getTime()
        const rows = await query<[string, number | null]>(DUE[first], [nowMs, limit])
        const leased = await Promise.all(
          rows.map(([id, requestedAt]) => lease(query, id, requestedAt, holder, nowMs + leaseMs)),
        )
        return leased.filter(entry => entry !== undefined)
      })
    },
    requestedAt: serviceId =>
      session.read(async query => {
        const row = await findSchedule(query, serviceId)
        // After a reset: the bucket is then used up for all but the last of its probes.
        const at =
          row?.requestedAt ?? (row?.usedUntil && row.usedUntil - MAX_EXTRA_PROBES * EXTRA_PROBE_EVERY_MS)
        return at ? new Date(at) : undefined
      }),
    release: (serviceId, holder, dueAt) =>
      session.write([serviceId], async ({ query }) => {
        const where = 'WHERE service_id = $1 AND lease = $2'
        if (dueAt === null) await query(`DELETE FROM probe_schedule ${where}`, [serviceId, holder])
        else
          await query(`UPDATE probe_schedule SET due_at = $3, ${END_LEASE} ${where}`, [
            serviceId,
            holder,
            dueAt.getTime(),
          ])
      }),
    async releaseAll(holder) {
      await session.run(query => query(`UPDATE probe_schedule SET ${END_LEASE} WHERE lease = $1`, [holder]))
    },
  }
}

/** The probe that begins now also serves as the requested extra one. */
async function lease(
  query: Query,
  id: string,
  requestedAt: number | null,
  holder: string,
  leasedUntil: number,
): Promise<LeasedEntry | undefined> {
  const [stored] = await Promise.all([
    findStored(query, id),
    query(
      'UPDATE probe_schedule SET lease = $2, leased_until = $3, requested_at = NULL WHERE service_id = $1',
      [id, holder, leasedUntil],
    ),
  ])
  return stored && { ...stored, ...(requestedAt !== null && { isRequested: true }) }
}
