// The embeddings that come with the sample catalog.
import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/app/config.ts'
import { readSample, readSampleEmbeddings } from '../../src/app/local.ts'
import { openApp } from '../../src/app/server.ts'
import { openEmbedder } from '../../src/search/embedding/model.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'

describe('the embeddings of the sample catalog', () => {
  test('are those of its texts by the model (npm run sample renews them)', async () => {
    const { embedDocument } = createSemanticIndex(openEmbedder())
    const entries = await readSample(new Date())
    expect(await readSampleEmbeddings(entries)).toEqual(
      entries.map(entry => ({ id: entry.id, embedding: embedDocument(entry) })),
    )
  })

  test('let a first start load the model only with the first search', async () => {
    const embedder = openEmbedder()
    const config = readConfig({
      DATABASE_URL: 'sqlite::memory:',
      PORT: '0',
      PROBE: 'off',
      LOG_LEVEL: 'error',
    })
    await using app = await openApp(config, { sample: true, embedder })
    await app.caughtUp
    expect(embedder.bytes).toBe(0)
    const answer = await fetch(`${app.urls[0]}/api/services/search/intent?q=weather+forecast`)
    expect(((await answer.json()) as { results: unknown[] }).results.length).toBeGreaterThan(0)
    expect(embedder.bytes).toBeGreaterThan(0)
  })
})
