// The directory as a registry of Agentic Resource Discovery.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ARD_TYPE } from '../../../src/http/routes/ard.ts'
import { ask, type TestServer } from '../directory-server.ts'
import { openStandingServer } from '../standing-server.ts'

const PUBLIC_URL = 'https://directory.example'
/** Of the specification. */
const URN = /^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/

let server: TestServer
beforeAll(async () => {
  server = await openStandingServer({ PUBLIC_URL, RATE_LIMIT: '0' })
})
afterAll(() => server[Symbol.asyncDispose]())

const post = (path: string, body: unknown) =>
  ask(`${server.url}/ard${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const search = async (body: object) => (await post('/search', body)).json()
test('the manifest links to the registry, at both of its addresses', async () => {
  for (const path of ['/.well-known/ard.json', '/.well-known/ai-catalog.json']) {
    const { specVersion, entries } = await server.json(path)
    expect(specVersion).toBe('1.0')
    const registry = entries.find(({ type }: { type: string }) => type === 'application/ai-registry+json')
    expect(registry.url).toBe(`${PUBLIC_URL}/ard/`)
    for (const { identifier, representativeQueries } of entries) {
      expect(identifier).toMatch(URN)
      expect(representativeQueries.length).toBeWithin(2, 6)
    }
  }
})

test('pages and robots.txt link to the manifest', async () => {
  expect(await (await server.get('/about')).text()).toContain(
    '<link rel="ard" type="application/ai-catalog+json" href="/.well-known/ard.json">',
  )
  const robots = await (await server.get('/robots.txt')).text()
  expect(robots).toContain(`Agentmap: ${PUBLIC_URL}/.well-known/ard.json\n`)
})

describe('A search', () => {
  test('finds what the intent search finds, as entries with their relevance and source', async () => {
    const q = '東京の天気を知りたい'
    const { results } = await search({ query: { text: q }, federation: 'none', pageSize: 3 })
    const intent = await server.json(`/api/services/search/intent?q=${encodeURIComponent(q)}&limit=3`)
    expect(results.map(({ url }: { url: string }) => url)).toEqual(
      intent.results.map(
        ({ service }: { service: { id: string } }) => `${PUBLIC_URL}/api/services/${service.id}`,
      ),
    )
    for (const { identifier, type, score, source, url, metadata } of results) {
      expect(identifier).toMatch(URN)
      expect([type, source]).toEqual([ARD_TYPE, `${PUBLIC_URL}/ard/`])
      expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true)
      const service = await server.json(url.slice(PUBLIC_URL.length))
      expect(metadata).toMatchObject({ endpoint: service.endpoint, status: service.status })
    }
  })

  test('is filtered by any value of a path and all paths, without regard to case', async () => {
    const verified = await search({
      query: { text: 'weather', filter: { type: ARD_TYPE, 'metadata.status': ['Verified'] } },
      pageSize: 100,
    })
    expect(verified.results.length).toBeGreaterThan(0)
    for (const { metadata } of verified.results) expect(metadata.status).toBe('verified')
    for (const filter of [{ type: 'application/mcp-server-card+json' }, { publisher: ['other.example'] }])
      expect(await search({ query: { text: 'weather', filter } })).toEqual({ results: [] })
    const tagged = await search({ query: { text: 'weather', filter: { tags: ['eip155:8453', 'finance'] } } })
    for (const { tags } of tagged.results)
      expect(tags.some((tag: string) => ['eip155:8453', 'finance'].includes(tag))).toBe(true)
  })

  test('is paged without gap or repetition', async () => {
    const whole = await search({ query: { text: 'weather' }, pageSize: 100 })
    const found: string[] = []
    for (let pageToken: string | undefined = '0'; pageToken !== undefined; ) {
      const page = await search({ query: { text: 'weather' }, pageSize: 2, pageToken })
      found.push(...page.results.map(({ identifier }: { identifier: string }) => identifier))
      pageToken = page.pageToken
    }
    expect(found).toEqual(whole.results.map(({ identifier }: { identifier: string }) => identifier))
  })

  test('has no referrals, and returns an empty list if requested', async () => {
    expect(await search({ query: { text: 'weather' }, federation: 'referrals' })).toMatchObject({
      referrals: [],
    })
    expect(await search({ query: { text: 'weather' }, federation: 'auto' })).not.toHaveProperty('referrals')
  })
})

describe('invalid requests are refused in the format of ARD', () => {
  test.each<[string, unknown, string]>([
    ['/search', {}, 'query'],
    ['/search', { query: {} }, 'query.text'],
    ['/search', { query: { text: ' ' } }, 'query.text'],
    ['/search', { query: { text: 'x'.repeat(501) } }, 'query.text'],
    ['/search', { query: { text: 'x', filter: { 'metadata.secret': ['y'] } } }, 'query.filter'],
    ['/search', { query: { text: 'x', filter: { __proto__: null, constructor: 'y' } } }, 'query.filter'],
    ['/search', { query: { text: 'x', filter: { tags: [7] } } }, 'query.filter.tags'],
    ['/search', { query: { text: 'x' }, federation: 'all' }, 'federation'],
    ['/search', { query: { text: 'x' }, pageSize: 0 }, 'pageSize'],
    ['/search', { query: { text: 'x' }, pageToken: '-1' }, 'pageToken'],
    ['/search', { query: { text: 'x' }, more: true }, ''],
  ])('POST %s %j', async (path, body, field) => {
    const answer = await post(path, body)
    const { errorCode, message, errors } = await answer.json()
    expect([answer.status, errorCode]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(message).toMatch(/\S/)
    expect(errors.map((error: { path: string }) => error.path)).toContain(field)
  })
})
