import { describe, expect, test } from 'bun:test'
import { type FoundRecords, readRecords } from '../../src/cli/read-records.ts'

async function read(content: string | Uint8Array, pieceSize = 11): Promise<FoundRecords[]> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.slice(at, at + pieceSize)
  }
  return Array.fromAsync(readRecords(pieces()))
}

const values = (found: readonly FoundRecords[]) =>
  found.map(each => ('value' in each ? each.value : each.problem))
const places = (found: readonly FoundRecords[]) => found.map(({ place }) => place)

describe('Records of an import', () => {
  test('are the lines of NDJSON, with their numbers', async () => {
    const found = await read('{"name":"a"}\r\n\n{"name":"標"}\n')
    expect(values(found)).toEqual([{ name: 'a' }, { name: '標' }])
    expect(places(found)).toEqual(['line 1', 'line 3'])
  })

  test('skip lines that are not JSON, not UTF-8 or endless', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"name":"a"\n'),
      Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      Buffer.from(`"${'x'.repeat(1024 * 1024)}"\n`),
      Buffer.from('{"name":"b"}'),
    ])
    expect(values(await read(bytes, 65_536))).toEqual([
      'is not JSON',
      'is not valid UTF-8',
      'is longer than 1048576 bytes',
      { name: 'b' },
    ])
  })

  test.each([
    ['{"version":"1.0","source":"x","endpoints":[{"id":"a"},{"id":"b"}]}', 'endpoints'],
    ['{\n  "source": "x",\n  "endpoints": [\n {"id":"a"},\n {"id":"b"}\n]\n}', 'endpoints'],
    ['{"x402Version":2,"items":[{"id":"a"},{"id":"b"}],"pagination":{}}', 'items'],
    ['{"resources":[{"id":"a"},{"id":"b"}]}', 'resources'],
    ['{"success":true,"data":{"items":[{"id":"a"},{"id":"b"}]}}', 'data.items'],
    ['\ufeff\n\n[{"id":"a"},{"id":"b"}]', ''],
  ])('are the items of the list in %s', async (document, list) => {
    const found = await read(document)
    expect(values(found)).toEqual([{ id: 'a' }, { id: 'b' }])
    expect(places(found)).toEqual(['item 1', 'item 2'])
    expect(found.every(each => each.list === list)).toBe(true)
  })

  test('are found in a document whose first line is longer than the part that is inspected', async () => {
    const items = Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'x'.repeat(100) }))
    const found = await read(JSON.stringify({ version: '1.0', endpoints: items }), 65_536)
    expect(values(found)).toEqual(items)
  })

  test('are the lines even if a body contains a list', async () => {
    const body = { items: [1], endpoint: 'https://a.example', name: 'a' }
    expect(values(await read(`${JSON.stringify(body)}\n${JSON.stringify(body)}`))).toEqual([body, body])
  })

  test('may be a single body that is written over several lines', async () => {
    expect(values(await read('{\n  "name": "a",\n  "pricing": {}\n}\n'))).toEqual([
      { name: 'a', pricing: {} },
    ])
  })

  test('end where a document breaks off, and this is reported', async () => {
    const found = await read('{"endpoints":[{"id":"a"},{"id":"b"},{"id":')
    expect(values(found)).toEqual([{ id: 'a' }, { id: 'b' }, 'The document ends before it is complete'])
    expect(places(found)).toEqual(['item 1', 'item 2', 'after item 2'])
  })

  test('continue after an item that is not JSON', async () => {
    expect(values(await read('{"items":[{"id":"a"},{"id":b},{"id":"c"}]}'))).toEqual([
      { id: 'a' },
      'is not JSON',
      { id: 'c' },
    ])
  })

  test.each(['', '\n\n', '{"version":"1.0","endpoints":[]}', '[]'])('are empty in %j', async content => {
    expect(await read(content)).toEqual([])
  })
})
