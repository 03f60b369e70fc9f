// What the search page shows of a sentence next to its results: exclusions, wishes, weak results, steps.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { FILTER_NAMES } from '../../src/domain/queries/filters.ts'
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
  expect(await page('0.01 USDC未満の天気', '&lang=ja')).toContain('>0.01 USDC未満 <b')
  expect(await page('0.01 USDC以下の天気', '&lang=ja')).toContain('>0.01 USDC以下 <b')
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
  // What is only distantly related is no answer.
  expect(await page('kitchen sink plumber near me')).toContain('Follow this search')
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

test('if only the closest matches are shown, filters offer what those have', async () => {
  const text = await page('OCR on Arbitrum')
  expect(text).toContain('Closest matches without')
  const names = [...text.matchAll(/name="category" value="[^"]+"><span>([^<]+)</g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) expect(text.split(`<li>${name}</li>`).length).toBeGreaterThan(1)
})

test('beside each choice of a list is the number that it finds, and none beside a sentence, which is read anew', async () => {
  const COUNTED = /name="(category|chain|level)" value="([^"]+)"><span>[^<]*<\/span> <small>(\d+)</g
  const list = await (await server.get('/?status=verified')).text()
  const choices = [...list.matchAll(COUNTED)]
  expect(choices.length).toBeGreaterThan(5)
  for (const [, name, value, count] of choices) {
    const found = await (await server.get(`/?status=verified&${name}=${value}`)).text()
    expect([name, value, /<h2[^>]*>(\d+) service/.exec(found)?.[1] ?? '0']).toEqual([name, value, count!])
  }
  expect([...(await page('weather')).matchAll(COUNTED)]).toEqual([])
})

test('a sentence of several steps is a plan: the first service of each, above those of the whole sentence', async () => {
  const text = await page('read a receipt, translate it and send it by email')
  expect(text).toContain('A plan for “read a receipt, translate it and send it by email”</h2>')
  const [, plan, below] = /<ol class="lines plan">(.*?)<\/ol>(.*)/s.exec(text)!
  expect([...plan!.matchAll(/<h3>([^<]*)<\/h3>/g)].map(([, step]) => step)).toEqual([
    'read a receipt',
    'translate it',
    'send it by email',
  ])
  expect(plan!.match(/<a href="\/services\//g)).toHaveLength(3)
  expect(plan).toContain('<a href="/?q=read%20a%20receipt">Other choices<')
  expect(text).toMatch(/<b>Total, one request each<\/b> <b class="figure">[\d.]+ USDC<\/b>/)
  // The number counts the services below it, and on the pages after it.
  const [, whole] = /<h2>(\d+) services that match words of the sentence<\/h2>/.exec(below!)!
  expect(below!.match(/<li class="card/g)).toHaveLength(Math.min(10, Number(whole)))
  // Closed, because the plan comes first; open once they are sorted.
  expect(text).toContain('<details class="whole"><summary><h2>')
  expect(await page('read a receipt, translate it and send it by email', '&sortBy=name')).toContain(
    '<details class="whole" open>',
  )
  expect(await page('read a receipt')).not.toContain('match words of the sentence')
})

test('the summary is in the language of the page, not of the sentence', async () => {
  const sentence = 'cheap translation not Google without login on Base'
  const english = await page(sentence, '&lang=en')
  expect(english).toContain('“without login” was ignored: listings do not say what a service works without')
  const japanese = await page(sentence, '&lang=ja')
  expect(japanese).toContain('「without login」は条件にしていません')
  expect(japanese).not.toMatch(/was ignored|services? for/)
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

test('a condition is a chip, and has no control beside it', async () => {
  /** Filters without a control. */
  const absentIn = (text: string) =>
    FILTER_NAMES.filter(name => !new RegExp(`form="ask"[^>]* name="${name}"`).test(text))
  const plain = await page('weather')
  expect(absentIn(plain)).toEqual(['maxPricePerRequest'])
  expect([
    plain.includes('name="level" value="verified"'),
    plain.includes('<option value="verified"'),
  ]).toEqual([true, false])
  // A limit in dollars leaves every currency; the name of an asset is a condition.
  expect(absentIn(await page('verified weather with free requests under 1 cent on Base')).toSorted()).toEqual(
    ['chain', 'freeQuota', 'level', 'maxPricePerRequest', 'maxUsdPrice', 'status'],
  )
  expect(absentIn(await page('weather under 0.01 USDC')).toSorted()).toEqual([
    'currency',
    'maxPricePerRequest',
    'maxUsdPrice',
  ])
  // What was chosen is kept when something else is.
  const chosen = await page('weather on Base', '&chain=polygon')
  expect(chosen).toContain('<input type="hidden" form="ask" name="chain" value="polygon">')
  expect(chosen).toContain('aria-label="Remove: Polygon"')
  expect(chosen).not.toContain('name="chain" value="base"')
  expect(absentIn(await page('weather on Base', '&without=chain'))).toEqual(['maxPricePerRequest'])
})

test('a link to a search is previewed as that search', async () => {
  const text = await page('weather on Base')
  expect(text).toContain('<meta property="og:title" content="weather on Base">')
  expect(text).toMatch(/<meta property="og:description" content="\d+ services for “weather on Base”: [^"]+, /)
})
