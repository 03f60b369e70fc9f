// Migration: fills places and payees of purchases, by which a seller is recognised under any listing.
import type { Database } from 'bun:sqlite'
import { PURCHASE_COLUMNS, toPurchase, toUpgradedPlaces } from '../purchases.ts'
import type { Row } from '../rows.ts'

// Makes an older version fail instead of reserving without them.
const COLUMNS = `
  ALTER TABLE purchases ADD COLUMN payee TEXT;
  ALTER TABLE purchases ADD COLUMN place TEXT;
  ALTER TABLE purchases ADD COLUMN listed_place TEXT;
  CREATE TRIGGER purchases_need_payee BEFORE INSERT ON purchases WHEN NEW.payee IS NULL
  BEGIN SELECT RAISE(ABORT, 'a purchase needs its payee'); END;
  CREATE INDEX purchases_by_payee ON purchases (payee, id);`

const PAGE = 500

/** Inside a transaction. */
export function addPurchasePlaces(db: Database): void {
  db.run(COLUMNS)
  using page = db.prepare(
    `SELECT ${PURCHASE_COLUMNS.join(', ')} FROM purchases WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
  )
  using fill = db.prepare(
    'UPDATE purchases SET host = ?2, payee = ?3, place = ?4, listed_place = ?5 WHERE id = ?1',
  )
  for (let after = ''; ; ) {
    const rows = page.values(after) as unknown as Row[]
    for (const row of rows) {
      const purchase = toPurchase(row, value => JSON.parse(value as string))
      fill.run(purchase.id, ...toUpgradedPlaces(purchase))
      after = purchase.id
    }
    if (rows.length < PAGE) return
  }
}
