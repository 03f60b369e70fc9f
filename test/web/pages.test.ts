import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { LocalDirectory } from '../../src/directory/directory.ts'
import { DirectoryError } from '../../src/domain/errors.ts'
import { categoryLabels } from '../../src/domain/listing/categories.ts'
import { say } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { createSourceState } from '../../src/store/sources.ts'
import { createStatusPage } from '../../src/web/about-pages.ts'
import { body, openTestServer } from '../http/directory-server.ts'
import { createHurriedClock } from '../hurried-clock.ts'
import { asksV2, openMerchant } from '../probe/merchant.ts'
import { openPageDirectory, type PageDirectory } from './page-directory.ts'
import { pageRequest } from './page-request.ts'

let site: PageDirectory
beforeAll(async () => {
  site = await openPageDirectory({ RATE_LIMIT: '0' })
})
afterAll(() => site[Symbol.asyncDispose]())

const page = async (path: string, headers?: Record<string, string>) => (await site.get(path, headers)).text()

const OPENAPI = { info: { version: '0.0.0' } }
const GROUPS = 'services proof payment owners search feed webhooks bazaar export operating'.split(' ')
const DOCS = ['/docs', ...GROUPS.map(group => `/docs/${group}`)]
const PAGES = [
  '/',
  '/?q=weather',
  '/services/:probed',
  '/register',
  '/catalog',
  '/about',
  '/probing',
  '/status',
  ...DOCS,
]
const at = (path: string) => path.replace(':probed', site.probedId)

const ATTACK = '<img src=x onerror=alert(1)>'
const QUOTES = `"'><script>alert(1)</script>`

describe('every page', () => {
  test('loads scripts and styles only from its own files, and nothing from another host', async () => {
    for (const path of PAGES) {
      const response = await site.get(at(path))
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      const policy = response.headers.get('content-security-policy')!
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).not.toContain('unsafe')
      const text = await response.text()
      for (const [, source] of text.matchAll(/<(?:link|script|img)[^>]*(?:href|src)="([^"]*)"/g))
        expect(source).toMatch(/^\/(?!\/)/)
      expect(text).not.toMatch(
        /style="|<style|<script(?! src="\/| type="application\/ld\+json">\{)|\son\w+="/,
      )
    }
  })

  test('is small in both languages', async () => {
    for (const path of PAGES) {
      for (const lang of ['en', 'ja']) {
        const text = await page(`${at(path)}${path.includes('?') ? '&' : '?'}lang=${lang}`)
        const limit = path.startsWith('/docs/') ? 96_000 : 64_000
        expect([path, Buffer.byteLength(text) < limit]).toEqual([path, true])
      }
    }
  })

  test('stays small with listings that fill every field', async () => {
    const long = { name: '名'.repeat(255), description: '説明'.repeat(1000), category: `z${'語'.repeat(63)}` }
    for (let i = 0; i < 20; i++) {
      await site.register(
        body({ ...long, endpoint: `https://${'a'.repeat(60)}.example/${'b'.repeat(1900)}` }),
      )
    }
    const text = await page(`/?category=${encodeURIComponent(long.category)}`)
    expect(text.match(/class="card"/g)).toHaveLength(20)
    expect(Buffer.byteLength(text)).toBeLessThan(60_000)
  })

  test('shows untrusted content as text', async () => {
    const given = { name: ATTACK, description: QUOTES, category: 'attack' }
    const { id } = await (await site.register(body(given))).json()
    const asked = encodeURIComponent(ATTACK)
    for (const path of [
      '/?category=attack',
      `/?q=${asked}`,
      `/services/${id}`,
      `/?category=a&chain=${asked}&q=${asked}`,
    ]) {
      const text = await page(path)
      expect(text).not.toContain('<img src=x')
      expect(text).not.toContain('<script>')
      expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;')
    }
  })

  test('is in Japanese if the browser prefers it, unless the URL names a language', async () => {
    expect(await page('/', { 'accept-language': 'ja,en;q=0.8' })).toContain('<html lang="ja">')
    expect(await page('/', { 'accept-language': 'en,ja;q=0.8' })).toContain('<html lang="en">')
    expect(await page('/', { 'accept-language': 'de' })).toContain('<html lang="en">')
    for (const path of PAGES) {
      const address = `${at(path)}${path.includes('?') ? '&' : '?'}lang=ja`
      const text = await page(address, { 'accept-language': 'en' })
      expect(text).toContain('<html lang="ja">')
      expect(text).toContain('href="/catalog?lang=ja"')
      expect(text).toMatch(/hreflang="en" href="[^"]*lang=en"/)
    }
    expect((await site.get('/')).headers.get('vary')).toContain('Accept-Language')
  })

  test('has style and script cached by the browser until they change', async () => {
    const text = await page('/')
    for (const address of [/href="(\/style\.css\?v=[^"]+)"/, /src="(\/script\.js\?v=[^"]+)"/]) {
      const [, path = ''] = address.exec(text)!
      const response = await site.get(path)
      expect(response.headers.get('cache-control')).toContain('immutable')
      expect(await response.text()).not.toMatch(/@import|https?:/)
      const bare = await site.get(path.replace(/\?.*/, ''))
      expect(bare.headers.get('cache-control')).toBe('no-cache')
    }
  })
})

describe('the catalog, about and status pages', () => {
  test('count services by category and show the most trusted', async () => {
    const text = await page('/catalog')
    const { category } = (site.app.directory as LocalDirectory).requireCatalog().facets({})
    for (const { id, count = 0 } of category) {
      const head = `<h2><a href="/?category=${encodeURIComponent(id)}">${categoryLabels(id).en}</a>`
      const part = text.slice(text.indexOf(head)).split('</section>')[0]!
      expect(part).toContain(`<span class="note">${count}</span>`)
      expect(part.match(/<li>/g)).toHaveLength(Math.min(count, 3))
    }
    const japanese = await page('/catalog?lang=ja')
    expect(japanese).toMatch(/天気<\/a> <span class="note">\d+件</)
  })

  test('link a newcomer to registration, status, reference, export and MCP', async () => {
    const text = await page('/about')
    for (const part of ['href="/register"', 'href="/status"', 'href="/docs"', 'href="/api/export"'])
      expect(text).toContain(part)
    expect(text).toContain(`${site.url}/mcp`)
    for (const [, path] of text.matchAll(/<li><a href="(\/[^"]*)"/g))
      expect((await site.get(path!)).status).toBe(200)
  })

  test('tell providers how they are probed and how to opt out, in both languages', async () => {
    for (const [lang, title] of [
      ['en', 'How we probe'],
      ['ja', '確認の方法'],
    ] as const) {
      const text = await page(`/probing?lang=${lang}`)
      for (const part of [title, '{&quot;probe&quot;:false}', '/.well-known/shirube.json', 'Shirube-Prober/'])
        expect(text).toContain(part)
      for (const from of ['/about', '/check'])
        expect(await page(`${from}?lang=${lang}`)).toContain(`href="/probing?lang=${lang}"`)
    }
  })

  test('show size, state and version with the same values as the API', async () => {
    const text = await page('/status')
    const { info } = await site.json('/openapi.json')
    const { services } = await site.json('/readyz')
    for (const part of [
      // This server does not probe.
      '<div class="band care">',
      'No probes at the moment; verdicts may be out of date',
      info.version,
      `<dt>Services</dt><dd>${services}</dd>`,
    ])
      expect(text).toContain(part)
    expect(text).toContain('None: everything here was registered or imported.')
    expect(text).not.toContain('All systems are working')
    expect(await page('/status?lang=ja')).toContain('確認が止まっています。判定が古い可能性があります')
  })

  test('show which sources are followed and their state, but not why one fails', async () => {
    await using store = await openStore(site.databaseUrl, { clock: systemClock })
    const url = 'https://other.example/list'
    await store.sources.add(url)
    const problem = 'connection refused by 10.0.0.7'
    await store.sources.save({ ...createSourceState(url), kind: 'list', failures: 3, problem })
    const text = await page('/status')
    expect(text).toContain('<b>other.example/<wbr>list</b> <span>x402 list</span>')
    expect(text).toContain('Failed 3 times in a row')
    expect(text).not.toContain('10.0.0.7')
  })

  test('show the state of the catalog while the store is unavailable', async () => {
    const live = site.app.directory as LocalDirectory
    const away: LocalDirectory = {
      ...live,
      health: async () => ({ ...(await live.health()), state: 'degraded' }),
      sources: async () => {
        throw new DirectoryError('store_unavailable', say('store_away'))
      },
    }
    const { text } = await createStatusPage(away)(
      pageRequest(site.url, { path: '/status', document: OPENAPI }),
    )
    for (const part of ['changes cannot be saved', 'The list of sources cannot be read'])
      expect(text).toContain(part)
  })

  test('link to the registration if nothing is listed yet', async () => {
    await using empty = await openTestServer({})
    for (const path of ['/', '/?q=weather', '/?category=weather', '/catalog']) {
      const text = await (await empty.get(path)).text()
      expect(text).toContain('No services yet')
      expect(text).not.toContain('class="filters"')
      expect(text).toContain('<a class="button" href="/register">')
    }
    expect(await page('/?category=nowhere')).not.toContain('<a class="button" href="/register">')
  })
})

test('the status page shows when the last probe was, and that the directory works', async () => {
  await using server = await openTestServer(
    { PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on' },
    { clock: createHurriedClock() },
  )
  await using merchant = openMerchant({ '/v1': asksV2() })
  await server.register(body({ endpoint: `${merchant.url}/v1` }))
  const probing = async () => (await server.json('/readyz')).probing
  while (!(await probing()).lastProbeAt || (await probing()).by !== 'this') await Bun.sleep(5)
  const text = await (await server.get('/status')).text()
  expect(text).toContain('All systems are working')
  expect(text).toMatch(/<p>Last probe: [\w ]+ · <time datetime=/)
})

describe('the reference', () => {
  test('explains every operation, error and shape of the OpenAPI document', async () => {
    const text = (await Promise.all(DOCS.map(path => page(path)))).join('')
    const document = await site.json('/openapi.json')
    for (const [path, methods] of Object.entries<object>(document.paths)) {
      for (const [method, operation] of Object.entries<{ operationId: string }>(methods as never)) {
        expect(text).toContain(`${method.toUpperCase()} ${path}`)
        expect(text).toContain(`id="${operation.operationId}"`)
      }
    }
    const registration = `curl -X POST '${site.url}/api/services' \\\n  -H 'Authorization: Bearer API_KEY'`
    expect(text).toContain(Bun.escapeHTML(registration))
    for (const code of Object.keys(document.components.responses))
      expect(text).toContain(`id="error-${code}"`)
    for (const name of Object.keys(document.components.schemas)) expect(text).toContain(`id="schema-${name}"`)
  })

  test('has its headings in the language of the page', async () => {
    const text = (await Promise.all(DOCS.map(path => page(`${path}?lang=ja`)))).join('')
    const heads = [...text.matchAll(/<(?:h2|h3|th) (?:[^>]*lang="ja"|scope="col")[^>]*>([^<]*)</g)]
    expect(heads.length).toBeGreaterThan(100)
    expect(heads.filter(([, head]) => !/\p{Script=Han}|\p{Script=Katakana}|^Webhook$/u.test(head!))).toEqual(
      [],
    )
  })

  test('has a target for every internal link', async () => {
    const texts = new Map(await Promise.all(DOCS.map(async path => [path, await page(path)] as const)))
    for (const [path, text] of texts) {
      for (const [, to, anchor] of text.matchAll(/href="(\/docs[^"#]*)?#([^"]*)"/g))
        expect([path, anchor, texts.get(to ?? path)?.includes(`id="${anchor}"`)]).toEqual([
          path,
          anchor,
          true,
        ])
    }
  })

  test('counts the paths that a group does not name, and describes purchases of the feed and events of the stream', async () => {
    const { paths } = await site.json('/openapi.json')
    const operating = Object.entries(paths as Record<string, Record<string, { tags: string[] }>>).filter(
      ([, methods]) => Object.values(methods).some(({ tags }) => tags.includes('operating')),
    )
    expect(operating.length).toBeGreaterThan(3)
    expect(await page('/docs')).toContain(`and ${operating.length - 3} more</span>`)
    expect(await page('/docs')).toContain('<a href="/docs/payment#getServiceCall">')
    const feed = await page('/docs/feed')
    expect(feed).toContain('array of <a href="#schema-ListedPurchase">ListedPurchase</a>')
    expect(feed).toContain('events with <a href="#schema-FeedEvent">FeedEvent</a> as data')
  })

  test('has one page for each group of the OpenAPI document', async () => {
    const { tags } = await site.json('/openapi.json')
    expect(tags.map(({ name }: { name: string }) => name)).toEqual(GROUPS)
    const missing = await site.get('/docs/nothing')
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  })
})
