import { describe, expect, test } from 'bun:test'
import { openEmbedder } from '../../../src/search/embedding/model.ts'
import {
  createSemanticIndex,
  type DocumentEmbedding,
  readEmbedding,
  writeEmbedding,
} from '../../../src/search/embedding/semantic-index.ts'

const embedding: DocumentEmbedding = {
  rows: Uint32Array.of(0, 8_192, 123_456, 2 ** 24 - 1),
  codes: Int8Array.of(-127, 0, 1, 127),
}
const bytes = writeEmbedding(0xdead_beef, 'weather', embedding)

describe('a stored embedding', () => {
  test('is read back unchanged', () => {
    expect(readEmbedding(bytes, 0xdead_beef, 'weather', 4)).toEqual(embedding)
  })

  test('can be read at any alignment', () => {
    const moved = new Uint8Array(bytes.length + 3)
    moved.set(bytes, 3)
    expect(readEmbedding(moved.subarray(3), 0xdead_beef, 'weather', 4)).toEqual(embedding)
  })

  test('is rejected for another text, another model or another size', () => {
    expect(readEmbedding(bytes, 0xdead_beef, 'Weather', 4)).toBeUndefined()
    expect(readEmbedding(bytes, 0xdead_bee0, 'weather', 4)).toBeUndefined()
    expect(readEmbedding(bytes, 0xdead_beef, 'weather', 8)).toBeUndefined()
  })

  test('that is truncated or corrupt is rejected', () => {
    for (let length = 0; length < bytes.length; length++)
      expect(readEmbedding(bytes.slice(0, length), 0xdead_beef, 'weather', 4)).toBeUndefined()
    const spoilt = bytes.slice()
    spoilt[0]! += 1
    expect(readEmbedding(spoilt, 0xdead_beef, 'weather', 4)).toBeUndefined()
  })
})

describe('the embeddings of documents', () => {
  const document = {
    name: '天気予報 API',
    description: 'Hourly weather forecast for every city. 都市ごとの天気。',
    category: 'weather',
    endpoint: 'https://weather.example/v1',
  }

  test('give the same results as computing them, and are computed again for another text', () => {
    const embedder = openEmbedder()
    const made = createSemanticIndex(embedder)
    const kept = createSemanticIndex(embedder)
    expect(made.set(0, document)).toEqual(made.embedDocument(document))
    expect(kept.set(0, document, made.embedDocument(document))).toBeUndefined()
    expect(kept.set(1, { ...document, name: 'Parcel tracking' }, made.embedDocument(document))).toBeDefined()
    const query = made.embedQuery('weather tomorrow')
    expect(kept.cosines(query, [0])).toEqual(made.cosines(query, [0]))
  })

  // Embeddings stored by an earlier version are trusted: a change of how they are made must raise FORMAT in stored-embedding.ts.
  test('have the format of this version', () => {
    const hash = Bun.SHA256.hash(createSemanticIndex(openEmbedder()).embedDocument(document), 'hex')
    expect(hash).toMatchInlineSnapshot(`"3f0d3092a7a0a5c25982debea6180b7911e477dbb1c1acc9494d0740a551ce12"`)
  })
})
