import { FROM_WALLETS, REPORT_COLUMNS, type ReportTable, toReport, toReportRow } from '../reports.ts'
import type { PostgresSession } from './session.ts'

export function createReportTable(session: PostgresSession): ReportTable {
  const columns = REPORT_COLUMNS.join(', ')
  return {
    // Under the write lock: two concurrent calls must not both find none.
    add: (report, max) =>
      session.write([`reports about ${report.serviceId}`], async ({ query }) => {
        const open = 'FROM reports WHERE service_id = $1 AND resolved_at IS NULL'
        const [[existing], [count]] = await Promise.all([
          query(`SELECT ${columns} ${open} AND reporter = $2`, [report.serviceId, report.reporter]),
          query(`SELECT count(*) ${open} AND report_kind = $2 AND ${FROM_WALLETS}`, [
            report.serviceId,
            report.kind,
          ]),
        ])
        if (existing) return toReport(existing)
        if (Number(count![0]) >= max) return undefined
        const places = REPORT_COLUMNS.map((_, index) => `$${index + 1}`).join(', ')
        await query(`INSERT INTO reports (${columns}) VALUES (${places})`, toReportRow(report))
        return report
      }),
    list: ({ state, limit, after = '' }) =>
      session.run(async query => {
        const isDone = state === 'open' ? 'NULL' : 'NOT NULL'
        const rows = await query(
          `SELECT ${columns} FROM reports WHERE resolved_at IS ${isDone} AND id > $1 ORDER BY id LIMIT $2`,
          [after, limit],
        )
        return rows.map(toReport)
      }),
    resolve: (id, at) =>
      session.run(async query => {
        const text = 'UPDATE reports SET resolved_at = $1 WHERE id = $2 AND resolved_at IS NULL'
        return (await query(text, [at.toISOString(), id])).count > 0
      }),
  }
}
