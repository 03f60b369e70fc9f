import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import { Columns } from '../../src/catalog/columns.ts'
import { SlotTable } from '../../src/catalog/records.ts'
import { SortedIndexes } from '../../src/catalog/sorted-indexes.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { parseListQuery } from '../../src/domain/queries/queries.ts'
import { entry } from '../entries.ts'
import { fc } from '../fast-check.ts'

/** Of one to four bytes, on both sides of the surrogates, in one unit or two, and some that fold into others. */
const CHARACTERS = [
  ...['a', 'A', ' ', '~', '\u00e9', '\u0130', '\u03a3', '\u07ff', '\u0800', '\ud7ff', '\ue000'],
  ...['\ufeff', '\uff08', '\uff21', '\uff71', '\uff5e', '\ufffd', '\uffff'],
  ...['\u{10000}', '\u{10400}', '\u{1f600}', '\u{1f680}', '\u{1f468}\u200d\u{1f680}', '\u{10ffff}'],
]
const HEADS = ['', 'a', 'abcd', '\u{1f680}', '\uff08', 'AI ', 'ai ', 'Ai \u{1f680}', 'ai \uff08']
const names = fc
  .tuple(fc.constantFrom(...HEADS), fc.array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 6 }))
  .map(([head, characters]) => head + characters.join(''))

/** Written without the bytes that the catalog compares. */
const pointsOf = (name: string): number[] =>
  Array.from(name.toLowerCase(), character => character.codePointAt(0)!)

function comparePoints(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

/** Code point by code point, then by age. */
const sorted = (entries: Iterable<Entry>): Entry[] =>
  Array.from(entries, each => ({ each, points: pointsOf(each.name) }))
    .sort((a, b) => comparePoints(a.points, b.points) || (a.each.id < b.each.id ? -1 : 1))
    .map(({ each }) => each)

const labelsOf = (entries: readonly Entry[]): string[] => entries.map(({ id, name }) => `${name} ${id}`)

describe('The order by name', () => {
  const change = fc.record({
    kind: fc.constantFrom('load', 'add', 'edit', 'remove'),
    names: fc.array(names, { minLength: 1, maxLength: 300 }),
    pick: fc.nat(),
  })

  /** So many that share their beginnings that words of bytes decide, not comparisons. */
  const toLoad = (names: readonly string[]): string[] =>
    Array.from({ length: 700 }, (_, i) => (i < names.length ? names[i]! : `${names[i % 5] ?? names[0]}${i}`))

  test('is that of code points through any loads, additions, edits and removals', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), changes => {
        const [columns, ids] = [new Columns(), new SlotTable()]
        const orders = new SortedIndexes(columns, ids, { minSorted: 600 })
        const present = new Map<number, Entry>()
        const write = (slot: number, each: Entry) => {
          orders.write(slot, each)
          present.set(slot, each)
        }
        const add = (name: string): number => {
          const each = entry({ name })
          const slot = ids.add(each.id)
          write(slot, each)
          return slot
        }
        const pickFrom = (pick: number) => [...present.keys()][pick % present.size]
        for (const { kind, names, pick } of changes) {
          const slot = pickFrom(pick)
          if (kind === 'load') for (const name of toLoad(names)) add(name)
          else if (kind === 'add' || slot === undefined) for (const name of names) add(name)
          else if (kind === 'edit') write(slot, { ...present.get(slot)!, name: names[0]! })
          else {
            for (let i = 0; i < names.length && present.size > 0; i++) {
              const gone = pickFrom(pick + 7 * i)!
              orders.release(gone)
              ids.remove(present.get(gone)!.id)
              present.delete(gone)
            }
          }
          for (const _ of orders.insertPending());
          const walked: Entry[] = []
          orders.all.name.scan(0, 1, each => walked.push(present.get(each)!) > 0)
          expect(labelsOf(walked)).toEqual(labelsOf(sorted(present.values())))
        }
      }),
      { numRuns: 15 },
    )
  })

  test('holds for a catalog that is filled at once, and for pages after removals and edits', () => {
    const catalog = new Catalog()
    const present = new Map<string, Entry>()
    let seq = 0
    const apply = (entries: readonly Entry[], more = false) => {
      for (const each of entries) present.set(each.id, each)
      catalog.apply(
        entries.map(each => ({ seq: ++seq, objectSeq: seq, id: each.id, entry: each })),
        { more },
      )
    }
    const remove = (id: string) => {
      present.delete(id)
      seq++
      catalog.apply([{ seq, objectSeq: seq, id, entry: null }])
    }
    const walk = (sortOrder: 'asc' | 'desc'): string[] => {
      const seen: Entry[] = []
      for (let offset = 0; offset < present.size; offset += 37) {
        const page = catalog.list(parseListQuery({ sortBy: 'name', sortOrder, limit: 37, offset }))
        seen.push(...page.services.decode().map(({ id }) => present.get(id)!))
      }
      return labelsOf(seen)
    }
    const check = () => {
      const expected = labelsOf(sorted(present.values()))
      expect(walk('asc')).toEqual(expected)
      expect(walk('desc')).toEqual(expected.toReversed())
    }

    const bulk = Array.from({ length: 2_100 }, (_, i) =>
      entry({
        name: i % 7 === 0 ? `AI \u{1f680} ${i}` : i % 7 === 1 ? `AI \uff08${i}\uff09` : `Service ${i}`,
      }),
    )
    apply(bulk, true)
    apply([])
    check()
    const odd = bulk.filter(({ name }) => name.startsWith('AI'))
    for (const { id } of odd.slice(0, 60)) remove(id)
    check()
    for (const [i, each] of odd.slice(60, 120).entries())
      apply([{ ...each, name: i % 2 === 0 ? `ai \u{1f600}${i}` : `ai \uff5e${i}` }])
    check()
  })
})

describe('sorted indexes', () => {
  const fill = () => {
    const [columns, ids] = [new Columns(), new SlotTable()]
    const orders = new SortedIndexes(columns, ids)
    const slots = ['alpha', 'beta', 'gamma'].map(name => {
      const each = entry({ name })
      const slot = ids.add(each.id)
      orders.write(slot, each)
      return slot
    }) as [number, number, number]
    for (const _ of orders.insertPending());
    return { columns, ids, orders, slots }
  }

  test('refuse to remove an entry that they do not have', () => {
    const { orders, slots } = fill()
    orders.release(slots[1])
    expect(() => orders.release(slots[1])).toThrow('not in the order')
  })

  test('refuse to remove an entry that was overwritten before', () => {
    const { columns, orders, slots } = fill()
    columns.write(slots[0], entry({ name: 'omega' }))
    expect(() => orders.release(slots[0])).toThrow('not in the order')
    columns.write(slots[2], entry({ name: 'gamma', category: 'ai' }))
    expect(() => orders.release(slots[2])).toThrow('not in the order')
  })

  test('hold an entry once, however often it is written and placed', () => {
    const { orders, slots } = fill()
    for (const name of ['alpha', 'omega', 'delta', 'delta']) {
      orders.write(slots[0], entry({ name }))
      orders.write(slots[0], entry({ name }))
      for (const _ of [1, 2]) for (const _ of orders.insertPending());
      expect(orders.all.name.size).toBe(3)
    }
    const walked: number[] = []
    orders.all.name.scan(0, 1, slot => walked.push(slot) > 0)
    expect(walked).toEqual([slots[1], slots[0], slots[2]])
  })
})
