// Every page, with a service in every state, passes an accessibility checker and does not scroll sideways.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { body, KEY } from '../http/directory-server.ts'
import { createHurriedClock } from '../hurried-clock.ts'
import { asksV2 } from '../probe/merchant.ts'
import { AXE, findViolations } from './axe.ts'
import { CHROMIUM, openBrowser, widthBeyond } from './browser.ts'
import { addExhibits } from './exhibits.ts'
import { addHistory, CROWDED_PAYEE } from './history.ts'
import { furnishRoom } from './operator-exhibits.ts'
import { openPageDirectory, type PageDirectory } from './page-directory.ts'
import { addTroubles } from './troubles.ts'

let site: PageDirectory
let browser: Awaited<ReturnType<typeof openBrowser>>
let ids: Readonly<Record<string, string>>
let operatorKey: string
let merchant: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  if (!CHROMIUM) return
  merchant = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => asksV2() })
  ;[site, browser] = await Promise.all([
    openPageDirectory(
      { PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on', RATE_LIMIT: '0', PUBLIC_URL: 'http://127.0.0.1' },
      { clock: createHurriedClock() },
    ),
    openBrowser(),
  ])
  const unbroken = await site.register(
    body({ name: 'W'.repeat(255), description: 'unbroken'.repeat(200), category: `a${'b'.repeat(63)}` }),
  )
  ids = {
    probed: site.probedId,
    unbroken: (await unbroken.json()).id,
    ...(await addExhibits(site)),
    ...(await addTroubles(site.databaseUrl)),
    ...(await addHistory(site)),
  }
  operatorKey = await furnishRoom(site, ids.waiting!)
  while ((await site.get(`/services/${ids.silent}`)).status !== 200) await Bun.sleep(5)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await site?.[Symbol.asyncDispose]()
  await merchant?.stop(true)
})

/** Only a hang takes so long. */
const PATIENCE_MS = 200_000

/** What is done on a page before it is looked at. */
type Act = (page: Page) => Promise<unknown>

const showProblems: Act = async page => {
  await page.locator('.by-hand summary').click()
  await page.locator('button[value=register]').click()
  await page.getByRole('alert').waitFor()
}
const check =
  (toEndpoint: () => string): Act =>
  async page => {
    await page.locator('#endpoint').fill(toEndpoint())
    const key = page.locator('#key')
    if (await key.count()) await key.fill(KEY)
    await page.locator('button[value=check]').click()
    await page.locator('#report').waitFor()
  }
const checkWell = check(() => `http://127.0.0.1:${merchant.port}/v1`)
const registerWell: Act = async page => {
  await checkWell(page)
  await page.locator('#description').fill('Tides of every harbour, for seven days.')
  await page.locator('#key').fill(KEY)
  await page.locator('button[value=register]').click()
  await page.locator('.own .notice').waitFor()
}
const signIn: Act = async page => {
  await page.locator('#key').fill(KEY)
  await page.locator('button[value=key]').click()
  await page.waitForURL('**/yours')
}

const enterRoom: Act = async page => {
  await page.locator('#key').fill(operatorKey)
  await page.locator('button[value=enter]').click()
  await page.locator('.room').waitFor()
}

/** Low, since what lies outside is laid out and checked too, but not painted, which is half of a painter's work here. */
const PHONE = { width: 390, height: 300 }
const DESK = { width: 1440, height: 300 }

/** One of each kind. */
const CHECKED_IN_JAPANESE = new Set([
  ...['/?q=weather+on+Base', '/services/:probed', '/register', '/check', '/catalog', '/docs'],
  ...['/yours/:waiting', '/operator', '/operator/sources'],
])

const LOOKED_AT: readonly (readonly [path: string, act?: Act])[] = [
  ['/'],
  ['/?q=weather+on+Base'],
  ['/?q=cheap+weather+other+than+Skycast'],
  ['/?q=OCR+on+Arbitrum'],
  ['/?q=read+a+receipt,+translate+it+and+send+it+by+email'],
  ['/?q=reserve+a+table+in+a+restaurant'],
  ['/?q=qwxyzzy'],
  ['/?category=nowhere'],
  ['/?status=broken'],
  ...['probed', 'asksMore', 'otherWallet', 'silent', 'long', 'waiting', 'retired'].map(
    name => [`/services/:${name}`] as const,
  ),
  ...['backed', 'stranger', 'namesake', 'tool', 'mppOnly', 'hidden', 'ninety', 'unbroken'].map(
    name => [`/services/:${name}`] as const,
  ),
  ['/services/svc_none'],
  ['/sellers/0x7aA3B0D047d135f43e8699E07783a548819BC25c'],
  [`/sellers/${CROWDED_PAYEE}`],
  ['/sellers/0x0000000000000000000000000000000000000001'],
  ['/register', showProblems],
  ['/register', registerWell],
  ['/check', checkWell],
  ['/check', check(() => 'https://api.example.com/v1')],
  ['/catalog'],
  ['/about'],
  ['/probing'],
  ['/status'],
  ['/nowhere'],
  ['/docs'],
  ['/docs/export'],
  ['/sign-in'],
  ['/sign-in', signIn],
  ['/yours/:waiting'],
  ['/yours/:retired'],
  ['/services/:waiting/report'],
  ['/operator'],
  ['/operator', enterRoom],
  ...'sources reports hidden keys collections spending purchases backups settings'
    .split(' ')
    .map(name => [`/operator/${name}`] as const),
]
/** The groups of the reference have other words, in English only, and look like the smallest that links to what follows. */
const FURTHER_GROUPS = [
  ...['services', 'proof', 'payment', 'owners', 'search', 'webhooks', 'bazaar', 'operating'],
].map(group => `/docs/${group}`)

describe.skipIf(!CHROMIUM)('an accessibility checker finds no violation', () => {
  let page: Page
  const [dark, light] = [new Set<string>(), new Set<string>()]
  const open = async (locale: string) => {
    page = await browser.newPage({ baseURL: site.url, locale, colorScheme: 'dark' })
    page.setDefaultTimeout(PATIENCE_MS)
  }
  const show = async (path: string, act?: Act) => {
    await page.setViewportSize(PHONE)
    await page.goto(path.replace(/:(\w+)/g, (_, name) => ids[name]!))
    await act?.(page)
  }
  describe('in English', () => {
    beforeAll(async () => {
      await open('en')
      await page.addInitScript(AXE)
    })
    afterAll(() => page?.context().close())

    const pages = [...LOOKED_AT, ['/docs/feed'] as const].map(([path, act]) => ({ path, act }))
    test.each(pages)('on $path', async ({ path, act }) => {
      await show(path, act)
      expect(await findViolations(page, dark)).toEqual([])
      expect(await widthBeyond(page)).toBe(0)
      await page.setViewportSize(DESK)
      await page.emulateMedia({ colorScheme: 'light' })
      expect(await findViolations(page, light, 'looks')).toEqual([])
      expect(await widthBeyond(page)).toBe(0)
      await page.emulateMedia({ colorScheme: 'dark' })
    })

    test.each(FURTHER_GROUPS)('on %s', async path => {
      await show(path)
      expect(await widthBeyond(page)).toBe(0)
    })
  })

  // Its words are longer or shorter, and say what they name; all else is as it is in English.
  describe('in Japanese', () => {
    beforeAll(() => open('ja'))
    afterAll(() => page?.context().close())

    test.each(LOOKED_AT.map(([path, act]) => ({ path, act })))('on $path', async ({ path, act }) => {
      await show(path, act)
      expect(await widthBeyond(page)).toBe(0)
      if (CHECKED_IN_JAPANESE.has(path)) expect(await findViolations(page, light)).toEqual([])
    })
  })
})
