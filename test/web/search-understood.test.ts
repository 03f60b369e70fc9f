// What the search page shows of a sentence next to its results: exclusions, wishes, weak results, steps.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { TestServer } from '../http/directory-server.ts'
import { openStandingServer } from '../http/standing-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openStandingServer({ RATE_LIMIT: '0' })
})
afterAll(() => server[Symbol.asyncDispose]())

const page = async (q: string, rest = '') => (await server.get(`/?q=${encodeURIComponent(q)}${rest}`)).text()

test('an exclusion is a chip that can be removed and applied again', async () => {
  const text = await page('weather other than Skycast')
  expect(text).toContain('aria-label="Remove: Not: Skycast"')
  expect(text).toContain('without=excluded')
  const again = await page('weather other than Skycast', '&without=excluded')
  expect(again).toContain('aria-label="Apply again: Exclusions"')
})

test('alternative chains are one chip, and wishes are another', async () => {
  const text = await page('cheap translation on Base or Polygon')
  expect(text).toContain('aria-label="Remove: Base / Polygon"')
  expect(text).toContain('aria-label="Remove: Low prices preferred"')
  expect(text).toContain('&amp;without=wishes')
  expect(await page('安い翻訳', '&lang=ja')).toContain('aria-label="条件を外す：安さを優先"')
  const again = await page('cheap translation on Base', '&without=wishes')
  expect(again).toContain('aria-label="Apply again: Preferences"')
  expect(again).not.toContain('Low prices preferred')
})

test('an exclusive price limit reads differently from an inclusive one', async () => {
  expect(await page('weather under 1 cent')).toContain('>Under $0.01 <b')
  expect(await page('weather for at most 1 cent')).toContain('>Up to $0.01 <b')
  expect(await page('0.01 USDC未満の天気', '&lang=ja')).toContain('>0.01\u00a0USDC未満 <b')
  expect(await page('0.01 USDC以下の天気', '&lang=ja')).toContain('>0.01\u00a0USDC以下 <b')
})

test('words that no service mentions are named', async () => {
  expect(await page('deepfake weather forecast')).toContain('>No service here mentions “deepfake”.</p>')
  // The sample is mostly in English: that no service has the Japanese word says nothing.
  expect(await page('ディープフェイクの天気予報', '&lang=ja')).not.toContain('を含むサービスはありません')
  expect(await page('weather forecast')).not.toContain('No service here mentions')
})

test('weak results are listed separately, below the summary', async () => {
  const text = await page('kitchen sink plumber near me')
  expect(text).toContain('>No service matches “kitchen sink plumber near me”</h2>')
  expect(text).toContain('<h2>Only distantly related</h2>')
  expect(await page('weather forecast')).not.toContain('Only distantly related')
})

test('without results, the page links to the catalog and to the feed of the search', async () => {
  const text = await page('qwxyzzy')
  expect(text).toContain('>No service matches “qwxyzzy”</h2>')
  expect(text).not.toContain('class="cards"')
  expect(text).toContain('<a href="/catalog">Browse the catalog by category</a>')
  expect(text).toContain('<a href="/feeds/search.atom?q=qwxyzzy">Follow this search</a>')
  expect(await page('kitchen sink plumber near me')).not.toContain('Follow this search')
})

test('the feed of a search leaves out weak results', async () => {
  const feed = await (await server.get('/feeds/search.atom?q=kitchen+sink+plumber+near+me')).text()
  expect(feed).toContain('<feed')
  expect(feed).not.toContain('<entry>')
})

test('the heading quotes the sentence, with the number of results or that there are none', async () => {
  const headingOf = (text: string) => /<h2 id="results"[^>]*>([^<]*)</.exec(text)?.[1]
  expect(headingOf(await page('OCR on Base'))).toMatch(/^\d services for “OCR on Base”$/)
  expect(headingOf(await page('OCR on Arbitrum'))).toBe('No service matches “OCR on Arbitrum”')
})

test('if only the closest matches are shown, filters count those', async () => {
  const text = await page('OCR on Arbitrum')
  expect(text).toContain('Closest matches if')
  const status = text.slice(text.indexOf('<legend>Status'), text.indexOf('<legend>Category'))
  const counts = [...status.matchAll(/<small>(\d+)<\/small>/g)].map(([, count]) => Number(count))
  const shown = text.slice(text.indexOf('Closest matches if')).match(/<li class="card/g)!.length
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(shown)
})

test('each step of a sentence has its own results, above those of the whole sentence', async () => {
  const text = await page('read a receipt, translate it and send it by email')
  const headings = [...text.matchAll(/<h2[^>]*>([^<]*)<\/h2>/g)].map(([, heading]) => heading!)
  const whole = headings.pop()!
  expect(headings.filter(heading => heading !== 'Only distantly related')).toEqual([
    'Services for “read a receipt, translate it and send it by email”',
    'For the step “read a receipt”',
    'For the step “translate it”',
    'For the step “send it by email”',
  ])
  expect(whole).toMatch(/^\d+ services for all steps together$/)
  // The number counts the services below it; weak results of a step are separate.
  const below = text.slice(text.indexOf(whole))
  expect(below.match(/<li class="card/g)).toHaveLength(Number.parseInt(whole, 10))
  // Closed, because they are below the steps; open once they are sorted.
  expect(text).toContain('<details class="whole"><summary><h2>')
  expect(await page('read a receipt, translate it and send it by email', '&sortBy=name')).toContain(
    '<details class="whole" open>',
  )
  expect(await page('read a receipt')).not.toContain('for all steps together')
})

test('the summary is in the language of the page, not of the sentence', async () => {
  const sentence = 'cheap translation not Google without login on Base'
  const english = await page(sentence, '&lang=en')
  expect(english).toContain(
    '“without login” was not applied: listings do not say what a service works without',
  )
  const japanese = await page(sentence, '&lang=ja')
  expect(japanese).toContain('「without login」は条件にしていません')
  expect(japanese).not.toMatch(/was not applied|services? for/)
  expect(await page('東京の天気予報', '&lang=en')).toMatch(
    /<h2 id="results" tabindex="-1">\d+ services? for /,
  )
})

test('the summary of the API is in the language of the sentence', async () => {
  const { reason } = await server.json('/api/services/search/intent?q=weather+forecast', {
    'accept-language': 'ja',
  })
  expect(reason).toMatch(/services? for/)
})

test('a price limit is written in the usual form of its currency', async () => {
  expect(await page('weather under 1 cent', '&lang=ja')).toContain('>0.01ドル未満 <b')
  expect(await page('1円以下の天気予報', '&lang=ja')).toContain('>1円以下 <b')
  expect(await page('1円以下の天気予報')).toContain('>Up to ¥1 <b')
  expect(await page('weather', '&maxPricePerRequest=0.5&currency=usdc')).toContain('>Up to 0.5 USDC <b')
})

test('filters show what the sentence sets unless a value is selected', async () => {
  const text = await page('verified weather with free requests under 1 cent on Base')
  for (const held of ['Base', 'Verified', 'Under $0.01', 'With free requests'])
    expect(text).toContain(`${held} (from the search)`)
  expect(text).toMatch(/name="chain" value="" checked><span>Base \(from the search\)</)
  expect(text).toMatch(
    /name="maxUsdPrice"[^>]*placeholder="" value=""><small>Under \$0.01 \(from the search\)</,
  )
  // A limit in dollars leaves every currency; the name of an asset is a condition.
  expect(text).toContain('<option value="" selected>Any currency</option>')
  const inAsset = await page('weather under 0.01 USDC')
  expect(inAsset).toContain('<option value="" selected>USDC (from the search)</option>')
  expect(inAsset).toMatch(
    /<span>Maximum in USDC<\/span><input [^>]*name="maxPricePerRequest"[^>]*><small>Under 0.01 USDC \(from the search\)</,
  )
  expect(text).not.toContain('<span>Base</span>')
  expect(text).toMatch(/name="freeQuota" value="true" checked disabled>/)
  // What is chosen holds instead, and what is removed is not said.
  const chosen = await page('weather on Base', '&chain=polygon')
  expect(chosen).not.toContain('(from the search)')
  expect(chosen).toMatch(/name="chain" value="polygon" checked>/)
  expect(await page('weather on Base', '&without=chain')).not.toContain('(from the search)')
  expect(await page('Baseで使える天気予報', '&lang=ja')).toContain('Base（検索文から）')
})
