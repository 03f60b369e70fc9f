// How often a word counts in one field.
import { describe, expect, test } from 'bun:test'
import { createSearchIndex } from '../../../src/search/search-index.ts'

describe('The third occurrence of a word in a field', () => {
  const index = createSearchIndex()
  const set = (slot: number, parts: { name?: string; description?: string }) =>
    index.set(slot, {
      name: 'x',
      description: 'y',
      category: 'other',
      endpoint: 'https://x.example/',
      ...parts,
    })
  const filler = 'one two three four five six seven eight nine ten eleven twelve'
  set(0, { description: `rain rain ${filler} last` })
  set(1, { description: `rain rain ${filler} rain` })
  set(2, { name: 'rain', description: 'rain rain' })
  set(3, { name: 'rain rain', description: 'rain rain rain rain rain rain rain rain' })
  const keys = new Map(
    index
      .retrieverOfAny(
        'rain',
        (a, b) => a - b,
      )(10)
      .hits.map(({ slot, key }) => [slot, key]),
  )

  test('does not change the score', () => expect(keys.get(1)).toBe(keys.get(0)!))
  test('has no counterpart: a shorter field does not score higher', () => {
    const short = createSearchIndex()
    for (const [slot, description] of ['rain', 'rain a b', 'rain a b c d'].entries())
      short.set(slot, { name: 'x', description, category: 'other', endpoint: 'https://x.example/' })
    const found = short
      .retrieverOfAny(
        'rain',
        (a, b) => a - b,
      )(10)
      .hits.map(({ key }) => key)
    expect(new Set(found).size).toBe(1)
  })
})
