// The layout of pages, measured in a browser: what is beside what, and that nothing is squeezed, cut off or overlapping.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { body } from '../http/directory-server.ts'
import { CHROMIUM, createReaders, type OpenPage, openBrowser, openFolds } from './browser.ts'
import { openPageDirectory, type PageDirectory } from './page-directory.ts'

let site: PageDirectory
let browser: Awaited<ReturnType<typeof openBrowser>>
let openPage: OpenPage
beforeAll(async () => {
  if (!CHROMIUM) return
  ;[site, browser] = await Promise.all([
    openPageDirectory({ RATE_LIMIT: '0', PUBLIC_URL: 'http://127.0.0.1' }),
    openBrowser(),
  ])
  openPage = createReaders(browser)
  await site.register(body({ name: 'W'.repeat(80), category: 'communication' }))
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await site?.[Symbol.asyncDispose]()
})

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
const boxOf = async (page: Page, selector: string): Promise<Box> =>
  (await page.locator(selector).first().boundingBox())!

async function visit(
  path: string,
  width: number,
  work: (page: Page) => Promise<void>,
  locale = 'en',
  options: Parameters<OpenPage>[0] = {},
): Promise<void> {
  await using reader = await openPage({ viewport: { width, height: 900 }, locale, ...options })
  await reader.page.goto(site.url + path)
  await work(reader.page)
}

describe.skipIf(!CHROMIUM)('in a browser', () => {
  test('the verdict on a service is above the fold, and its chart takes the whole width of a row that opens', () =>
    visit(`/services/${site.probedId}`, 1440, async page => {
      const verdict = await boxOf(page, '.judged')
      expect(verdict.y + verdict.height).toBeLessThan(900)
      expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(1500)
      await openFolds(page)
      const [main, chart] = [await boxOf(page, 'main'), await boxOf(page, '.chart')]
      expect(chart.width).toBeGreaterThan(main.width - 60)
    }))

  test.each([390, 820, 1440])('the endpoint field takes the width of the registration form (%d px)', width =>
    visit('/register', width, async page => {
      const [form, field] = [await boxOf(page, '.registering'), await boxOf(page, '#endpoint')]
      expect(field.width).toBeGreaterThan(Math.min(form.width, 700) - 2)
    }),
  )

  test('on a phone no word of a name is broken, and the reference does not scroll sideways', async () => {
    await visit('/catalog', 390, async page => {
      const { height } = (await page.getByRole('link', { name: 'Communication', exact: true }).boundingBox())!
      expect(height).toBeLessThan(36)
    })
    await visit('/docs/feed', 390, async page =>
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390),
    )
  })

  test.each([390, 1440])('the field of a payment address shows the whole address (%d px)', width =>
    visit('/register', width, async page => {
      await page.locator('.by-hand summary').click()
      const field = page.locator('textarea.address')
      for (const address of [`0x${'a'.repeat(40)}`, 'D'.repeat(44), 'A'.repeat(58)]) {
        await field.fill(address)
        const beyond = await field.evaluate(box => [
          box.scrollWidth - box.clientWidth,
          box.scrollHeight - box.clientHeight,
        ])
        expect(beyond).toEqual([0, 0])
      }
    }),
  )

  test('the longest name of a sort order does not make the page scroll sideways', async () => {
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    for (const locale of ['en', 'ja'])
      await visit(
        '/?category=weather&status=verified&sortBy=price',
        390,
        async page => expect(await page.evaluate<number>(beyond)).toBeLessThanOrEqual(0),
        locale,
      )
  })

  test('paper is white, has no controls, and results take its width', () =>
    visit(
      '/?q=weather',
      1440,
      async page => {
        await page.emulateMedia({ media: 'print' })
        for (const control of await page.locator('header nav, aside, form, .sort, button').all())
          expect(await control.isVisible()).toBe(false)
        const [main, card] = [await boxOf(page, 'main'), await boxOf(page, '.card')]
        expect(card.width).toBe(main.width)
        const colour = await page.evaluate<string>('getComputedStyle(document.body).color')
        expect(Math.max(...colour.match(/\d+/g)!.map(Number))).toBeLessThan(128)
      },
      'en',
      { colorScheme: 'dark' },
    ))

  test('on a phone the header takes two rows, in both languages', async () => {
    for (const locale of ['en', 'ja'])
      await visit(
        '/',
        390,
        async page => expect((await boxOf(page, '.top')).height).toBeLessThan(110),
        locale,
      )
  })

  test('touch targets are at least 40 px high', async () => {
    for (const path of ['/', `/services/${site.probedId}`, '/sign-in'])
      await visit(
        path,
        390,
        async page => {
          const small = await page.locator('button, .pick, .out, .chips a, summary').evaluateAll(all =>
            all
              .filter(each => each.getBoundingClientRect().height > 0)
              .filter(each => each.getBoundingClientRect().height < 40)
              .map(each => each.outerHTML.slice(0, 80)),
          )
          expect([path, small]).toEqual([path, []])
        },
        'en',
        { hasTouch: true, isMobile: true },
      )
  })
})
