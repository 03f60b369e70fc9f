import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { body, KEY } from '../http/directory-server.ts'
import { createHurriedClock } from '../hurried-clock.ts'
import { asksV2, onBase, SIGNABLE } from '../probe/merchant.ts'
import { until } from '../until.ts'
import { CHROMIUM, createReaders, type OpenPage, openBrowser, openFolds } from './browser.ts'
import { openPageDirectory, type PageDirectory } from './page-directory.ts'
import { addTroubles, type TroubleName } from './troubles.ts'

if (!CHROMIUM)
  console.warn(
    'No Chromium was found, so the pages are not tried in a browser: apt-get install chromium-headless-shell',
  )

let site: PageDirectory
let browser: Awaited<ReturnType<typeof openBrowser>>
let openPage: OpenPage
let merchant: ReturnType<typeof Bun.serve>
/** Keeps the merchant's answers back until it is resolved. */
let answering = Promise.resolve()
let troubles: Record<TroubleName, string>
beforeAll(async () => {
  if (!CHROMIUM) return
  merchant = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async () => {
      await answering
      return asksV2([{ ...onBase, extra: SIGNABLE }])
    },
  })
  ;[site, browser] = await Promise.all([
    openPageDirectory(
      { PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on', RATE_LIMIT: '0' },
      { clock: createHurriedClock() },
    ),
    openBrowser(),
  ])
  openPage = createReaders(browser)
  await site.register(
    body({ name: '<img src=x onerror=alert(1)>', description: '<script>alert(1)</script>' }),
  )
  troubles = await addTroubles(site.databaseUrl)
  await until(async () => (await site.get(`/services/${troubles.silent}`)).status === 200)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await site?.[Symbol.asyncDispose]()
  await merchant?.stop(true)
})

type Visit = AsyncDisposable & { readonly page: Page; open(path: string): Promise<void> }

/** A reader of our pages; when it leaves, nothing may have gone wrong: no error, no foreign host, no breach of the policy. */
async function visit(options: Parameters<OpenPage>[0] = {}): Promise<Visit> {
  const reader = await openPage({ baseURL: site.url, locale: 'en', ...options })
  const { page } = reader
  page.setDefaultTimeout(200_000)
  const wrong: string[] = []
  page.on('console', message => {
    // The browser reports an answer that says no as an error of its own.
    const isRefusal = message
      .text()
      .startsWith('Failed to load resource: the server responded with a status of 4')
    if (['error', 'warning'].includes(message.type()) && !isRefusal) wrong.push(message.text())
  })
  page.on('pageerror', error => wrong.push(String(error)))
  page.on('dialog', dialog => {
    wrong.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', request => {
    if (!request.url().startsWith(site.url)) wrong.push(`request to ${request.url()}`)
  })
  return {
    page,
    open: async path => void (await page.goto(path)),
    async [Symbol.asyncDispose]() {
      await reader[Symbol.asyncDispose]()
      expect(wrong).toEqual([])
    },
  }
}

const names = (page: Page) => page.locator('.card h3').allTextContents()
const path = (page: Page) => page.url().slice(site.url.length)

describe.skipIf(!CHROMIUM)('in a browser', () => {
  test('results appear while typing, and filters, service pages and the back button keep the query', async () => {
    await using reader = await visit()
    const { page } = reader
    await reader.open('/')
    const loaded = await page.evaluate('performance.timeOrigin')
    await page.getByRole('searchbox').pressSequentially('weather forecast', { delay: 10 })
    await page.waitForURL('**/?q=weather+forecast')
    await page.getByRole('link', { name: 'Skycast Forecast' }).waitFor()
    await page.locator('select[name=status]').selectOption('unverified')
    await page.waitForURL('**/?q=weather+forecast&status=unverified')
    await page.locator('.chips a', { hasText: 'Unverified' }).waitFor()
    const found = await names(page)
    expect(await page.evaluate('performance.timeOrigin')).toBe(loaded)

    await page.getByRole('link', { name: 'Skycast Forecast' }).click()
    await page.getByRole('heading', { level: 1, name: 'Skycast Forecast' }).waitFor()
    await page.goBack()
    await page.locator('.card').first().waitFor()
    expect(path(page)).toBe('/?q=weather+forecast&status=unverified')
    expect(await names(page)).toEqual(found)
    expect(await page.getByRole('searchbox').inputValue()).toBe('weather forecast')

    await page.goBack()
    await page.waitForURL('**/?q=weather+forecast')
    await page.locator('.chips').waitFor({ state: 'detached' })
    await page.goBack()
    await page.waitForURL(`${site.url}/`)
    await until(async () => (await page.getByRole('searchbox').inputValue()) === '')
  })

  test('an order is chosen with its direction, and the URL has both', async () => {
    await using reader = await visit()
    const { page } = reader
    await reader.open('/?q=weather')
    const loaded = await page.evaluate('performance.timeOrigin')
    const found = (await names(page)).toSorted()
    await page.getByLabel('Sort by').selectOption('Highest price')
    await page.waitForURL('**/?q=weather&sortBy=usdPrice&sortOrder=desc')
    await page
      .locator('[name=sortBy] option[selected]', { hasText: 'Highest price' })
      .waitFor({ state: 'attached' })
    expect((await names(page)).toSorted()).toEqual(found)
    expect(await page.evaluate('performance.timeOrigin')).toBe(loaded)
    await page.goBack()
    await page.waitForURL('**/?q=weather')
  })

  test('a click removes a constraint that was read from the sentence', async () => {
    await using reader = await visit()
    const { page } = reader
    await reader.open('/?q=weather+on+Base')
    const before = await names(page)
    await page.getByRole('link', { name: 'Remove: Base' }).click()
    await page.getByRole('link', { name: 'Apply again: network' }).waitFor()
    expect((await names(page)).length).toBeGreaterThan(before.length)
    // It stays removed while more is typed, and is forgotten with the question.
    await page.getByRole('searchbox').press('End')
    await page.getByRole('searchbox').pressSequentially(' today', { delay: 10 })
    await page.waitForURL('**/?q=weather+on+Base+today&without=chain')
    await page.getByRole('link', { name: 'Apply again: network' }).waitFor()
    await page.getByRole('searchbox').fill('')
    await page.waitForURL(`${site.url}/`)
  })

  test('the copy button copies the curl command for the same search', async () => {
    await using reader = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = reader
    await reader.open('/?category=weather')
    await page.getByRole('button', { name: 'Copy curl' }).click()
    await page.getByText('Copied').waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toBe(`curl '${site.url}/api/services?category=weather&sortBy=trustScore'`)
  })

  test('a provider checks an endpoint, corrects a mistake and registers; the key is typed once', async () => {
    await using reader = await visit()
    const { page } = reader
    await reader.open('/register')
    await page.getByText('Fill in the form by hand').click()
    await page.getByLabel('Name', { exact: true }).fill('Harbour Lights')
    await page.getByLabel('Endpoint').fill(`http://127.0.0.1:${merchant.port}/v1`)
    await page.getByLabel('Category').fill('maps')
    await page.getByLabel('Price per request').fill('0.0025')
    await page.getByLabel('Currency').fill('USDC')
    await page.getByLabel('Network').fill('base')
    await page.getByLabel('Payment address').fill(onBase.payTo)
    await page.getByLabel('API key').fill(KEY)
    const reading = Promise.withResolvers<void>()
    answering = reading.promise
    await page.getByRole('button', { name: 'Read from endpoint' }).click()
    await page.getByRole('button', { name: 'Reading from the endpoint…' }).waitFor()
    reading.resolve()
    await page.getByText('Would be verified').first().waitFor()
    expect(await page.locator('.checks .passed').count()).toBe(10)

    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.locator('.problem').count()).toBe(1)
    await page.getByLabel('Description').fill('Where every lighthouse stands, and whether it is lit')
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    answering = promise
    await page.getByRole('button', { name: 'Register' }).click()
    await page.waitForURL('**/services/svc_*')
    await page.getByText('The directory probes the endpoint within seconds').waitFor()
    letGo()
    expect(await page.content()).not.toContain(KEY)
    const id = /svc_\w+/.exec(page.url())![0]
    await until(async () => (await site.json(`/api/services/${id}`)).status === 'verified')
    await page.reload()
    expect(await page.locator('.verdict').first().textContent()).toBe('Verified')
    await page.getByRole('link', { name: 'Public page' }).click()
    expect(await page.locator('.judged .verdict').textContent()).toBe('Verified')
  })

  test('a Japanese user finds a weather service and its price, and switches to English', async () => {
    await using reader = await visit({ locale: 'ja' })
    const { page } = reader
    await reader.open('/')
    await page.getByRole('searchbox').fill('東京の天気予報を知りたい')
    await page.getByRole('button', { name: '検索' }).click()
    await page.getByRole('link', { name: '天気予報API そらまめ' }).click()
    await page.getByText('見本の登録です').waitFor()
    expect(await page.locator('.rows').textContent()).toContain('0.3 JPYC 1回あたり')
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByText('Nobody offers it').waitFor()
    await page.getByRole('link', { name: 'Catalog' }).first().click()
    expect(path(page)).toBe('/catalog?lang=en')
  })

  test('searching, sorting and registering work without JavaScript', async () => {
    await using reader = await visit({ javaScriptEnabled: false })
    const { page } = reader
    await reader.open('/')
    await page.getByRole('searchbox').fill('translation')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL('**/?q=translation')
    await page.getByLabel('Sort by').selectOption('usdPrice')
    await page.locator('.sort').getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL('**/?q=translation&sortBy=usdPrice')
    expect(await names(page)).not.toBeEmpty()
    await page.getByLabel('Sort by').selectOption('Highest price')
    await page.locator('.sort').getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL('**/?q=translation&sortBy=usdPrice&sortOrder=desc')
    expect(await page.getByRole('button', { name: /Copy/ }).count()).toBe(0)

    await reader.open('/register')
    await page.getByText('Fill in the form by hand').click()
    await page.getByLabel('Name', { exact: true }).fill('By hand')
    await page.getByLabel('API key').fill(KEY)
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('By hand')
    expect(await page.getByLabel('API key').inputValue()).toBe('')
  })

  test('a search can be made and a result opened with the keyboard alone', async () => {
    await using reader = await visit()
    const { page } = reader
    const focused = () =>
      page.evaluate<{ text: string; isVisible: boolean }>(`({
        text: document.activeElement.textContent.trim(),
        isVisible: getComputedStyle(document.activeElement).outlineStyle !== 'none',
      })`)
    await reader.open('/')
    await page.keyboard.press('Tab')
    expect((await focused()).text).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('ocr receipt')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/?q=ocr+receipt')
    // Results that arrive while the tabulator is pressed would take the focus along.
    await page.locator('#found:not([aria-busy]) #results', { hasText: 'ocr receipt' }).waitFor()
    const [first] = await names(page)
    for (let i = 0; i < 60 && (await focused()).text !== first; i++) {
      await page.keyboard.press('Tab')
      expect((await focused()).isVisible).toBe(true)
    }
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: first! }).waitFor()

    await reader.open(`/services/${site.probedId}`)
    for (let i = 0; i < 40 && !(await focused()).text.startsWith('Call it'); i++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.folds details[open] #call').waitFor()
    for (let i = 0; i < 10 && (await focused()).text !== 'Python'; i++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.tabs details[open] summary', { hasText: 'Python' }).waitFor()
  })

  test('typing brings the results into view', async () => {
    await using reader = await visit({ viewport: { width: 390, height: 800 } })
    const { page } = reader
    await reader.open('/')
    const before = (await page.locator('#results').boundingBox())!.y
    await page.getByRole('searchbox').focus()
    await page.keyboard.type('w')
    await page.locator('.opening').waitFor({ state: 'detached' })
    // The list may be replaced at any moment, so it is found and measured in one step.
    await page.waitForFunction(
      `document.querySelector('#results').getBoundingClientRect().y < ${before - 100}`,
    )
    expect(await page.getByRole('searchbox').inputValue()).toBe('w')
  })

  test('the page of a service shows everything without JavaScript, including tabs', async () => {
    await using reader = await visit({ javaScriptEnabled: false })
    const { page } = reader
    await reader.open(`/services/${site.probedId}`)
    await openFolds(page)
    const open = page.locator('.tabs details[open] pre')
    const first = await open.innerText()
    await page.locator('.tabs summary', { hasText: 'Python' }).click()
    expect(await open.count()).toBe(1)
    expect(await open.innerText()).not.toBe(first)
    await reader.open(`/services/${troubles.asksMore}`)
    const [alert, listing] = await Promise.all(
      ['.band.stop', '.rows'].map(each => page.locator(each).first().boundingBox()),
    )
    expect(alert!.y + alert!.height).toBeLessThan(listing!.y)
  })

  test('on a phone, filters are behind a button', async () => {
    await using reader = await visit({ viewport: { width: 390, height: 800 } })
    const { page } = reader
    await reader.open('/?q=weather')
    await page.getByText('Filters', { exact: true }).click()
    await page.locator('select[name=status]').selectOption('unverified')
    await page.waitForURL('**status=unverified')
  })

  test.each([true, false])(
    'a newcomer gets from the search to about, status and sign-in by links (JavaScript: %p)',
    async javaScriptEnabled => {
      await using reader = await visit({ javaScriptEnabled })
      const { page } = reader
      await reader.open('/')
      await page.getByRole('link', { name: 'About' }).click()
      await page.getByRole('main').getByRole('link', { name: 'Status' }).click()
      await page.getByText('All systems are working').waitFor()
      await page.getByRole('link', { name: 'Sign in' }).click()
      await page.waitForURL('**/sign-in?to=yours')
    },
  )

  test.each([true, false])(
    'links on catalog, seller, reference and error pages work (JavaScript: %p)',
    async javaScriptEnabled => {
      await using reader = await visit({ javaScriptEnabled })
      const { page } = reader
      await reader.open('/')
      await page.getByRole('link', { name: 'Catalog', exact: true }).click()
      await page.getByRole('main').getByRole('link', { name: 'Weather', exact: true }).click()
      await page.getByRole('link', { name: 'Remove: Weather' }).waitFor()

      await reader.open(`/services/${site.probedId}`)
      await openFolds(page)
      await page.getByRole('link', { name: 'All services paid to this wallet' }).click()
      await page.waitForURL('**/sellers/*')
      expect(await names(page)).toContain('Harbour Tides 潮見表')

      await page.getByRole('link', { name: 'API reference' }).click()
      await page.locator('main a[href^="/docs/search"]').first().click()
      await page.waitForURL('**/docs/search*')
      await reader.open('/nowhere')
      await page.getByRole('searchbox').fill('weather')
      await page.getByRole('button', { name: 'Search' }).click()
      await page.waitForURL('**/?q=weather')
    },
  )

  test('the page follows the light or dark theme of the browser', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await using reader = await visit({ colorScheme })
      await reader.open('/')
      const colour = await reader.page.evaluate<string>(
        'getComputedStyle(document.documentElement).backgroundColor',
      )
      const brightness = Math.max(...colour.match(/\d+/g)!.map(Number))
      expect(brightness > 128).toBe(colorScheme === 'light')
    }
  })
})
