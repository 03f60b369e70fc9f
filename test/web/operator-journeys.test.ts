// What operators do in their room, in a browser: by keyboard alone, and every act with script and without.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { LocalDirectory } from '../../src/directory/directory.ts'
import { ask, KEY, openTestServer } from '../http/directory-server.ts'
import { v2 } from '../sync/followed-list.ts'
import { at, serve } from '../sync/json-server.ts'
import { CHROMIUM, createReaders, type OpenPage, openBrowser } from './browser.ts'
import { furnishRoom } from './operator-exhibits.ts'
import { openPageDirectory, type PageDirectory } from './page-directory.ts'

let site: PageDirectory
let key: string
let browser: Awaited<ReturnType<typeof openBrowser>>
let openPage: OpenPage
beforeAll(async () => {
  if (!CHROMIUM) return
  ;[site, browser] = await Promise.all([
    openPageDirectory({ RATE_LIMIT: '0', ALLOW_PRIVATE_ENDPOINTS: 'on' }),
    openBrowser(),
  ])
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
    await act(page, { '#create-name': 'Agent', '#create-policy': policy }, 'create')
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

  test('the link of a start opens the room from a page of another site, such as a console with the log', async () => {
    await using server = await openTestServer({ DATABASE_URL: 'sqlite::memory:' })
    const link = `${server.url}/operator?token=${await (server.app.directory as LocalDirectory).createLink()}`
    using console = serve(
      () => new Response(`<a href="${link}">`, { headers: { 'content-type': 'text/html' } }),
    )
    await using reader = await openPage({ locale: 'en' })
    const { page } = reader
    await page.goto(console.url.replace('127.0.0.1', 'localhost'))
    await page.evaluate<void>('document.querySelector("a").click()')
    await page.locator('.room').waitFor()
    expect(page.url()).toBe(`${server.url}/operator`)
  })

  test.each([
    ['with its script', true],
    ['without script', false],
  ])('every act is done %s', async (_, javaScriptEnabled) => {
    using list = serve(at('/acts', { items: [v2('https://acts.example/x')] }))
    const url = `${list.url}/acts`
    const reported: { id: string }[] = await site.json('/api/services?category=crypto&limit=2')
    for (const { id } of reported)
      await ask(`${site.url}/api/services/${id}/reports`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'no_delivery', text: 'Nothing came.' }),
      })
    await using reader = await openPage({ baseURL: site.url, locale: 'en', javaScriptEnabled })
    const { page } = reader
    await page.goto('/operator')
    await page.locator('#key').fill(key)
    await page.locator('button[value=enter]').click()
    await page.locator('.room').waitFor()

    /** @param of text of the item that the button belongs to */
    async function press(subject: string, act: string, said: string, { of = '', ...fields }: Fields = {}) {
      // The page that an act leads to has the buttons of the next.
      if (new URL(page.url()).pathname !== `/operator/${subject}`) await page.goto(`/operator/${subject}`)
      const button = page.locator(`button[value=${act}]`)
      const form = page.locator('form.register, .room form', { has: button }).last()
      const place = of === '' ? form : page.locator('.lines > li', { hasText: of }).first()
      const pressed = place.locator(button)
      const fold = place.locator('details', { has: button })
      if (!(await pressed.isVisible())) await fold.locator('summary').click()
      for (const [name, value] of Object.entries(fields)) {
        const field = place.locator(`[name=${name}]:not([type=hidden])`)
        if (name === 'sure') await field.check()
        else if (['kind', 'scopes'].includes(name)) await field.selectOption(value)
        else await field.fill(value)
      }
      await pressed.click()
      await page.locator('.notice', { hasText: said }).waitFor()
    }

    await press('sources', 'preview', 'x402 list', { url })
    await press('sources', 'add', 'is followed', { url })
    await press('sources', 'pause', 'Paused', { of: url })
    await press('sources', 'resume', 'Resumed', { of: url })
    await press('sources', 'remove', 'no longer followed', { of: url })
    await press('sources', 'add', 'is followed', { url })
    await press('sources', 'removeAll', 'were removed', { of: url, sure: '1' })
    await press('reports', 'hideReported', 'Hidden, and marked as handled', {
      of: 'Nothing came.',
      why: 'No.',
    })
    await press('reports', 'settle', 'Marked as handled')
    await press('hidden', 'hide', 'Hidden: ', { kind: 'host', value: 'acts.example', why: 'No.' })
    await press('hidden', 'show', 'Shown again', { of: 'acts.example', sure: '1' })
    const items = JSON.stringify([{ kind: 'host', value: 'acts.example', why: 'No.' }])
    await press('hidden', 'import', 'Hidden: ', { items })
    await press('keys', 'create', 'shown only once', { name: 'Acts', scopes: 'register', days: '9' })
    await press('keys', 'change', 'Policy changed', { of: 'Acts', policy: '{"deny": ["acts.example"]}' })
    await press('keys', 'revoke', 'Revoked', { of: 'Acts', sure: '1' })
    await press('collections', 'collect', 'Added', { id: 'acts', kind: 'host', value: 'good.example' })
    await press('collections', 'drop', 'Removed', { of: 'good.example' })
    await press('collections', 'import', 'Imported', { id: 'acts', items })
    await press('backups', 'backUp', 'is written')
    await page.locator('button[value=leave]').click()
    await page.locator('#key').waitFor()
  })
})

type Fields = Readonly<Record<string, string>>
