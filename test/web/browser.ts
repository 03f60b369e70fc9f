// A real browser: the Chromium that is installed on the machine.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type ViewportSize,
} from 'playwright-core'
import { reportTrouble } from '../postgres.ts'

/** The shell is the same engine without the window, toolbar and extensions of the browser: its pages open three times as fast. */
const PLACES = [
  process.env.SHIRUBE_TEST_CHROMIUM ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** undefined: this machine has none. */
export const CHROMIUM = PLACES.find(place => existsSync(place))

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No page runs long enough for an optimizing compiler to give back what it takes, which is a seventh.
  '--js-flags=--no-opt,--no-maglev',
]

export async function openBrowser(): Promise<Browser & AsyncDisposable> {
  const home = await mkdtemp(join(tmpdir(), 'shirube-browser-'))
  const browser = await chromium
    .launch({ executablePath: CHROMIUM!, args: FLAGS, env: { HOME: home, PATH: '/usr/bin:/bin' } })
    .catch(async error => {
      await reportTrouble(`Chromium does not start: ${error.message}`)
      throw error
    })
  return Object.assign(browser, {
    async [Symbol.asyncDispose]() {
      await browser.close()
      await rm(home, { recursive: true, force: true })
    },
  })
}

const WINDOW = { width: 1280, height: 720 }

/** What cannot be changed once a context is there. */
type Kind = Pick<BrowserContextOptions, 'baseURL' | 'hasTouch' | 'isMobile' | 'javaScriptEnabled' | 'locale'>
type ReaderOptions = Kind &
  Pick<BrowserContextOptions, 'colorScheme' | 'permissions'> & { viewport?: ViewportSize }

export type OpenPage = (options?: ReaderOptions) => Promise<{ page: Page } & AsyncDisposable>

/**
 * Opens pages for readers who do not know of each other. A new page takes the browser a process and a second, so one that has been
 * left is lent again, without cookies and permissions. Who installs something in a context makes one.
 */
export function createReaders(browser: Browser): OpenPage {
  const free = new Map<string, Page[]>()
  return async ({ colorScheme = 'light', permissions = [], viewport = WINDOW, ...kind } = {}) => {
    const key = JSON.stringify(kind)
    const pages = free.get(key) ?? []
    free.set(key, pages)
    const page = pages.pop() ?? (await (await browser.newContext(kind)).newPage())
    const context = page.context()
    await context.grantPermissions(permissions)
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    return {
      page,
      async [Symbol.asyncDispose]() {
        await page.goto('about:blank')
        page.removeAllListeners()
        await context.clearCookies()
        await context.clearPermissions()
        pages.push(page)
      },
    }
  }
}

/** Opens the rows of a service page, as whoever reads all of it does. */
export async function openFolds(page: Page): Promise<void> {
  for (const row of await page.locator('.folds > details > summary').all()) await row.click()
}

/** How far a page reaches beyond its window, which then scrolls sideways. */
export const widthBeyond = (page: Page): Promise<number> =>
  page.evaluate<number>(
    'Math.max(document.documentElement.scrollWidth - document.documentElement.clientWidth, 0)',
  )
