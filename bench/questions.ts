// The questions of bench/answers.ts, and the catalog they are asked of: always the same.

import type { Entry } from '../src/domain/listing/service.ts'
import { DIRECTIONS } from '../src/domain/queries/filters.ts'
import { STATUSES } from '../src/domain/standing/standing.ts'
import { createRandom, word, zipfRank } from './catalog.ts'
import { CATEGORIES, CHAINS, CURRENCIES, PRICES, pick, type Random } from './question-entries.ts'

export type Question = {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export function askedOfCatalog(entries: readonly Entry[]): Question[] {
  const random = createRandom(402)
  return [
    ...times(3_600, () => list(random)),
    ...times(2_600, () => keywords(random)),
    ...times(2_600, () => sentence(random)),
    ...times(500, () => detail(random, entries)),
    ...times(700, () => discovery(random, entries)),
    ...times(300, () => changes(random)),
    ...times(700, () => page(random, entries)),
    ...times(300, () => mcp(random, entries)),
    ...mistakes(random, entries),
    { path: '/api/export' },
    { path: '/api/categories' },
  ]
}

export function askedOfSample(entries: readonly Entry[]): Question[] {
  const random = createRandom(64)
  const real = [
    'weather forecast for Tokyo',
    '天気予報を安く取りたい',
    'レシートの文字を読み取りたい',
    'translate a contract into Japanese',
    'Base で 0.01 ドル以下の天気 API',
    'verified image generation on Solana under 1 cent',
    '無料で使える為替レート',
    'the cheapest news feed with a free quota',
    'convert speech to text',
    '住所から緯度経度を調べる',
    'something that nobody offers, quux',
    'on Base',
  ].flatMap(q => [
    { path: `/api/services/search/intent?q=${encodeURIComponent(q)}` },
    { path: `/api/catalog/search?q=${encodeURIComponent(q)}` },
    { path: `/?q=${encodeURIComponent(q)}`, headers: { 'accept-language': 'ja' } },
    { path: `/?q=${encodeURIComponent(q)}`, headers: { 'accept-language': 'en' } },
    call('find_services', { query: q }),
  ])
  const each = entries.flatMap(({ id }) => [
    { path: `/api/services/${id}` },
    { path: `/api/services/${id}/trust` },
    { path: `/api/services/${id}/provenance` },
    { path: `/services/${id}`, headers: { 'accept-language': 'ja' } },
    { path: `/services/${id}`, headers: { 'accept-language': 'en' } },
  ])
  const fixed = ['/', '/catalog', '/about', '/register', '/docs', '/llms.txt', '/api/export'].flatMap(
    path => [
      { path, headers: { 'accept-language': 'ja' } },
      { path, headers: { 'accept-language': 'en' } },
    ],
  )
  return [
    ...real,
    ...each,
    ...fixed,
    ...times(400, () => list(random)),
    ...times(200, () => sentence(random)),
  ]
}

const times = (count: number, create: () => Question): Question[] => Array.from({ length: count }, create)

function toPath(path: string, fields: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given as [string, string][])}`
}

const maybe = <T>(random: Random, chance: number, value: () => T): T | undefined =>
  random(100) < chance ? value() : undefined

/** Told by name: the questions stay the same when there is an order more. */
const ORDERED_BY = ['price', 'trustScore', 'name']

const filters = (random: Random) => ({
  category: maybe(random, 35, () => pick(random, CATEGORIES)),
  chain: maybe(random, 35, () => pick(random, CHAINS)),
  status: maybe(random, 30, () => pick(random, [...STATUSES, 'VERIFIED'])),
  maxPricePerRequest: maybe(random, 30, () => pick(random, PRICES)),
  currency: maybe(random, 20, () => pick(random, CURRENCIES)),
})

const someWords = (random: Random, count: number): string =>
  Array.from({ length: count }, () => spoilt(random, word(zipfRank(random)))).join(' ')

/** One word in twelve has a typo or is cut short. */
function spoilt(random: Random, text: string): string {
  if (text.length < 4 || random(12) > 0) return text
  const at = 1 + random(text.length - 2)
  return random(2) === 0 ? text.slice(0, at + 1) : `${text.slice(0, at)}x${text.slice(at + 1)}`
}

const list = (random: Random): Question => ({
  path: toPath('/api/services', {
    query: maybe(random, 30, () => someWords(random, 1 + random(3))),
    ...filters(random),
    sortBy: maybe(random, 60, () => pick(random, ORDERED_BY)),
    sortOrder: maybe(random, 40, () => pick(random, DIRECTIONS)),
    limit: maybe(random, 50, () => pick(random, [1, 3, 20, 50, 100, 500])),
    offset: maybe(random, 40, () => pick(random, [0, 7, 20, 1_000, 19_990, 50_000])),
  }),
})

const keywords = (random: Random): Question => ({
  path: toPath('/api/catalog/search', {
    q: someWords(random, 1 + random(8)),
    prefix: maybe(random, 20, () => pick(random, ['true', 'false'])),
    limit: maybe(random, 50, () => pick(random, [1, 5, 20, 100])),
    offset: maybe(random, 25, () => pick(random, [0, 10, 300, 9_000])),
  }),
})

const OPENINGS = ['I need', 'find me', 'an API for', 'the cheapest', 'is there a verified', '']

const ENDINGS = [
  '',
  'on Base',
  'under 0.01 USDC',
  'for less than 5 cents on Solana',
  'with a free quota',
  'in EURC',
]

const ENDINGS_JA = [
  'を探しています',
  'が欲しい',
  'をBaseで使いたい',
  'を0.01ドル以下で',
  'の無料枠があるもの',
  '',
]

function sentence(random: Random): Question {
  const inJapanese = random(2) === 0
  const q = inJapanese
    ? `${word(28 + random(14))}の${word(random(42))}${pick(random, ENDINGS_JA)}`
    : `${pick(random, OPENINGS)} ${someWords(random, 1 + random(6))} ${pick(random, ENDINGS)}`.trim()
  return {
    path: toPath('/api/services/search/intent', {
      q,
      ...(random(6) === 0 && filters(random)),
      without: maybe(random, 8, () => pick(random, ['chain', 'currency,maxPricePerRequest', 'status'])),
      limit: maybe(random, 40, () => pick(random, [1, 3, 50, 100])),
    }),
  }
}

function detail(random: Random, entries: readonly Entry[]): Question {
  const { id } = pick(random, entries)
  const path = `/api/services/${id}${pick(random, ['', '', '/status', '/history', '/trust', '/provenance'])}`
  return random(8) === 0 ? { method: 'HEAD', path } : { path }
}

function discovery(random: Random, entries: readonly Entry[]): Question {
  const { paymentAddress } = pick(random, entries).x402Config
  const narrowing = {
    network: maybe(random, 30, () => pick(random, CHAINS)),
    payTo: maybe(random, 20, () => paymentAddress),
    scheme: maybe(random, 10, () => pick(random, ['exact', 'upto'])),
    type: maybe(random, 10, () => 'http'),
    limit: maybe(random, 40, () => pick(random, [1, 5, 100])),
  }
  switch (random(4)) {
    case 0:
      return { path: toPath('/discovery/search', { query: someWords(random, 3), ...narrowing }) }
    default:
      return {
        path: toPath('/discovery/resources', {
          ...narrowing,
          offset: maybe(random, 30, () => random(20_000)),
        }),
      }
  }
}

const changes = (random: Random): Question => ({
  path: toPath('/api/changes', {
    since: maybe(random, 80, () => random(20_000)),
    limit: maybe(random, 60, () => pick(random, [1, 10, 100, 1_000, 5_000])),
  }),
})

function page(random: Random, entries: readonly Entry[]): Question {
  const headers = { 'accept-language': pick(random, ['en', 'ja', 'fr, ja;q=0.5']) }
  const { id } = pick(random, entries)
  const search = () =>
    toPath('/', {
      q: maybe(random, 60, () => someWords(random, 1 + random(3))),
      ...filters(random),
      sortBy: maybe(random, 20, () => pick(random, ORDERED_BY)),
      offset: maybe(random, 20, () => 10 * random(20)),
    })
  const path = pick(random, [
    search,
    search,
    search,
    () => `/services/${id}`,
    () => `/services/${id}/badge.svg`,
  ])()
  return { path, headers }
}

const call = (name: string, args: object): Question => ({
  method: 'POST',
  path: '/mcp',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
})

function mcp(random: Random, entries: readonly Entry[]): Question {
  const given = JSON.parse(JSON.stringify(filters(random))) as object
  return random(3) === 0
    ? call('get_service', { id: pick(random, entries).id })
    : call('find_services', { query: someWords(random, 1 + random(4)), ...given })
}

function mistakes(random: Random, entries: readonly Entry[]): Question[] {
  const { id } = pick(random, entries)
  const post = (path: string, body: string, headers: Record<string, string> = {}): Question => ({
    method: 'POST',
    path,
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  const wrong = [
    '/api/services?limit=0',
    '/api/services?limit=-1',
    '/api/services?limit=x',
    '/api/services?offset=1.5',
    '/api/services?statuz=verified',
    '/api/services?status=fine',
    '/api/services?sortBy=age',
    '/api/services?sortOrder=up',
    '/api/services?maxPricePerRequest=1e3',
    '/api/services?chain=base&chain=solana',
    '/api/services/svc_unknown',
    '/api/services/svc_unknown/status',
    '/api/services/svc_unknown/trust',
    '/api/services/svc_unknown/history',
    '/api/catalog/search',
    '/api/catalog/search?q=',
    `/api/catalog/search?q=${'x'.repeat(501)}`,
    '/api/catalog/search?q=weather&offset=9990&limit=100',
    '/api/services/search/intent',
    '/api/services/search/intent?q=%20',
    '/api/services/search/intent?q=x&without=colour',
    '/api/changes?since=-1',
    '/api/changes?until=3',
    '/api/nothing',
    '/nothing',
    '/services/svc_unknown',
    '/discovery/resources?limit=abc',
    '/discovery/search',
  ]
  return [
    ...wrong.flatMap(path => [{ path }, { path, headers: { 'accept-language': 'ja', accept: 'text/html' } }]),
    { method: 'PUT', path: '/api/services' },
    { method: 'DELETE', path: '/api/export' },
    { method: 'OPTIONS', path: '/api/services' },
    post('/api/services', '{}'),
    post('/api/services', '{}', { authorization: 'Bearer wrong-key-here' }),
    post('/api/check', '{}'),
    {
      method: 'PATCH',
      path: `/api/services/${id}`,
      body: '{}',
      headers: { 'content-type': 'application/json' },
    },
    { method: 'DELETE', path: `/api/services/${id}` },
    call('find_services', { query: 'weather', limit: 0 }),
    call('get_service', { id: 'svc_unknown' }),
    call('no_such_tool', {}),
  ]
}
