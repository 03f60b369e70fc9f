// Reports about services, and the log of what operators do; part of the Store interface.
import type { Act, Report, ReportsQuery } from '../domain/operating.ts'
import { didWrite, type Session, Table } from './session.ts'

export interface ReportTable {
  /** Stores a report, or resolves to the open report of the same reporter about the same service. */
  add(report: Report): Promise<Report>
  /** Oldest first. */
  list(query: ReportsQuery): Promise<Report[]>
  /** Resolves to false if there is no such report or it is already resolved. */
  resolve(id: string, at: Date): Promise<boolean>
}

const REPORTS = new Table<Report>('reports', {
  id: true,
  serviceId: true,
  kind: true,
  text: true,
  reporter: true,
  createdAt: true,
  resolvedAt: true,
})

export const createReportTable = (session: Session): ReportTable => ({
  // Under the write lock: two concurrent calls must not both find none.
  add: report =>
    session.write([`reports about ${report.serviceId}`], async ({ query }) => {
      const { serviceId, reporter } = report
      const isSame = 'WHERE service_id = $1 AND resolved_at IS NULL AND reporter = $2'
      const existing = await REPORTS.first(query, isSame, serviceId, reporter)
      if (!existing) await REPORTS.insert(query, report)
      return existing ?? report
    }),
  list: ({ state, limit, after = '' }) =>
    session.read(query => {
      const isDone = state === 'open' ? 'NULL' : 'NOT NULL'
      const page = `WHERE resolved_at IS ${isDone} AND id > $1 ORDER BY id LIMIT $2`
      return REPORTS.select(query, page, after, limit)
    }),
  resolve: (id, at) => {
    const sql = 'UPDATE reports SET resolved_at = $1 WHERE id = $2 AND resolved_at IS NULL'
    return didWrite(session, sql, at.toISOString(), id)
  },
})

export interface ActTable {
  /** Also forgets those beyond the newest `MAX_ACTS`. */
  add(act: Act): Promise<void>
  /** Newest first. @param of those of one kind, or before the act with this id */
  list(
    limit: number,
    of?: { readonly act?: Act['act']; readonly before?: string | undefined },
  ): Promise<Act[]>
}

const MAX_ACTS = 10_000
const PRUNE = `
  DELETE FROM acts WHERE id <= (SELECT id FROM acts ORDER BY id DESC LIMIT 1 OFFSET ${MAX_ACTS})`

const ACTS = new Table<Act>('acts', { id: true, at: true, who: true, act: true, about: true })

export const createActTable = (session: Session): ActTable => ({
  add: act =>
    session.run(async query => {
      await ACTS.insert(query, act)
      await query(PRUNE)
    }),
  list: (limit, { act, before } = {}) =>
    session.read(query => {
      const of = act === undefined ? '' : 'AND act = $3'
      const page = `WHERE id < $2 ${of} ORDER BY id DESC LIMIT $1`
      // An id begins with its time, so that this is above all of them.
      return ACTS.select(query, page, limit, before ?? 'act_z', ...(act === undefined ? [] : [act]))
    }),
})
