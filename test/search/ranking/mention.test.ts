// A listing that mentions one word of the sentence in passing is not about what the sentence asks for.
import { describe, expect, test } from 'bun:test'
import { createSemanticIndex } from '../../../src/search/embedding/semantic-index.ts'
import { toStandingPrior } from '../../../src/search/ranking/prior.ts'
import { fuse } from '../../../src/search/ranking/rerank.ts'
import { createSearchIndex } from '../../../src/search/search-index.ts'
import { createSentenceReader } from '../../../src/search/sentence/intent.ts'
import { sharedEmbedder } from '../../embedder.ts'
import { createService } from '../service.ts'

const SERVICES = [
  createService({
    name: 'Ferry Timetables',
    description: 'Departures of ferries between islands, with the quay and the weather on the way.',
    category: 'travel',
    status: 'verified',
  }),
  createService({
    name: 'Skycast Forecast',
    description: 'Hourly and ten-day weather forecast for any point on Earth.',
    category: 'weather',
    status: 'unverified',
  }),
  createService({
    name: 'そらまめ',
    description: '全国の天気予報を1時間ごとに返します。',
    category: 'weather',
    status: 'unverified',
  }),
]
const index = createSearchIndex({ semantic: createSemanticIndex(sharedEmbedder()) })
for (const [slot, service] of SERVICES.entries()) index.set(slot, service)
const readIntent = createSentenceReader()

function hitsFor(sentence: string) {
  const prior = (slot: number) => toStandingPrior({ status: SERVICES[slot]!.status, proof: 10, since: 0 })
  const { hits } = index.rankIntent(readIntent(sentence), 5, (a, b) => a - b, { prior })
  return hits.map(hit => ({ ...hit, name: SERVICES[hit.slot]!.name }))
}

describe('what a sentence asks for is before a mention in passing that stands better', () => {
  test.each(['weather', 'the weather for tomorrow', '天気', '東京の天気'])('%s', sentence => {
    const names = hitsFor(sentence).map(({ name }) => name)
    expect(names.slice(0, 2).toSorted()).toEqual(['Skycast Forecast', 'そらまめ'])
    expect(names).toContain('Ferry Timetables')
  })
  test('and is behind what stands better and is about it as well', () => {
    expect(hitsFor('ferry')[0]?.name).toBe('Ferry Timetables')
  })
  test('a misspelt word, whose meaning is not known, counts in full', () => {
    const [first] = hitsFor('timetabels')
    const { bm25, cosine, maxSim, relevance } = first!.parts
    expect(first?.name).toBe('Ferry Timetables')
    expect(cosine).toBeLessThan(0.2)
    expect(relevance).toBe(fuse(bm25, cosine, maxSim, true))
  })
})
