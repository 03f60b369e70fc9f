// The terms of the example service, and their resolution.
import type { Resolution } from '../../domain/resolve/resolution.ts'
import type { PaymentRequirements, TermsAnswer } from '../../domain/terms/terms.ts'
import { say } from '../../messages/message.ts'
import { tellInEnglish } from '../../messages/tell-in-english.ts'
import { serviceExample, statusExample } from './service.ts'

export const requirementsExample: PaymentRequirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  chain: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USDC',
  amount: '1000',
  price: '0.001',
  currency: 'USD',
  payTo: serviceExample.x402Config.paymentAddress,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
}

export const termsExample: TermsAnswer = {
  id: serviceExample.id,
  seenAt: statusExample.lastChecked,
  x402Version: 2,
  asListed: { price: 'same', address: true, network: true },
  usdPrice: '0.001',
  usdPriceAt: null,
  payableByDefaultClient: true,
  notes: [],
  noteCodes: [],
  resources: [
    {
      url: serviceExample.endpoint,
      method: 'GET',
      input: { type: 'object', properties: { city: { type: 'string' } }, example: { city: 'Tokyo' } },
      accepts: [requirementsExample],
      extensions: ['bazaar'],
      source: '402',
    },
  ],
}

export const resolutionExample: Resolution = {
  url: `${serviceExample.endpoint}/forecast`,
  verdict: 'clear',
  reasons: [
    {
      code: 'as_listed_and_seen',
      text: tellInEnglish(say('as_listed_and_seen', { compared: ['payTo', 'amount', 'network'] })),
      values: { compared: ['payTo', 'amount', 'network'] },
    },
  ],
  service: {
    id: serviceExample.id,
    name: serviceExample.name,
    status: serviceExample.status,
    trustScore: serviceExample.trustScore,
  },
  listed: {
    endpoint: serviceExample.endpoint,
    paymentAddress: serviceExample.x402Config.paymentAddress,
    network: serviceExample.x402Config.network,
    currency: serviceExample.pricing.currency,
    pricePerRequest: serviceExample.pricing.pricePerRequest,
  },
  seen: {
    price: 'same',
    accepts: [
      {
        scheme: 'exact',
        chain: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        amount: '2500',
        payTo: serviceExample.x402Config.paymentAddress,
      },
    ],
  },
  seenAt: statusExample.lastChecked,
}
