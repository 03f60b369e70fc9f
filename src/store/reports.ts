// Reports about services, and the log of what operators do; part of the Store interface.
import type { Act, Report, ReportsQuery } from '../domain/operating.ts'
import { Columns, type Session } from './session.ts'

export interface ReportTable {
  /** Stores a report, or resolves to the open report of the same reporter about the same service. */
  add(report: Report): Promise<Report>
  /** Oldest first. */
  list(query: ReportsQuery): Promise<Report[]>
  /** Resolves to false if there is no such report or it is already resolved. */
  resolve(id: string, at: Date): Promise<boolean>
}

const REPORT = new Columns<Report>({
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
      const [existing] = await query(
        `SELECT ${REPORT.names} FROM reports WHERE service_id = $1 AND resolved_at IS NULL AND reporter = $2`,
        [serviceId, reporter],
      )
      if (existing) return REPORT.read(existing)
      await query(
        `INSERT INTO reports (${REPORT.names}) VALUES (${REPORT.placeholders})`,
        REPORT.values(report),
      )
      return report
    }),
  list: ({ state, limit, after = '' }) =>
    session.read(async query => {
      const isDone = state === 'open' ? 'NULL' : 'NOT NULL'
      const sql = `SELECT ${REPORT.names} FROM reports WHERE resolved_at IS ${isDone} AND id > $1 ORDER BY id LIMIT $2`
      return (await query(sql, [after, limit])).map(row => REPORT.read(row))
    }),
  resolve: (id, at) =>
    session.run(async query => {
      const sql = 'UPDATE reports SET resolved_at = $1 WHERE id = $2 AND resolved_at IS NULL'
      return (await query(sql, [at.toISOString(), id])).count > 0
    }),
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

const ACT = new Columns<Act>({ id: true, at: true, who: true, act: true, about: true })

export const createActTable = (session: Session): ActTable => ({
  add: act =>
    session.run(async query => {
      await query(`INSERT INTO acts (${ACT.names}) VALUES (${ACT.placeholders})`, ACT.values(act))
      await query(PRUNE)
    }),
  list: (limit, { act, before } = {}) =>
    session.read(async query => {
      const of = act === undefined ? '' : 'AND act = $3'
      const sql = `SELECT ${ACT.names} FROM acts WHERE id < $2 ${of} ORDER BY id DESC LIMIT $1`
      // An id begins with its time, so that this is above all of them.
      const page = [limit, before ?? 'act_z']
      return (await query(sql, act === undefined ? page : [...page, act])).map(row => ACT.read(row))
    }),
})
