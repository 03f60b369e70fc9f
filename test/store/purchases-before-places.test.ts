// Purchases in a database of a version that stored them by service, and by host with port.
import { expect, test } from 'bun:test'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { PURCHASE_COLUMNS, toPurchaseRow } from '../../src/store/purchases.ts'
import { createEarlierPostgres, createEarlierSqlite } from './earlier-database.ts'
import { purchase } from './purchases.ts'

/** So many steps had their databases at the most. */
const BEFORE = { sqlite: 28, postgres: 21 }
const detail = { ...purchase().detail, url: 'https://API.Weather.example:8443//v1/?q=1' }
const kept = purchase({
  host: 'api.weather.example:8443',
  state: 'settled',
  outcome: 'settled_silent',
  payTo: `0x${'Ab'.repeat(20)}`,
  detail,
})
const values = toPurchaseRow(kept).slice(0, PURCHASE_COLUMNS.length)

const writeSqlite = () =>
  createEarlierSqlite(BEFORE.sqlite, db => {
    const places = PURCHASE_COLUMNS.map(() => '?').join(', ')
    db.run(`INSERT INTO purchases (${PURCHASE_COLUMNS.join(', ')}) VALUES (${places})`, values)
  })

const writePostgres = () =>
  createEarlierPostgres(BEFORE.postgres, async link => {
    const places = PURCHASE_COLUMNS.map((name, i) =>
      name === 'detail' ? `$${i + 1}::text::json` : `$${i + 1}`,
    )
    await link.query(
      `INSERT INTO purchases (${PURCHASE_COLUMNS.join(', ')}) VALUES (${places.join(', ')})`,
      values,
    )
  })

const PRESENT = { ...kept, host: 'weather.example' }
const SOURCE = {
  serviceId: 'svc_another',
  payee: `eip155:0x${'ab'.repeat(20)}`,
  places: ['api.weather.example:8443/v1'],
  limit: 9,
}

test.each([
  ['SQLite', writeSqlite],
  ['PostgreSQL', writePostgres],
])('in %s earlier purchases are found by place and payee, and counted by domain', async (_, write) => {
  await using store = await openStore(await write(), { clock: systemClock })
  expect(await store.purchases.find(kept.id)).toEqual(PRESENT)
  expect(await store.purchases.evidence(SOURCE)).toEqual([PRESENT])
})

test('earlier purchases of a backup are found by place and payee, and counted by domain', async () => {
  await using source = await openStore(writeSqlite(), { clock: systemClock })
  const records = await Array.fromAsync(source.backup())
  const former = records.map(record => {
    if (record.kind !== 'purchase') return record
    const { payee: _, place: __, listedPlace: ___, ...rest } = record
    return { ...rest, host: kept.host, kind: 'purchase' }
  })
  await using restored = await openStore('sqlite::memory:', { clock: systemClock })
  await restored.restore(
    (async function* () {
      yield* former
    })(),
  )
  expect(await restored.purchases.evidence(SOURCE)).toEqual([PRESENT])
})
