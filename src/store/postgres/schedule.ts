// When each service is probed next, and the leases of probers.
import { latestPlausibleMs, MAX_AHEAD_MS } from '../../domain/ahead.ts'
import type { Entry } from '../../domain/listing/service.ts'
import { REQUESTED_AT } from '../due-times.ts'
import type { ProbeSchedule } from '../store.ts'
import { toJudgement } from './probes.ts'
import type { PostgresSession } from './session.ts'

/** @param far a lease that ends later was dated by a clock that was ahead */
const free = (far: string) =>
  `due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > ${far})`

/** Dates written by a wrong clock that one claim corrects; bounds how long it blocks other writers. */
const REDATED_AT_ONCE = 1_000
const REDATE = `
  UPDATE probe_schedule SET due_at = $1 WHERE service_id IN
    (SELECT service_id FROM probe_schedule WHERE due_at > $2 LIMIT ${REDATED_AT_ONCE} FOR UPDATE SKIP LOCKED)`

// Two counts: a combined condition would scan the whole schedule.
const COUNT = `
  SELECT least($2, (SELECT count(*) FROM (SELECT 1 FROM probe_schedule WHERE ${free('$3')} LIMIT $2) AS due)
    + (SELECT count(*) FROM (SELECT 1 FROM probe_schedule WHERE due_at > $4 LIMIT $2) AS far))`

// Skips rows that another process is claiming at this moment. The probe that begins now also serves as the requested extra one.
const claim = (order: 'ASC' | 'DESC') =>
  `WITH claimed AS (
     UPDATE probe_schedule SET leased_until = $3, lease = $4, wished_at = NULL FROM
       (SELECT service_id, wished_at FROM probe_schedule WHERE ${free('$5')}
        ORDER BY due_at ${order}, service_id ${order} LIMIT $2 FOR UPDATE SKIP LOCKED) AS due
     WHERE probe_schedule.service_id = due.service_id
     RETURNING due.service_id, probe_schedule.due_at, due.wished_at)
   SELECT entry, facts, finding, wished_at FROM claimed
     JOIN services ON id = claimed.service_id
     LEFT JOIN judgements ON judgements.service_id = claimed.service_id
   WHERE entry IS NOT NULL
   ORDER BY due_at ${order}, claimed.service_id ${order}`
const CLAIMS = { oldest: claim('ASC'), newest: claim('DESC') }

const END_LEASE = 'UPDATE probe_schedule SET lease = NULL, leased_until = NULL'

export const createSchedule = (session: PostgresSession): ProbeSchedule => ({
  claimDue: (now, limit, { holder, leaseMs }, first = 'oldest') =>
    session.run(async query => {
      const nowMs = now.getTime()
      await query(REDATE, [nowMs, latestPlausibleMs(now, session.clock, MAX_AHEAD_MS.probe)])
      const values = [
        nowMs,
        limit,
        nowMs + leaseMs,
        holder,
        latestPlausibleMs(now, session.clock, MAX_AHEAD_MS.probeLease),
      ]
      const rows = await query(CLAIMS[first], values)
      return rows.map(([entry, facts, finding, wishedAt]) => ({
        entry: entry as Entry,
        ...toJudgement(facts, finding),
        ...(wishedAt !== null && { isRequested: true as const }),
      }))
    }),
  requestedAt: serviceId =>
    session.run(async query => {
      const [row] = await query(`SELECT ${REQUESTED_AT} FROM probe_schedule WHERE service_id = $1`, [
        serviceId,
      ])
      return row?.[0] == null ? undefined : new Date(Number(row[0]))
    }),
  countDue: (now, limit) =>
    session.run(async query => {
      const nowMs = now.getTime()
      const values = [
        nowMs,
        limit,
        latestPlausibleMs(now, session.clock, MAX_AHEAD_MS.probeLease),
        latestPlausibleMs(now, session.clock, MAX_AHEAD_MS.probe),
      ]
      return (await query(COUNT, values))[0]![0] as number
    }),
  release: (serviceId, holder, dueAt) =>
    session.run(async query => {
      if (dueAt)
        await query(`${END_LEASE}, due_at = $3 WHERE service_id = $1 AND lease = $2`, [
          serviceId,
          holder,
          dueAt.getTime(),
        ])
      else await query('DELETE FROM probe_schedule WHERE service_id = $1 AND lease = $2', [serviceId, holder])
    }),
  releaseAll: holder =>
    session.run(async query => {
      await query(`${END_LEASE} WHERE lease = $1`, [holder])
    }),
})
