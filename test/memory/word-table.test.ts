import { expect, test } from 'bun:test'
import { WordTable } from '../../src/memory/string-table.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const word = (number: number, length: number): string =>
  Array.from({ length }, (_, i) => LETTERS[(number * 7 + i * i * (number % 11) + i) % LETTERS.length]).join(
    '',
  )
const find = (table: WordTable, text: string) => table.find(`(${text})`, 1, 1 + text.length)

test('a word is found with its number, in any case and context', () => {
  const table = new WordTable()
  const words = new Map<string, number>()
  for (let number = 0; number < 5_000; number++) {
    const text = word(number, 1 + (number % 20))
    if (words.has(text)) continue
    expect(find(table, text)).toBe(-1)
    table.add(text, 0, text.length, number)
    words.set(text, number)
  }
  expect(words.size).toBeGreaterThan(1_000)
  for (const [text, number] of words) {
    expect(find(table, text)).toBe(number)
    expect(find(table, text.toUpperCase())).toBe(number)
  }
})

test('words that differ in their last letter or in their length are distinguished', () => {
  const table = new WordTable()
  for (const [number, text] of ['abcd', 'abcde', 'abcdefgh', 'abcdefgi', 'abc'].entries())
    table.add(text, 0, text.length, number)
  expect(['abcd', 'abcde', 'abcdefgh', 'abcdefgi', 'abc'].map(text => find(table, text))).toEqual([
    0, 1, 2, 3, 4,
  ])
  expect(['ab', 'abcdf', 'abcdefgj', 'bcd'].map(text => find(table, text))).toEqual([-1, -1, -1, -1])
})

test('a word too long to be kept is not found, and not taken for its beginning', () => {
  const table = new WordTable()
  const long = 'a'.repeat(21)
  table.add(long, 0, long.length, 1)
  table.add(long, 0, 20, 2)
  expect(find(table, long)).toBe(-1)
  expect(find(table, long.slice(1))).toBe(2)
})
