// When each service is probed next, and who is at it.
import type { Entry } from '../domain/service.ts'
import { toJudgement } from './postgres-probes.ts'
import type { PostgresSession } from './postgres-session.ts'
import type { ProbeSchedule } from './store.ts'

const FREE = 'due_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)'

// Rows that another process is claiming at this moment are passed over instead of waited for.
const claim = (order: 'ASC' | 'DESC') =>
  `WITH claimed AS (
     UPDATE probe_schedule SET leased_until = $3, lease = $4 WHERE service_id IN
       (SELECT service_id FROM probe_schedule WHERE ${FREE}
        ORDER BY due_at ${order}, service_id ${order} LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING service_id, due_at)
   SELECT entry, facts, finding FROM claimed
     JOIN services ON id = claimed.service_id
     LEFT JOIN judgements ON judgements.service_id = claimed.service_id
   WHERE entry IS NOT NULL
   ORDER BY due_at ${order}, claimed.service_id ${order}`
const CLAIMS = { oldest: claim('ASC'), newest: claim('DESC') }

const END_LEASE = 'UPDATE probe_schedule SET lease = NULL, leased_until = NULL'

export const createSchedule = (session: PostgresSession): ProbeSchedule => ({
  claimDue: (now, limit, { holder, leaseMs }, first = 'oldest') =>
    session.run(async query => {
      const rows = await query(CLAIMS[first], [now.getTime(), limit, now.getTime() + leaseMs, holder])
      return rows.map(([entry, facts, finding]) => ({
        entry: entry as Entry,
        ...toJudgement(facts, finding),
      }))
    }),
  countDue: (now, limit) =>
    session.run(async query => {
      const text = `SELECT count(*) FROM (SELECT 1 FROM probe_schedule WHERE ${FREE} LIMIT $2) AS due`
      return (await query(text, [now.getTime(), limit]))[0]![0] as number
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
