// What operators do in their room, in a browser with its script, by keyboard alone.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { CHROMIUM, createReaders, type OpenPage, openBrowser } from './browser.ts'
import { furnishRoom } from './operator-exhibits.ts'
import { openPageDirectory, type PageDirectory } from './page-directory.ts'

let site: PageDirectory
let key: string
let browser: Awaited<ReturnType<typeof openBrowser>>
let openPage: OpenPage
beforeAll(async () => {
  if (!CHROMIUM) return
  ;[site, browser] = await Promise.all([openPageDirectory({ RATE_LIMIT: '0' }), openBrowser()])
  key = await furnishRoom(site, site.probedId)
  openPage = createReaders(browser)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await site?.[Symbol.asyncDispose]()
})

/** Fills fields and presses a button with the keyboard, and waits for what is said of it. */
async function act(page: Page, fields: Readonly<Record<string, string>>, button: string): Promise<void> {
  for (const [field, text] of Object.entries(fields)) {
    await page.locator(field).focus()
    await page.keyboard.insertText(text)
  }
  await page.locator(`button[value="${button}"]`).first().focus()
  await page.keyboard.press('Enter')
  await page.locator('.notice').waitFor()
}

describe.skipIf(!CHROMIUM)('in a browser', () => {
  test('an operator approves a service, makes a key for an agent, hides a host and settles a report, with the keyboard', async () => {
    await using reader = await openPage({ baseURL: site.url, locale: 'en' })
    const { page } = reader
    await page.goto('/operator')
    await page.locator('#key').focus()
    await page.keyboard.insertText(key)
    await page.keyboard.press('Enter')
    await page.locator('.room').waitFor()
    await page.goto('/?q=weather')
    expect(
      await page.locator('.card').getByRole('link', { name: 'Approve for agents' }).count(),
    ).toBeGreaterThan(0)

    await page.goto(`/services/${site.probedId}`)
    await page.getByRole('link', { name: 'Approve for agents' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/operator/collections?approve=*')
    expect(await page.locator('#collect-value').inputValue()).toBe(site.probedId)
    await act(page, {}, 'collect')
    const { items } = await site.json('/api/collections/approved')
    expect(items).toMatchObject([{ kind: 'service', value: site.probedId }])

    await page.goto('/operator/keys')
    const policy = JSON.stringify({ allow: ['collection:approved'] })
    await act(page, { '#new-key-name': 'Agent', '#new-key-policy': policy }, 'create')
    const made = (await page.locator('.notice code').first().textContent())!
    const found = await site.json('/api/services', { authorization: `Bearer ${made}` })
    expect(found.map(({ id }: { id: string }) => id)).toEqual([site.probedId])

    await page.goto('/operator/hidden')
    await page.locator('#hide-kind').selectOption('host')
    await act(page, { '#hide-value': 'bad.example', '#hide-why': 'It never delivers.' }, 'hide')
    expect(await page.locator('.lines').allTextContents()).toContainEqual(
      expect.stringContaining('bad.example'),
    )

    await page.goto('/operator/reports')
    await act(page, {}, 'settle')
    expect(await page.getByText('No report is open.').count()).toBe(1)
  })
})
