import { describe, expect, test } from 'bun:test'
import { createProber } from '../../src/probe/prober.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { listing, PAYEE, STRANGER } from './merchant.ts'
import { openExpressMerchant, openFacilitator, openHonoMerchant } from './real-merchants.ts'

const probe = createProber({
  fetch: createSafeFetch({ allowPrivate: true }),
  userAgent: 'Shirube-Prober/1',
  random: () => 1,
})
describe.each([
  ['@x402/hono, version 2', openHonoMerchant],
  ['x402-express, version 1', openExpressMerchant],
] as const)('a merchant built with %s', (_, openMerchant) => {
  test('is payable at its resource', async () => {
    await using facilitator = openFacilitator()
    await using merchant = await openMerchant(facilitator.url, { payTo: PAYEE, price: '$0.0025' })
    const outcome = await probe({ ...listing, endpoint: `${merchant.url}/v1/forecast` })
    expect(outcome).toMatchObject({
      outcome: 'payable',
      priceSeen: '0.0025',
      price: 'same',
      notes: [],
      resource: null,
    })
  })

  test('is payable by POST', async () => {
    await using facilitator = openFacilitator()
    await using merchant = await openMerchant(facilitator.url, { payTo: PAYEE, price: '$0.0025' })
    const endpoint = `${merchant.url}/v1/book`
    expect(await probe({ ...listing, endpoint })).toMatchObject({
      outcome: 'payable',
      resource: { url: endpoint, method: 'POST' },
    })
  })

  test('is payable through its base URL', async () => {
    await using facilitator = openFacilitator()
    await using merchant = await openMerchant(facilitator.url, { payTo: PAYEE, price: '$0.0025' })
    expect(await probe({ ...listing, endpoint: `${merchant.url}/v1` })).toMatchObject({
      outcome: 'payable',
      resource: { url: `${merchant.url}/v1/forecast`, method: 'GET' },
    })
  })

  test('that asks more than listed is mismatched', async () => {
    await using facilitator = openFacilitator()
    await using merchant = await openMerchant(facilitator.url, { payTo: PAYEE, price: '$0.01' })
    expect(await probe({ ...listing, endpoint: `${merchant.url}/v1/forecast` })).toMatchObject({
      outcome: 'mismatched',
      priceSeen: '0.01',
      price: 'higher',
    })
  })

  test('with another payee is mismatched', async () => {
    await using facilitator = openFacilitator()
    await using merchant = await openMerchant(facilitator.url, { payTo: STRANGER, price: '$0.0025' })
    expect(await probe({ ...listing, endpoint: `${merchant.url}/v1/forecast` })).toMatchObject({
      outcome: 'mismatched',
      undeclaredAddresses: [STRANGER],
    })
  })
})
