// Endpoints cost little: many verified listings by one operator must not crowd out a service that somebody has paid.
import { expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { Entry, ServiceDraft } from '../../src/domain/listing/service.ts'
import type { Standing } from '../../src/domain/standing/standing.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { sharedEmbedder } from '../embedder.ts'
import { entry } from '../entries.ts'

const PAID = { status: 'verified', trustScore: 60 } as const
const UNPAID = { status: 'verified', trustScore: 10 } as const

function listing(number: number, parts: Partial<ServiceDraft>, standing: Partial<Standing>): Entry {
  return entry(
    {
      endpoint: `https://seller-${number}.example/api`,
      x402Config: { paymentAddress: `0x${(number + 1).toString(16).padStart(40, '0')}`, network: 'base' },
      ...parts,
    },
    { now: new Date(Date.UTC(2026, 0, 1) + number * 1_000), standing },
  )
}

function open(entries: readonly Entry[], hasMeaning = false) {
  const semantic = hasMeaning ? createSemanticIndex(sharedEmbedder()) : undefined
  const catalog = new Catalog(createSearchIndex(semantic ? { semantic } : {}))
  catalog.apply(entries.map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })))
  return (q: string, filters = {}) =>
    catalog
      .searchByIntent({ q, limit: 10, ...filters })
      .decode()
      .results.map(({ service }) => service.id)
}

const crowd = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => listing(i + 10, { name: text(i), description: text(i) }, UNPAID))

const SKYCAST = {
  name: 'Skycast',
  description:
    'Hourly and ten-day weather for any place on Earth: a forecast of temperature, rain, wind and snow.',
}

test('a paid service ranks above hundreds of verified ones that match better', () => {
  const paid = listing(0, SKYCAST, PAID)
  const ask = open([...crowd(300, i => `weather forecast ${i}`), paid])
  expect(ask('weather forecast')[0]).toBe(paid.id)
  // Nor does it help to be asked for among the verified.
  expect(ask('weather forecast', { status: 'verified' })[0]).toBe(paid.id)
  expect(ask('verified weather forecast')[0]).toBe(paid.id)
})

test('a paid service in another language is found by meaning, however many listings have the words', () => {
  const paid = listing(0, { ...SKYCAST, category: 'weather' }, PAID)
  const ask = open([...crowd(150, i => `天気予報 ${i}`), paid], true)
  expect(ask('天気予報')).toContain(paid.id)
})

test.each([
  ['a /64 of IPv6', (i: number) => `https://[2600:1f18:1:2:${(i + 1).toString(16)}::1]/api`],
  ['an IPv4 address and its ports', (i: number) => `https://52.1.2.3:${8_000 + i}/api`],
  [
    'an IPv4 address in all spellings',
    (i: number) =>
      `https://${['52.1.2.3', '0x34010203', '872481283', '[::ffff:52.1.2.3]', '[64:ff9b::3401:203]'][i % 5]}/v${i}`,
  ],
])('whoever has %s is one seller, whatever wallets are paid', (_, endpointOf) => {
  const texts = { name: 'Weather forecast', description: 'The weather forecast of any place' }
  const own = Array.from({ length: 8 }, (_, i) =>
    listing(i + 10, { ...texts, name: `Weather forecast ${i}`, endpoint: endpointOf(i) }, UNPAID),
  )
  const other = listing(2, { name: 'Skycast', description: 'A forecast, mostly of weather' }, UNPAID)
  const places = open([...own, other])('weather forecast')
  expect(places.length).toBe(9)
  expect(places.indexOf(other.id)).toBeLessThan(3)
})

test('a misspelt word that verified services contain still finds a paid service', () => {
  const paid = listing(0, SKYCAST, PAID)
  const ask = open([...crowd(3, () => 'wether forcast'), paid])
  expect(ask('wether forcast')[0]).toBe(paid.id)
})

test('a misspelt word finds a paid service even if others list similar sounds or spellings', () => {
  const paid = listing(
    0,
    { name: 'URL Sentinel', description: 'Opens a link and reports phishing, malware and bad redirects.' },
    PAID,
  )
  const others = [
    listing(1, { name: 'phising link', description: 'phising link' }, UNPAID),
    listing(2, { name: 'フィッシング', description: 'フィッシング' }, UNPAID),
    ...crowd(40, i => `this and that ${i}`),
  ]
  const ask = open([...others, paid], true)
  expect(ask('phising link')[0]).toBe(paid.id)
})

test('another form of a word matches if only unpaid services have the exact form', () => {
  const paid = listing(
    0,
    { name: 'Pinpoint Geocoder', description: 'Turns addresses into coordinates in 200 countries.' },
    PAID,
  )
  const ask = open([...crowd(3, () => 'geocoding'), paid], true)
  expect(ask('geocoding')[0]).toBe(paid.id)
})
