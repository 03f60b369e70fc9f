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
import type { UpdateNow } from './payments.ts'
import type { PostgresSession } from './session.ts'

const COLUMNS = OUTCOME_COLUMNS.join(', ')
const PLACES = OUTCOME_COLUMNS.map((name, i) => (name === 'detail' ? `$${i + 1}::text::json` : `$${i + 1}`))
const place = (n: number) => `$${n}`

const toReport = (row: readonly unknown[]) => toOutcomeReport(row, value => value)

export const createOutcomeTable = (session: PostgresSession, updateNow: UpdateNow): OutcomeTable => ({
  // Under the write lock: two concurrent calls must not both find none.
  add: (report, event, forgetBefore) =>
    session.write([report.serviceId, `outcome of ${report.payment}`], async transaction => {
      const { query } = transaction
      const [existing] = await query(`SELECT ${COLUMNS} FROM outcomes WHERE payment = $1`, [report.payment])
      if (existing) return toReport(existing)
      await query(`INSERT INTO outcomes (${COLUMNS}) VALUES (${PLACES.join(', ')})`, toOutcomeRow(report))
      await query(toForgetSql(place), [
        report.serviceId,
        report.proof,
        forgetBefore.toISOString(),
        MAX_REPORTS,
      ])
      await updateNow(transaction, [report.serviceId], entry => ({ entry, events: [event] }))
      return report
    }),
  list: ({ serviceId, limit, before = '~', since = '' }) =>
    session.run(async query => {
      const text = `
        SELECT ${COLUMNS} FROM outcomes WHERE service_id = $1 AND id < $2 AND at >= $3 ORDER BY id DESC LIMIT $4`
      return (await query(text, [serviceId, before, since, limit])).map(toReport)
    }),
  sums: (serviceId, since = '') =>
    session.run(async query => toSums(await query(toSumsSql(place), [serviceId, since]))),
})
