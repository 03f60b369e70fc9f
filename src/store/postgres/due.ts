// Dates of the next probes, written inside the transaction of what brings them about.
import type { Query } from './link.ts'

/** Inside the transaction of the insert. */
export async function addToSchedule(query: Query, ids: readonly string[], dueAt: Date): Promise<void> {
  if (ids.length === 0) return
  await query(
    `INSERT INTO probe_schedule (service_id, due_at)
       SELECT id, $2 FROM json_array_elements_text($1::text::json) AS id`,
    [JSON.stringify(ids), dueAt.getTime()],
  )
}

/** Ends the lease and sets the next probe, where there is a service to probe. */
export async function putInSchedule(query: Query, serviceId: string, dueAt: Date | null): Promise<void> {
  if (!dueAt) {
    await query('DELETE FROM probe_schedule WHERE service_id = $1', [serviceId])
    return
  }
  await query(
    `INSERT INTO probe_schedule (service_id, due_at)
       SELECT id, $2 FROM services WHERE id = $1 AND entry IS NOT NULL AND (entry ->> 'sample') = 'false'
     ON CONFLICT (service_id) DO UPDATE SET due_at = excluded.due_at, lease = NULL, leased_until = NULL`,
    [serviceId, dueAt.getTime()],
  )
}
