// The error pages that browsers get where programs get problem details.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DirectoryError } from '../../src/domain/errors.ts'
import { prefersHtml } from '../../src/http/routes/pages.ts'
import { say } from '../../src/messages/message.ts'
import { renderFailure } from '../../src/web/failure-page.ts'
import { ask, openTestServer, type TestServer } from '../http/directory-server.ts'

const CHROMIUM = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

describe('A browser', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer({}, { sample: true })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const browse = (path: string, language = 'en', init: RequestInit = {}) =>
    ask(server.url + path, { ...init, headers: { accept: CHROMIUM, 'accept-language': language } })

  test('gets a page with links for an unknown URL, in the preferred language', async () => {
    const english = await browse('/nowhere')
    expect(english.status).toBe(404)
    expect(english.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(english.headers.get('cache-control')).toBe('no-store')
    expect(english.headers.get('vary')).toContain('Accept')
    expect(english.headers.get('content-security-policy')).toContain("default-src 'none'")
    const text = await english.text()
    expect(text).toContain('<html lang="en">')
    expect(text).toContain('<h1>Page not found</h1>')
    expect(text).toContain('href="/"')

    const japanese = await (await browse('/nowhere', 'ja,en;q=0.5')).text()
    expect(japanese).toContain('<html lang="ja">')
    expect(japanese).toContain('<h1>ページが見つかりません</h1>')
    expect(japanese).not.toContain('<p lang="en"')
    expect(await (await browse('/nowhere?lang=ja')).text()).toContain('<html lang="ja">')
  })

  test('never gets text from the URL as markup or as a link to another site', async () => {
    for (const path of ['//evil.example/x', '/\\evil.example', '/<img src=x>', '/%22onload=x']) {
      const text = await (await browse(path)).text()
      expect(text).not.toContain('<img src')
      for (const [, address] of text.matchAll(/href="([^"]*)"/g)) expect(address).toMatch(/^(#|\/(?![/\\]))/)
    }
  })

  test('gets an error page and an Allow header for an unsupported method', async () => {
    const answer = await browse('/catalog', 'ja', { method: 'POST' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    const text = await answer.text()
    expect(text).toContain('ここではできません')
    expect(text).not.toContain('<p lang="en"')
  })

  test.each([
    ...['/api/nothing', '/api/services/svc_nothing', '/api', '/discovery/nothing', '/.well-known/nothing'],
    '/api/services?limit=0',
  ])('gets problem details in JSON for %s', async path => {
    const answer = await browse(path)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(await answer.json()).toMatchObject({ status: answer.status })
  })

  test('gets a page only if it prefers HTML: programs get problem details at the same URLs', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
      const answer = await server.get('/nowhere', { accept })
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
    }
  })

  test('gets only headers for HEAD', async () => {
    const answer = await browse('/nowhere', 'en', { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([404, ''])
    expect(answer.headers.get('content-type')).toContain('text/html')
  })
})

test('the error page for too many requests says how long to wait', async () => {
  await using server = await openTestServer({ RATE_LIMIT: '1' })
  const headers = { accept: CHROMIUM, 'accept-language': 'ja' }
  await server.get('/about', headers)
  const answer = await server.get('/about', headers)
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await answer.text()).toMatch(/<p>リクエストが多すぎます。\d+秒後にもう一度お試しください。<\/p>/)
})

test('the error page for an internal error says what to do, in both languages', () => {
  const toText = (acceptLanguage: string, requestId?: string) => {
    const request = {
      path: '/about',
      requestId,
      id: '',
      parameters: {},
      acceptLanguage,
      cookies: {},
      from: '192.0.2.1',
      origin: 'http://localhost',
      publicUrl: undefined,
      home: 'http://localhost',
      document: {},
    }
    const { text, failed } = renderFailure(
      request,
      new DirectoryError('internal', say('fault')),
      'mailto:desk@directory.example',
    )
    expect(failed).toBe('internal')
    return text
  }
  expect(toText('en')).toContain('<p>Try again in a moment.')
  expect(toText('ja')).toContain('<p>しばらくしてからもう一度お試しください。')
  expect(toText('en')).not.toContain('X-Request-Id')
  expect(toText('en', 'req-1')).toContain(
    '<a href="mailto:desk@directory.example">desk@directory.example</a>',
  )
})

test.each([
  [CHROMIUM, true],
  ['text/html', true],
  ['text/html;q=0.5, application/json;q=0.9', false],
  ['text/html;q=0', false],
  ['application/problem+json, text/html', true],
  ['*/*', false],
  ['', false],
  [null, false],
])('Accept: %s prefers HTML: %p', (accept, expected) => {
  expect(prefersHtml(accept)).toBe(expected)
})
