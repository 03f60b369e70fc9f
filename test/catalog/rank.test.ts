// Where a service stands for a sentence: one listing against others, with the part of the score that puts them before it.
import { describe, expect, test } from 'bun:test'
import type { Entry } from '../../src/domain/listing/service.ts'
import { KNOWN, listing, openSemantic, PROVED, SKYCAST, wallet } from './listings.ts'

const PLAIN = { name: 'Rainfall', description: 'Weather forecast for every city.' }

type Case = {
  readonly ask?: string
  readonly own: Entry
  readonly others: readonly Entry[]
  readonly position: number | null
  readonly unmet?: readonly string[]
  readonly decides: readonly string[]
  readonly help: readonly string[]
}
const free = (pricePerRequest: string) => ({ currency: 'USDC', pricePerRequest, freeQuota: 0 })

const CASES: Readonly<Record<string, Case>> = {
  'nothing stands before the first': {
    own: listing(PLAIN, KNOWN),
    others: [listing({ ...PLAIN, name: 'Drizzle' })],
    position: 1,
    decides: [],
    help: [],
  },
  'what is verified, before what is not': {
    own: listing(PLAIN),
    others: [listing({ ...PLAIN, name: 'Drizzle' }, KNOWN)],
    position: 2,
    decides: ['standing'],
    help: ['rank_verify'],
  },
  'what was never bought, before what did not deliver when it was': {
    own: {
      ...listing(PLAIN, PROVED),
      delivery: { purchases: 3, delivered: 1, failedInARow: 1, last: null, told: [] },
    },
    others: [listing({ ...PLAIN, name: 'Drizzle' }, KNOWN)],
    position: 2,
    decides: ['standing'],
    help: ['rank_deliver'],
  },
  'what has the words, before what has one of them': {
    own: listing(
      { name: 'Sunlight', description: 'Forecast of what a panel yields.', category: 'other' },
      PROVED,
    ),
    others: [listing(PLAIN, PROVED)],
    position: 2,
    decides: ['words'],
    help: ['rank_words'],
  },
  'the cheaper, where the sentence wishes it': {
    ask: 'cheap weather forecast',
    own: listing({ ...PLAIN, pricing: free('0.9') }, PROVED),
    others: [listing({ ...PLAIN, name: 'Drizzle', pricing: free('0.0001') }, PROVED)],
    position: 2,
    decides: ['wish'],
    help: ['rank_wish'],
  },
  'nothing, where a condition leaves the service out': {
    ask: 'weather forecast on Polygon under 0.001 USDC',
    own: listing({ ...PLAIN, pricing: free('0.5') }, KNOWN),
    others: [listing({ ...PLAIN, x402Config: { ...wallet('a').x402Config, network: 'polygon' } }, KNOWN)],
    position: null,
    unmet: ['maxPricePerRequest', 'chain'],
    decides: [],
    help: ['rank_condition', 'rank_condition'],
  },
  'nothing, where the sentence excludes the service': {
    ask: 'weather forecast, not Rainfall',
    own: listing(PLAIN, KNOWN),
    others: [listing({ ...PLAIN, name: 'Drizzle' })],
    position: null,
    unmet: ['excluded'],
    decides: [],
    help: ['rank_condition'],
  },
  'two of its seller, and those of others': {
    own: listing(
      { name: 'City weather', description: 'Forecast of the weather, by city.', ...wallet('b') },
      PROVED,
    ),
    others: [
      listing({ name: 'Weather forecast', description: 'Weather forecast by hour.', ...wallet('b') }, PROVED),
      listing({ name: 'Weather forecasts', description: 'Weather forecast by day.', ...wallet('b') }, PROVED),
      listing({ name: 'Almanac', description: 'Tides, sunsets, pollen, dust and the weather.' }, PROVED),
    ],
    position: 4,
    decides: ['words', 'words', 'seller'],
    help: ['rank_words_placed', 'rank_seller'],
  },
  'the older of two with one text': {
    others: [listing(SKYCAST, PROVED)],
    own: listing(SKYCAST, PROVED),
    position: 2,
    decides: ['copy'],
    help: ['rank_copy'],
  },
  'everything, before what must not be paid': {
    own: {
      ...listing(PLAIN),
      delivery: { purchases: 3, delivered: 0, failedInARow: 3, last: null, told: [] },
    },
    others: [listing({ name: 'Almanac', description: 'Tides, sunsets, pollen, dust and the weather.' })],
    position: 2,
    decides: ['danger'],
    help: ['rank_danger'],
  },
  'what fits, before what has nothing of the sentence': {
    own: listing(
      { name: 'Ledger', description: 'Double-entry bookkeeping for small shops.', category: 'other' },
      KNOWN,
    ),
    others: [listing(PLAIN)],
    position: null,
    decides: ['meaning'],
    help: ['rank_meaning'],
  },
}

describe('For a sentence', () => {
  test.each(Object.entries(CASES))(
    '%s',
    (_, { ask = 'weather forecast', own, others, unmet = [], ...expected }) => {
      const catalog = openSemantic(...others, own)
      const { results } = catalog.searchByIntent({ q: ask, limit: 100 }).decode()
      const rank = catalog.rank(own.id, { q: ask })!
      const place = results.findIndex(({ service, weak }) => service.id === own.id && !weak)
      expect(rank.position).toBe(place === -1 ? null : place + 1)
      expect({
        position: rank.position,
        unmet: rank.unmet,
        decides: rank.before.map(({ decides }) => decides),
        help: rank.help.map(({ code }) => code),
      }).toEqual({ ...expected, unmet: [...unmet] } as never)
      expect(rank.before.map(({ id, score }) => [id, score])).toEqual(
        results.slice(0, rank.before.length).map(({ service, score }) => [service.id, score]),
      )
    },
  )
})
