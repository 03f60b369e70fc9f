// The payment terms last observed at each endpoint: one row per service, rewritten only if the terms changed.
import type { SeenTerms } from '../../domain/terms/terms.ts'
import type { TermsTable } from '../store.ts'
import type { Query } from './link.ts'
import type { PostgresSession } from './session.ts'
import { toTexts } from './texts.ts'

export async function saveTerms(
  query: Query,
  serviceId: string,
  { seenAt, ...terms }: SeenTerms,
  isChanged: boolean,
): Promise<void> {
  if (!isChanged) {
    const { count } = await query('UPDATE terms SET seen_at = $2 WHERE service_id = $1', [serviceId, seenAt])
    if (count > 0) return
  }
  await query(
    `INSERT INTO terms (service_id, seen_at, terms) VALUES ($1, $2, $3::text::json)
     ON CONFLICT (service_id) DO UPDATE SET seen_at = excluded.seen_at, terms = excluded.terms`,
    [serviceId, seenAt, JSON.stringify(terms)],
  )
}

export async function dropTerms(query: Query, serviceId: string): Promise<void> {
  await query('DELETE FROM terms WHERE service_id = $1', [serviceId])
}

export function createTermsTable(session: PostgresSession): TermsTable {
  const ofAll = (serviceIds: readonly string[]): Promise<Map<string, SeenTerms>> =>
    session.run(async query => {
      const rows = await query(
        `SELECT service_id, seen_at, terms FROM terms
         WHERE service_id IN (SELECT * FROM json_array_elements_text($1::text::json))`,
        [toTexts(serviceIds)],
      )
      return new Map(
        rows.map(([id, seenAt, terms]) => [
          id as string,
          { seenAt: seenAt as string, ...(terms as Omit<SeenTerms, 'seenAt'>) },
        ]),
      )
    })
  return { ofAll, of: async serviceId => (await ofAll([serviceId])).get(serviceId) }
}
