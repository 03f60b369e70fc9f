// The public lists of the large facilitators, as `README.md` names them. Nothing here was recorded from them: each answer is made up in
// the shape that the documents and packages of its facilitator show, with the fields that matter to reading it.
import { describe, expect, test } from 'bun:test'
import type { Service } from '../../src/domain/listing/service.ts'
import { servicesOf, USDC, WALLET } from './followed-list.ts'
import { at, serve } from './json-server.ts'
import { Node } from './node.ts'

const USDC_ON_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const USDC_ON_SEPOLIA = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const SOLANA_WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'

/** Version 1 in the accepts, with the schema of the request, and figures of the facilitator beside it. */
const coinbase = {
  x402Version: 1,
  items: [
    {
      resource: 'https://weather.example/v1/forecast',
      type: 'http',
      x402Version: 1,
      lastUpdated: '2026-11-01T09:00:00.000Z',
      metadata: { confidence: { overallScore: 0.8 }, paymentAnalytics: { totalTransactions: 12 } },
      accepts: [
        {
          scheme: 'exact',
          network: 'base',
          maxAmountRequired: '10000',
          asset: USDC,
          payTo: WALLET,
          resource: 'https://weather.example/v1/forecast',
          description: 'Hourly forecast for any city',
          mimeType: 'application/json',
          maxTimeoutSeconds: 300,
          outputSchema: {
            input: { type: 'http', method: 'GET', queryParams: { city: 'string' } },
            output: null,
          },
          extra: { name: 'USD Coin', version: '2' },
        },
      ],
    },
  ],
  pagination: { limit: 100, offset: 0, total: 1 },
}

/** Version 2, several chains for one resource, CAIP-2 names and the Bazaar extension. */
const payai = {
  x402Version: 2,
  items: [
    {
      resource: 'https://quotes.example/api/quote',
      type: 'http',
      x402Version: 2,
      lastUpdated: '2026-11-02T10:00:00Z',
      accepts: [
        {
          scheme: 'exact',
          network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
          amount: '1000',
          asset: USDC_ON_SOLANA,
          payTo: SOLANA_WALLET,
          maxTimeoutSeconds: 60,
          extra: { feePayer: SOLANA_WALLET },
        },
        {
          scheme: 'exact',
          network: 'eip155:8453',
          amount: '1000',
          asset: USDC,
          payTo: WALLET,
          maxTimeoutSeconds: 60,
          extra: { name: 'USD Coin', version: '2' },
        },
      ],
      extensions: { bazaar: { info: { input: { type: 'http', method: 'GET' } } } },
    },
  ],
  pagination: { limit: 100, offset: 0, total: 1 },
}

/** The reference facilitator: test networks, and unix dates. */
const reference = {
  x402Version: 2,
  items: [
    {
      resource: 'https://demo.example/weather',
      type: 'http',
      x402Version: 2,
      lastUpdated: 1_790_000_000,
      accepts: [
        {
          scheme: 'exact',
          network: 'eip155:84532',
          amount: '1000',
          asset: USDC_ON_SEPOLIA,
          payTo: WALLET,
          maxTimeoutSeconds: 60,
        },
      ],
    },
  ],
  pagination: { limit: 100, offset: 0, total: 1 },
}

async function follow(path: string, document: object) {
  using list = serve(at(path, document))
  await using node = await Node.start('node')
  const report = await node.sync(list.url + path)
  return { report, services: await servicesOf(node) }
}

describe('The list of', () => {
  test.each<[string, string, object, Partial<Service>]>([
    [
      'Coinbase',
      '/platform/v2/x402/discovery/resources',
      coinbase,
      {
        endpoint: 'https://weather.example/v1/forecast',
        description: 'Hourly forecast for any city',
        pricing: { currency: 'USDC', pricePerRequest: '0.01', freeQuota: 0 },
        x402Config: { paymentAddress: WALLET, network: 'base' },
      },
    ],
    [
      'PayAI',
      '/discovery/resources',
      payai,
      {
        endpoint: 'https://quotes.example/api/quote',
        pricing: { currency: 'USDC', pricePerRequest: '0.001', freeQuota: 0 },
      },
    ],
    [
      'the reference facilitator',
      '/facilitator/discovery/resources',
      reference,
      {
        endpoint: 'https://demo.example/weather',
        x402Config: { paymentAddress: WALLET, network: 'eip155:84532' },
      },
    ],
  ])(
    '%s is read at its address, and its entries wait for their first probe',
    async (_, path, document, expected) => {
      const { report, services } = await follow(path, document)
      expect(report).toMatchObject({ kind: 'list', added: 1, skipped: 0 })
      expect(services).toMatchObject([{ ...expected, status: 'unverified' }])
    },
  )
})

test('a directory of MPP names no wallets: one paid endpoint of each service is asked for its terms', async () => {
  const request = Buffer.from(
    JSON.stringify({
      ...{ amount: '2500', currency: USDC, recipient: WALLET },
      methodDetails: { chainId: 8453 },
    }),
  ).toString('base64url')
  const challenge = `Payment id="a", realm="test", method="evm", intent="charge", request="${request}"`
  const asked: string[] = []
  using seller = serve(({ pathname }) => {
    asked.push(pathname)
    return new Response(null, { status: 402, headers: { 'www-authenticate': challenge } })
  })
  const payment = { intent: 'charge', method: 'evm', amount: '9' }
  const document = {
    version: 1,
    services: [
      {
        ...{ id: 'quotes', name: 'Quotes', description: 'Stock quotes.', serviceUrl: `${seller.url}/` },
        categories: ['finance'],
        endpoints: [
          { method: 'GET', path: '/free', payment: null },
          { method: 'GET', path: '/quotes/:symbol', payment },
          { method: 'POST', path: '/quotes', payment },
        ],
      },
      {
        id: 'free',
        name: 'Free',
        serviceUrl: seller.url,
        endpoints: [{ method: 'GET', path: '/', payment: null }],
      },
    ],
  }
  using list = serve(at('/api/services', document))
  await using node = await Node.start('node')
  expect(await node.sync(`${list.url}/api/services`)).toMatchObject({
    kind: 'services',
    added: 1,
    skipped: 0,
  })
  expect(asked).toEqual(['/quotes'])
  expect((await servicesOf(node))[0]).toMatchObject({
    ...{
      name: 'Quotes',
      description: 'Stock quotes.',
      category: 'finance',
      endpoint: `${seller.url}/quotes`,
    },
    pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
    x402Config: { paymentAddress: WALLET },
  })
})
