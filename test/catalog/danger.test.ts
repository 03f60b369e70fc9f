// Services that must not be paid as listed come after all others in every search that orders by relevance, because an agent takes
// the first.
import { describe, expect, test } from 'bun:test'
import type { Entry } from '../../src/domain/listing/service.ts'
import type { Delivery } from '../../src/domain/standing/delivery.ts'
import type { Seen } from '../../src/domain/terms/terms.ts'
import { listing, open, PLACES, wallet } from './listings.ts'

const ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

function seenAsking(payTo: string, price: string, chain = 'eip155:8453'): Seen {
  const amount = String(Math.round(Number(price) * 1e6))
  return {
    at: '2026-11-01T00:00:00.000Z',
    price: 'same',
    asks: { amount: price, currency: 'USDC' },
    resources: [
      {
        url: 'https://seller.example/api',
        method: 'GET',
        ways: [{ scheme: 'exact', chain, asset: ASSET, amount, payTo }],
      },
    ],
  }
}
const OTHER = `0x${'e'.repeat(40)}`
const NEVER_DELIVERED: Delivery = { purchases: 3, delivered: 0, failedInARow: 3, last: null, told: [] }

/** What an attacker does after having earned trust, with the words that the query asks for. */
const HOSTILE: Readonly<Record<string, (entry: Entry) => Entry>> = {
  'asks for another wallet': entry => ({ ...entry, seen: seenAsking(OTHER, '0.0025') }),
  'asks for another network': entry => ({
    ...entry,
    seen: seenAsking(entry.x402Config.paymentAddress, '0.0025', 'eip155:137'),
  }),
  'asks for more than is listed': entry => ({
    ...entry,
    seen: seenAsking(entry.x402Config.paymentAddress, '5'),
  }),
  'was paid and never delivered': entry => ({ ...entry, delivery: NEVER_DELIVERED }),
}

const EARNED = { status: 'unverified', trustScore: 40 } as const
const hostileWords = { name: 'Weather forecast', description: 'Weather forecast for every city' }
const honestWords = {
  name: 'Ōtori',
  description: 'Among much else that one may want to know of a town: a weather forecast',
}
const withSeen = (entry: Entry): Entry => ({
  ...entry,
  seen: seenAsking(entry.x402Config.paymentAddress, '0.0025'),
})

describe.each(Object.entries(HOSTILE))('A service that %s', (_, turn) => {
  test.each(Object.entries(PLACES))('is last in the %s', (_, ask) => {
    const honest = listing(honestWords)
    const listed = withSeen(listing(hostileWords, EARNED))
    expect(ask(open(honest, listed), 'weather forecast')[0]).toBe(listed.id)
    expect(ask(open(honest, turn(listed)), 'weather forecast')).toEqual([honest.id, listed.id])
  })

  test('is last in each step of a request, behind samples too', () => {
    const honest = listing(honestWords)
    const sample = { ...listing({ name: 'Skies', description: 'A forecast of the weather' }), sample: true }
    const mail = listing({ name: 'Postino', description: 'Send an email', category: 'communication' })
    const hostile = turn(listing(hostileWords, EARNED))
    const catalog = open(hostile, honest, sample, mail)
    const { steps = [] } = catalog
      .searchByIntent({ q: 'get the weather forecast, then send it by email', limit: 10 })
      .decode()
    const [forecast] = steps
    const fitting = forecast?.results.filter(({ weak }) => !weak) ?? []
    expect(fitting.map(({ service }) => service.id)).toEqual([honest.id, sample.id, hostile.id])
    expect(fitting.map(({ reason }) => reason.includes('ranked last because'))).toEqual([false, false, true])
  })

  test('is last for a sentence of constraints alone', () => {
    const newcomer = listing({ name: 'Newcomer', description: 'Weather of a town' })
    const hostile = turn(listing(hostileWords, EARNED))
    for (const q of ['on Base', 'cheap on Base'])
      expect(PLACES['intent search']!(open(hostile, newcomer), q)).toEqual([newcomer.id, hostile.id])
  })

  test('does not demote other services of the wallet that it lists', () => {
    const words = (i: number) => ({ name: `Forecast ${i}`, description: `The weather forecast of town ${i}` })
    const own = [1, 2].map(i => listing({ ...words(i), ...wallet('7') }))
    const hostile = [3, 4].map(i => turn(listing({ ...words(i), ...wallet('7') }, EARNED)))
    const other = listing(honestWords)
    const found = PLACES['intent search']!(open(...hostile, ...own, other), 'weather forecast')
    expect(new Set(found.slice(0, 3))).toEqual(new Set([...own, other].map(({ id }) => id)))
  })
})

test('an inactive service, or one that asks for less than listed, is not ranked last', () => {
  const lower = listing(hostileWords, EARNED)
  const honest = listing(honestWords)
  const asksLess = { ...lower, seen: seenAsking(lower.x402Config.paymentAddress, '0.001') }
  const [first] = open(asksLess, honest).searchByIntent({ q: 'weather forecast', limit: 5 }).decode().results
  expect(first?.service.id).toBe(lower.id)
  const inactive = {
    ...lower,
    standing: { ...lower.standing, status: 'inactive' as const },
    seen: seenAsking(OTHER, '5'),
  }
  const { results } = open(inactive, honest).searchByIntent({ q: 'weather forecast', limit: 5 }).decode()
  expect(results.some(({ reason }) => reason.includes('ranked last'))).toBe(false)
})
