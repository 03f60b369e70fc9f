// Sums of payments by service and by payer.
import {
  affectedPayers,
  affectedServices,
  applyDifference,
  type Difference,
  payerKey,
} from '../payment-sums.ts'
import { NO_TOTALS, type PaymentTotals } from '../payments.ts'
import { rowsOf, type SqliteSession } from './session.ts'

/** Its functions run inside the caller's transaction or read. */
export function createPaymentSums(session: SqliteSession) {
  const select = session.prepare(
    'SELECT tx_count, total_revenue, payers, last_payment_at FROM payment_totals WHERE service_id = ?',
  )
  const save = session.prepare(
    `INSERT OR REPLACE INTO payment_totals (service_id, tx_count, total_revenue, payers, last_payment_at)
     VALUES (?, ?, ?, ?, ?)`,
  )
  const selectPayer = session.prepare(
    'SELECT tx_count, amount FROM payment_payers WHERE service_id = ? AND payer = ?',
  )
  const savePayer = session.prepare(
    'INSERT OR REPLACE INTO payment_payers (service_id, payer, tx_count, amount) VALUES (?, ?, ?, ?)',
  )
  const dropPayer = session.prepare('DELETE FROM payment_payers WHERE service_id = ? AND payer = ?')
  const lastLeft = session.prepare('SELECT max(at) FROM payments WHERE service_id = ?')
  const drops = ['payment_totals', 'payment_payers'].map(table =>
    session.prepare(`DELETE FROM ${table} WHERE service_id = ?`),
  )

  const find = (serviceId: string): PaymentTotals => {
    const [row] = rowsOf(select, serviceId)
    if (!row) return NO_TOTALS
    const [txCount, totalRevenue, payers, lastPaymentAt] = row as [number, string, number, string | null]
    return { txCount, totalRevenue, payers, lastPaymentAt }
  }
  return {
    find,
    drop(serviceId: string): void {
      for (const statement of drops) statement.run(serviceId)
    },
    /** To be called after the payments themselves are written. */
    apply(difference: Difference): void {
      const payers = affectedPayers(difference).flatMap(({ serviceId, payer }) =>
        rowsOf(selectPayer, serviceId, payer).map(row => {
          const [txCount, amount] = row as [number, string]
          return { serviceId, payer, txCount, amount }
        }),
      )
      const losers = new Set(difference.removed.map(({ serviceId }) => serviceId))
      const next = applyDifference(
        {
          totals: new Map(affectedServices(difference).map(id => [id, find(id)])),
          payers: new Map(payers.map(sum => [payerKey(sum), sum])),
        },
        difference,
        new Map(
          [...losers].flatMap(id => {
            const at = rowsOf(lastLeft, id)[0]?.[0] as string | null
            return at === null ? [] : [[id, at] as const]
          }),
        ),
      )
      for (const [id, { txCount, totalRevenue, payers: count, lastPaymentAt }] of next.totals)
        save.run(id, txCount, totalRevenue, count, lastPaymentAt)
      for (const { serviceId, payer, txCount, amount } of next.payers.values())
        if (txCount > 0) savePayer.run(serviceId, payer, txCount, amount)
        else dropPayer.run(serviceId, payer)
    },
  }
}
