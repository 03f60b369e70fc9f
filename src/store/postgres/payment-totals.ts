// What the payments to each service add up to, kept beside them so that a sum is never computed over all of them.
import { addDecimals, subtractDecimals } from '../../domain/decimal-sum.ts'
import type { Payment, PaymentTotals } from '../payments.ts'
import type { Query } from './link.ts'

const NO_TOTALS: PaymentTotals = Object.freeze({
  txCount: 0,
  totalRevenue: '0',
  payers: 0,
  lastPaymentAt: null,
})

type ByService = ReadonlyMap<string, readonly Payment[]>

/** One for every service that is asked for, also where nobody has paid yet. */
export async function findTotals(
  query: Query,
  serviceIds: readonly string[],
): Promise<Map<string, PaymentTotals>> {
  const found = new Map(serviceIds.map(id => [id, NO_TOTALS]))
  const rows = await query(
    `SELECT service_id, tx_count, total_revenue, payers, last_payment_at FROM payment_totals
     WHERE service_id IN (SELECT * FROM json_array_elements_text($1::text::json))`,
    [JSON.stringify(serviceIds)],
  )
  for (const row of rows) {
    const [id, txCount, totalRevenue, payers, lastPaymentAt] = row as [
      string,
      number,
      string,
      number,
      string | null,
    ]
    found.set(id, { txCount, totalRevenue, payers, lastPaymentAt })
  }
  return found
}

/** What was paid to it so far is nobody's from now on. */
export async function forgetPayments(query: Query, serviceId: string): Promise<void> {
  await Promise.all([
    query('UPDATE payments SET service_id = NULL WHERE service_id = $1', [serviceId]),
    query('DELETE FROM payment_totals WHERE service_id = $1', [serviceId]),
  ])
}

/** @param knownPayers "<service> <payer>" of those who had paid before */
export async function addToTotals(
  query: Query,
  added: ByService,
  knownPayers: ReadonlySet<string>,
): Promise<void> {
  const totals = await findTotals(query, [...added.keys()])
  for (const [serviceId, payments] of added) {
    const { txCount, totalRevenue, payers, lastPaymentAt } = totals.get(serviceId)!
    const newPayers = new Set(
      payments.map(({ payer }) => payer).filter(payer => !knownPayers.has(`${serviceId} ${payer}`)),
    )
    const times = payments.map(({ at }) => at)
    totals.set(serviceId, {
      txCount: txCount + payments.length,
      totalRevenue: payments.reduce((sum, { amount }) => addDecimals(sum, amount), totalRevenue),
      payers: payers + newPayers.size,
      lastPaymentAt: (lastPaymentAt === null ? times : [...times, lastPaymentAt]).toSorted().at(-1)!,
    })
  }
  await saveTotals(query, totals)
}

/** After the payments are gone from their table. */
export async function subtractFromTotals(query: Query, undone: ByService): Promise<void> {
  const ids = [...undone.keys()]
  const [totals, left] = await Promise.all([
    findTotals(query, ids),
    query(
      `SELECT service_id, count(DISTINCT payer), max(at) FROM payments
       WHERE service_id IN (SELECT * FROM json_array_elements_text($1::text::json)) GROUP BY service_id`,
      [JSON.stringify(ids)],
    ),
  ])
  const leftOf = new Map(left.map(([id, payers, last]) => [id, { payers, last }]))
  for (const [serviceId, payments] of undone) {
    const { txCount, totalRevenue } = totals.get(serviceId)!
    const rest = leftOf.get(serviceId)
    totals.set(serviceId, {
      txCount: txCount - payments.length,
      totalRevenue: payments.reduce((sum, { amount }) => subtractDecimals(sum, amount), totalRevenue),
      payers: (rest?.payers as number | undefined) ?? 0,
      lastPaymentAt: (rest?.last as string | undefined) ?? null,
    })
  }
  await saveTotals(query, totals)
}

async function saveTotals(query: Query, totals: ReadonlyMap<string, PaymentTotals>): Promise<void> {
  const rows = [...totals].map(([id, total]) => ({ id, ...total }))
  await query(
    `INSERT INTO payment_totals (service_id, tx_count, total_revenue, payers, last_payment_at)
       SELECT id, "txCount", "totalRevenue", payers, "lastPaymentAt" FROM json_to_recordset($1::text::json)
         AS row (id text, "txCount" bigint, "totalRevenue" text, payers bigint, "lastPaymentAt" text)
     ON CONFLICT (service_id) DO UPDATE SET tx_count = excluded.tx_count,
       total_revenue = excluded.total_revenue, payers = excluded.payers, last_payment_at = excluded.last_payment_at`,
    [JSON.stringify(rows)],
  )
}
