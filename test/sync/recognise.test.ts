import { expect, test } from 'bun:test'
import { recognise } from '../../src/sync/read-source.ts'
import { SourceFailure } from '../../src/sync/source-reader.ts'

/** A source that holds these documents and nothing else. */
const holding = (documents: Readonly<Record<string, unknown>>) => ({
  json: async (url: string) => documents[url],
  maybeJson: async (url: string) => documents[url],
})

test('a manifest links to its feed, by a URL or by a path', async () => {
  for (const changes of ['https://a.example/x/api/changes', '/x/api/changes'])
    expect(
      await recognise(
        holding({ 'https://a.example/.well-known/x402': { x402Version: 2, changes } }),
        'https://a.example',
      ),
    ).toEqual({ kind: 'shirube', base: 'https://a.example/x' })
})

test('the feed and the lines of JSON of a Shirube lead to the Shirube', async () => {
  for (const path of ['/api/changes', '/api/changes?since=0', '/api/export.ndjson'])
    expect(await recognise(holding({}), `https://a.example/x${path}`)).toEqual({
      kind: 'shirube',
      base: 'https://a.example/x',
    })
})

test('a URL with nothing of the kind is refused with what could be there', async () => {
  await expect(recognise(holding({}), 'https://a.example/x.csv')).rejects.toThrow(
    'https://a.example/x.csv is neither another Shirube nor a Bazaar list, an export document or an origin with paid resources.',
  )
})

test('a manifest whose feed is not a URL is read for its other content, or reported as empty', async () => {
  for (const changes of ['http://[', 'https://a b/', 'http://x:99999/']) {
    const manifest = { x402Version: 2, changes }
    const alone = recognise(holding({ 'https://a.example/.well-known/x402': manifest }), 'https://a.example')
    await expect(alone).rejects.toThrow(SourceFailure)
    const document = { ...manifest, resources: ['https://a.example/v1'] }
    expect(
      await recognise(holding({ 'https://a.example/.well-known/x402': document }), 'https://a.example'),
    ).toEqual({ kind: 'origin', base: 'https://a.example', document })
  }
})
