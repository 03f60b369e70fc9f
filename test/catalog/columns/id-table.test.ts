import { expect, test } from 'bun:test'
import { SlotTable } from '../../../src/catalog/records.ts'
import { createIdSource } from '../../../src/domain/ids.ts'

const newId = createIdSource()
const ids = Array.from({ length: 20_000 }, (_, i) => newId(new Date(1_800_000_000_000 + (i >> 2))))

test('every id has its own slot, also after growth', () => {
  const table = new SlotTable()
  const slots = ids.map(id => table.add(id))
  expect(new Set(slots).size).toBe(ids.length)
  expect(ids.map(id => table.find(id))).toEqual(slots)
  expect(table.size).toBe(ids.length)
})

test('a removed id is not found, and its slot is reused', () => {
  const table = new SlotTable()
  for (const id of ids) table.add(id)
  const freed = ids.slice(0, 10_000).map(id => {
    const slot = table.find(id)
    table.remove(id)
    return slot
  })
  expect(ids.slice(0, 10_000).every(id => table.find(id) === undefined)).toBe(true)
  expect(ids.slice(10_000).every(id => table.find(id) !== undefined)).toBe(true)
  const again = ids.slice(0, 10_000).map(id => table.add(id))
  expect(new Set(again)).toEqual(new Set(freed as number[]))
})

test('any number of removals does not fill the table', () => {
  const table = new SlotTable()
  for (let round = 0; round < 30; round++) {
    for (const id of ids.slice(0, 1000)) table.add(id)
    for (const id of ids.slice(0, 1000)) table.remove(id)
  }
  expect(table.size).toBe(0)
  expect(table.bytes).toBeLessThan(100_000)
})

test('slots compare by the age of their ids', () => {
  const table = new SlotTable()
  const shuffled = ids.slice(0, 500).toSorted((a, b) => (a.slice(-4) < b.slice(-4) ? -1 : 1))
  const slots = shuffled.map(id => [table.add(id), id] as const)
  const sorted = slots.toSorted(([a], [b]) => table.compare(a, b)).map(([, id]) => id)
  expect(sorted).toEqual(ids.slice(0, 500))
})

test('an invalid id has no slot', () => {
  const table = new SlotTable()
  for (const text of ['', 'svc_', 'svc_1', '../etc', 'svc_\u0000', ids[0]!.toUpperCase(), `${ids[0]}x`]) {
    expect(table.find(text)).toBeUndefined()
  }
})
