import { expect, test } from 'bun:test'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { ChangeLog } from '../../../src/catalog/changes.ts'
import { type Entry, toService } from '../../../src/domain/listing/service.ts'
import type { Change } from '../../../src/store/store.ts'
import { entry } from '../../entries.ts'
import { fc } from '../../fast-check.ts'

type Row = { seq: number; objectSeq: number; entry: Entry | null }

/** A store in miniature: rows that move to the end of the feed with every write. */
function createRows() {
  const rows = new Map<string, Row>()
  let seq = 0
  return {
    rows,
    add() {
      const added = entry({ name: `Service ${seq}` })
      seq++
      rows.set(added.id, { seq, objectSeq: seq, entry: added })
    },
    /** Writes without changing the public object, or with. */
    write(id: string, isPublic: boolean) {
      const row = rows.get(id)!
      if (!row.entry) return
      seq++
      const changed = isPublic ? { ...row.entry, name: `Name ${seq}` } : row.entry
      rows.set(id, { seq, objectSeq: isPublic ? seq : row.objectSeq, entry: changed })
    },
    remove(id: string) {
      if (!rows.get(id)!.entry) return
      seq++
      rows.set(id, { seq, objectSeq: seq, entry: null })
    },
    changes: (since: number, limit: number): Change[] =>
      [...rows]
        .map(([id, row]) => ({ id, ...row }))
        .filter(row => row.seq > since)
        .sort((a, b) => a.seq - b.seq)
        .slice(0, limit),
  }
}

const command = fc.record({
  kind: fc.constantFrom('add', 'add', 'write', 'touch', 'touch', 'remove', 'follow', 'boot'),
  pick: fc.nat(),
  page: fc.integer({ min: 1, max: 4 }),
})

/** What a copy knows that applied every page. */
function copy(catalog: Catalog, known: Map<string, unknown>, since: number, limit: number): number {
  for (;;) {
    const { changes, next, caughtUp } = catalog.changes(since, limit).decode()
    for (const { id, type, service } of changes) {
      if (type === 'upsert') known.set(id, service)
      else known.delete(id)
    }
    expect(Number(next)).toBeGreaterThanOrEqual(since)
    since = Number(next)
    if (caughtUp) return since
  }
}

test('a copy that continues from its cursor equals the catalog, however and whenever the catalog was filled', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), commands => {
      const store = createRows()
      let catalog = new Catalog()
      const known = new Map<string, unknown>()
      let cursor = 0
      for (const { kind, pick, page } of commands) {
        const ids = [...store.rows.keys()]
        const id = ids[pick % ids.length]
        if (kind === 'add' || id === undefined) store.add()
        else if (kind === 'write') store.write(id, true)
        else if (kind === 'touch') store.write(id, false)
        else if (kind === 'remove') store.remove(id)
        else {
          // A boot reads everything anew: entries come in the order of their last write, not of their last change.
          if (kind === 'boot') catalog = new Catalog()
          let since = catalog.seq
          for (;;) {
            const changes = store.changes(since, page)
            catalog.apply(changes, { more: changes.length === page })
            if (changes.length < page) break
            since = changes.at(-1)!.seq
            const before = catalog.changes(cursor, 10).decode()
            expect(before.changes.every(change => change.seq <= catalog.seq)).toBe(true)
          }
          cursor = copy(catalog, known, cursor, page)
          const present = [...store.rows.values()].flatMap(row => (row.entry ? [toService(row.entry)] : []))
          const byId = (a: [string, unknown], b: [string, unknown]) => (a[0] < b[0] ? -1 : 1)
          expect([...known].sort(byId)).toEqual(present.map(s => [s.id, s] as [string, unknown]).sort(byId))
          const whole = catalog.changes(0, 1_000).decode()
          expect(whole.changes.map(({ seq, id }) => ({ seq, id }))).toEqual(
            [...store.rows]
              .map(([id, { objectSeq }]) => ({ seq: objectSeq, id }))
              .sort((a, b) => a.seq - b.seq),
          )
        }
      }
    }),
    { numRuns: 100 },
  )
})

test('changes put in any order are read in order, at any time', () => {
  const log = new ChangeLog()
  const read = () => log.after(0, 100, 100, () => false).map(({ seq }) => seq)
  for (const seq of [5, 2, 9]) log.put(seq, seq, '')
  expect(read()).toEqual([2, 5, 9])
  log.put(3, 3, '')
  log.put(5, 7, '')
  expect(read()).toEqual([2, 3, 7, 9])
})

test('many changes of few entries take no more memory than the entries', () => {
  const log = new ChangeLog()
  for (let seq = 1; seq <= 50_000; seq++) log.put(seq % 10, seq, '')
  expect(log.after(0, 50_000, 100, () => false).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 10 }, (_, i) => 49_991 + i),
  )
  expect(log.bytes).toBeLessThan(100_000)
})

test('entries read in full pages become visible with the last, empty page', () => {
  const store = createRows()
  store.add()
  store.add()
  const catalog = new Catalog()
  catalog.apply(store.changes(0, 2), { more: true })
  expect(catalog.seq).toBe(0)
  catalog.apply(store.changes(2, 2))
  expect(catalog.seq).toBe(2)
})

test('an entry that was removed and added again appears once, in its present state', () => {
  const catalog = new Catalog()
  const [gone, back] = [entry({ name: 'Gone' }), entry({ name: 'Back' })]
  catalog.apply([gone, back].map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })))
  catalog.apply([gone, back].map(({ id }, i) => ({ seq: i + 3, objectSeq: i + 3, id, entry: null })))
  catalog.apply([{ seq: 5, objectSeq: 5, id: back.id, entry: back }])
  const changesOf = (limit: number) => {
    const { changes, caughtUp } = catalog.changes(0, limit).decode()
    return [...changes.map(({ id, type }) => [id, type]), caughtUp]
  }
  expect(changesOf(10)).toEqual([[gone.id, 'delete'], [back.id, 'upsert'], true])
  expect(changesOf(1)).toEqual([[gone.id, 'delete'], false])
})
