import { describe, expect, test } from 'bun:test'
import { openEmbedder } from '../../../src/search/embedding/model.ts'
import { createMeaning } from '../../../src/search/embedding/semantic-index.ts'
import { type Gist, readGist, writeGist } from '../../../src/search/embedding/stored-embedding.ts'

const gist: Gist = {
  cluster: 1_023,
  rows: Uint32Array.of(0, 8_192, 123_456, 2 ** 24 - 1),
  levels: Int8Array.of(-127, 0, 1, 127),
}
const bytes = writeGist(0xdead_beef, 'weather', gist)

describe('a gist', () => {
  test('comes back as it was', () => {
    expect(readGist(bytes, 0xdead_beef, 'weather', 4)).toEqual(gist)
  })

  test('can be read wherever in memory it lies', () => {
    const moved = new Uint8Array(bytes.length + 3)
    moved.set(bytes, 3)
    expect(readGist(moved.subarray(3), 0xdead_beef, 'weather', 4)).toEqual(gist)
  })

  test('is not taken for that of another text, another model or another size', () => {
    expect(readGist(bytes, 0xdead_beef, 'Weather', 4)).toBeUndefined()
    expect(readGist(bytes, 0xdead_bee0, 'weather', 4)).toBeUndefined()
    expect(readGist(bytes, 0xdead_beef, 'weather', 8)).toBeUndefined()
  })

  test('that was cut short or spoilt is not read', () => {
    for (let length = 0; length < bytes.length; length++)
      expect(readGist(bytes.slice(0, length), 0xdead_beef, 'weather', 4)).toBeUndefined()
    const spoilt = bytes.slice()
    spoilt[0]! += 1
    expect(readGist(spoilt, 0xdead_beef, 'weather', 4)).toBeUndefined()
  })
})

describe('the gists of documents', () => {
  const document = {
    name: '天気予報 API',
    description: 'Hourly weather forecast for every city. 都市ごとの天気。',
    category: 'weather',
    endpoint: 'https://weather.example/v1',
  }

  test('spare the embedding, and change nothing', () => {
    const embedder = openEmbedder()
    const made = createMeaning(embedder)
    const kept = createMeaning(embedder)
    expect(made.set(0, document)).toEqual(made.gist(document))
    expect(kept.set(0, document, made.gist(document))).toBeUndefined()
    expect(kept.set(1, { ...document, name: 'Parcel tracking' }, made.gist(document))).toBeDefined()
    const sense = made.read('weather tomorrow')
    expect(kept.nearness(sense, [0])).toEqual(made.nearness(sense, [0]))
  })

  // Gists that were kept by an earlier version are trusted: whoever changes how they are made must raise FORMAT in gist.ts.
  test('are made as this format says', () => {
    const hash = Bun.SHA256.hash(createMeaning(openEmbedder()).gist(document), 'hex')
    expect(hash).toMatchInlineSnapshot(`"515d3853f004f5444f9f142d46fb4cdaa14bd7870664230b93e56bf588b656bb"`)
  })
})
