// Due dates of probes, written inside the transaction of the change that causes them.
import { extraProbeTimes, rescheduledTimes, resetTimes } from '../due-times.ts'
import type { Query } from './link.ts'

const DIALECT = { least: 'least', greatest: 'greatest' }

/** Inside the transaction of the insert. */
export async function addToSchedule(query: Query, ids: readonly string[], dueAt: Date): Promise<void> {
  if (ids.length === 0) return
  await query(
    `INSERT INTO probe_schedule (service_id, due_at)
       SELECT id, $2 FROM json_array_elements_text($1::text::json) AS id`,
    [JSON.stringify(ids), dueAt.getTime()],
  )
}

const put = (times: string) =>
  `INSERT INTO probe_schedule (service_id, due_at)
     SELECT id, $2::bigint FROM services WHERE id = $1 AND entry IS NOT NULL AND (entry ->> 'sample') = 'false'
   ON CONFLICT (service_id) DO UPDATE SET ${times}`
const RESET = put(`${resetTimes('$2::bigint', DIALECT)}, lease = NULL, leased_until = NULL`)
const keptWithoutHolder = (name: string) =>
  `${name} = CASE WHEN $4::text IS NULL THEN probe_schedule.${name} END`
const RESCHEDULE = put(
  `${rescheduledTimes('$2::bigint', '$3::bigint', DIALECT)}, ${['lease', 'leased_until'].map(keptWithoutHolder).join(', ')}`,
)
const EXTRA_PROBE = put(`${extraProbeTimes('$2::bigint', DIALECT)} WHERE probe_schedule.wished_at IS NULL`)

const drop = (query: Query, serviceId: string) =>
  query('DELETE FROM probe_schedule WHERE service_id = $1', [serviceId])

/** Ends the lease and sets the first probe after a reset, if there is a service to probe; null ends probing. */
export async function resetSchedule(query: Query, serviceId: string, dueAt: Date | null): Promise<void> {
  await (dueAt ? query(RESET, [serviceId, dueAt.getTime()]) : drop(query, serviceId))
}

export async function addExtraProbe(query: Query, serviceId: string, at: Date): Promise<void> {
  await query(EXTRA_PROBE, [serviceId, at.getTime()])
}

/** Ends the lease of the holder and sets the next probe; null ends probing. */
export async function reschedule(
  query: Query,
  serviceId: string,
  dueAt: Date | null,
  { now, holder }: { readonly now: Date; readonly holder: string | undefined },
): Promise<void> {
  await (dueAt
    ? query(RESCHEDULE, [serviceId, dueAt.getTime(), now.getTime(), holder ?? null])
    : drop(query, serviceId))
}
