import { expect, test } from 'bun:test'
import { TermTexts } from '../../src/memory/string-table.ts'
import { fc } from '../fast-check.ts'

test('texts are found only by equality, and read, compared and matched by prefix as strings are', () => {
  const anyText = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom('天気', '天気予報', 'weather', 'wea', '🌦', '\ud83c'),
  )
  fc.assert(
    fc.property(fc.uniqueArray(anyText, { minLength: 2, maxLength: 60 }), anyText, (list, other) => {
      const texts = new TermTexts()
      expect(list.map(text => [texts.find(text), texts.add(text)])).toEqual(list.map((_, i) => [-1, i]))
      expect(list.map(text => texts.find(text))).toEqual([...list.keys()])
      expect(list.map((_, i) => texts.at(i))).toEqual(list)
      expect(texts.find(other)).toBe(list.indexOf(other))
      for (const [i, text] of list.entries()) {
        expect(texts.startsWith(i, other)).toBe(text.startsWith(other))
        expect(texts.isBefore(i, 0)).toBe(text < list[0]!)
      }
    }),
  )
})

test('holds as many texts as a large catalog has', () => {
  const texts = new TermTexts()
  for (let i = 0; i < 50_000; i++) texts.add(`term${i}`)
  expect(texts.size).toBe(50_000)
  for (let i = 0; i < 50_000; i += 97) expect(texts.find(`term${i}`)).toBe(i)
  expect(texts.find('term50000')).toBe(-1)
})
