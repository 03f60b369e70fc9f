import { findExceededCap } from '../../domain/purchases/caps.ts'
import { toPurchasePlaces } from '../../domain/purchases/purchase-places.ts'
import { toFigures } from '../../domain/purchases/purchases.ts'
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
import type { Row } from '../rows.ts'
import { rowsOf, type SqliteSession } from './session.ts'

const toStoredPurchase = (row: Row) => toPurchase(row, value => JSON.parse(value as string))

export function createPurchaseTable(session: SqliteSession) {
  const columns = PURCHASE_COLUMNS.join(', ')
  const insert = session.prepare(
    `INSERT INTO purchases (${INSERT_COLUMNS.join(', ')}) VALUES (${INSERT_COLUMNS.map(() => '?').join(', ')})`,
  )
  const byPurpose = session.prepare(
    `SELECT ${columns} FROM purchases WHERE purpose = ? AND state <> 'released'`,
  )
  const sums = session.prepare(
    `SELECT coalesce(sum(micro_usd), 0),
       coalesce(sum(CASE WHEN host = ?2 THEN micro_usd END), 0),
       coalesce(sum(CASE WHEN service_id = ?3 THEN micro_usd END), 0),
       coalesce(sum(CASE WHEN payee = ?4 THEN micro_usd END), 0)
     FROM purchases WHERE at > ?1 AND state <> 'released'`,
  )
  const sign = session.prepare(
    `UPDATE purchases SET state = 'signed', nonce = ?2, valid_before = ?3 WHERE id = ?1 AND state = 'reserved'
       AND NOT EXISTS (SELECT 1 FROM purchases WHERE at > ?4 AND nonce = ?2)`,
  )
  const conclude = session.prepare(
    `UPDATE purchases SET state = ?2, charged = ?3, tx_hash = ?4, outcome = ?5, detail = ?6
     WHERE id = ?1 AND state IN ('reserved', 'signed')`,
  )
  const find = session.prepare(`SELECT ${columns} FROM purchases WHERE id = ?`)
  const open = session.prepare(
    `SELECT ${columns} FROM purchases WHERE state IN ('reserved', 'signed') AND id > ? ORDER BY id LIMIT ?`,
  )
  const list = session.prepare(`SELECT ${columns} FROM purchases WHERE id < ? ORDER BY id DESC LIMIT ?`)
  const listOf = session.prepare(
    `SELECT ${columns} FROM purchases WHERE service_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  )
  const judgedAt = session.prepare(
    `SELECT ${columns} FROM purchases
     WHERE payee = ?1 AND id < ?3 AND ${IS_JUDGED}
       AND (place IN (SELECT value FROM json_each(?2)) OR listed_place IN (SELECT value FROM json_each(?2)))
     ORDER BY id DESC LIMIT ?4`,
  )
  const spent = session.prepare(
    "SELECT coalesce(sum(micro_usd), 0), count(*) FROM purchases WHERE at > ? AND state <> 'released'",
  )
  const [sumsSince, outcomesSince] = toFiguresSql(n => `?${n}`).map(sql => session.prepare(sql))
  const last = session.prepare(
    `SELECT max(at) FROM purchases WHERE payee = ?1 AND state <> 'released'
       AND (place IN (SELECT value FROM json_each(?2)) OR listed_place IN (SELECT value FROM json_each(?2)))`,
  )
  const evidenceNow = ({ serviceId, payee, places, limit, before = '~' }: EvidenceQuery) =>
    mergeNewest(
      rowsOf(listOf, serviceId, before, limit).map(toStoredPurchase),
      rowsOf(judgedAt, payee, JSON.stringify(places), before, limit).map(toStoredPurchase),
      limit,
    )
  const table: PurchaseTable = {
    reserve: (purchase, caps) =>
      session.write(() => {
        const [other] = rowsOf(byPurpose, purchase.purpose)
        if (other) return { kind: 'purpose', id: other[0] as string } as const
        const { at, host, serviceId, microUsd } = purchase
        const { payee } = toPurchasePlaces(purchase)
        const [row] = rowsOf(sums, windowStart(at), host, serviceId, payee)
        const passed = findExceededCap(microUsd, toSpent(row as readonly number[]), caps)
        if (passed) return { kind: 'cap', ...passed } as const
        insert.run(...toPurchaseRow(purchase))
        return undefined
      }),
    sign: (id, nonce, validBefore) =>
      session.write(() => sign.run(id, nonce, validBefore, nonceStart(validBefore)).changes > 0),
    conclude: (id, { state, charged, transaction, outcome, detail }) =>
      session.write(
        () => conclude.run(id, state, charged, transaction, outcome, JSON.stringify(detail)).changes > 0,
      ),
    find: id => session.read(() => rowsOf(find, id).map(toStoredPurchase)[0]),
    findForPurpose: purpose => session.read(() => rowsOf(byPurpose, purpose).map(toStoredPurchase)[0]),
    open: (limit, after = '') => session.read(() => rowsOf(open, after, limit).map(toStoredPurchase)),
    list: ({ serviceId, limit, before = '~' }) =>
      session.read(() =>
        (serviceId === undefined
          ? rowsOf(list, before, limit)
          : rowsOf(listOf, serviceId, before, limit)
        ).map(toStoredPurchase),
      ),
    evidence: query => session.read(() => evidenceNow(query)),
    spent: since =>
      session.read(() => {
        const [microUsd, count] = rowsOf(spent, since.toISOString())[0] as readonly number[]
        return { microUsd: microUsd!, count: count! }
      }),
    figures: since =>
      session.read(() => {
        const from = since.toISOString()
        const [microUsd, openCount] = rowsOf(sumsSince!, from)[0] as readonly number[]
        const counted = rowsOf(outcomesSince!, from).map(
          ([name, count]) => [name as string, count as number] as const,
        )
        return toFigures(microUsd!, openCount!, counted)
      }),
    lastPaidAt: sources =>
      session.read(
        () =>
          new Map(
            sources.flatMap(({ serviceId, payee, places }) => {
              const at = rowsOf(last, payee, JSON.stringify(places))[0]?.[0] as string | null
              return at === null ? [] : [[serviceId, at] as const]
            }),
          ),
      ),
  }
  /** `evidenceNow` runs inside the caller's transaction. */
  return { table, evidenceNow }
}
