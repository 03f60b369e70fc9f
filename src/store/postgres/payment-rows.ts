// The table of settlements.
import { isOwnPayment } from '../../domain/own-payment.ts'
import {
  SETTLEMENT_COLUMNS as COLUMNS,
  type PaymentPlace,
  type SettlementRecord,
  toSettlementRecord,
} from '../payments.ts'
import type { Query } from './link.ts'
import { findServices } from './services.ts'

/** How many payments one transaction credits anew, under the lock of all writers. */
export const CREDITED_AT_ONCE = 500

/** Keeps what is not kept yet, and returns that. */
export async function insertPayments(
  query: Query,
  payments: readonly SettlementRecord[],
): Promise<SettlementRecord[]> {
  if (payments.length === 0) return []
  const rows = await query(
    `INSERT INTO payments (${COLUMNS})
       SELECT chain, transaction, "logIndex", block, at, asset, payer, payee, amount, method, "serviceId"
       FROM json_to_recordset($1::text::json) AS row (chain text, transaction text, "logIndex" bigint,
         block bigint, at text, asset text, payer text, payee text, amount text, method text, "serviceId" text)
     ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    [JSON.stringify(payments)],
  )
  return rows.map(toSettlementRecord)
}

/** A service may have moved since they were read: then they are nobody's. */
export async function withOwners(
  query: Query,
  payments: readonly SettlementRecord[],
  now: Date,
): Promise<SettlementRecord[]> {
  const ids = new Set(payments.flatMap(({ serviceId }) => serviceId ?? []))
  const entries = new Map((await findServices(query, [...ids])).map(({ entry }) => [entry.id, entry]))
  return payments.map(payment => {
    const entry = payment.serviceId === null ? undefined : entries.get(payment.serviceId)
    return entry && !isOwnPayment(entry, payment, now) ? { ...payment, serviceId: null } : payment
  })
}

export async function takeAfter(query: Query, chain: string, block: number): Promise<SettlementRecord[]> {
  const text = `DELETE FROM payments WHERE chain = $1 AND block > $2 RETURNING ${COLUMNS}`
  return (await query(text, [chain, block])).map(toSettlementRecord)
}

export async function findPage(
  query: Query,
  chain: string,
  payee: string,
  { block, logIndex, transaction }: PaymentPlace,
): Promise<SettlementRecord[]> {
  const text = `SELECT ${COLUMNS} FROM payments
    WHERE chain = $1 AND payee = $2 AND (block, log_index, tx_hash) > ($3::bigint, $4::bigint, $5)
    ORDER BY block, log_index, tx_hash LIMIT ${CREDITED_AT_ONCE}`
  return (await query(text, [chain, payee, block, logIndex, transaction])).map(toSettlementRecord)
}

export async function setServices(query: Query, payments: readonly SettlementRecord[]): Promise<void> {
  if (payments.length === 0) return
  await query(
    `UPDATE payments SET service_id = "serviceId"
       FROM json_to_recordset($1::text::json) AS row (chain text, transaction text, "logIndex" bigint, "serviceId" text)
       WHERE payments.chain = row.chain AND tx_hash = transaction AND log_index = "logIndex"`,
    [JSON.stringify(payments)],
  )
}

export async function findReceived(
  query: Query,
  chain: string,
  payee: string,
  limit: number,
): Promise<SettlementRecord[]> {
  const text = `SELECT ${COLUMNS} FROM payments
    WHERE chain = $1 AND payee = $2 ORDER BY block DESC, log_index DESC LIMIT $3`
  return (await query(text, [chain, payee, limit])).map(toSettlementRecord)
}

/** Whoever was credited at addresses that nobody lists any more is gone, or has moved and lost it before. */
export async function dropReceived(query: Query, chain: string, payees: readonly string[]): Promise<void> {
  if (payees.length === 0) return
  const among = `chain = $1 AND payee IN (SELECT * FROM json_array_elements_text($2::text::json))`
  const values = [chain, JSON.stringify(payees)]
  for (const table of ['payment_totals', 'payment_payers'])
    await query(
      `DELETE FROM ${table} WHERE service_id IN (SELECT service_id FROM payments WHERE ${among} AND service_id IS NOT NULL)`,
      values,
    )
  await query(`DELETE FROM payments WHERE ${among}`, values)
}
