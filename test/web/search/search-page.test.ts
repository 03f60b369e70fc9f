import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { draft } from '../../entries.ts'
import { ask, body, openTestServer, type TestServer } from '../../http/directory-server.ts'
import { openStandingServer } from '../../http/standing-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openStandingServer({ RATE_LIMIT: '0' })
})
afterAll(() => server[Symbol.asyncDispose]())

const page = async (path: string) => (await server.get(path)).text()
const namesIn = (text: string) =>
  [...text.matchAll(/<h3><a href="\/services\/[^"]*"[^>]*>(.*?)<\/a><\/h3>/g)].map(([, name]) =>
    name!.replace(/<[^>]+>/g, '').replaceAll('&amp;', '&'),
  )
const namesOf = (services: readonly { name: string }[]) => services.map(({ name }) => name)
const radio = (name: string, value: string) =>
  new RegExp(`name="${name}" value="${value}"( checked)?><span>[^<]*</span>(?: <small>([^<]*)</small>)?`)

/** What was chosen is sent again with the next choice. */
const held = (name: string, value: string) =>
  `<input type="hidden" form="ask" name="${name}" value="${value}">`

describe('without a query', () => {
  test('Japanese text is marked on an English page, and not on a Japanese one', async () => {
    const text = await page('/?category=weather')
    expect(text).toMatch(/<p dir="auto" lang="ja">スギ・ヒノキ花粉/)
    expect(text).toMatch(/<p dir="auto">Hourly and ten-day weather/)
    expect(await page('/?category=weather&lang=ja')).toContain('<p dir="auto">スギ・ヒノキ花粉')
  })

  test('the most trusted come first, and all services are reached by paging', async () => {
    const text = await page('/')
    const listed = await server.json('/api/services?sortBy=trustScore')
    expect(namesIn(text)).toEqual(namesOf(listed))
    expect(text).toContain('rel="next" href="/?offset=20"')
    expect(namesIn(await page('/?offset=20'))).toEqual(
      namesOf(await server.json('/api/services?sortBy=trustScore&offset=20')),
    )
    expect(await page('/?offset=60')).not.toContain('rel="next"')
  })

  test('an example is offered only where the catalog has what it asks for', async () => {
    await using other = await openTestServer({ PROBE: 'off' })
    const list = (name: string, category: string, network: string) =>
      other.register(body({ name, category, x402Config: { ...draft().x402Config, network } }))
    await list('Tides', 'weather', 'polygon')
    await list('Receipts', 'ocr', 'base')
    const text = await (await ask(other.url)).text()
    expect(text).toContain('>read text from a receipt</a>')
    expect(text).not.toContain('weather under 1 cent on Base')
    expect(text).not.toContain('translate a contract')
    await list('Forecasts', 'weather', 'base')
    expect(await (await ask(other.url)).text()).toContain('>weather under 1 cent on Base</a>')
  })

  test.each([
    ['/?categry=weather', 'category'],
    ['/?category=weather&maxPrice=0.01', 'maxPricePerRequest'],
  ])('a misnamed parameter is refused, never ignored: %s', async (path, meant) => {
    const sent = await ask(server.url + path, { redirect: 'manual' })
    expect(sent.status).toBe(400)
    expect(await sent.text()).toContain(`did you mean ${meant}?`)
  })

  test('a sentence in another order than by relevance has no reasons of rank, and no request that would not sort', async () => {
    const q = 'weather+forecast+for+sailors'
    const ranked = await page(`/?q=${q}`)
    for (const part of ['class="why"', 'class="curl"']) expect(ranked).toContain(part)
    const sorted = await page(`/?q=${q}&sortBy=usdPrice`)
    expect(sorted).not.toContain('class="why"')
    expect(sorted).not.toContain('class="curl"')
  })

  test('a URL with empty or unknown parameters, or beyond the last page, redirects to the clean one', async () => {
    const total = Number((await server.get('/api/services')).headers.get('x-total-count'))
    const last = Math.floor((total - 1) / 20) * 20
    for (const [path, clean] of [
      ['/?q=rain&status=&category=&chain=&maxPricePerRequest=&sortBy=&sortOrder=', '/?q=rain'],
      ['/?q=&status=verified&lang=ja', '/?status=verified&lang=ja'],
      ['/?foo=1', '/'],
      ['/?s=20&chain=base&utm_source=letter', '/?chain=base'],
      ['/?lang=xx&offset=0', '/'],
      ['/?q=rain+on+Base&without=chain,nothing&foo', '/?q=rain%20on%20Base&without=chain'],
      ['/?offset=1000', `/?offset=${last}`],
      ['/?q=rain&offset=1000', '/?q=rain'],
      ['/?category=nowhere&offset=20', '/?category=nowhere'],
    ] as const) {
      const sent = await ask(server.url + path, { redirect: 'manual' })
      expect([path, sent.status, sent.headers.get('location')]).toEqual([path, 303, clean])
      const arrived = await ask(server.url + clean, { redirect: 'manual' })
      expect([clean, arrived.status]).toEqual([clean, 200])
    }
    expect(await page(`/?offset=${last}`)).toContain(`Page ${last / 20 + 1} of ${last / 20 + 1}`)
    // Of a parameter that is there twice, the first counts.
    expect(await page('/?q=rain&q=tides')).toContain('“rain”')
  })

  test('every filter shows how many services it would leave', async () => {
    const text = await page('/?status=verified')
    for (const category of ['weather', 'ai', 'maps']) {
      const { headers } = await server.get(`/api/services?status=verified&category=${category}`)
      expect(radio('category', category).exec(text)?.[2]).toBe(headers.get('x-total-count')!)
    }
  })
})

describe('with a query', () => {
  test('shows the results of the intent search, without reasons that the card already shows', async () => {
    const { results } = await server.json('/api/services/search/intent?q=weather%20forecast&limit=20')
    const text = await page('/?q=weather+forecast')
    expect(namesIn(text)).toEqual(namesOf(results.map((each: { service: { name: string } }) => each.service)))
    expect(text).toContain(
      `<h2 id="results" tabindex="-1">${results.length} services for “weather forecast”</h2>`,
    )
    // What the card shows itself is not said again.
    expect(text).not.toContain(results[0].reason)
    expect(text.slice(0, text.indexOf('</li>\n', text.indexOf('class="card"')))).not.toContain('class="why"')
    expect(text).toContain('value="weather forecast"')
    expect(text).toContain('<mark>weather</mark>')
  })

  test('its pages follow each other without a gap', async () => {
    const shown: string[] = []
    let text: string
    do {
      text = await page(`/?q=weather+text+image+price+news&offset=${shown.length}`)
      shown.push(...namesIn(text))
    } while (text.includes('rel="next"'))
    const [, total] = /tabindex="-1">(\d+) services/.exec(text)!
    expect(shown.length).toBeGreaterThan(20)
    expect([new Set(shown).size, shown.length]).toEqual([Number(total), Number(total)])
  })

  test('what has one word by chance, where no service has the others, is no result', async () => {
    const text = await page('/?q=reserve+a+table+in+a+restaurant')
    expect(text).toContain('No service matches “reserve a table in a restaurant”')
    expect(namesIn(text)).toEqual([])
    expect(text.slice(text.indexOf('Only distantly related'))).toContain('Goalpost Live Scores')
  })

  test('shows the constraints that were read, which can be removed and restored', async () => {
    const sentence = 'weather forecast on Base'
    const text = await page(`/?q=${encodeURIComponent(sentence)}`)
    const address = '/?q=weather%20forecast%20on%20Base'
    expect(text).toContain(`href="${address}&amp;without=chain" aria-label="Remove: Base"`)
    const without = await page(`${address}&without=chain`)
    expect(without).toContain(`href="${address}" aria-label="Apply again: network"`)
    expect(without).not.toContain('Remove: Base')
  })

  test('shows the curl command for the same search', async () => {
    const text = await page(`/?q=${encodeURIComponent("what's the weather")}`)
    expect(text).toContain(
      `curl -G &#x27;${server.url}/api/services/search/intent&#x27; \\\n  --data-urlencode &#x27;q=what&#x27;\\&#x27;&#x27;s the weather&#x27;`,
    )
    expect(await page('/?category=weather')).toContain(
      `curl &#x27;${server.url}/api/services?category=weather&amp;sortBy=trustScore&#x27;`,
    )
  })

  test('reports an invalid query, with the status of the API', async () => {
    for (const [path, message] of [
      [`/?q=${'a'.repeat(501)}`, 'at most 500 characters'],
      ['/?offset=x', 'whole number'],
      ['/?status=great', 'Choose one of these'],
    ]) {
      const response = await server.get(path!)
      expect(response.status).toBe(400)
      expect(await response.text()).toContain(message!)
    }
  })

  test('says that nothing was found, and keeps the filter', async () => {
    const text = await page('/?category=nowhere')
    expect(text).toContain('No services found')
    expect(text).toContain(held('category', 'nowhere'))
    expect(text).toContain('No service has the category “Nowhere”.')
    expect(await page('/?category=weather&level=danger')).toContain('No service has the level “Do not pay”.')
    expect(await page('/?category=weather&chain=stellar')).toContain('Try fewer conditions.')
  })
})

test('a Japanese sentence finds services, and its words are highlighted', async () => {
  const text = await page(`/?q=${encodeURIComponent('東京の天気予報を知りたい')}`)
  expect(namesIn(text).length).toBeGreaterThan(0)
  expect(text).toContain('<mark>天気予報</mark>')
})

test('the reason for a result is shown only if its card does not already show it', async () => {
  const text = await page('/?q=weather+forecast')
  const cards = text.split('<li class="card">').slice(1)
  const whyOf = (name: string) =>
    /<p class="why">Why: ([^<]*)<\/p>/.exec(
      cards.find(card => card.replace(/<\/?mark>/g, '').includes(name))!,
    )?.[1]
  expect(whyOf('api.skycast.example')).toBeUndefined()
  // Another form of a word is marked like the word.
  expect(text).not.toContain('Matches forecast → forecasts')
  expect(whyOf('tenki.sora.example')).toBe('Matches forecast → 予報.')
})

test('an invalid filter is reported with the labels of the page, not the names of parameters', async () => {
  const english = await page('/?status=<broken>')
  expect(english).toContain(
    '<b>Status</b>: “&lt;broken&gt;” is not a valid value. <span>Choose one of these: “Verified”, “Unverified”, “Not answering or discontinued”.</span>',
  )
  expect(english).not.toContain('must be one of')
  expect(await page('/?status=broken&lang=ja')).toContain(
    '<b>状態</b>：「broken」は使えません。<span>次のどれかを選んでください：「検証済み」「未検証」「応答なし・提供終了」。',
  )
  expect(await page('/?category=weather&status=broken')).toContain(
    '<a href="/?category=weather">Search with the other conditions</a>',
  )
  // As a Japanese keyboard writes it.
  expect(await page(`/?maxPricePerRequest=${encodeURIComponent('０．００２')}`)).toContain(
    held('maxPricePerRequest', '0.002'),
  )
  expect(await page('/?maxPricePerRequest=cheap')).toContain(
    '<b>Maximum price (not converted)</b>: “cheap” is not a valid value. <span>Must be a decimal amount',
  )
})

test('one control has the order and its direction, and URLs have them apart', async () => {
  const selectedIn = (text: string) =>
    [...text.matchAll(/name="sortBy">(.*?)<\/select>/gs)].map(
      ([, options]) => /<option value="([^"]*)" selected>([^<]*)</.exec(options!)?.slice(1) ?? [],
    )
  for (const [query, ...selected] of [
    ['', '', 'Highest trust'],
    ['q=weather', '', 'Best match'],
    ['sortBy=usdPrice', 'usdPrice', 'Lowest price'],
    ['sortBy=usdPrice&sortOrder=asc', 'usdPrice', 'Lowest price'],
    ['q=weather&sortBy=usdPrice&sortOrder=desc', 'usdPrice.desc', 'Highest price'],
    ['sortBy=name&sortOrder=desc', 'name.desc', 'Name, Z to A'],
    ['sortOrder=asc', 'trustScore.asc', 'Lowest trust'],
    ['q=weather&sortOrder=asc', 'best.asc', 'Best match last'],
    ['sortBy=newest&sortOrder=asc', 'newest.asc', 'Oldest'],
    // Only what is converted can be compared.
    ['sortBy=price&sortOrder=desc', 'usdPrice.desc', 'Highest price'],
  ] as const) {
    const text = await page(`/?${query}`)
    expect([query, selectedIn(text)]).toEqual([query, [[...selected]]])
    expect(text).not.toContain('name="sortOrder"')
  }
  for (const [chosen, clean] of [
    ['q=weather&sortBy=usdPrice.desc', 'q=weather&sortBy=usdPrice&sortOrder=desc'],
    ['q=weather&sortBy=best.asc', 'q=weather&sortOrder=asc'],
    ['sortBy=trustScore.asc&status=', 'sortBy=trustScore&sortOrder=asc'],
  ] as const) {
    const { status, headers } = await ask(`${server.url}/?${chosen}`, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([303, `/?${clean}`])
  }
  for (const sortBy of ['cheapest', 'usdPrice.up', 'prise.desc'])
    expect((await server.get(`/?sortBy=${sortBy}`)).status).toBe(400)
})

test('there is one field for the price, and none once it is set', async () => {
  const limitsIn = (text: string) =>
    [...text.matchAll(/<span>(Max[^<]*)<\/span><input [^>]*name="(max\w+)"/g)].map(each => each.slice(1))
  const dollars = ['Maximum (US$)', 'maxUsdPrice']
  expect(limitsIn(await page('/'))).toEqual([dollars])
  const inAsset = ['Maximum in USDC', 'maxPricePerRequest']
  expect(limitsIn(await page('/?currency=usdc'))).toEqual([inAsset])
  for (const query of ['maxUsdPrice=1', 'maxPricePerRequest=1', 'currency=usdc&maxUsdPrice=1'])
    expect([query, limitsIn(await page(`/?${query}`))]).toEqual([query, []])
})

test('a limit in dollars replaces that of the sentence', async () => {
  const pricesOf = async (query: string): Promise<number[]> =>
    (await server.json(`/api/services/search/intent?limit=100&${query}`)).results.map(
      ({ usdPrice }: { usdPrice: string }) => Number(usdPrice),
    )
  const q = `q=${encodeURIComponent('weather under 1 cent')}`
  expect(Math.max(...(await pricesOf(q)))).toBeLessThan(0.01)
  const wider = await pricesOf(`${q}&maxUsdPrice=1`)
  expect(Math.max(...wider)).toBeGreaterThan(0.01)
  expect(wider).toEqual(await pricesOf('q=weather&maxUsdPrice=1'))
  const text = await page(`/?${q}&maxUsdPrice=1`)
  expect(text).toContain('>Up to $1 <b')
})
