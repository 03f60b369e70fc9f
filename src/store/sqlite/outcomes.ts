import {
  MAX_REPORTS,
  OUTCOME_COLUMNS,
  type OutcomeTable,
  toForgetSql,
  toOutcomeReport,
  toOutcomeRow,
  toSums,
  toSumsSql,
} from '../outcomes.ts'
import type { Row } from '../rows.ts'
import type { UpdateNow } from './payments.ts'
import { rowsOf, type SqliteSession } from './session.ts'

const toReport = (row: Row) => toOutcomeReport(row, value => JSON.parse(value as string))

export function createOutcomeTable(session: SqliteSession, updateNow: UpdateNow): OutcomeTable {
  const columns = OUTCOME_COLUMNS.join(', ')
  const insert = session.prepare(
    `INSERT INTO outcomes (${columns}) VALUES (${OUTCOME_COLUMNS.map(() => '?').join(', ')})`,
  )
  const ofPayment = session.prepare(`SELECT ${columns} FROM outcomes WHERE payment = ?`)
  const forget = session.prepare(toForgetSql(n => `?${n}`))
  const list = session.prepare(
    `SELECT ${columns} FROM outcomes WHERE service_id = ? AND id < ? AND at >= ? ORDER BY id DESC LIMIT ?`,
  )
  const sums = session.prepare(toSumsSql(n => `?${n}`))
  return {
    add: (report, event, forgetBefore) =>
      session.write(() => {
        const [existing] = rowsOf(ofPayment, report.payment)
        if (existing) return toReport(existing)
        insert.run(...toOutcomeRow(report))
        forget.run(report.serviceId, report.proof, forgetBefore.toISOString(), MAX_REPORTS)
        updateNow([report.serviceId], entry => ({ entry, events: [event] }))
        return report
      }),
    list: ({ serviceId, limit, before = '~', since = '' }) =>
      session.read(() => rowsOf(list, serviceId, before, since, limit).map(toReport)),
    sums: (serviceId, since = '') => session.read(() => toSums(rowsOf(sums, serviceId, since))),
  }
}
