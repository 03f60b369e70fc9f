// Webhooks in a database of a version that did not ask receivers for consent.
import { describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { createEarlierPostgres, createEarlierSqlite } from './earlier-database.ts'

/** So many steps had their databases at the most. */
const BEFORE = { sqlite: 11, postgres: 9 }
const NOW = new Date('2026-11-01T12:00:00.000Z')
const COLUMNS = 'id, owner, secret, draft, created_at, cursor, due_at, progress'
const progress = { ahead: [42], failures: 0, failingSince: null, reason: null, lastDeliveredAt: null }
const failing = {
  ...progress,
  failures: 9,
  failingSince: '2026-10-30T12:00:00.000Z',
  reason: 'It answered 500.',
}
const draft = { url: 'https://receiver.dev/', events: ['service.removed'], filter: {} }
const rows = [
  ['w1', NOW.getTime() - 1_000, { ...progress, lastDeliveredAt: '2026-10-31T12:00:00.000Z' }],
  ['w2', NOW.getTime() - 500, failing],
  ['w3', null, { ...failing, reason: 'Nothing has arrived for 5 days.' }],
] as const
const valuesOf = ([id, dueAt, own]: (typeof rows)[number]) => [
  ...[id, 'key_a', 'whsec_x', JSON.stringify(draft), '2026-09-01T12:00:00.000Z', 40, dueAt],
  JSON.stringify(own),
]

const writeSqlite = () =>
  createEarlierSqlite(BEFORE.sqlite, db => {
    for (const row of rows)
      db.run(`INSERT INTO webhooks (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, valuesOf(row))
  })

const writePostgres = () =>
  createEarlierPostgres(BEFORE.postgres, async link => {
    for (const row of rows)
      await link.query(
        `INSERT INTO webhooks (${COLUMNS}) VALUES ($1, $2, $3, $4::text::json, $5, $6, $7, $8::text::json)`,
        valuesOf(row),
      )
  })

describe.each([
  ['SQLite', writeSqlite],
  ['PostgreSQL', writePostgres],
])('earlier webhooks on %s', (_, write) => {
  test('are challenged first like others, and continue where they stopped', async () => {
    await using store = await openStore(await write(), { clock: systemClock })
    const { webhooks } = store
    const unasked = { confirmedAt: null, networks: [], isSlow: false, cursor: 40, ahead: [42] }
    expect(await webhooks.list('key_a')).toMatchObject([
      {
        ...{ id: 'w1', ...draft },
        progress: { ...unasked, failures: 0, lastDeliveredAt: '2026-10-31T12:00:00.000Z' },
      },
      // What had failed before says nothing about consent.
      { id: 'w2', progress: { ...unasked, failures: 0, failingSince: null, reason: null } },
      // Who had given up is not asked by itself.
      {
        id: 'w3',
        progress: { ...unasked, dueAt: null, failures: 9, reason: 'Nothing has arrived for 5 days.' },
      },
    ])
    const terms = { limit: 10, perOwner: 10, leaseMs: 1_000 }
    for (const pool of ['prompt', 'slow'] as const)
      expect(await webhooks.claim(NOW, { ...terms, pool })).toEqual([])
    const asked = await webhooks.claim(NOW, { ...terms, pool: 'challenge' })
    expect(asked.map(({ id }) => id)).toEqual(['w1', 'w2'])
    for (const { id } of rows.map(([id]) => ({ id }))) await webhooks.confirm(id, '192.0.2.7', NOW)
    for (const { progress } of await webhooks.list('key_a'))
      expect(progress).toMatchObject({
        ...{ cursor: 40, ahead: [42], dueAt: NOW, failures: 0, reason: null },
        ...{ confirmedAt: NOW.toISOString(), networks: ['192.0.2.7'] },
      })
  })
})
