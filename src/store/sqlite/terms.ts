// The payment terms last observed at each endpoint: one row per service, rewritten only if the terms changed.
import type { SeenTerms } from '../../domain/terms/terms.ts'
import type { TermsTable } from '../store.ts'
import { rowsOf, type SqliteSession } from './session.ts'

export type TermsTables = ReturnType<typeof createTermsTables>

/** `save` and `drop` run inside the caller's transaction. */
export function createTermsTables(session: SqliteSession) {
  const find = session.prepare('SELECT seen_at, terms FROM terms WHERE service_id = ?')
  const save = session.prepare(
    `INSERT INTO terms (service_id, seen_at, terms) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET seen_at = excluded.seen_at, terms = excluded.terms`,
  )
  const touch = session.prepare('UPDATE terms SET seen_at = ? WHERE service_id = ?')
  const drop = session.prepare('DELETE FROM terms WHERE service_id = ?')
  const findNow = (serviceId: string): SeenTerms | undefined => {
    const [row] = rowsOf(find, serviceId)
    return row && { seenAt: row[0] as string, ...(JSON.parse(row[1] as string) as Omit<SeenTerms, 'seenAt'>) }
  }
  const table: TermsTable = {
    of: serviceId => session.read(() => findNow(serviceId)),
    ofAll: serviceIds =>
      session.read(
        () =>
          new Map(
            serviceIds.flatMap(id => {
              const terms = findNow(id)
              return terms ? [[id, terms] as const] : []
            }),
          ),
      ),
  }
  return {
    table,
    save(serviceId: string, { seenAt, ...terms }: SeenTerms, isChanged: boolean): void {
      if (!isChanged && touch.run(seenAt, serviceId).changes > 0) return
      save.run(serviceId, seenAt, JSON.stringify(terms))
    },
    drop: (serviceId: string) => void drop.run(serviceId),
  }
}
