// Takes pictures of every page, in each width, language and theme, for people to look at:
// bun scripts/screenshots.ts [folder] [page …] [390|820|1440 …] [en|ja …] [light|dark …] [axe]
// axe: an accessibility checker looks at each of them too.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { DirectoryError } from '../src/domain/errors.ts'
import { say } from '../src/messages/message.ts'
import { renderFailure } from '../src/web/failure-page.ts'
import type { PageRequest, Rendered } from '../src/web/page.ts'
import { KEY, openTestServer } from '../test/http/directory-server.ts'
import { createHurriedClock } from '../test/hurried-clock.ts'
import { asksV2 } from '../test/probe/merchant.ts'
import { findViolations } from '../test/web/axe.ts'
import { CHROMIUM, openBrowser } from '../test/web/browser.ts'
import { addExhibits } from '../test/web/exhibits.ts'
import { addHistory, CROWDED_PAYEE } from '../test/web/history.ts'
import { furnishRoom } from '../test/web/operator-exhibits.ts'
import { openPageDirectory } from '../test/web/page-directory.ts'
import { pageRequest } from '../test/web/page-request.ts'
import { addTroubles } from '../test/web/troubles.ts'

const [folder = 'tmp/screenshots', ...wanted] = process.argv.slice(2)
if (!CHROMIUM)
  throw new Error(
    'There is no Chromium on this machine: install one, for example with apt-get install chromium-headless-shell.',
  )

/** A message to sign names the directory, which must be known before it listens. */
function findFreePort(): string {
  const free = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const port = String(free.port)
  free.stop(true)
  return port
}

const PORT = findFreePort()
await using site = await openPageDirectory({
  ALLOW_PRIVATE_ENDPOINTS: 'on',
  RATE_LIMIT: '0',
  PORT,
  PUBLIC_URL: `http://127.0.0.1:${PORT}`,
  SECURITY_CONTACT: 'mailto:desk@directory.example',
})
// Nothing is listed there, so that nothing but what is checked on the page is ever asked.
await using empty = await openTestServer(
  { PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on', RATE_LIMIT: '0' },
  { clock: createHurriedClock() },
)
await using registering = await openTestServer(
  { PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on', RATE_LIMIT: '0' },
  { clock: createHurriedClock() },
)
await using browser = await openBrowser()
const merchant = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => asksV2() })
mkdirSync(folder, { recursive: true })

const made = await addExhibits(site)
const troubles = await addTroubles(site.databaseUrl)
const { ninety } = await addHistory(site)
const operatorKey = await furnishRoom(site, made.waiting)
const samples: { id: string; name: string }[] = await site.json('/api/services?category=crypto&limit=4')
const shown = async (id: string) => (await site.json(`/api/services/${id}`)).status
while ((await shown(troubles.silent)) !== 'inactive') await Bun.sleep(5)

/** What is done on a page before its picture is taken. */
type Shot = {
  readonly path: string
  readonly act?: (page: Page) => Promise<void>
}
const at = (path: string, act?: Shot['act']): Shot => ({ path, ...(act && { act }) })
const asking = (question: string, act?: Shot['act']) => at(`/?q=${encodeURIComponent(question)}`, act)
const press = async (page: Page, value: string, then: string) => {
  await page.locator(`button[value=${value}]`).first().click()
  await page.locator(then).first().waitFor()
}
const signIn = async (page: Page) => {
  await page.goto(`${site.url}/sign-in`)
  if (!page.url().includes('/sign-in')) return
  await page.locator('#key').fill(KEY)
  await page.locator('button[value=key]').click()
  await page.waitForURL('**/yours')
}
const checkOpenly = async (page: Page, url: string) => {
  await page.locator('#endpoint').fill(url)
  await press(page, 'check', '.report')
}
const check = async (page: Page, url: string) => {
  await page.locator('#endpoint').fill(url)
  await page.locator('#key').fill(KEY)
  await press(page, 'check', '.report')
}
const asOwner = (path: string, act?: Shot['act']): Shot =>
  at('/about', async page => {
    await signIn(page)
    await page.goto(site.url + path)
    await act?.(page)
  })
const asOperator = (subject: string, act?: Shot['act']): Shot =>
  at('/operator', async page => {
    if (await page.locator('#key').count()) {
      await page.locator('#key').fill(operatorKey)
      await press(page, 'enter', '.room')
    }
    await page.goto(`${site.url}/operator${subject}`)
    await act?.(page)
  })
/** Only so many may wait for their receivers. */
const removeWebhooks = async () => {
  const headers = { authorization: `Bearer ${KEY}` }
  const webhooks: { id: string }[] = await site.json('/api/webhooks', headers)
  for (const { id } of webhooks) await fetch(`${site.url}/api/webhooks/${id}`, { method: 'DELETE', headers })
}
const document = await site.json('/openapi.json')
/** A page of a directory in a state that this one is not in. */
const rendered = (path: string, render: (request: PageRequest) => Rendered | Promise<Rendered>): Shot =>
  at('/about', async page => {
    const acceptLanguage = await page.evaluate<string>('navigator.language')
    const { text } = await render(pageRequest(site.url, { path, acceptLanguage, document }))
    await page.route('**/rendered', route => route.fulfill({ contentType: 'text/html', body: text }))
    await page.goto(`${site.url}/rendered`)
  })
const endpoint = `http://127.0.0.1:${merchant.port}/v1`

const pages: Record<string, Shot> = {
  home: at('/'),
  search: asking('weather forecast under 1 cent on Base'),
  japanese: asking('東京の天気予報を安く'),
  chips: asking('cheap translation not Google without login on Base or Solana'),
  steps: asking('read a receipt, translate it and send it by email'),
  weak: asking('reserve a table in a restaurant'),
  noHits: asking('qwxyzzy'),
  nearest: asking('OCR on Arbitrum'),
  excluded: asking('cheap weather other than Skycast'),
  filters: asking('weather', page => page.evaluate('document.querySelector(".filters").open = true')),
  filtered: at('/?category=weather&status=verified&sortBy=price'),
  nothing: at('/?category=nowhere'),
  refusedQuestion: at('/?status=broken'),
  empty: at(`${empty.url}/`),
  emptyCatalog: at(`${empty.url}/catalog`),
  service: at(`/services/${site.probedId}`),
  ...Object.fromEntries(
    Object.entries({ ...troubles, ...made }).map(([name, id]) => [name, at(`/services/${id}`)]),
  ),
  ninety: at(`/services/${ninety}`),
  sample: at(`/services/${samples[1]!.id}`),
  registered: at(`${registering.url}/register`, async page => {
    await check(page, endpoint)
    await page.locator('#description').fill('Tides of every harbour, for seven days.')
    await page.locator('#key').fill(KEY)
    await press(page, 'register', '.own .notice')
  }),
  gone: at('/services/svc_nothing'),
  seller: at('/sellers/0x7aA3B0D047d135f43e8699E07783a548819BC25c'),
  sellerMany: at(`/sellers/${CROWDED_PAYEE}`),
  sellerNone: at('/sellers/0x0000000000000000000000000000000000000001'),
  register: at('/register'),
  refused: at('/register', async page => {
    await page.locator('.by-hand summary').click()
    await press(page, 'register', '[role=alert]')
  }),
  filled: at(`${empty.url}/register`, page => check(page, endpoint)),
  unreadable: at(`${empty.url}/register`, page => check(page, `${site.url}/about`)),
  signIn: at('/sign-in'),
  signInMessage: at('/sign-in', async page => {
    await page.locator('#address').fill(`0x${'ab'.repeat(20)}`)
    await page.locator('#challenge button').click()
    await page.locator('#message').waitFor()
  }),
  signInWrong: at('/sign-in', async page => {
    await page.locator('#key').fill('unknown')
    await press(page, 'key', '[role=alert]')
  }),
  yours: asOwner('/yours'),
  edit: asOwner(`/yours/${made.waiting}`),
  editDeep: asOwner(`/yours/${made.deep}`),
  editWrong: asOwner(`/yours/${made.waiting}`, async page => {
    await page.locator('#name').fill('')
    await page.locator('#endpoint').fill('nowhere')
    await page.evaluate('document.querySelectorAll("form").forEach(form => { form.noValidate = true })')
    await press(page, 'edit', '.problem')
  }),
  restore: asOwner(`/yours/${made.retired}`),
  webhook: asOwner(`/yours/${made.waiting}`, async page => {
    await removeWebhooks()
    await page.locator('#hook-url').fill('https://receiver.example/hook')
    await press(page, 'hook', '.notice')
  }),
  entrance: at('/operator'),
  operator: asOperator(''),
  operatorKeys: asOperator('/keys'),
  operatorSources: asOperator('/sources'),
  operatorReports: asOperator('/reports'),
  operatorHidden: asOperator('/hidden'),
  operatorPurchases: asOperator('/purchases'),
  operatorBackups: asOperator('/backups'),
  operatorSettings: asOperator('/settings'),
  operatorKeyMade: asOperator('/keys', async page => {
    await page.locator('#new-key-name').fill('Importer')
    await press(page, 'create', '.notice')
  }),
  operatorKeyWrong: asOperator('/keys', async page => {
    await page.locator('#new-key-name').fill('\u0007')
    await page.locator('#new-key-days').fill('0')
    await press(page, 'create', '.notice')
  }),
  check: at('/check'),
  checked: at(`${empty.url}/check`, page => checkOpenly(page, endpoint)),
  checkFailed: at(`${empty.url}/check`, page => checkOpenly(page, `${site.url}/about`)),
  howWeProbe: at('/probing'),
  printed: at(`/services/${site.probedId}`, page => page.emulateMedia({ media: 'print' })),
  printedSearch: asking('weather', page => page.emulateMedia({ media: 'print' })),
  catalog: at('/catalog'),
  about: at('/about'),
  status: at('/status'),
  probing: at(`${empty.url}/status`),
  docs: at('/docs'),
  reference: at('/docs/feed'),
  missing: at('/nowhere'),
  broken: rendered('/about', request => renderFailure(request, new DirectoryError('internal', say('fault')))),
}

const sizes = [390, 820, 1440]
/** A phone and a tablet lay their scrollbars over the page; a desktop keeps room for one. */
const DESKTOP = 1024
const languages = ['en', 'ja']
const themes = ['light', 'dark'] as const
/** All of them where none is named. */
const chosen = <T extends string | number>(all: readonly T[]): readonly T[] => {
  const named = all.filter(each => wanted.includes(String(each)))
  return named.length > 0 ? named : all
}

let taken = 0
const violations: string[] = []
for (const width of chosen(sizes))
  for (const locale of chosen(languages))
    for (const colorScheme of chosen(themes)) {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        locale,
        colorScheme,
        isMobile: width < DESKTOP,
      })
      for (const name of chosen(Object.keys(pages))) {
        const { path, act } = pages[name]!
        const page = await context.newPage()
        await page.goto(path.startsWith('/') ? site.url + path : path)
        await act?.(page)
        const file = `${name}-${width}-${locale}-${colorScheme}.png`
        await page.screenshot({ path: join(folder, file), fullPage: true })
        if (wanted.includes('axe'))
          for (const [rule, element] of await findViolations(page))
            violations.push(`${file}: ${rule} ${element}`)
        await page.close()
        taken++
      }
      await context.close()
    }
await merchant.stop(true)
console.log(`${taken} pictures are in ${folder}.`)
if (wanted.includes('axe')) console.log([`${violations.length} violations.`, ...violations].join('\n'))
if (violations.length > 0) process.exitCode = 1
