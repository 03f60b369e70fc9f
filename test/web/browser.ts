// A real browser: Chromium as the machine has it.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

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
]

export async function openBrowser(): Promise<Browser & AsyncDisposable> {
  const home = await mkdtemp(join(tmpdir(), 'shirube-browser-'))
  const browser = await chromium.launch({
    executablePath: CHROMIUM!,
    args: FLAGS,
    env: { HOME: home, PATH: '/usr/bin:/bin' },
  })
  return Object.assign(browser, {
    async [Symbol.asyncDispose]() {
      await browser.close()
      await rm(home, { recursive: true, force: true })
    },
  })
}
