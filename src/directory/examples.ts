// One realistic service in the shapes that people meet first; the schemas describe the others.

import { toCall } from '../domain/call/call.ts'
import type { Changes, FeedEvent } from '../domain/feed.ts'
import { categoryLabels } from '../domain/listing/categories.ts'
import { EXPORT_VERSION, toExportEntry } from '../domain/listing/service.ts'
import { toReason } from '../domain/problems.ts'
import type { Resolution } from '../domain/resolve/resolution.ts'
import { type SignInChallenge, toSignInMessage } from '../domain/sign-in.ts'
import type { PaymentRequirements, TermsAnswer } from '../domain/terms/terms.ts'
import { say, tellInEnglish } from '../messages/message.ts'

export const draftExample = {
  name: 'Tokyo Weather',
  description: 'Hourly forecast for every ward of Tokyo, ten days ahead.',
  endpoint: 'https://weather.example.com/v1',
  category: 'weather',
  pricing: { currency: 'USDC', pricePerRequest: '0.001', freeQuota: 100 },
  x402Config: { paymentAddress: '0x2096d0bA3f1B6F4a1c8E5f7D9b0A4c3E2d1F6a7B', network: 'base' },
}

export const serviceExample = {
  id: 'svc_01k6zq8v5pf3t9m2r7xw4yhd0c',
  ...draftExample,
  trustScore: 41,
  status: 'verified' as const,
  supportedChains: ['base'],
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:02.000Z',
}

export const statusExample = {
  id: serviceExample.id,
  trustScore: serviceExample.trustScore,
  status: serviceExample.status,
  uptimeScore: 99.87,
  lastChecked: '2026-02-01T12:00:00.000Z',
  txCount: 1840,
  totalRevenue: 1.84,
}

export const categoriesExample = [{ id: 'weather', labels: categoryLabels('weather'), count: 12 }]

export const exportExample = {
  version: EXPORT_VERSION,
  source: 'Shirube',
  exportedAt: '2026-02-01T12:00:00.000Z',
  endpoints: [toExportEntry(serviceExample)],
}

// The terms of the example service, and their resolution.

const requirementsExample: PaymentRequirements = {
  protocol: 'x402',
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
    level: 'paid',
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

export const callExample = toCall(serviceExample, termsExample, 'curl')

// Changes and events of the example service, and its webhooks.

const TIMELINE = '9f2c41d07be35a68'

export const changesExample: Changes = {
  changes: [
    { seq: 1203, id: serviceExample.id, type: 'upsert', service: serviceExample },
    { seq: 1204, id: 'svc_01k6zq8v5pf3t9m2r7xw4yhd0d', type: 'delete' },
  ],
  next: `1204-${TIMELINE}`,
  caughtUp: true,
}

export const feedEventExample: FeedEvent = {
  number: 512,
  cursor: `512-${TIMELINE}`,
  type: 'service.price_changed',
  serviceId: serviceExample.id,
  seq: 1203,
  at: '2026-02-01T12:00:00.000Z',
  ...toReason(say('edited', { by: 'owner', what: 'price' })),
  before: { amount: '0.002', currency: 'USDC' },
  after: { amount: '0.001', currency: 'USDC' },
}

/** Ids of what operations other than those of services are about. */
export const IDS = {
  key: 'key_5m2k9x0c1v',
  payment: 'pur_01k6zq8v5pf3t9m2r7xw4yhd0e',
  report: 'rep_01k6zq8v5pf3t9m2r7xw4yhd0e',
  source: 'src_6c1d2f0a9b3e',
  webhook: 'whk_5f0c9c1b7d5e4b0f9a3e2d1c0b9a8f7e',
} as const

export const webhookDraftExample = {
  url: 'https://receiver.example.com/shirube',
  events: ['service.price_changed' as const, 'service.removed' as const],
  filter: { category: 'weather', chain: ['base', 'solana'] },
}

// A search result with the example service.

export const intentExample = {
  query: '東京の天気を知りたい',
  tokens: ['東京', '天気'],
  matchedTokens: ['天気'],
  total: 1,
  reason: '「天気」に一致するサービスが1件あります。',
  constraints: { unapplied: [] },
  wishes: [],
  suppressed: { policy: 0, weak: 0, sameSeller: 0, danger: 0 },
  results: [
    {
      service: serviceExample,
      score: 0.91,
      matchedTokens: ['天気'],
      reason: '「天気」に一致します。',
      usdPrice: '0.001',
      usdPriceAt: null,
      protocols: ['x402'],
      backing: {
        level: 'paid',
        claimed: true,
        domain: false,
        stranger: false,
        namesake: false,
        sample: false,
      },
    },
  ],
}

// A wallet that signs in.

const signInTimes = { issuedAt: '2026-02-01T12:00:00.000Z', expiresAt: '2026-02-01T12:05:00.000Z' }

const nonce = 'k3Jd0sPq8ZtVb2Lx7WmRy5Nc'

export const challengeExample: SignInChallenge = {
  message: toSignInMessage(
    { family: 'evm', address: serviceExample.x402Config.paymentAddress, chain: '8453' },
    { uri: 'https://directory.example', nonce, ...signInTimes },
  ),
  nonce,
  expiresAt: signInTimes.expiresAt,
}
