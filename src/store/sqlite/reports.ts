import { FROM_WALLETS, REPORT_COLUMNS, type ReportTable, toReport, toReportRow } from '../reports.ts'
import { rowsOf, type SqliteSession } from './session.ts'

export function createReportTable(session: SqliteSession): ReportTable {
  const columns = REPORT_COLUMNS.join(', ')
  const insert = session.prepare(
    `INSERT INTO reports (${columns}) VALUES (${REPORT_COLUMNS.map(() => '?').join(', ')})`,
  )
  const own = session.prepare(
    `SELECT ${columns} FROM reports WHERE service_id = ? AND reporter = ? AND resolved_at IS NULL`,
  )
  const count = session.prepare(
    `SELECT count(*) FROM reports WHERE service_id = ? AND report_kind = ? AND resolved_at IS NULL AND ${FROM_WALLETS}`,
  )
  const page = (state: string) =>
    session.prepare(
      `SELECT ${columns} FROM reports WHERE resolved_at IS ${state} AND id > ? ORDER BY id LIMIT ?`,
    )
  const pages = { open: page('NULL'), resolved: page('NOT NULL') }
  const resolve = session.prepare('UPDATE reports SET resolved_at = ? WHERE id = ? AND resolved_at IS NULL')
  return {
    add: (report, max) =>
      session.write(() => {
        const [existing] = rowsOf(own, report.serviceId, report.reporter)
        if (existing) return toReport(existing)
        if ((rowsOf(count, report.serviceId, report.kind)[0]![0] as number) >= max) return undefined
        insert.run(...toReportRow(report))
        return report
      }),
    list: ({ state, limit, after = '' }) =>
      session.read(() => rowsOf(pages[state], after, limit).map(toReport)),
    resolve: (id, at) => session.write(() => resolve.run(at.toISOString(), id).changes > 0),
  }
}
