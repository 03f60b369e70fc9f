// Payments in a database of a version that counted every transfer.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { ENTRY_COLUMNS, toRow } from '../../src/store/rows.ts'
import { entry } from '../entries.ts'
import { createEarlierPostgres, createEarlierSqlite } from './earlier-database.ts'

/** So many steps had their databases at the most. */
const BEFORE = { sqlite: 17, postgres: 15 }
const CHAIN = 'eip155:8453'
const words = 'Says "txCount":5,"totalRevenue":"9" of itself'
const paid = entry(
  { name: 'Paid', description: words },
  { standing: { txCount: 3, totalRevenue: '15000000.5' } },
)
const other = entry({ name: 'Never paid' })

const statements: readonly (readonly [sql: string, values: readonly (string | number)[]])[] = [
  [
    'INSERT INTO payments (chain, tx_hash, log_index, block, at, asset, payer, payee, amount, service_id) VALUES',
    [CHAIN, '0xt', 0, 7, paid.createdAt, '0xa', '0xp', '0xq', '15000000.5', paid.id],
  ],
  [
    'INSERT INTO payment_totals (service_id, tx_count, total_revenue, payers, last_payment_at) VALUES',
    [paid.id, 3, '15000000.5', 1, paid.createdAt],
  ],
  ['INSERT INTO chain_cursors (chain, block, hash, earlier) VALUES', [CHAIN, 9, '0xh', '[]']],
  ['INSERT INTO chain_payees (chain, address, read_from, goal) VALUES', [CHAIN, '0xq', 2, 1]],
]

const writeSqlite = () =>
  createEarlierSqlite(BEFORE.sqlite, db => {
    using info = db.prepare("SELECT name FROM pragma_table_info('services')")
    const present = new Set(info.values().map(([name]) => name as string))
    for (const [index, each] of [paid, other].entries()) {
      const row = toRow(each)
      // Columns that later versions add are not there yet.
      const known = ENTRY_COLUMNS.map((name, at) => [name, row[at]!] as const).filter(([name]) =>
        present.has(name),
      )
      const names = ['seq', 'object_seq', 'removed', ...known.map(([name]) => name)]
      const values = [index + 1, index + 1, 0, ...known.map(([, value]) => value)]
      db.run(
        `INSERT INTO services (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        values.map(value => value ?? null),
      )
    }
    db.run("UPDATE counter SET value = 2 WHERE name = 'seq'")
    for (const [sql, values] of statements)
      db.run(`${sql} (${values.map(() => '?').join(', ')})`, [...values])
  })

const writePostgres = () =>
  createEarlierPostgres(BEFORE.postgres, async link => {
    for (const [index, each] of [paid, other].entries())
      await link.query(
        'INSERT INTO services (id, seq, object_seq, entry) VALUES ($1, $2, $2, $3::text::json)',
        [each.id, index + 1, JSON.stringify(each)],
      )
    await link.query('UPDATE counter SET seq = 2')
    for (const [sql, values] of statements) {
      const places = values.map((_, at) =>
        sql.includes('earlier') && at === 3 ? '$4::text::json' : `$${at + 1}`,
      )
      await link.query(`${sql} (${places.join(', ')})`, [...values])
    }
  })

test.each([
  ['SQLite', writeSqlite],
  ['PostgreSQL', writePostgres],
])(
  'in %s earlier transfers no longer count, and the chain is read again as far back as before',
  async (_, write) => {
    await using store = await openStore(await write(), { clock: systemClock })
    const kept = (await store.find(paid.id))!.entry
    expect(kept.standing).toMatchObject({ txCount: 0, totalRevenue: '0' })
    expect(kept.description).toBe(words)
    expect((await store.find(other.id))!.entry).toEqual(other)
    expect(await store.payments.totals(paid.id)).toEqual({
      txCount: 0,
      totalRevenue: '0',
      payers: 0,
      lastPaymentAt: null,
    })
    expect(await store.payments.received(CHAIN, '0xq', 9)).toEqual([])
    expect(await store.payments.cursor(CHAIN)).toEqual({ block: 9, hash: '0xh', earlier: [] })
    expect(await store.payments.payees(CHAIN)).toEqual([
      { address: '0xq', side: 'received', readFrom: 10, goal: 1, plan: '' },
    ])
  },
)

test('a running process of the older version cannot store payments', async () => {
  const url = await writeSqlite()
  await using _ = await openStore(url, { clock: systemClock })
  using older = new Database(url.slice('sqlite:'.length))
  const [[sql, values]] = statements as [(typeof statements)[number]]
  const keep = () =>
    older.run(`${sql.replace('INSERT', 'INSERT OR IGNORE')} (${values.map(() => '?').join(', ')})`, [
      ...values,
    ])
  expect(keep).toThrow('needs the method')
})
