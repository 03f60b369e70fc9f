// A standby took over without commits that were already read: readers are told to undo them.
import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { readCursor } from '../../../src/domain/feed.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Change, Seq, Store } from '../../../src/store/store.ts'
import { entry } from '../../entries.ts'
import { createDatabase } from '../../postgres.ts'

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

/** Reads to the end; a reader that goes round stops after so many pages. */
async function readFrom(store: Store, since: Seq, limit: number): Promise<Change[]> {
  const all: Change[] = []
  for (let pages = 0; pages < 1_000; pages++) {
    const page = await store.changes(all.at(-1)?.seq ?? since, limit)
    all.push(...page)
    if (page.length < limit) return all
  }
  throw new Error('The feed has no end.')
}

test.each([7, 100, 250, 300, 5_000])(
  'each of 300 lost writes is undone once, in pages of %d',
  async limit => {
    const url = await createDatabase()
    await using store = await openStore(url, { clock: systemClock })
    const kept = Array.from({ length: 5 }, (_, i) => entry({ name: `Kept ${i}` }))
    const base = (await store.insert(kept)).seq
    const lost = Array.from({ length: 300 }, (_, i) => entry({ name: `Lost ${i}` }))
    const since = (await store.insert(lost)).seq
    expect(await readFrom(store, 0, limit)).toHaveLength(305)

    await promoteAt(url, base, [])
    const after = entry({ name: 'After' })
    const { seq } = await store.insert([after])
    const healed = await readFrom(store, since, limit)
    expect(healed.slice(0, -1).map(({ id, entry }) => [id, entry])).toEqual(lost.map(({ id }) => [id, null]))
    expect(healed.at(-1)).toMatchObject({ id: after.id, seq })
    const seqs = healed.map(({ seq }) => seq)
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
    expect(seqs[0]).toBeGreaterThan(since)

    // Who asks again from the same place, and a second reader that had come less far, are told the same.
    expect(await readFrom(store, since, limit)).toEqual(healed)
    expect(await readFrom(store, since - 10, limit)).toEqual(healed)
    expect(await readFrom(store, seq, limit)).toEqual([])
  },
)

test('a lost edit is undone for followers of the public object, and a lost probe is not reported to them', async () => {
  const url = await createDatabase()
  await using store = await openStore(url, { clock: systemClock })
  const [edited, probed] = [entry({ name: 'Edited' }), entry({ name: 'Probed' })]
  const base = (await store.insert([edited, probed])).seq
  const before = await store.changes(0, 10)
  await store.update([edited.id], kept => ({ entry: { ...kept, name: 'Of the lost primary' }, events: [] }))
  const since = await store.update([probed.id], kept => {
    const standing = { ...kept.standing, lastChecked: '2026-11-02T00:00:00.000Z' }
    return { entry: { ...kept, standing }, events: [] }
  })
  await readFrom(store, base, 10)

  await promoteAt(url, base, before)
  await store.insert([entry()])
  const healed = await readFrom(store, since, 1)
  expect(healed.slice(0, 2)).toMatchObject([
    { id: edited.id, seq: since + 1, objectSeq: since + 1, entry: { name: 'Edited' } },
    { id: probed.id, seq: since + 2, objectSeq: before[1]!.objectSeq, entry: probed },
  ])
  expect(healed).toHaveLength(3)
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
  await readFrom(store, 0, 10)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`DELETE FROM services WHERE seq > ${base}`
  await sql`DELETE FROM events WHERE seq > ${base}`
  await sql`DELETE FROM timelines WHERE fork_seq >= ${base}`
  await sql`UPDATE counter SET seq = ${base}, event = 1`
  await sql.end()
  const after = entry({ name: 'After' })
  const { seq } = await store.insert([after])
  expect(seq).toBeGreaterThan(since)
  const healed = await readFrom(store, since, 10)
  expect(healed.map(({ id, entry }) => [id, entry?.name])).toEqual([
    ...lost.map(({ id }) => [id, undefined]),
    [after.id, 'After'],
  ])
})
