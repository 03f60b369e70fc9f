import { expect, test } from 'bun:test'
import { createIdSource, idTimeMs, isServiceId } from '../../src/domain/ids.ts'

test('ids are URL-safe, unique and sort by age', () => {
  const newId = createIdSource()
  const ids = Array.from({ length: 5000 }, (_, i) => newId(new Date(1_790_000_000_000 + Math.floor(i / 100))))
  expect(ids.every(isServiceId)).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
})

test('ids keep rising when the clock stops or steps back', () => {
  const newId = createIdSource()
  const still = Array.from({ length: 10_000 }, () => newId(new Date(1_790_000_000_000)))
  const back = newId(new Date(1_780_000_000_000))
  expect([...still, back].toSorted()).toEqual([...still, back])
})

test('the time of an id can be read from it', () => {
  const at = new Date('2026-11-15T02:07:08.123Z')
  expect(idTimeMs(createIdSource()(at))).toBe(at.getTime())
})

test('two processes make different ids in the same millisecond', () => {
  const at = new Date(1_790_000_000_000)
  expect(createIdSource()(at)).not.toBe(createIdSource()(at))
})
