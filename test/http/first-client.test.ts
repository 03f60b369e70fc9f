// A client written from the fixed half of the contract alone, with values its author invented.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask, KEY, openTestServer, type TestServer } from './directory-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const invented = {
  name: 'Premium GPT Gateway ☆',
  description: 'Proxy to large language models.\nPay as you go.',
  endpoint: 'https://api.llm-gateway.io/x402/',
  category: 'AI & ML/text_generation',
  pricing: { currency: 'ETH', pricePerRequest: '0.0500' },
  x402Config: { paymentAddress: '0x1234567890abcdef', network: 'Ethereum Mainnet' },
}

const SERVICE_FIELDS = [
  ...'id name description endpoint category pricing x402Config trustScore status supportedChains'.split(' '),
  ...'createdAt updatedAt'.split(' '),
]
const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** As a careful author writes one: nothing but the address, the paths, and what the tables say. */
class Client {
  constructor(readonly base: string) {}

  async ask(path: string, init?: RequestInit) {
    const response = await ask(this.base + path, init)
    if (!response.ok) throw new Error(String(response.status))
    return response.json()
  }

  register = (body: unknown, key: string) =>
    this.ask('/api/services', {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
}

test('registers, and gets back its values with the fields that the directory assigns', async () => {
  const client = new Client(server.url)
  const service = await client.register(invented, KEY)
  expect(Object.keys(service).sort()).toEqual([...SERVICE_FIELDS].sort())
  expect(service).toMatchObject({
    ...invented,
    pricing: { ...invented.pricing, freeQuota: 0 },
    supportedChains: ['Ethereum Mainnet'],
  })
  expect(service.id).toBeString()
  expect(Number.isInteger(service.trustScore)).toBe(true)
  expect(['verified', 'unverified', 'inactive']).toContain(service.status)
  expect(service.createdAt).toMatch(ISO_UTC)
  expect(service.updatedAt).toMatch(ISO_UTC)
})

test('gets 201 for a registration, 401 without a key or with an invented one', async () => {
  const post = (headers: Record<string, string>) =>
    ask(`${server.url}/api/services`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(invented),
    })
  expect((await post({ Authorization: `Bearer ${KEY}` })).status).toBe(201)
  expect((await post({})).status).toBe(401)
  expect((await post({ Authorization: 'Bearer invented-by-a-stranger' })).status).toBe(401)
})

test('reads the list as an array, with every parameter of the contract', async () => {
  const client = new Client(server.url)
  const { id } = await client.register({ ...invented, name: 'Listed' }, KEY)
  const parameters = new URLSearchParams({
    query: 'language models',
    category: 'ai & ml/Text_Generation',
    chain: 'ethereum mainnet',
    status: 'unverified',
    maxPricePerRequest: '0.05',
    sortBy: 'price',
    sortOrder: 'desc',
    limit: '100',
    offset: '0',
  })
  const found = await client.ask(`/api/services?${parameters}`)
  expect(found).toBeArray()
  expect(found.map((service: { id: string }) => service.id)).toContain(id)
})

test('reads one service and its status, and 404 for an unknown id', async () => {
  const client = new Client(server.url)
  const service = await client.register(invented, KEY)
  expect(await client.ask(`/api/services/${service.id}`)).toEqual(service)
  const record = await client.ask(`/api/services/${service.id}/status`)
  expect(Object.keys(record).sort()).toEqual(
    ['id', 'lastChecked', 'status', 'totalRevenue', 'trustScore', 'txCount', 'uptimeScore'].sort(),
  )
  expect(record.id).toBe(service.id)
  expect(record.trustScore).toBe(service.trustScore)
  expect(record.status).toBe(service.status)
  expect(record.uptimeScore).toBeNumber()
  expect(record.totalRevenue).toBeNumber()
  expect(Number.isInteger(record.txCount)).toBe(true)
  expect(record.lastChecked).toMatch(ISO_UTC)
  await expect(client.ask('/api/services/unknown')).rejects.toThrow('404')
  await expect(client.ask('/api/services/unknown/status')).rejects.toThrow('404')
})

test('searches the whole catalog by keyword', async () => {
  const client = new Client(server.url)
  const { id } = await client.register({ ...invented, description: 'Zebrafish genome lookup.' }, KEY)
  const found = await client.ask('/api/catalog/search?q=zebrafish%20genome&limit=5')
  expect(found).toBeArray()
  expect(found[0].id).toBe(id)
})

test('searches by a Japanese sentence, ignoring particles', async () => {
  const client = new Client(server.url)
  await client.register({ ...invented, name: '天気くん', description: '天気予報を返します。' }, KEY)
  const query = '明日の天気を教えて'
  const answer = await client.ask(`/api/services/search/intent?q=${encodeURIComponent(query)}`)
  expect(answer.query).toBe(query)
  expect(answer.tokens).toContain('天気')
  for (const particle of ['の', 'を', 'て']) expect(answer.tokens).not.toContain(particle)
  expect(answer.matchedTokens).toContain('天気')
  for (const token of answer.matchedTokens) expect(answer.tokens).toContain(token)
  expect(answer.reason).not.toBe('')
  expect(answer.results[0].service.name).toBe('天気くん')
})

test('copies the complete catalog from the export document', async () => {
  const client = new Client(server.url)
  const { id } = await client.register(invented, KEY)
  const document = await client.ask('/api/export')
  expect(Object.keys(document)).toEqual(['version', 'source', 'exportedAt', 'endpoints'])
  expect(document.version).toBeString()
  expect(document.source).toBeString()
  expect(document.exportedAt).toMatch(ISO_UTC)
  const entry = document.endpoints.find((endpoint: { id: string }) => endpoint.id === id)
  expect(entry).toEqual({
    id,
    name: invented.name,
    endpoint: invented.endpoint,
    category: expect.any(String),
    pricing: invented.pricing,
    x402Config: invented.x402Config,
    trustScore: expect.any(Number),
    status: 'unverified',
  })
  expect(entry.category).not.toBe(invented.category)
})

test('may send a bearer scheme in capitals, no content type and an Accept header', async () => {
  const response = await ask(`${server.url}/api/services`, {
    method: 'POST',
    headers: { Authorization: `BEARER ${KEY}`, Accept: 'text/html' },
    body: new TextEncoder().encode(
      JSON.stringify({ ...invented, pricing: { ...invented.pricing, freeQuota: null } }),
    ),
  })
  expect(response.status).toBe(201)
  expect((await response.json()).pricing.freeQuota).toBe(0)
})
