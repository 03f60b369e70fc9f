// Sums of payments by service and by payer.
import {
  affectedPayers,
  affectedServices,
  applyDifference,
  type Difference,
  type PayerSum,
  payerKey,
  type Sums,
} from '../payment-sums.ts'
import { NO_TOTALS, type PaymentTotals } from '../payments.ts'
import type { Query } from './link.ts'

/** Totals for every given id, also for services without payments. */
export async function findTotals(
  query: Query,
  serviceIds: readonly string[],
): Promise<Map<string, PaymentTotals>> {
  const totals = new Map(serviceIds.map(id => [id, NO_TOTALS]))
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
    totals.set(id, { txCount, totalRevenue, payers, lastPaymentAt })
  }
  return totals
}

/** Detaches all earlier payments from the service. */
export async function forgetPayments(query: Query, serviceId: string): Promise<void> {
  await Promise.all([
    query('UPDATE payments SET service_id = NULL WHERE service_id = $1', [serviceId]),
    query('DELETE FROM payment_totals WHERE service_id = $1', [serviceId]),
    query('DELETE FROM payment_payers WHERE service_id = $1', [serviceId]),
  ])
}

/** To be called after the payments themselves are written. */
export async function applyToSums(query: Query, difference: Difference): Promise<void> {
  const services = affectedServices(difference)
  if (services.length === 0) return
  const [totals, payers, lastLeft] = await Promise.all([
    findTotals(query, services),
    findPayers(query, difference),
    findLastLeft(query, difference),
  ])
  await save(query, applyDifference({ totals, payers }, difference, lastLeft))
}

async function findPayers(query: Query, difference: Difference): Promise<Map<string, PayerSum>> {
  const rows = await query(
    `SELECT service_id, payer, tx_count, amount FROM payment_payers WHERE (service_id, payer) IN
       (SELECT "serviceId", payer FROM json_to_recordset($1::text::json) AS row ("serviceId" text, payer text))`,
    [JSON.stringify(affectedPayers(difference))],
  )
  return new Map(
    rows.map(row => {
      const [serviceId, payer, txCount, amount] = row as [string, string, number, string]
      const sum = { serviceId, payer, txCount, amount }
      return [payerKey(sum), sum]
    }),
  )
}

async function findLastLeft(query: Query, { removed }: Difference): Promise<Map<string, string>> {
  if (removed.length === 0) return new Map()
  const rows = await query(
    `SELECT service_id, max(at) FROM payments
     WHERE service_id IN (SELECT * FROM json_array_elements_text($1::text::json)) GROUP BY service_id`,
    [JSON.stringify([...new Set(removed.map(({ serviceId }) => serviceId))])],
  )
  return new Map(rows.map(row => row as unknown as [string, string]))
}

async function save(query: Query, { totals, payers }: Sums): Promise<void> {
  const rows = [...totals].map(([id, total]) => ({ id, ...total }))
  const sums = [...payers.values()]
  const gone = sums.filter(({ txCount }) => txCount === 0)
  await Promise.all([
    query(
      `INSERT INTO payment_totals (service_id, tx_count, total_revenue, payers, last_payment_at)
         SELECT id, "txCount", "totalRevenue", payers, "lastPaymentAt" FROM json_to_recordset($1::text::json)
           AS row (id text, "txCount" bigint, "totalRevenue" text, payers bigint, "lastPaymentAt" text)
       ON CONFLICT (service_id) DO UPDATE SET tx_count = excluded.tx_count,
         total_revenue = excluded.total_revenue, payers = excluded.payers, last_payment_at = excluded.last_payment_at`,
      [JSON.stringify(rows)],
    ),
    query(
      `INSERT INTO payment_payers (service_id, payer, tx_count, amount)
         SELECT "serviceId", payer, "txCount", amount FROM json_to_recordset($1::text::json)
           AS row ("serviceId" text, payer text, "txCount" bigint, amount text)
       ON CONFLICT (service_id, payer) DO UPDATE SET tx_count = excluded.tx_count, amount = excluded.amount`,
      [JSON.stringify(sums.filter(({ txCount }) => txCount > 0))],
    ),
    gone.length > 0 &&
      query(
        `DELETE FROM payment_payers WHERE (service_id, payer) IN
           (SELECT "serviceId", payer FROM json_to_recordset($1::text::json) AS row ("serviceId" text, payer text))`,
        [JSON.stringify(gone)],
      ),
  ])
}
