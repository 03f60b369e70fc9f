import { describe, expect, test } from 'bun:test'
import { readAtomicAmount, toBody } from '../../src/sync/group-resources.ts'

const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const WALLET = '0x7aA3B0D047d135f43e8699E07783a548819BC25c'
const v2 = {
  resource: 'https://tides.example/v1/forecast',
  type: 'http',
  x402Version: 2,
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '2500',
      asset: USDC_ON_BASE,
      payTo: WALLET,
      maxTimeoutSeconds: 60,
    },
  ],
  lastUpdated: '2026-03-01T00:00:00Z',
  description: 'Tide tables for every harbour',
  serviceName: 'Tides of Japan',
  tags: ['sea', 'weather'],
}

describe('An item of a Bazaar list', () => {
  test('may give its address as url or inside a resource object', () => {
    const { resource, serviceName, description, ...rest } = v2
    expect(toBody({ ...rest, url: resource }, 'items')).toMatchObject({ endpoint: resource })
    expect(toBody({ ...rest, resource: { url: resource, serviceName, description } }, '')).toMatchObject({
      endpoint: resource,
      name: serviceName,
      description,
    })
  })

  test('uses the first known asset', () => {
    const [accept] = v2.accepts
    const unknown = { ...accept, asset: '0x0000000000000000000000000000000000000001' }
    expect(toBody({ ...v2, accepts: [unknown, accept] }, 'items')).toMatchObject({
      pricing: { pricePerRequest: '0.0025' },
    })
  })

  test.each([
    [[], 'is missing'],
    [[{ ...v2.accepts[0], asset: '0x01' }], 'has the unknown asset 0x01 on eip155:8453'],
    [[{ ...v2.accepts[0], amount: '0.01' }], 'has no amount in whole atomic units'],
    [['free'], 'names no network or asset'],
  ])('without a known price is refused with the reason', (accepts, reason) => {
    expect(() => toBody({ ...v2, accepts }, 'items')).toThrow(reason)
  })

  test('without a category or tag goes to other', () => {
    const { tags: _, ...rest } = v2
    expect(toBody(rest, 'items')).toMatchObject({ category: 'other' })
    expect(toBody({ ...rest, tags: ['!', 'Sea Level'] }, 'items')).toMatchObject({ category: 'sea-level' })
  })
})

test.each([
  ['2500', 6, '0.0025'],
  [2500, 6, '0.0025'],
  ['1000000', 6, '1'],
  ['0', 6, '0'],
  ['00012', 2, '0.12'],
  ['123456789012345678901', 18, '123.456789012345678901'],
  ['7', 0, '7'],
  ['', 6, undefined],
  ['-1', 6, undefined],
  ['1.5', 6, undefined],
  [1.5, 6, undefined],
  [undefined, 6, undefined],
])('%p in units of 10^-%i is %p', (amount, decimals, expected) => {
  expect(readAtomicAmount(amount, decimals)).toBe(expected as string)
})
