// Metadata for search engines, feed readers, link previews and browsers.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { IntentAnswer } from '../../src/domain/queries/queries.ts'
import { draft } from '../entries.ts'
import { KEY } from '../http/directory-server.ts'
import { openPageDirectory, type PageDirectory } from './page-directory.ts'

const PUBLIC_URL = 'https://directory.example'
const CONTACT = 'mailto:security@directory.example'
const NASTY = '</script><script>alert(1)</script>\u0001 & "quoted"'

let site: PageDirectory
beforeAll(async () => {
  site = await openPageDirectory({ PUBLIC_URL, SECURITY_CONTACT: CONTACT })
})
afterAll(() => site[Symbol.asyncDispose]())

const text = async (path: string) => (await site.get(path)).text()
const register = async (name: string, description: string): Promise<string> => {
  const response = await site.register({ ...draft(), name, description })
  expect(response.status).toBe(201)
  return (await response.json()).id
}

describe('The head of a page', () => {
  test('has a canonical URL, alternates for each language, and structured data', async () => {
    const page = await text(`/services/${site.probedId}?lang=ja&from=feed`)
    const address = `${PUBLIC_URL}/services/${site.probedId}`
    expect(page).toContain(`<link rel="canonical" href="${address}?lang=ja">`)
    expect(page).toContain(`<link rel="alternate" hreflang="en" href="${address}?lang=en">`)
    expect(page).toContain(`<link rel="alternate" hreflang="x-default" href="${address}">`)
    expect(page).toContain('<meta property="og:locale" content="ja_JP">')
    expect(page).not.toContain('noindex')
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
    const { name } = await site.json(`/api/services/${site.probedId}`)
    expect(JSON.parse(data)).toMatchObject({
      '@type': 'WebAPI',
      name,
      url: address,
      offers: { '@type': 'Offer' },
    })
  })

  test('excludes unverified services and searches from indexing, and escapes untrusted text in structured data', async () => {
    const id = await register('Injected', NASTY.replace('\u0001', ''))
    const page = await text(`/services/${id}`)
    expect(page).toContain('<meta name="robots" content="noindex">')
    expect(page).not.toContain('<script>alert')
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
    expect(JSON.parse(data).description).toContain('</script><script>')
    expect(await text('/?q=weather')).toContain('noindex')
    expect(await text('/')).not.toContain('noindex')
  })

  test('does not use the Host header of a request as the address of the directory', async () => {
    await using other = await openPageDirectory()
    const page = await (await fetch(`${other.url}/`, { headers: { Host: 'thief.example' } })).text()
    expect(page).not.toContain('canonical')
    const robots = await (
      await fetch(`${other.url}/robots.txt`, { headers: { Host: 'thief.example' } })
    ).text()
    expect(robots).toContain(`Sitemap: ${other.url}`)
    expect((await other.get('/.well-known/security.txt')).status).toBe(404)
  })
})

test('robots.txt links to a sitemap, whose parts list the pages and the verified services', async () => {
  expect(await text('/robots.txt')).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml`)
  const parts = [...(await text('/sitemap.xml')).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, each]) => each!)
  expect(parts).toEqual([`${PUBLIC_URL}/sitemaps/0.xml`, `${PUBLIC_URL}/sitemaps/1.xml`])
  const places = await Promise.all(
    parts.map(async part => [...(await text(part.slice(PUBLIC_URL.length))).matchAll(/<loc>(.*?)<\/loc>/g)]),
  )
  const verified: { id: string }[] = await site.json('/api/services?status=verified&limit=100')
  expect(verified.length).toBeGreaterThan(0)
  expect(places[0]!.map(([, each]) => each)).toContain(`${PUBLIC_URL}/catalog`)
  expect(places[1]!.map(([, each]) => each).sort()).toEqual(
    verified.map(({ id }) => `${PUBLIC_URL}/services/${id}`).sort(),
  )
  for (const part of ['2.xml', '01.xml', 'x', '999999.xml'])
    expect((await site.get(`/sitemaps/${part}`)).status).toBe(404)
})

describe('A feed', () => {
  const entriesOf = (feed: string) => [...feed.matchAll(/<entry>(.*?)<\/entry>/gs)].map(([, entry]) => entry!)

  test('lists new services, newest first, with texts escaped for XML', async () => {
    const id = await register('Newest & "best" <b>', 'A text & more.')
    const response = await site.get('/feeds/new.atom')
    expect(response.headers.get('content-type')).toStartWith('application/atom+xml')
    const [first] = entriesOf(await response.text())
    expect(first).toContain(`<link rel="alternate" type="text/html" href="${PUBLIC_URL}/services/${id}"/>`)
    expect(first).toContain('<title>Newest &amp; &quot;best&quot; &lt;b&gt;</title>')
  })

  test('says what each service costs, its status, and what has changed', async () => {
    const id = await register('Moving', 'Before.')
    const pricing = { currency: 'USDC', pricePerRequest: '0.0077' }
    await site.app.directory.edit(id, { pricing, category: 'finance' }, { key: KEY })
    const [latest] = entriesOf(await text('/feeds/new.atom')).filter(entry => entry.includes(id))
    expect(latest).toContain('<summary>Unverified · 0.0077 USDC per request · Before.</summary>')
    const [changed] = entriesOf(await text('/feeds/changed.atom')).filter(entry => entry.includes(id))
    expect(changed).toMatch(/category: .* → finance/)
  })

  test('lists changed services, or those no longer verified, in the requested language', async () => {
    const id = await register('Changing', 'Before.')
    await site.app.directory.edit(id, { description: 'After.' }, { key: KEY })
    const [changed] = entriesOf(await text('/feeds/changed.atom?lang=ja'))
    expect(changed).toContain(`urn:shirube:${id}-`)
    expect(await text('/feeds/changed.atom?lang=ja')).toContain('変更されたサービス')
    expect(entriesOf(await text('/feeds/broken.atom')).every(entry => !entry.includes(id))).toBe(true)
  })

  test('of a search lists its results without samples', async () => {
    const { results }: IntentAnswer = await site.json('/api/services/search/intent?q=weather&limit=50')
    const real = results.filter(({ backing }) => !backing.sample)
    const found = entriesOf(await text('/feeds/search.atom?q=weather'))
    expect(real.length).toBeLessThan(results.length)
    expect(found).toHaveLength(real.length)
    expect(found[0]).toContain(real[0]!.service.id)
    expect(await text('/feeds/search.atom?q=weather%00%EF%BF%BF%01')).not.toMatch(/[\u0000-\u0008\uffff]/)
  })

  test.each([
    ['/feeds/search.atom?query=weather', 400, 'q: must not be empty.'],
    ['/feeds/other.atom', 404, 'There is nothing at this path. See /docs.'],
  ])('reports the problem with %s', async (path, status, detail) => {
    const response = await site.get(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'application/problem+json',
    ])
    expect(await response.json()).toMatchObject({ detail })
  })

  test('links to the page with the same content, and pages link to the feed in their own language', async () => {
    const alternateOf = (feed: string) =>
      /<link rel="alternate" type="text\/html" href="([^"]*)"/.exec(feed)![1]
    expect(alternateOf(await text('/feeds/search.atom?q=sea+tides&lang=ja'))).toBe(
      `${PUBLIC_URL}/?q=sea%20tides&amp;lang=ja`,
    )
    expect(alternateOf(await text('/feeds/new.atom'))).toBe(`${PUBLIC_URL}/`)
    const read = async (path: string, language: string) =>
      (await site.get(path, { 'accept-language': language })).text()
    expect(await read('/', 'ja')).toContain('href="/feeds/new.atom?lang=ja"')
    expect(await read('/', 'en')).toContain('href="/feeds/new.atom"')
    expect(await read('/?q=qwxyzzy', 'ja')).toContain('href="/feeds/search.atom?q=qwxyzzy&amp;lang=ja"')
  })

  test('without entries has a current update time', async () => {
    const feed = await text('/feeds/search.atom?q=qwxyzzy')
    expect(entriesOf(feed)).toEqual([])
    const [, updated] = /<updated>([^<]*)</.exec(feed)!
    const age = Date.now() - Date.parse(updated!)
    expect(age).toBeGreaterThanOrEqual(0)
    expect(age).toBeLessThan(2 * 86_400_000)
  })
})

test('the address of a search has its question', async () => {
  const page = await text('/?q=rain+in+Kyoto&chain=base&lang=ja')
  const address = `${PUBLIC_URL}/?q=rain%20in%20Kyoto&amp;chain=base&amp;lang=ja`
  expect(page).toContain(`<meta property="og:url" content="${address}">`)
})

test('every page names the one picture for link previews', async () => {
  for (const path of ['/?lang=ja', `/services/${site.probedId}`]) {
    const page = await text(path)
    expect(page).toContain(`<meta property="og:image" content="${PUBLIC_URL}/picture.png">`)
    expect(page).toContain('<meta name="twitter:card" content="summary_large_image">')
  }
  const answer = await site.get('/picture.png', { 'accept-encoding': 'gzip, br, zstd' })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(answer.headers.get('content-encoding')).toBeNull()
  const head = Buffer.from(await answer.arrayBuffer())
  expect([head.readUInt32BE(16), head.readUInt32BE(20)]).toEqual([1200, 630])
})

test('icon, search description and security contact are served', async () => {
  const icon = new Uint8Array(await (await site.get('/favicon.ico')).arrayBuffer())
  expect([...icon.subarray(0, 4)]).toEqual([0, 0, 1, 0])
  expect(await text('/opensearch.xml')).toContain(`template="${PUBLIC_URL}/?q={searchTerms}"`)
  const security = await text('/.well-known/security.txt')
  expect(security).toContain(`Contact: ${CONTACT}`)
  expect(Date.parse(/Expires: (.*)/.exec(security)![1]!)).toBeGreaterThan(Date.now())
})
