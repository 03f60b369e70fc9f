// What every store promises about its history: a seq alone can be ambiguous after a restore, a cursor cannot.
import { describe, expect, test } from 'bun:test'
import { type Cursor, readCursor, type Scale } from '../../src/domain/feed.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { SEQ_JUMP } from '../../src/store/copy.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'

const cursorAt = async (store: Store, scale: Scale, number?: number): Promise<Cursor> => {
  const { timelines, ...last } = await store.history()
  return readCursor(timelines.toCursor(scale, number ?? last[scale]))!
}
const has = async (store: Store, scale: Scale, cursor: Cursor): Promise<boolean> => {
  const { timelines, ...last } = await store.history()
  return timelines.has(scale, cursor, last[scale])
}
const some = (count: number) => Array.from({ length: count }, () => entry())

export function describeTimelines({
  store,
  reopen,
  testShared,
}: {
  store: () => Store
  reopen: () => Promise<Store>
  testShared: typeof test
}): void {
  describe('the history', () => {
    test('returns its position and recognises all of its own positions', async () => {
      expect(await store().history()).toMatchObject({ seq: 0, event: 0, gap: 0 })
      await store().insert(some(3))
      const { timelines, seq, event } = await store().history()
      expect([seq, event]).toEqual([3, 3])
      for (const scale of ['seq', 'event'] as const) {
        for (const number of [0, 1, 2, 3]) {
          const cursor = readCursor(timelines.toCursor(scale, number))!
          expect(cursor).toMatchObject({ number })
          expect(await has(store(), scale, cursor)).toBe(true)
          expect(await has(store(), scale, { number })).toBe(true)
        }
      }
    })

    test('rejects a cursor of another history and a seq that it has not reached', async () => {
      await store().insert(some(2))
      expect(await has(store(), 'seq', { number: 1, timeline: '0123456789abcdef' })).toBe(false)
      expect(await has(store(), 'seq', { number: 3 })).toBe(false)
      const cursor = await cursorAt(store(), 'seq')
      expect(await has(store(), 'seq', { ...cursor, number: 3 })).toBe(false)
    })

    test('names the timelines of all returned changes', async () => {
      await store().insert(some(2))
      await store().changes(0, 10)
      const { timelines } = await store().history()
      expect(store().timelines.toCursor('seq', 2)).toBe(timelines.toCursor('seq', 2))
      expect(store().timelines.toCursor('seq', 2)).toMatch(/^2-[0-9a-f]{16}$/)
    })

    testShared('is shared by all processes that write to it', async () => {
      await store().insert(some(2))
      const other = await reopen()
      await other.insert(some(1))
      await store().insert(some(1))
      await other.insert(some(1))
      for (const each of [store(), other]) await each.changes(0, 10)
      for (const number of [1, 2, 3, 4, 5]) {
        const cursor = store().timelines.toCursor('seq', number)
        expect(other.timelines.toCursor('seq', number)).toBe(cursor)
        for (const each of [store(), other]) expect(await has(each, 'seq', readCursor(cursor)!)).toBe(true)
      }
    })

    testShared('continues in a new timeline with the first write of another process', async () => {
      await store().insert(some(2))
      const [before, beforeEvent] = [await cursorAt(store(), 'seq'), await cursorAt(store(), 'event')]
      const other = await reopen()
      expect(await cursorAt(other, 'seq')).toEqual(before)
      await other.insert(some(1))
      const after = await cursorAt(other, 'seq')
      expect(after.timeline).not.toBe(before.timeline)
      // What the first had handed out stays good; what it might hand out beyond, had it been put back, does not.
      expect(await has(other, 'seq', before)).toBe(true)
      expect(await has(other, 'event', beforeEvent)).toBe(true)
      expect(await has(other, 'seq', { ...before, number: 3 })).toBe(false)
      expect(await has(other, 'event', { ...beforeEvent, number: 3 })).toBe(false)
    })

    testShared('gives out no cursor under the name of another timeline while new ones begin', async () => {
      const cursors: string[] = []
      let isWriting = true
      const write = async () => {
        for (let i = 0; i < 40; i++) {
          await using writer = await reopen()
          await writer.insert(some(1))
        }
        isWriting = false
      }
      const read = async () => {
        for (let seq = 0; isWriting; await new Promise<void>(resolve => setImmediate(resolve))) {
          seq = (await store().changes(seq, 100)).at(-1)?.seq ?? seq
          cursors.push(store().timelines.toCursor('seq', seq))
        }
      }
      await Promise.all([write(), read()])
      for (const cursor of new Set(cursors)) expect(await has(store(), 'seq', readCursor(cursor)!)).toBe(true)
    })

    testShared('starts no timeline for a write that is rolled back', async () => {
      const [first] = some(1)
      await store().insert([first!])
      const other = await reopen()
      await expect(other.insert([entry(), first!])).rejects.toThrow()
      await other.insert(some(1))
      await store().insert(some(1))
      expect((await other.history()).seq).toBe(3)
      for (const number of [1, 2, 3])
        expect(await has(store(), 'seq', await cursorAt(other, 'seq', number))).toBe(true)
    })
  })

  describe('the history of a copy', () => {
    test('equals that of the original up to its end', async () => {
      await using source = await openStore('sqlite::memory:', { clock: systemClock })
      await source.insert(some(3))
      await store().load(source.dump())
      const [kept, keptEvent] = [await cursorAt(source, 'seq', 2), await cursorAt(source, 'event', 2)]
      await source.insert(some(5))
      const [lost, lostEvent] = [await cursorAt(source, 'seq', 7), await cursorAt(source, 'event', 7)]
      expect(await store().history()).toMatchObject({ seq: 3, event: 3, gap: SEQ_JUMP })
      const expectJudged = async () => {
        expect(await has(store(), 'seq', kept)).toBe(true)
        expect(await has(store(), 'event', keptEvent)).toBe(true)
        for (const cursor of [lost, { number: lost.number }])
          expect(await has(store(), 'seq', cursor)).toBe(false)
        for (const cursor of [lostEvent, { number: lostEvent.number }])
          expect(await has(store(), 'event', cursor)).toBe(false)
      }
      await expectJudged()
      const { seq } = await store().insert(some(1))
      expect(seq).toBe(3 + SEQ_JUMP + 1)
      expect(await store().events.last()).toBe(3 + SEQ_JUMP + 1)
      await expectJudged()
      expect(await has(store(), 'seq', await cursorAt(store(), 'seq'))).toBe(true)
      // Nothing more is left free.
      expect((await store().insert(some(1))).seq).toBe(3 + SEQ_JUMP + 2)
      expect(await store().history()).toMatchObject({ gap: 0 })
    })
  })
}
