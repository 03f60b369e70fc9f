// Gives purchases their places and payees, by which a seller is known whatever it is listed as.
import type { Database } from 'bun:sqlite'
import { PURCHASE_COLUMNS, toPresentPlaces, toPurchase } from '../purchases.ts'
import type { Row } from '../rows.ts'

// An older version would reserve without them: this makes it fail instead.
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
      fill.run(purchase.id, ...toPresentPlaces(purchase))
      after = purchase.id
    }
    if (rows.length < PAGE) return
  }
}
