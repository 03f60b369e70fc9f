// A standby took over without commits that were already read: a node reads again what there is.
import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { openFollower } from '../../../src/catalog/follow.ts'
import { readCursor } from '../../../src/domain/feed.ts'
import { hideEntry } from '../../../src/domain/listing/edit.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Change, Seq, Store } from '../../../src/store/store.ts'
import { entry } from '../../entries.ts'
import { createDatabase } from '../../postgres.ts'
import { until } from '../../until.ts'

/** The database as a standby has it that was promoted without the commits after `seq`. */
async function promoteAt(url: string, seq: Seq, rows: readonly Change[]): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`DELETE FROM services WHERE seq > ${seq}`
  for (const { id, seq, objectSeq, entry } of rows) {
    // As text: the client would write the JSON a second time.
    await sql`INSERT INTO services (id, seq, object_seq, entry)
      VALUES (${id}, ${seq}, ${objectSeq}, ${JSON.stringify(entry)}::text::json)`
  }
  await sql`UPDATE counter SET seq = ${seq}, timeline = 'another'`
  await sql.end()
}

/** A node: a catalog that follows the store. */
async function openNode(store: Store) {
  const catalog = new Catalog()
  const follower = openFollower({ store, catalog, clock: systemClock })
  await follower.caughtUp
  const nameOf = (id: string) => catalog.service(id)?.decode().name
  return { catalog, nameOf, [Symbol.asyncDispose]: () => follower[Symbol.asyncDispose]() }
}

test('a node drops lost writes, takes lost edits back, and learns the new ones', async () => {
  const url = await createDatabase()
  await using store = await openStore(url, { clock: systemClock })
  const kept = Array.from({ length: 5 }, (_, i) => entry({ name: `Kept ${i}` }))
  const base = (await store.insert(kept)).seq
  const before = await store.changes(0, 10)
  const lost = Array.from({ length: 300 }, (_, i) => entry({ name: `Lost ${i}` }))
  await store.insert(lost)
  const [edited, hidden] = [kept[0]!.id, kept[1]!.id]
  await store.update([edited], each => ({ entry: { ...each, name: 'Of the lost primary' }, events: [] }))
  await store.update([hidden], each => hideEntry(each, 'A mistake.', systemClock.now()))
  await using node = await openNode(store)
  expect([node.catalog.size, node.nameOf(edited), node.nameOf(hidden)]).toEqual([
    ...[304, 'Of the lost primary', undefined],
  ])

  await promoteAt(url, base, [])
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`DELETE FROM services`
  await sql.end()
  await promoteAt(url, base, before)
  for (const name of ['After', 'And later']) {
    const { generation } = node.catalog
    const after = entry({ name })
    await node.catalog.whenReached((await store.insert([after])).seq)
    await until(() => node.catalog.size === (name === 'After' ? 6 : 7))
    expect(node.nameOf(after.id)).toBe(name)
    expect(node.catalog.generation).toBeGreaterThan(generation)
  }
  expect(kept.map(({ id }) => node.nameOf(id))).toEqual(kept.map(({ name }) => name))
  expect(lost.flatMap(({ id }) => node.nameOf(id) ?? [])).toEqual([])
  expect(node.catalog.search({ q: 'lost', limit: 5, offset: 0 }).total).toBe(0)
  await using other = await openNode(store)
  expect(other.catalog.size).toBe(7)
})

test('a cursor of the lost period belongs to another history, an earlier one does not', async () => {
  const url = await createDatabase()
  await using store = await openStore(url, { clock: systemClock })
  const base = (await store.insert([entry(), entry()])).seq
  const { timelines: before } = await store.history()
  await store.insert([entry(), entry(), entry()])
  const lost = (await store.history()).timelines
  await promoteAt(url, base, [])
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`DELETE FROM events WHERE number > ${base}`
  await sql`UPDATE counter SET event = ${base}`
  await sql.end()
  for (const _ of ['before the next write', 'after it']) {
    for (const scale of ['seq', 'event'] as const) {
      const { timelines, ...last } = await store.history()
      const isOf = (text: string) => timelines.has(scale, readCursor(text)!, last[scale])
      expect([1, 2].map(number => isOf(before.toCursor(scale, number)))).toEqual([true, true])
      expect([3, 5].map(number => isOf(lost.toCursor(scale, number)))).toEqual([false, false])
      expect([3, 5].map(number => isOf(String(number)))).toEqual([false, false])
      expect(isOf(timelines.toCursor(scale, last[scale]))).toBe(true)
    }
    await store.insert([entry(), entry(), entry()])
  }
})

test('a database restored under a running process is a fork too, even if the server does not report one', async () => {
  const url = await createDatabase()
  await using first = await openStore(url, { clock: systemClock })
  const base = (await first.insert([entry({ name: 'Kept' })])).seq
  await using store = await openStore(url, { clock: systemClock })
  const lost = [entry({ name: 'Lost' }), entry({ name: 'Lost too' })]
  const since = (await store.insert(lost)).seq
  await using node = await openNode(store)
  expect(node.catalog.size).toBe(3)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`DELETE FROM services WHERE seq > ${base}`
  await sql`DELETE FROM events WHERE seq > ${base}`
  await sql`DELETE FROM timelines WHERE fork_seq >= ${base}`
  await sql`UPDATE counter SET seq = ${base}, event = 1`
  await sql.end()
  const after = entry({ name: 'After' })
  const { seq } = await store.insert([after])
  expect(seq).toBeGreaterThan(since)
  await until(() => node.catalog.size === 2)
  expect([...lost, after].map(({ id }) => node.nameOf(id))).toEqual([undefined, undefined, 'After'])
})
