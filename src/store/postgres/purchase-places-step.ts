// Migration: fills places and payees of purchases, by which a seller is recognised under any listing.
import { PURCHASE_COLUMNS, toPurchase, toUpgradedPlaces } from '../purchases.ts'
import type { PostgresLink } from './link.ts'

const COLUMNS = `
  ALTER TABLE purchases ADD COLUMN payee text COLLATE "C";
  ALTER TABLE purchases ADD COLUMN place text COLLATE "C";
  ALTER TABLE purchases ADD COLUMN listed_place text COLLATE "C";
  CREATE INDEX purchases_by_payee ON purchases (payee, id);`
// Makes an older version fail instead of reserving without them.
const NEEDED = `
  ALTER TABLE purchases ALTER COLUMN payee SET NOT NULL;
  ALTER TABLE purchases ALTER COLUMN place SET NOT NULL;
  ALTER TABLE purchases ALTER COLUMN listed_place SET NOT NULL;`

const PAGE = 500

/** Inside a transaction. */
export async function addPurchasePlaces(link: PostgresLink): Promise<void> {
  await link.script(COLUMNS)
  for (let after = ''; ; ) {
    const rows = await link.query(
      `SELECT ${PURCHASE_COLUMNS.join(', ')} FROM purchases WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
      [after],
    )
    for (const row of rows) {
      const purchase = toPurchase(row, value => value)
      await link.query(
        'UPDATE purchases SET host = $2, payee = $3, place = $4, listed_place = $5 WHERE id = $1',
        [purchase.id, ...toUpgradedPlaces(purchase)],
      )
      after = purchase.id
    }
    if (rows.length < PAGE) break
  }
  await link.script(NEEDED)
}
