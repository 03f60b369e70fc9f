// Events and probes in a database, or a backup, of a version that stored reasons as sentences.
import { describe, expect, test } from 'bun:test'
import { judge } from '../../src/domain/standing/judge.ts'
import { say, verbatim } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { createDatabase } from '../postgres.ts'
import { seen } from '../terms.ts'
import { createEarlierPostgres, createEarlierSqlite } from './earlier-database.ts'
import { temporaryPath } from './temporary-path.ts'

/** So many steps had their databases at the most. */
const BEFORE = { sqlite: 16, postgres: 14 }
const AT = '2026-11-01T12:00:00.000Z'
const LATER = '2026-11-01T13:00:00.000Z'
// The second begins as a message does.
const SENTENCES = [
  '3 probes in a row failed. It answers 404.',
  '{"code":"claimed","values":{}} is what it said.',
]
const REASONS = ['It answers 404.', 'ウォレット "x" \\ y.']
const kept = entry()

/** The service was written before, too: that a store of its time does. */
const toEvents = () =>
  [...SENTENCES, null].map((reason, i) => ({
    number: i + 1,
    seq: i + 1,
    serviceId: kept.id,
    at: AT,
    type: 'status',
    reason,
  }))
const probe = {
  ...{ serviceId: kept.id, at: AT, outcome: 'unpayable', httpStatus: 404 },
  ...{ latencyMs: 5, priceSeen: null, asListed: false, reasons: REASONS },
}

const writeSqlite = () =>
  createEarlierSqlite(BEFORE.sqlite, db => {
    for (const { number, seq, serviceId, at, type, reason } of toEvents())
      db.run('INSERT INTO events (number, seq, service_id, type, at, reason) VALUES (?, ?, ?, ?, ?, ?)', [
        number,
        seq,
        serviceId,
        type,
        at,
        reason,
      ])
    db.run(
      `INSERT INTO probes (service_id, at, outcome, http_status, latency_ms, price_seen, as_listed, reasons)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [kept.id, AT, 'unpayable', 404, 5, null, 0, JSON.stringify(REASONS)],
    )
  })

const writePostgres = () =>
  createEarlierPostgres(BEFORE.postgres, async link => {
    for (const { number, seq, serviceId, at, type, reason } of toEvents()) {
      const event = JSON.stringify({ type, reason, before: null, after: null })
      await link.query(
        'INSERT INTO events (number, seq, service_id, at, event) VALUES ($1, $2, $3, $4, $5::text::json)',
        [number, seq, serviceId, at, event],
      )
    }
    await link.query(
      'INSERT INTO probes (service_id, at, counts, probe) VALUES ($1, $2, true, $3::text::json)',
      [kept.id, AT, JSON.stringify(probe)],
    )
  })

async function expectAsWritten(store: Store): Promise<void> {
  const events = await store.events.of(kept.id, 10)
  expect(events.map(({ reason }) => reason)).toEqual([null, ...SENTENCES.map(verbatim).reverse()])
  const items = await store.probes.history(kept.id, 10)
  expect(items.find(({ kind }) => kind === 'probe')).toMatchObject({
    probe: { serviceId: kept.id, at: AT, outcome: 'unpayable', reasons: REASONS.map(verbatim) },
  })
}

describe.each([
  ['SQLite', writeSqlite],
  ['PostgreSQL', writePostgres],
])('earlier reasons on %s', (_, write) => {
  test('are read as they were written, and go into a backup', async () => {
    await using store = await openStore(await write(), { clock: systemClock })
    await expectAsWritten(store)
    const records = await Array.fromAsync(store.backup())
    expect(records.filter(({ kind }) => kind === 'event').map(({ reason }) => reason)).toEqual([
      ...SENTENCES.map(verbatim),
      null,
    ])
  })

  test('are restored from a backup of that version', async () => {
    await using source = await openStore('sqlite::memory:', { clock: systemClock })
    await source.insert([kept])
    const records = (await Array.fromAsync(source.backup())).filter(({ kind }) => kind !== 'event')
    const old = toEvents().map(event => ({ kind: 'event', ...event, before: null, after: null }))
    const url = await (write === writePostgres ? createDatabase() : `sqlite:${temporaryPath('store.db')}`)
    await using store = await openStore(url, { clock: systemClock })
    await store.restore(each([...records, ...old, { kind: 'probe', ...probe }]))
    await expectAsWritten(store)

    // What is found next is judged beside them.
    const settled = {
      ...{ serviceId: kept.id, at: LATER, outcome: 'payable' as const, httpStatus: 402, latencyMs: 5 },
      ...{ priceSeen: null, asListed: true, reasons: [say('answers', { status: 402 })] },
    }
    const terms = {
      payTo: [],
      price: null,
      furtherChains: [],
      seen: seen(),
    }
    await store.probes.record(settled, (current, history) => {
      expect(history.latest.map(({ reasons }) => reasons)).toEqual([
        [say('answers', { status: 402 })],
        REASONS.map(verbatim),
      ])
      return { ...judge(current, { probe: settled, terms, resource: null }, history), dueAt: null }
    })
    expect((await store.events.of(kept.id, 1))[0]).toMatchObject({
      type: 'status',
      reason: say('answers', { status: 402 }),
    })
  })
})

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
