// Samples in a database, or a backup, of a version that gave them an invented standing.
import { expect, test } from 'bun:test'
import { initialStanding, type Standing } from '../../src/domain/standing/standing.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { ENTRY_COLUMNS, toRow } from '../../src/store/rows.ts'
import { entry } from '../entries.ts'
import { createEarlierPostgres, createEarlierSqlite } from './earlier-database.ts'
import { temporaryPath } from './temporary-path.ts'

/** So many steps had their databases at the most. */
const BEFORE = { sqlite: 31, postgres: 23 }
const standing: Standing = {
  ...{ status: 'verified', trustScore: 94, uptimeScore: 99.97, lastChecked: '2026-11-02T00:00:00.000Z' },
  ...{ txCount: 48_210, totalRevenue: '120.5' },
}
const measured = entry({ name: 'Measured' }, { standing, supportedChains: ['base', 'solana'] })
const invented = {
  ...entry({ name: 'Invented "標"' }, { standing, supportedChains: ['base', 'solana'] }),
  sample: true,
}
const present = {
  ...invented,
  supportedChains: ['base'],
  standing: initialStanding(invented.createdAt),
}

const writeSqlite = () =>
  createEarlierSqlite(BEFORE.sqlite, db => {
    const there = new Set(
      db
        .query('PRAGMA table_info(services)')
        .values()
        .map(([, name]) => name),
    )
    for (const [i, each] of [measured, invented].entries()) {
      const row = toRow(each)
      const kept = ENTRY_COLUMNS.map((name, at) => [name, row[at]!] as const).filter(([name]) =>
        there.has(name),
      )
      const all = [...kept, ['seq', i + 1], ['object_seq', i + 1], ['removed', 0]] as const
      const [columns, places] = [all.map(([name]) => name), all.map(() => '?')]
      const values = all.map(([, value]) => value)
      db.run(`INSERT INTO services (${columns.join(', ')}) VALUES (${places.join(', ')})`, values)
    }
  })

const writePostgres = () =>
  createEarlierPostgres(BEFORE.postgres, async link => {
    for (const [i, each] of [measured, invented].entries())
      await link.query(
        'INSERT INTO services (id, seq, object_seq, payee, entry) VALUES ($1, $2, $2, $3, $4::text::json)',
        [each.id, i + 1, each.x402Config.paymentAddress, JSON.stringify(each)],
      )
  })

test.each([
  ['SQLite', writeSqlite],
  ['PostgreSQL', writePostgres],
])('in %s samples lose their invented standing, and measured standings stay', async (_, write) => {
  await using store = await openStore(await write(), { clock: systemClock })
  expect(await store.byId('', 9)).toEqual([measured, present])
})

test('samples are restored from a backup without their invented standing', async () => {
  await using source = await openStore('sqlite::memory:', { clock: systemClock })
  await source.insert([measured, invented])
  const records = await Array.fromAsync(source.backup())
  await using store = await openStore(`sqlite:${temporaryPath('store.db')}`, { clock: systemClock })
  await store.restore(each(records))
  expect(await store.byId('', 9)).toEqual([measured, present])
})

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
