import { describe, expect, test } from 'bun:test'
import { BrokenDocument, JsonItems } from '../../src/runtime/json-items.ts'
import { fc } from '../fast-check.ts'

function read(document: string | Uint8Array, lists: string[], pieceSize = 7) {
  const bytes = typeof document === 'string' ? new TextEncoder().encode(document) : document
  const reader = new JsonItems(lists)
  const items: { list: string; value: unknown }[] = []
  for (let at = 0; at < bytes.length; at += pieceSize) {
    for (const { list, text } of reader.push(bytes.subarray(at, at + pieceSize))) {
      items.push({ list, value: JSON.parse(text) })
    }
  }
  return { items, frame: reader.end() }
}

describe('JsonItems', () => {
  test('yields the items of a list one by one and the rest as the frame', () => {
    const { items, frame } = read(
      '{ "version": "1.0", "endpoints": [ {"a": 1} , {"b": [2]} ], "n": {"x": [3]} }',
      ['endpoints'],
    )
    expect(items).toEqual([
      { list: 'endpoints', value: { a: 1 } },
      { list: 'endpoints', value: { b: [2] } },
    ])
    expect(frame).toEqual({ version: '1.0', endpoints: [0, 0], n: { x: [3] } })
  })

  test('finds a list inside an object, and a document that is a list itself', () => {
    expect(read('{"success":true,"data":{"items":[1,"two",null]}}', ['data.items']).items).toEqual([
      { list: 'data.items', value: 1 },
      { list: 'data.items', value: 'two' },
      { list: 'data.items', value: null },
    ])
    expect(read('[{"a":1}]', ['']).items).toEqual([{ list: '', value: { a: 1 } }])
  })

  test('ignores a list of the same name elsewhere', () => {
    const document = '{"other":{"endpoints":[1]},"endpoints":[]}'
    expect(read(document, ['endpoints'])).toEqual({ items: [], frame: JSON.parse(document) })
  })

  test('agrees with JSON.parse on any document, however it is split', () => {
    const item = fc.jsonValue({ maxDepth: 3 })
    const document = fc.record({ before: item, list: fc.array(item, { maxLength: 6 }), after: item })
    fc.assert(
      fc.property(document, fc.nat(2), fc.integer({ min: 1, max: 50 }), (value, indent, pieceSize) => {
        const { items, frame } = read(JSON.stringify(value, null, indent), ['list'], pieceSize)
        const expected = JSON.parse(JSON.stringify(value))
        expect(items.map(found => found.value)).toEqual(expected.list)
        expect(frame).toEqual({ ...expected, list: expected.list.map(() => 0) })
      }),
    )
  })

  test.each([
    '{"endpoints":[{"a":1}',
    '{"endpoints":[{"a":1},',
    '{"endpoints":[1,]}',
    '{"endpoints":[,1]}',
    '{"endpoints":[1 2]}',
    '{"endpoints":[1}',
    '{"endpoints":["open',
    '{"endpoints":[] ',
    '{"endpoints":[]}}',
    '{"endpoints":[]} {}',
    '',
  ])('says that %s is broken', document => {
    expect(() => read(document, ['endpoints'])).toThrow(BrokenDocument)
  })

  test('rejects invalid UTF-8', () => {
    const bytes = new TextEncoder().encode('{"endpoints":["x"]}')
    bytes[15] = 0xff
    expect(() => read(bytes, ['endpoints'])).toThrow('not valid UTF-8')
  })

  test('limits the size of an item', () => {
    const endless = new JsonItems(['endpoints'])
    const piece = new TextEncoder().encode('x'.repeat(1024 * 1024))
    expect([...endless.push(new TextEncoder().encode('{"endpoints":["'))]).toEqual([])
    expect(() => {
      for (let i = 0; i < 10; i++) [...endless.push(piece)]
    }).toThrow('larger than')
  })
})
