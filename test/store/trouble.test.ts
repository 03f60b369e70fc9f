// Errors of the engine reach the caller as one kind of error, and end with their cause.
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { openSqliteFile } from '../../src/store/sqlite/open.ts'
import { createSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { entry, listed } from '../entries.ts'
import { temporaryPath } from './temporary-path.ts'

let path: string
let db: Database
let store: Store
beforeEach(async () => {
  path = temporaryPath('store.db')
  db = await openSqliteFile(path, { clock: systemClock })
  store = createSqliteStore(db, { clock: systemClock })
})
afterEach(() => store[Symbol.asyncDispose]())

const entries = (count: number) => Array.from({ length: count }, () => entry())
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    error => error,
  )
const pageCount = () => db.query('PRAGMA page_count').values()[0]![0] as number

describe('a full disk', () => {
  test('is reported without a path or SQL, with its cause, and writes work again once there is space', async () => {
    await store.insert(entries(10))
    db.run(`PRAGMA max_page_count = ${pageCount() + 3}`)
    const error = await errorOf(store.insert(entries(500)))
    expect(error).toMatchObject({ code: 'store_unavailable', cause: { code: 'SQLITE_FULL' } })
    expect(error.message).toBe('The disk of the store is full; free some space and try again.')
    expect(await store.trouble()).toBe(error.message)
    expect(await store.lastSeq()).toBe(10)
    expect(await store.changes(0, 100)).toHaveLength(10)
    db.run('PRAGMA max_page_count = 4294967294')
    while ((await store.trouble()) !== undefined) await systemClock.sleep(20)
    expect((await store.insert(entries(500))).seq).toBe(510)
  })

  test('fails the large call without failing the small ones', async () => {
    await store.insert(entries(10))
    db.run(`PRAGMA max_page_count = ${pageCount() + 6}`)
    const results = await Promise.allSettled([
      store.insert(entries(1)),
      store.insert(entries(500)),
      store.insert(entries(1)),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await store.changes(0, 100)).toHaveLength(12)
  })
})

test('a call that rolls back the whole transaction does not fail concurrent calls', async () => {
  const kept = await listed(store)
  const results = await Promise.allSettled([
    store.insert(entries(2)),
    store.update([kept.id], () => {
      db.run('ROLLBACK')
      throw new Error('The transaction is lost.')
    }),
    store.insert(entries(3)),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await store.changes(0, 100)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
})

describe('a concurrent writer', () => {
  test('is waited for, while reads continue', async () => {
    const other = new Database(path)
    other.run('BEGIN IMMEDIATE')
    const inserting = store.insert(entries(1))
    let inserted = false
    void inserting.then(() => {
      inserted = true
    })
    for (let i = 0; i < 3; i++) {
      await systemClock.sleep(1)
      expect(await store.changes(0, 10)).toEqual([])
    }
    expect(inserted).toBe(false)
    other.run('COMMIT')
    other.close()
    expect((await inserting).seq).toBe(1)
  })

  test('that never ends is reported, and later writes work again', async () => {
    await store[Symbol.asyncDispose]()
    const hurried: Clock = { now: () => new Date(), sleep: () => Promise.resolve() }
    db = await openSqliteFile(path, { clock: hurried })
    db.run('PRAGMA busy_timeout = 0')
    store = createSqliteStore(db, { clock: hurried })
    const other = new Database(path)
    other.run('BEGIN IMMEDIATE')
    const [first, second] = await Promise.all([
      errorOf(store.insert(entries(1))),
      errorOf(store.remove('svc_unknown', new Date(), null)),
    ])
    expect(first).toMatchObject({ code: 'store_unavailable', cause: { code: 'SQLITE_BUSY' } })
    expect(first.message).toBe('The store is busy with another writer; try again in a moment.')
    expect(second.code).toBe('store_unavailable')
    other.run('COMMIT')
    other.close()
    expect((await store.insert(entries(1))).seq).toBe(1)
  })
})

test('a table that disappears under a running store is reported without its name', async () => {
  const other = new Database(path)
  other.run('DROP TABLE services')
  other.close()
  for (const error of [await errorOf(store.changes(0, 1)), await errorOf(store.insert(entries(1)))]) {
    expect(error).toMatchObject({ code: 'store_unavailable' })
    expect(error.message).toBe('The store cannot be reached right now; try again in a moment.')
  }
})

test('idempotency keys older than a week are deleted as new ones are added', async () => {
  const insert = (key: number, hours: number) =>
    store.insert(entries(1), {
      caller: 'key_a',
      key: String(key),
      fingerprint: 'body',
      at: new Date(Date.UTC(2026, 0, 1, hours)),
    })
  for (let key = 0; key < 50; key++) await insert(key, 0)
  for (let key = 100; key < 103; key++) await insert(key, 7 * 24)
  expect(db.query('SELECT count(*) FROM idempotency_keys').values()).toEqual([[3]])
})
