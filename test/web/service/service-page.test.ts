import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { LocalDirectory } from '../../../src/directory/directory.ts'
import { CALL_LANGUAGES } from '../../../src/domain/call/call.ts'
import { DirectoryError } from '../../../src/domain/errors.ts'
import { say } from '../../../src/messages/message.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import { createServicePage } from '../../../src/web/service/service-page.ts'
import { entry } from '../../entries.ts'
import { hideService } from '../../hiding.ts'
import { body, KEY } from '../../http/directory-server.ts'
import { openPageDirectory, type PageDirectory } from '../page-directory.ts'
import { pageRequest } from '../page-request.ts'

let site: PageDirectory
beforeAll(async () => {
  site = await openPageDirectory()
})
afterAll(() => site[Symbol.asyncDispose]())

const page = async (path: string) => (await site.get(path)).text()

describe('the page of a service', () => {
  test('shows every field of the service and of its status', async () => {
    const read = async () => [
      await site.json(`/api/services/${site.probedId}`),
      await site.json(`/api/services/${site.probedId}/status`),
    ]
    let [service, status] = await read()
    let text = await page(`/services/${site.probedId}`)
    // A probe may be kept between two reads.
    for (let now = await read(); !Bun.deepEquals(now, [service, status]); now = await read()) {
      ;[service, status] = now
      text = await page(`/services/${site.probedId}`)
    }
    for (const value of [
      service.name,
      service.endpoint,
      service.x402Config.paymentAddress,
      'eip155:8453',
      `${service.pricing.pricePerRequest} ${service.pricing.currency}`,
      `Trust ${service.trustScore} of 100`,
      'Weather',
      'Base, Polygon',
      service.id,
    ])
      expect(text).toContain(value)
    for (const time of [service.createdAt, status.lastChecked])
      expect(text).toContain(`<time datetime="${time}">`)
  })

  test('shows how to call it in every language, as the API does, and its input', async () => {
    const text = await page(`/services/${site.probedId}`)
    for (const language of CALL_LANGUAGES) {
      const path = `/api/services/${site.probedId}/call?for=${language}`
      const call = await (await site.get(path)).text()
      expect(text).toContain(Bun.escapeHTML(call))
    }
    expect(text.match(/<details name="call"/g)).toHaveLength(CALL_LANGUAGES.length)
    expect(text.match(/<details name="call" open>/g)).toHaveLength(1)
    const { resources } = await site.json(`/api/services/${site.probedId}/terms`)
    for (const name of Object.keys(resources[0].input?.properties ?? {}))
      expect(text).toContain(`><code>${name}</code></th>`)
    expect(await page(`/services/${site.probedId}?lang=ja`)).toContain('呼び出す')
  })

  test('shows for a sample only that it is invented, without figures or payment', async () => {
    const [sample] = await site.json('/api/services?category=ocr&currency=usdc&limit=1')
    const text = await page(`/services/${sample.id}`)
    expect(text).toContain('</svg>Invented sample</b>')
    expect(text).toContain('Nobody offers it')
    for (const part of [
      sample.x402Config.paymentAddress,
      'of 100',
      'Last probed',
      'class="verdict fine"',
      'How to pay',
      'data-copy',
      'curl -i',
      'up</',
      '"offers"',
      'badge.svg',
    ])
      expect(text).not.toContain(part)
    expect(await page(`/services/${sample.id}?lang=ja`)).toContain('架空の見本')
    expect(text).toContain('<meta name="robots" content="noindex')
  })

  test('shows the listing of a retired service, without a way to pay', async () => {
    const listed = await (await site.register(body({ name: 'Closed Rates' }))).json()
    const { id, x402Config } = listed
    expect(await page(`/services/${id}`)).toContain('curl -i')
    await site.app.directory.retire(id, { message: 'Closed' }, { key: KEY })
    const text = await page(`/services/${id}`)
    expect(text).toContain('Message from whoever listed it: “Closed')
    expect(text).toContain(`<code>${x402Config.paymentAddress}</code>`)
    for (const part of ['How to pay', 'name="call"', 'curl -i', `data-copy="${x402Config.paymentAddress}"`])
      expect(text).not.toContain(part)
  })

  test('calls a retired service discontinued in its history, and another that is inactive not answering', async () => {
    const { id } = await (await site.register(body({ name: 'Closed Fares' }))).json()
    await site.app.directory.retire(id, { message: 'Closed' }, { key: KEY })
    await site.app.directory.restore(id, { key: KEY })
    const text = await page(`/services/${id}`)
    expect(text).toContain('<span>Unverified → Discontinued</span>')
    expect(text).toContain('<span>Discontinued → Unverified</span>')
    expect(await page(`/services/${site.probedId}`)).toContain('<span>Verified → Not answering</span>')
  })

  test('has warnings above all that a long description says', async () => {
    const description = `${'Everything about tides. '.repeat(40)}The end.`
    const endpoint = 'https://wordy.dev/v1'
    const { id } = await (await site.register(body({ name: 'Wordy Tides', endpoint, description }))).json()
    const text = await page(`/services/${id}`)
    // One line of it is above them, and the rest is closed.
    expect(text).toContain(
      `<p dir="auto">${'Everything about tides. '.repeat(5)}Everything about…</p>\n<details><summary>Read on</summary><p class="lead" dir="auto">${description}</p></details>`,
    )
    expect(text.indexOf('class="bands"')).toBeGreaterThan(0)
  })

  test('shows when the listing was last edited, not when it was retired', async () => {
    const { id } = await (await site.register(body({ name: 'Plain Fares' }))).json()
    await site.app.directory.retire(id, { message: 'Closed' }, { key: KEY })
    expect(await page(`/services/${id}`)).not.toContain('<dt>Listing changed</dt>')
    await site.app.directory.edit(id, { name: 'Fair Fares' }, { key: KEY })
    const text = await page(`/services/${id}`)
    const [, changed] = /<dt>Listing changed<\/dt><dd>(.*?)<\/dd>/.exec(text)!
    expect(text).toContain(`<li>${changed} <div><strong>Updated</strong>`)
  })

  test('has a verdict at the top with figures that agree with the API, and the code to call it', async () => {
    const text = await page(`/services/${site.probedId}`)
    const card = /<section class="panel judged fine".*?<\/section>/s.exec(text)![0]
    const { days, items } = await site.json(`/api/services/${site.probedId}/history?limit=100&days=90`)
    const [up, failed] = ['up', 'failed'].map(name =>
      days.reduce((sum: number, day: Record<string, number>) => sum + day[name]!, 0),
    )
    expect(card).toContain(`${up} of ${up + failed} probes answered in ${days.length} days`)
    const answered = items.flatMap(({ latencyMs }: { latencyMs?: number | null }) => latencyMs ?? [])
    const sorted = answered.slice(0, 50).sort((a: number, b: number) => a - b)
    const toTwoDigits = (ms: number) => Number(ms.toPrecision(2))
    expect(card).toContain(`${toTwoDigits(sorted[24]!)} ms`)
    for (const part of [
      'The endpoint itself asks to be paid at the listed address',
      'It does not prove that the answers or the description are right',
      '0.002 USDC per request (listed at 0.0025 USDC)',
      'Any official x402 client, unmodified',
      'No test purchase by this directory yet · Payments by others are not watched',
      'Not confirmed by wallet or domain',
      'Copy call code',
    ])
      expect(card).toContain(part)
    // It is not what the endpoint asks.
    expect(card).not.toContain('$0.0025')
  })

  test('draws by day how many probes it answered, with a table of all, and tells the price history', async () => {
    const text = await page(`/services/${site.probedId}`)
    const chart = /<figure class="chart.*?<\/figure>/s.exec(text)![0]
    expect(chart.match(/<rect class="fine"/g)!.length).toBeGreaterThan(25)
    expect(chart).toContain('<rect class="stop"')
    expect(chart).toContain('<span class="stop">No answer</span>')
    const { days } = await site.json(`/api/services/${site.probedId}/history?days=90`)
    expect(/<figure class="chart.*?<\/table>/s.exec(text)![0].match(/<th scope="row">/g)).toHaveLength(
      days.length,
    )
    expect(text).toContain('0.0025 USDC since')
    const prices = /<div id="prices">.*?<\/div>/s.exec(text)![0]
    expect(prices).toContain('<strong>0.0025 USDC</strong></td><td data-head="Source">First listed</td>')
    // The list of purchases has them.
    const history = /<h3>History<\/h3>.*?<\/ol>/s.exec(text)![0]
    expect(history).toContain('<strong>Status</strong>')
    expect(history).not.toContain('<strong>Purchase</strong>')
    expect(await page(`/services/${site.probedId}?lang=ja`)).toContain('のまま変わっていません')
  })

  test('breaks the trust score down as the API does, and gives the reason for the status', async () => {
    const { components } = await site.json(`/api/services/${site.probedId}/trust`)
    const text = await page(`/services/${site.probedId}`)
    for (const { points, most, reason } of components) {
      if (points !== null) expect(text).toContain(`${points} of ${most}`)
      expect(text).toContain(reason)
    }
    // A lower price is as listed; it only gives no points for stability, which has none to leave here.
    expect(text).toMatch(
      /Of \d+ probes, 0 found the listed address and exactly the listed price, \d+ a lower price,/,
    )
    expect(text).toContain('It answered 2 probes in a row after a failure.')
  })

  test('shows all events back to the registration, however many probes are between them', async () => {
    const text = await page(`/services/${site.probedId}`)
    for (const change of ['Not answering → Verified', 'Verified → Not answering', 'Unverified → Verified'])
      expect(text).toContain(change)
    expect(text).toContain('<strong>Registered</strong>')
  })

  test('shows every reason in the language of the page', async () => {
    const japanese = await page(`/services/${site.probedId}?lang=ja`)
    expect(japanese).not.toContain('<p lang="en"')
    for (const part of ['回続けて確認に失敗しました。', '回の確認のうち', '掲載のアドレス'])
      expect(japanese).toContain(part)
    const english = await page(`/services/${site.probedId}`)
    expect(english).toContain('probes in a row failed.')
  })

  test('links only to http, https and its own pages', async () => {
    const text = await page(`/services/${site.probedId}`)
    for (const [, address] of text.matchAll(/href="([^"]*)"/g)) expect(address).toMatch(/^(\/|#|https?:)/)
  })

  test('warns of an address that is invalid on its network', async () => {
    const wrong = body({ x402Config: { paymentAddress: 'not-an-address', network: 'base' } })
    const { id } = await (await site.register(wrong)).json()
    expect(await page(`/services/${id}`)).toContain('is not an address on Base')
  })

  test('is served from memory, without its history, while the store is unavailable', async () => {
    const away = async () => {
      throw new DirectoryError('store_unavailable', say('store_away'))
    }
    const directory = { ...(site.app.directory as LocalDirectory), history: away, trust: away }
    const { text, failed } = await createServicePage(directory)(
      pageRequest(site.url, { path: `/services/${site.probedId}`, id: site.probedId }),
    )
    expect(failed).toBeUndefined()
    expect(text).toContain('The history cannot be read at the moment.')
    expect(text).toContain('How to pay')
  })

  test('marks a stranger’s listing and shows what backs the other one, in both languages', async () => {
    const wallet = `0x${'ab'.repeat(20)}`
    const endpoint = 'https://dunnart.example/v1'
    const own = entry(
      { name: 'Dunnart', endpoint, x402Config: { paymentAddress: wallet, network: 'base' } },
      { standing: { status: 'verified' } },
    )
    const proof = { at: own.createdAt, names: 'wallet' } as const
    const { id } = await (await site.register(body({ name: 'Cheap mice', endpoint }))).json()
    expect(await page(`/services/${id}`)).not.toContain('Listed by a stranger')
    await using store = await openStore(site.databaseUrl, { clock: systemClock })
    await store.insert([{ ...own, owner: `eip155:${wallet}`, proof }])
    while ((await site.get(`/services/${own.id}`)).status !== 200) await Bun.sleep(5)
    expect(await page(`/services/${id}`)).toMatch(
      new RegExp(`Listed by a stranger</span>.*<a href="/services/${own.id}">Dunnart</a>`, 's'),
    )
    expect(await page(`/services/${id}?lang=ja`)).toContain('第三者による登録')
    expect(await page(`/services/${id}`)).toContain('Not confirmed: neither the wallet')
    const backed = await page(`/services/${own.id}`)
    expect(backed).not.toContain('Listed by a stranger')
    expect(backed).not.toContain('Listed twice')
    for (const part of ['Confirmed by wallet and domain', 'Domain proved: dunnart.example'])
      expect(backed).toContain(part)
    expect(await page(`/services/${own.id}?lang=ja`)).toContain('ドメイン証明済み：dunnart.example')
  })

  test('shows for a hidden service only the reason of the operator', async () => {
    const { id } = await (await site.register(body({ name: 'Posing Tides' }))).json()
    await hideService(site.databaseUrl, id, 'It poses as <another>.')
    const read = () => site.get(`/services/${id}`)
    let response = await read()
    while (response.status === 200) response = await read()
    expect(response.status).toBe(410)
    const text = await response.text()
    expect(text).toContain('Do not pay this service')
    expect(text).toContain('It poses as &lt;another&gt;.')
    expect(text).not.toContain('Posing Tides')
    expect(await page(`/services/${id}?lang=ja`)).toContain('運営者により非表示')
  })

  test('is 404 for an unknown id', async () => {
    const response = await site.get('/services/svc_nothing')
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(await response.text()).toContain('Service not found')
  })
})

describe('the card of a service', () => {
  const cardOf = async (question: string, id: string): Promise<string> =>
    (await page(`/?q=${encodeURIComponent(question)}`))
      .split('<li class="card">')
      .find(card => card.includes(id))!

  test('shows measured uptime and status', async () => {
    const { uptimeScore } = await site.json(`/api/services/${site.probedId}/status`)
    const card = await cardOf('harbour tides', site.probedId)
    expect(card).toContain(`<span class="figure">${uptimeScore}% up</span>`)
    expect(card).toMatch(/<span class="verdict fine"><b><svg.*?<\/svg>Verified<\/b><\/span>/)
  })
})

describe('the badge', () => {
  const badge = (id: string, lang = '') => `/services/${id}/badge.svg${lang}`

  test('is an SVG image of the verdict, asked for anew each time, because caches would show what is no longer so', async () => {
    const response = await site.get(badge(site.probedId))
    expect(response.headers.get('content-type')).toContain('image/svg+xml')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(await response.text()).toContain('>Verified<')
    const [sample] = await site.json('/api/services?category=ocr&currency=usdc&limit=1')
    expect(await page(badge(sample.id))).toContain('>Invented sample<')
    const unknown = await site.get(badge('svc_nothing'))
    expect(unknown.status).toBe(404)
    expect(await unknown.text()).toContain('>Not known<')
  })

  test('is in the language of its URL, and a page embeds it in its own language', async () => {
    const japanese = await page(badge(site.probedId, '?lang=ja'))
    expect(japanese).toContain('>検証済み<')
    // Four kanji and kana are wider than four letters.
    expect(Number(/ width="(\d+)"/.exec(japanese)![1])).toBeGreaterThan(62 + 4 * 12)
    const response = await fetch(site.url + badge(site.probedId), { headers: { 'accept-language': 'ja' } })
    expect(await response.text()).toContain('>Verified<')
    for (const lang of ['', '?lang=ja'])
      expect(await page(`/services/${site.probedId}${lang}`)).toContain(
        `<img src="${badge(site.probedId, lang)}"`,
      )
  })
})
