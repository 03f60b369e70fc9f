import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { body, openTestServer, type TestServer } from './directory-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({}, { sample: true })
})
afterAll(() => server[Symbol.asyncDispose]())

const page = async (path: string, headers?: Record<string, string>) =>
  (await server.get(path, headers)).text()

describe('the first page', () => {
  test('has a search box that works without a script, the counts and the newest services', async () => {
    const text = await page('/')
    expect(text).toContain('<form action="/" method="get"')
    expect(text).toContain('name="q"')
    expect(text).not.toContain('<script')
    expect(text).toMatch(/\d+ services in \d+ categories/)
    const [newest] = await server.json('/api/services?limit=1')
    expect(text).toContain(newest.name)
    for (const link of ['/docs', '/api/export', '/?offset=20']) expect(text).toContain(`href="${link}"`)
  })

  test('turns pages', async () => {
    expect(await page('/?offset=20')).toContain('href="/?offset=0"')
    expect(await page('/?offset=60')).not.toContain('rel="next"')
  })

  test('answers a sentence with results and their reasons', async () => {
    const answer = await server.json('/api/services/search/intent?q=weather%20forecast&limit=20')
    const text = await page('/?q=weather+forecast')
    expect(text).toContain(`${answer.results.length} found`)
    expect(text).toContain(answer.results[0].service.name)
    expect(text).toContain('value="weather forecast"')
  })

  test('tells a question that cannot be answered', async () => {
    expect(await page(`/?q=${'a'.repeat(501)}`)).toContain('at most 500 characters')
    expect(await page('/?offset=x')).toContain('whole number')
  })

  test('shows what strangers wrote as text', async () => {
    const attack = '<img src=x onerror=alert(1)>'
    await server.register(body({ name: attack, description: `"'><script>alert(1)</script>` }))
    for (const text of [await page('/'), await page(`/?q=${encodeURIComponent(attack)}`)]) {
      expect(text).not.toContain('<img')
      expect(text).not.toContain('<script')
      expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;')
    }
  })

  test('speaks Japanese to those who prefer it', async () => {
    expect(await page('/', { 'accept-language': 'ja,en;q=0.8' })).toContain('<html lang="ja">')
    expect(await page('/', { 'accept-language': 'en,ja;q=0.8' })).toContain('<html lang="en">')
    expect(await page('/', { 'accept-language': 'de' })).toContain('<html lang="en">')
    expect(await page('/', { 'accept-language': 'ja-JP' })).toContain('検索')
    expect((await server.get('/')).headers.get('vary')).toContain('Accept-Language')
  })
})

describe('every page', () => {
  test('loads nothing from another host and runs no script', async () => {
    for (const path of ['/', '/docs']) {
      const response = await server.get(path)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      const policy = response.headers.get('content-security-policy')!
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain('unsafe')
      const text = await response.text()
      for (const [, source] of text.matchAll(/<link[^>]*href="([^"]*)"/g))
        expect(source).toMatch(/^(\/|data:)/)
      expect(text).not.toContain('style="')
    }
    const style = await server.get('/style.css')
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(await style.text()).not.toMatch(/url\(|@import/)
  })
})

describe('the reference', () => {
  test('explains every operation, error and shape of the OpenAPI document', async () => {
    const text = await page('/docs')
    const document = await server.json('/openapi.json')
    for (const [path, methods] of Object.entries<object>(document.paths)) {
      for (const [method, operation] of Object.entries<{ operationId: string }>(methods as never)) {
        expect(text).toContain(`${method.toUpperCase()} ${path}`)
        expect(text).toContain(`id="${operation.operationId}"`)
      }
    }
    for (const code of Object.keys(document.components.responses))
      expect(text).toContain(`id="error-${code}"`)
    for (const name of Object.keys(document.components.schemas)) expect(text).toContain(`id="schema-${name}"`)
  })

  test('has a target for every link within it', async () => {
    const text = await page('/docs')
    for (const [, anchor] of text.matchAll(/href="#([^"]*)"/g)) expect(text).toContain(`id="${anchor}"`)
  })
})
