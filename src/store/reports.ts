// Reports about services, for operators; part of the Store interface.
import type { Report, ReportsQuery } from '../domain/reports.ts'
import { Columns } from './records.ts'
import type { Session } from './session.ts'

export interface ReportTable {
  /**
   * Stores a report, or resolves to the open report of the same reporter about the same service. Resolves to undefined and stores
   * nothing if wallets already have `max` open reports of its kind about the service.
   */
  add(report: Report, max: number): Promise<Report | undefined>
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

/** A wallet reporter is an account with its namespace (`eip155:0x…`); ids of keys contain no colon. */
const FROM_WALLETS = "reporter LIKE '%:%'"

export const createReportTable = (session: Session): ReportTable => ({
  // Under the write lock: two concurrent calls must not both find none.
  add: (report, max) =>
    session.write([`reports about ${report.serviceId}`], async ({ query }) => {
      const { serviceId, kind, reporter } = report
      const open = 'FROM reports WHERE service_id = $1 AND resolved_at IS NULL'
      const [[existing], [count]] = await Promise.all([
        query(`SELECT ${REPORT.names} ${open} AND reporter = $2`, [serviceId, reporter]),
        query<[number]>(`SELECT count(*) ${open} AND kind = $2 AND ${FROM_WALLETS}`, [serviceId, kind]),
      ])
      if (existing) return REPORT.read(existing)
      if (count![0] >= max) return undefined
      await query(`INSERT INTO reports (${REPORT.names}) VALUES (${REPORT.places})`, REPORT.values(report))
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
