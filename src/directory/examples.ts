// One realistic service in every shape of the API; the other examples refer to it.

import { toCall } from '../domain/call/call.ts'
import type { CheckReport } from '../domain/check.ts'
import type { Changes, FeedEvent } from '../domain/feed.ts'
import type { Backing, ProvenanceRecord } from '../domain/listing/backing.ts'
import { categoryLabels } from '../domain/listing/categories.ts'
import type { OwnServices } from '../domain/listing/seller.ts'
import { createEntry, type Entry, EXPORT_VERSION, toExportEntry } from '../domain/listing/service.ts'
import { NO_MESSAGE, toDetail, toMessageRecord, toReason } from '../domain/problems.ts'
import type { OutcomeDraft } from '../domain/purchases/payer-report.ts'
import type { PurchaseFeed, PurchasesAnswer, PurchaseView } from '../domain/purchases/purchases-view.ts'
import type { Rank } from '../domain/queries/rank.ts'
import type { Report, ReportDraft } from '../domain/reports.ts'
import type { Resolution } from '../domain/resolve/resolution.ts'
import { type CreatedKey, type SignInChallenge, toSignInMessage } from '../domain/sign-in.ts'
import type { CatalogFigures, History } from '../domain/standing/history.ts'
import { EMPTY_TALLY, initialStanding } from '../domain/standing/standing.ts'
import { type Trust, toTrust } from '../domain/standing/trust.ts'
import type { PaymentRequirements, TermsAnswer } from '../domain/terms/terms.ts'
import type { Webhook } from '../domain/webhooks.ts'
import { say, tellInEnglish, together } from '../messages/message.ts'

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

export const ownServicesExample: OwnServices = {
  services: [{ service: serviceExample, by: 'owner', retired: null, hidden: null }],
  next: null,
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

// A check of the example endpoint.

const { paymentAddress } = draftExample.x402Config

/** Checks of a probe whose terms match the registration. */
const networkMatches = say('network_as_registered', { network: 'Base' })

const addressMatches = say('address_as_registered', { address: paymentAddress })

export const checkRequestExample = {
  endpoint: draftExample.endpoint,
  x402Config: draftExample.x402Config,
}

export const checkReportExample: CheckReport = {
  endpoint: draftExample.endpoint,
  outcome: 'payable',
  wouldVerify: true,
  checks: [
    { check: 'url', result: 'passed', ...toDetail(say('url_well_formed')) },
    { check: 'public_address', result: 'passed', ...toDetail(say('address_may_be_asked')) },
    { check: 'reachable', result: 'passed', ...toDetail(say('answers', { status: 402 })) },
    {
      check: 'answers_402',
      result: 'passed',
      ...toDetail(say('request_answers_402', { method: 'GET', path: '/v1' })),
    },
    { check: 'readable_terms', result: 'passed', ...toDetail(say('terms_version', { version: 2 })) },
    { check: 'network', result: 'passed', ...toDetail(networkMatches) },
    { check: 'address', result: 'passed', ...toDetail(addressMatches) },
    { check: 'other_payees', result: 'passed', ...toDetail(say('no_other_payees')) },
    { check: 'price', result: 'skipped', ...toDetail(say('no_price_given')) },
  ],
  notes: [],
  noteCodes: [],
  requests: [
    { method: 'GET', path: '/v1', status: 402, as: 'customer' },
    { method: 'GET', path: '/openapi.json', status: 404, as: 'customer' },
  ],
  domain: { host: new URL(serviceExample.endpoint).host, names: 'wallet' },
  httpStatus: 402,
  latencyMs: 84,
  resource: null,
  payments: [
    {
      protocol: 'x402',
      scheme: 'exact',
      network: 'eip155:8453',
      payTo: paymentAddress,
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      amount: '1000',
      price: '0.001',
      currency: 'USDC',
    },
  ],
  resources: [
    {
      url: draftExample.endpoint,
      method: 'GET',
      accepts: [requirementsExample],
      extensions: [],
      source: '402',
    },
  ],
}

// What the directory stores about the example service.

const asRegistered = [
  networkMatches,
  addressMatches,
  say('price_as_listed', { price: '0.001', currency: 'USDC', upTo: false }),
]

export const historyExample: History = {
  id: serviceExample.id,
  items: [
    {
      kind: 'event',
      at: serviceExample.updatedAt,
      type: 'status',
      ...toReason(together(asRegistered)),
      before: 'unverified',
      after: 'verified',
    },
    {
      kind: 'probe',
      at: serviceExample.updatedAt,
      outcome: 'payable',
      httpStatus: 402,
      latencyMs: 84,
      priceSeen: '0.001',
      asListed: true,
      reasons: asRegistered.map(tellInEnglish),
      reasonCodes: asRegistered.map(toMessageRecord),
    },
    {
      kind: 'event',
      at: serviceExample.createdAt,
      type: 'registered',
      ...NO_MESSAGE,
      before: null,
      after: null,
    },
  ],
  next: null,
  days: [{ day: '2026-01-15', ...EMPTY_TALLY, up: 1, payable: 1, asListed: 1, fast: 1, latencyTotalMs: 84 }],
}

export const provenanceExample: ProvenanceRecord = {
  id: serviceExample.id,
  source: 'imported',
  sourceUrl: 'https://directory.example',
  firstSeen: serviceExample.createdAt,
  origin: { key: 'svc_06g1q9v3kbhx3e8f5n2m7r4t0c', seq: 1042 },
  owned: false,
  follows: true,
}

export const backingExample: Backing = {
  id: serviceExample.id,
  level: 'paid',
  claimed: true,
  domain: {
    host: new URL(serviceExample.endpoint).host,
    names: 'wallet',
    since: serviceExample.updatedAt,
  },
  representative: null,
  others: [
    {
      id: 'svc_01kf8w9f0zf3k8v0c2n4m6p8r1',
      name: serviceExample.name,
      shares: ['name', 'endpoint'],
      yields: true,
    },
  ],
  sample: false,
}

const entryExample: Entry = {
  ...createEntry(draftExample, { id: serviceExample.id, now: new Date(serviceExample.createdAt) }),
  standing: {
    ...initialStanding(statusExample.lastChecked),
    status: 'verified',
    payers: { weight: 6, recent: 18 },
  },
  provenance: {
    source: 'imported',
    sourceUrl: 'https://api.cdp.coinbase.com/platform/v2/x402/discovery/resources',
    firstSeen: serviceExample.createdAt,
    origin: {
      key: draftExample.endpoint,
      seq: 0,
      claim: {
        at: '2026-11-01T06:00:00.000Z',
        calls: 412,
        payers: 31,
        lastCalledAt: '2026-10-31T22:14:09.000Z',
      },
    },
  },
}

export const trustExample: Trust = toTrust(
  entryExample,
  {
    tally: { ...EMPTY_TALLY, up: 415, payable: 415, asListed: 415, failed: 1, fast: 4, fair: 20 },
    ageDays: 17,
    payments: {
      settlements: 1840,
      payers: 26,
      credited: 'claim',
      inRing: 2,
      tooSmall: 1,
      unrelated: 23,
      established: 5,
      recent: 18,
      largestShare: 0.2,
    },
  },
  { payers: 26, lastPaymentAt: null },
)

export const callExample = toCall(serviceExample, termsExample, 'curl')

// Purchases from the example service, and reports of its payers.

const settledReason = say('settled_on_chain', { transaction: `0x${'7a'.repeat(32)}` })

export const outcomeDraftExample: OutcomeDraft = {
  outcome: 'delivered',
  network: 'base',
  payer: `0x${'2b'.repeat(20)}`,
  transaction: `0x${'5c'.repeat(32)}`,
  at: '2026-11-17T09:30:00.000Z',
  signature: `0x${'5b'.repeat(65)}`,
}

const boughtExample: PurchaseView = {
  id: 'pur_01jf3v5k2n8q4r6s7t9w0x1y2z',
  at: statusExample.lastChecked,
  source: 'operator',
  from: null,
  outcome: 'delivered',
  counts: true,
  through: null,
  request: {
    method: 'GET',
    url: 'https://weather.example/v1/forecast?city=Tokyo',
    tool: null,
    madeUp: false,
  },
  payment: {
    payer: `0x${'3d'.repeat(20)}`,
    payTo: serviceExample.x402Config.paymentAddress,
    amount: '2500',
    price: '0.0025',
    currency: 'USDC',
  },
  charged: '2500',
  chain: 'eip155:8453',
  asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  transaction: `0x${'7a'.repeat(32)}`,
  answer: {
    status: 200,
    isError: false,
    latencyMs: 1_840,
    bytes: 412,
    contentType: 'application/json',
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    conformance: 'as_declared',
  },
  reasons: [tellInEnglish(settledReason)],
  reasonCodes: [toMessageRecord(settledReason)],
}

export const reportedExample: PurchaseView = {
  ...boughtExample,
  id: 'pur_01k6zq8v5pf3t9m2r7xw4yhd0e',
  at: outcomeDraftExample.at,
  source: 'payer',
  from: null,
  counts: false,
  request: null,
  payment: { ...boughtExample.payment, payer: outcomeDraftExample.payer },
  transaction: outcomeDraftExample.transaction,
  answer: null,
  reasons: [],
  reasonCodes: [],
}

export const catalogExample: CatalogFigures = {
  services: 14_865,
  samples: 0,
  accuracy: {
    ...{ since: '2026-07-27T00:00:00.000Z', until: '2026-10-25T00:00:00.000Z' },
    ...{ purchases: 412, failed: 9, verified: 11_204, withdrawn: 63 },
  },
}

export const purchaseFeedExample: PurchaseFeed = {
  purchases: [{ ...boughtExample, serviceId: serviceExample.id }],
  next: boughtExample.id,
}

export const purchasesExample: PurchasesAnswer = {
  id: serviceExample.id,
  payers: { payers: 1, delivered: 1 },
  peers: { purchases: 0, delivered: 0 },
  delivery: { purchases: 1, delivered: 1, failedInARow: 0, failing: false },
  purchases: [reportedExample, boughtExample],
  next: null,
}

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

export const webhookDraftExample = {
  url: 'https://receiver.example.com/shirube',
  events: ['service.price_changed' as const, 'service.removed' as const],
  filter: { category: 'weather', chain: ['base', 'solana'] },
}

export const webhookExample: Webhook = {
  id: 'whk_5f0c9c1b7d5e4b0f9a3e2d1c0b9a8f7e',
  ...webhookDraftExample,
  state: 'active',
  ...{ reason: null, code: null, values: null },
  createdAt: '2026-02-01T12:00:00.000Z',
  confirmedAt: '2026-02-01T12:00:01.500Z',
  lastDeliveredAt: '2026-02-01T12:30:00.000Z',
  failingSince: null,
  nextTryAt: null,
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

export const rankExample: Rank = {
  id: serviceExample.id,
  query: 'cheap weather forecast on Base',
  position: 2,
  total: 7,
  score: 0.452301,
  parts: { words: 0.41, meaning: 0.2, standing: 0.75, limit: 0.4, wish: 0.82 },
  unmet: [],
  before: [
    {
      id: 'svc_01k6zq8v5pf3t9m2r7xw4yhd0g',
      name: 'Skycast',
      position: 1,
      score: 0.61104,
      parts: { words: 0.38, meaning: 0.24, standing: 0.98, limit: 1, wish: 0.86 },
      decides: 'standing',
    },
  ],
  help: [{ text: tellInEnglish(say('rank_proof')), ...toMessageRecord(say('rank_proof')) }],
}

// A report about the example service.

export const reportDraftExample: ReportDraft = {
  kind: 'impostor',
  text: 'It has the name and the text of another service, and pays a wallet that is not theirs.',
}

export const reportExample: Report = {
  id: 'rep_01k6zq8v5pf3t9m2r7xw4yhd0e',
  serviceId: serviceExample.id,
  ...reportDraftExample,
  reporter: 'key_2f7hq0',
  createdAt: serviceExample.updatedAt,
  resolvedAt: null,
}

// A wallet that signs in, and its key.

const signInTimes = { issuedAt: '2026-02-01T12:00:00.000Z', expiresAt: '2026-02-01T12:05:00.000Z' }

const nonce = 'k3Jd0sPq8ZtVb2Lx7WmRy5Nc'

export const challengeExample: SignInChallenge = {
  message: toSignInMessage(
    { family: 'evm', address: paymentAddress, chain: '8453' },
    { uri: 'https://directory.example', nonce, ...signInTimes },
  ),
  nonce,
  expiresAt: signInTimes.expiresAt,
}

export const createdKeyExample: CreatedKey = {
  key: 'shb_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef',
  id: 'key_5m2k9x0c1v',
  name: `Wallet ${paymentAddress}`,
  scopes: ['register'],
  wallet: `eip155:${paymentAddress.toLowerCase()}`,
  createdAt: signInTimes.issuedAt,
  expiresAt: '2026-05-02T12:00:00.000Z',
  revokedAt: null,
  lastUsedAt: null,
  policy: null,
}
