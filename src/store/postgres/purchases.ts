import { findExceededCap } from '../../domain/purchases/caps.ts'
import { toPurchasePlaces } from '../../domain/purchases/purchase-places.ts'
import { type Purchase, toFigures } from '../../domain/purchases/purchases.ts'
import {
  type EvidenceQuery,
  INSERT_COLUMNS,
  IS_JUDGED,
  mergeNewest,
  nonceStart,
  PURCHASE_COLUMNS,
  type PurchaseTable,
  toFiguresSql,
  toPurchase,
  toPurchaseRow,
  toSpent,
  windowStart,
} from '../purchases.ts'
import type { Query } from './link.ts'
import type { PostgresSession } from './session.ts'

const COLUMNS = PURCHASE_COLUMNS.join(', ')
const PLACES = INSERT_COLUMNS.map((name, i) => (name === 'detail' ? `$${i + 1}::text::json` : `$${i + 1}`))
const INSERT = `INSERT INTO purchases (${INSERT_COLUMNS.join(', ')}) VALUES (${PLACES.join(', ')})`
const SUMS = `
  SELECT coalesce(sum(micro_usd), 0)::bigint,
    coalesce(sum(CASE WHEN host = $2 THEN micro_usd END), 0)::bigint,
    coalesce(sum(CASE WHEN service_id = $3::text THEN micro_usd END), 0)::bigint,
    coalesce(sum(CASE WHEN payee = $4 THEN micro_usd END), 0)::bigint
  FROM purchases WHERE at > $1 AND state <> 'released'`
const FIGURES = toFiguresSql(n => `$${n}`)
/** What every write touches: reserving sums over all purchases. */
const LEDGER = ['purchases']

const toStoredPurchase = (row: readonly unknown[]) => toPurchase(row, value => value)

const FOR_PURPOSE = `SELECT ${COLUMNS} FROM purchases WHERE purpose = $1 AND state <> 'released'`
const OF_SERVICE = `
  SELECT ${COLUMNS} FROM purchases WHERE service_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`
const JUDGED_AT = `
  SELECT ${COLUMNS} FROM purchases
  WHERE payee = $1 AND id < $3 AND ${IS_JUDGED}
    AND (place IN (SELECT json_array_elements_text($2::text::json))
      OR listed_place IN (SELECT json_array_elements_text($2::text::json)))
  ORDER BY id DESC LIMIT $4`

const LAST_OF = `
  SELECT source."serviceId", max(at)
  FROM json_to_recordset($1::text::json) AS source ("serviceId" text, payee text, places json)
  JOIN purchases ON purchases.payee = source.payee AND state <> 'released'
    AND (place IN (SELECT json_array_elements_text(source.places))
      OR listed_place IN (SELECT json_array_elements_text(source.places)))
  GROUP BY 1`

/** May run inside the caller's transaction. */
export async function findEvidence(
  query: Query,
  { serviceId, payee, places, limit, before = '~' }: EvidenceQuery,
): Promise<Purchase[]> {
  const [own, judged] = await Promise.all([
    query(OF_SERVICE, [serviceId, before, limit]),
    query(JUDGED_AT, [payee, JSON.stringify(places), before, limit]),
  ])
  return mergeNewest(own.map(toStoredPurchase), judged.map(toStoredPurchase), limit)
}

export const createPurchaseTable = (session: PostgresSession): PurchaseTable => ({
  // Under the write lock: two concurrent reservations must not both use the rest of a cap.
  reserve: (purchase, caps) =>
    session.write(LEDGER, async ({ query }) => {
      const { at, host, serviceId, microUsd, purpose } = purchase
      const [[other], [sums]] = await Promise.all([
        query(FOR_PURPOSE, [purpose]),
        query(SUMS, [windowStart(at), host, serviceId, toPurchasePlaces(purchase).payee]),
      ])
      if (other) return { kind: 'purpose', id: other[0] as string } as const
      const passed = findExceededCap(microUsd, toSpent(sums!.map(Number)), caps)
      if (passed) return { kind: 'cap', ...passed } as const
      await query(INSERT, toPurchaseRow(purchase))
      return undefined
    }),
  sign: (id, nonce, validBefore) =>
    session.write(LEDGER, async ({ query }) => {
      const text = `
        UPDATE purchases SET state = 'signed', nonce = $2, valid_before = $3 WHERE id = $1 AND state = 'reserved'
          AND NOT EXISTS (SELECT 1 FROM purchases WHERE at > $4 AND nonce = $2)`
      return (await query(text, [id, nonce, validBefore, nonceStart(validBefore)])).count > 0
    }),
  conclude: (id, { state, charged, transaction, outcome, detail }) =>
    session.write(LEDGER, async ({ query }) => {
      const text = `
        UPDATE purchases SET state = $2, charged = $3, tx_hash = $4, outcome = $5, detail = $6::text::json
        WHERE id = $1 AND state IN ('reserved', 'signed')`
      const values = [id, state, charged, transaction, outcome, JSON.stringify(detail)]
      return (await query(text, values)).count > 0
    }),
  find: id =>
    session.run(async query => {
      const [row] = await query(`SELECT ${COLUMNS} FROM purchases WHERE id = $1`, [id])
      return row && toStoredPurchase(row)
    }),
  findForPurpose: purpose =>
    session.run(async query => {
      const [row] = await query(FOR_PURPOSE, [purpose])
      return row && toStoredPurchase(row)
    }),
  open: (limit, after = '') =>
    session.run(async query => {
      const text = `
        SELECT ${COLUMNS} FROM purchases WHERE state IN ('reserved', 'signed') AND id > $1 ORDER BY id LIMIT $2`
      return (await query(text, [after, limit])).map(toStoredPurchase)
    }),
  list: ({ serviceId, limit, before = '~' }) =>
    session.run(async query => {
      const of = serviceId === undefined ? '' : 'service_id = $3 AND '
      const rows = await query(
        `SELECT ${COLUMNS} FROM purchases WHERE ${of}id < $1 ORDER BY id DESC LIMIT $2`,
        serviceId === undefined ? [before, limit] : [before, limit, serviceId],
      )
      return rows.map(toStoredPurchase)
    }),
  evidence: query => session.run(run => findEvidence(run, query)),
  spent: since =>
    session.run(async query => {
      const [row] = await query(
        "SELECT coalesce(sum(micro_usd), 0)::bigint, count(*) FROM purchases WHERE at > $1 AND state <> 'released'",
        [since.toISOString()],
      )
      return { microUsd: Number(row![0]), count: Number(row![1]) }
    }),
  figures: since =>
    session.run(async query => {
      const [sums, outcomes] = await Promise.all(FIGURES.map(sql => query(sql, [since.toISOString()])))
      const [microUsd, open] = sums![0]!.map(Number)
      return toFigures(
        microUsd!,
        open!,
        outcomes!.map(([name, count]) => [name as string, Number(count)] as const),
      )
    }),
  lastPaidAt: sources =>
    session.run(async query => {
      const rows = await query(LAST_OF, [JSON.stringify(sources)])
      return new Map(rows.map(([id, at]) => [id as string, at as string]))
    }),
})
