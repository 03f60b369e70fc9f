// Takes pictures of every page, in each width, language and theme, for people to look at:
// bun scripts/screenshots.ts [folder] [page …] [390|820|1440 …] [en|ja …] [light|dark …] [axe]
// axe: an accessibility checker looks at each of them too. INDEX.md beside them says what there is to see in each state.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { DirectoryError } from '../src/domain/errors.ts'
import { say } from '../src/messages/message.ts'
import { renderFailure } from '../src/web/failure-page.ts'
import type { PageRequest, Rendered } from '../src/web/page.ts'
import { KEY, openTestServer } from '../test/http/directory-server.ts'
import { createHurriedClock } from '../test/hurried-clock.ts'
import { asksV2, onBase, SIGNABLE } from '../test/probe/merchant.ts'
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
const settings = {
  ALLOW_PRIVATE_ENDPOINTS: 'on',
  RATE_LIMIT: '0',
  PORT,
  PUBLIC_URL: `http://127.0.0.1:${PORT}`,
  SECURITY_CONTACT: 'mailto:desk@directory.example',
}
// The page of the settings tells those of the process.
Object.assign(process.env, settings, { PROBE: 'off' })
await using site = await openPageDirectory(settings)
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
const merchant = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ url }) => (url.endsWith('/unsignable') ? asksV2() : asksV2([{ ...onBase, extra: SIGNABLE }])),
})
mkdirSync(folder, { recursive: true })

const made = await addExhibits(site)
const troubles = await addTroubles(site.databaseUrl)
const { ninety } = await addHistory(site)
const operatorKey = await furnishRoom(site, made.waiting)
const samples: { id: string; name: string }[] = await site.json('/api/services?category=crypto&limit=4')
const statusOf = async (id: string) => (await site.json(`/api/services/${id}`)).status
while ((await statusOf(troubles.silent)) !== 'inactive') await Bun.sleep(5)

type Shot = {
  /** What there is to see. */
  readonly see: string
  readonly path: string
  /** What is done on the page before its picture is taken. */
  readonly act?: (page: Page) => Promise<void>
}
const at = (see: string, path: string, act?: Shot['act']): Shot => ({ see, path, ...(act && { act }) })
const asking = (see: string, question: string, act?: Shot['act']) =>
  at(see, `/?q=${encodeURIComponent(question)}`, act)
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
const asOwner = (see: string, path: string, act?: Shot['act']): Shot =>
  at(see, '/about', async page => {
    await signIn(page)
    await page.goto(site.url + path)
    await act?.(page)
  })
const asOperator = (see: string, subject: string, act?: Shot['act']): Shot =>
  at(see, '/operator', async page => {
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
const rendered = (
  see: string,
  path: string,
  render: (request: PageRequest) => Rendered | Promise<Rendered>,
): Shot =>
  at(see, '/about', async page => {
    const acceptLanguage = await page.evaluate<string>('navigator.language')
    const { text } = await render(
      pageRequest(site.url, { path, acceptLanguage, document, requestId: 'req_4kq2m81x' }),
    )
    await page.route('**/rendered', route => route.fulfill({ contentType: 'text/html', body: text }))
    await page.goto(`${site.url}/rendered`)
  })
const endpoint = `http://127.0.0.1:${merchant.port}/v1`
const unsignable = `http://127.0.0.1:${merchant.port}/unsignable`

/** Of the services in troubles.ts and exhibits.ts. */
const STATES: Readonly<Record<string, string>> = {
  asksMore: 'a service that asks for more than listed',
  otherWallet: 'a service that asks to pay another wallet',
  silent: 'a service that stopped answering',
  refused: 'a service that refuses probes',
  waiting: 'a listing whose endpoint failed a purchase through another listing',
  long: 'the longest name and description, bought without delivery',
  unprobed: 'the longest name and description, never probed',
  retired: 'a service that its owner discontinued',
  backed: 'a service that its wallet and its domain have confirmed',
  stranger: 'a listing by a stranger of a service that is confirmed elsewhere',
  namesake: 'a service with the name of another',
  deep: 'a service with a very long URL',
  tool: 'a tool of an MCP server, paid in another currency',
  mppOnly: 'a service that is paid by MPP only',
  hidden: 'a service that the operator has hidden',
}

const pages: Record<string, Shot> = {
  home: at('opening page, with what the directory has in one line', '/'),
  search: asking('results of a sentence with two conditions', 'weather forecast under 1 cent on Base'),
  japanese: asking('results of a Japanese sentence', '東京の天気予報を安く'),
  chips: asking(
    'five conditions read from one sentence',
    'cheap translation not Google without login on Base or Solana',
  ),
  steps: asking('a request of several steps, as a plan', 'read a receipt, translate it and send it by email'),
  weak: asking(
    'nothing fits: what is distantly related stands apart, and what to try',
    'reserve a table in a restaurant',
  ),
  noHits: asking('unknown words only', 'qwxyzzy'),
  nearest: asking('nothing meets all conditions: the closest matches without one', 'OCR on Arbitrum'),
  excluded: asking('a sentence with an exclusion', 'cheap weather other than Skycast'),
  filters: asking('the filters, opened', 'weather', page =>
    page.evaluate('document.querySelector(".filters").open = true'),
  ),
  filtered: at(
    'filters without a sentence, in another order',
    '/?category=weather&status=verified&sortBy=price',
  ),
  nothing: at('a filter that leaves nothing', '/?category=nowhere'),
  refusedQuestion: at('a value that no filter has', '/?status=broken'),
  empty: at('opening page of an empty directory', `${empty.url}/`),
  emptyCatalog: at('catalog of an empty directory', `${empty.url}/catalog`),
  service: at(
    'a service with a month of probes and purchases, asking less than listed',
    `/services/${site.probedId}`,
  ),
  ...Object.fromEntries(
    Object.entries({ ...troubles, ...made }).map(([name, id]) => [
      name,
      at(STATES[name]!, `/services/${id}`),
    ]),
  ),
  ninety: at('a service with ninety days of probes', `/services/${ninety}`),
  sample: at('a service of the sample catalog', `/services/${samples[1]!.id}`),
  registered: at('after a registration: what happens next', `${registering.url}/register`, async page => {
    await check(page, endpoint)
    await page.locator('#description').fill('Tides of every harbour, for seven days.')
    await page.locator('#key').fill(KEY)
    await press(page, 'register', '.own .notice')
  }),
  gone: at('no such service', '/services/svc_nothing'),
  seller: at('everything paid to one wallet', '/sellers/0x7aA3B0D047d135f43e8699E07783a548819BC25c'),
  sellerMany: at('a wallet with fifty services', `/sellers/${CROWDED_PAYEE}`),
  sellerNone: at('a wallet that nobody names', '/sellers/0x0000000000000000000000000000000000000001'),
  register: at('the form to register, empty', '/register'),
  registerWrong: at('the form with problems beside its fields', '/register', async page => {
    await page.locator('.by-hand summary').click()
    await press(page, 'register', '[role=alert]')
  }),
  filled: at('the form, filled in from the endpoint', `${empty.url}/register`, page => check(page, endpoint)),
  unreadable: at('nothing could be read from the endpoint', `${empty.url}/register`, page =>
    check(page, `${site.url}/about`),
  ),
  signIn: at('signing in', '/sign-in'),
  signInMessage: at('a message to sign by hand', '/sign-in', async page => {
    await page.locator('#address').fill(`0x${'ab'.repeat(20)}`)
    await page.locator('#challenge button').click()
    await page.locator('#message').waitFor()
  }),
  signInWrong: at('an unknown key', '/sign-in', async page => {
    await page.locator('#key').fill('unknown')
    await press(page, 'key', '[role=alert]')
  }),
  yours: asOwner('services of an owner: one verdict and one thing to do on each card', '/yours'),
  edit: asOwner('managing a service', `/yours/${made.waiting}`),
  editDeep: asOwner('managing a service with a very long URL', `/yours/${made.deep}`),
  editWrong: asOwner('a change with problems', `/yours/${made.waiting}`, async page => {
    await page.locator('#name').fill('')
    await page.locator('#endpoint').fill('nowhere')
    await page.evaluate('document.querySelectorAll("form").forEach(form => { form.noValidate = true })')
    await press(page, 'edit', '.problem')
  }),
  restore: asOwner('managing a service that was discontinued', `/yours/${made.retired}`),
  webhook: asOwner('a webhook just made, with its secret', `/yours/${made.waiting}`, async page => {
    await removeWebhooks()
    await page.locator('#hook-url').fill('https://receiver.example/hook')
    await press(page, 'hook', '.notice')
  }),
  entrance: at('entrance of the operator’s room', '/operator'),
  operator: asOperator('room: overview', ''),
  operatorKeys: asOperator('room: keys', '/keys'),
  operatorSources: asOperator('room: sources', '/sources'),
  operatorReports: asOperator('room: reports', '/reports'),
  operatorHidden: asOperator('room: what is hidden', '/hidden'),
  operatorPurchases: asOperator('room: purchases', '/purchases'),
  operatorBackups: asOperator('room: backups', '/backups'),
  operatorCollections: asOperator('room: collections for the policies of agents', '/collections'),
  operatorSpending: asOperator('room: what agents spent, below each other on a phone', '/spending'),
  operatorMenu: asOperator('room: its subjects, opened on a phone', '', async page => {
    const menu = page.locator('.room nav summary')
    if (await menu.isVisible()) await menu.click()
  }),
  operatorSettings: asOperator('room: settings, below each other on a phone', '/settings'),
  operatorKeyMade: asOperator('room: a key just made', '/keys', async page => {
    await page.locator('#create-name').fill('Importer')
    await press(page, 'create', '.notice')
  }),
  operatorKeyWrong: asOperator('room: a form with problems', '/keys', async page => {
    await page.locator('#create-name').fill('\u0007')
    await page.locator('#create-days').fill('0')
    await press(page, 'create', '.notice')
  }),
  check: at('checking an endpoint, empty form', '/check'),
  checked: at('a check without problems', `${empty.url}/check`, page => checkOpenly(page, endpoint)),
  checkedUnpayable: at('a check of an endpoint that no official client can pay', `${empty.url}/check`, page =>
    checkOpenly(page, unsignable),
  ),
  checkFailed: at('a check of what is no x402 endpoint, with what to mend', `${empty.url}/check`, page =>
    checkOpenly(page, `${site.url}/about`),
  ),
  howWeProbe: at('how the directory probes, and how to opt out', '/probing'),
  printed: at('a service on paper', `/services/${site.probedId}`, page =>
    page.emulateMedia({ media: 'print' }),
  ),
  printedSearch: asking('results on paper', 'weather', page => page.emulateMedia({ media: 'print' })),
  catalog: at('the catalog by category, level and network', '/catalog'),
  about: at('about the directory', '/about'),
  status: at('status of a directory that does not probe', '/status'),
  probing: at('status of a directory that probes', `${empty.url}/status`),
  docs: at('reference of the API: quick start and overview', '/docs'),
  reference: at('reference of the API: one group', '/docs/feed'),
  missing: at('no such page', '/nowhere'),
  broken: rendered('an internal error', '/about', request =>
    renderFailure(request, new DirectoryError('internal', say('fault'))),
  ),
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

const shown = chosen(Object.keys(pages))
const index = Object.entries(pages).map(([name, { see }]) => `| \`${name}\` | ${see} |`)
await Bun.write(
  join(folder, 'INDEX.md'),
  [
    'Each state is in a picture STATE-WIDTH-LANGUAGE-THEME.png.',
    '',
    '| State | What to see |',
    '|---|---|',
    ...index,
    '',
  ].join('\n'),
)

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
      const page = await context.newPage()
      for (const name of shown) {
        const { path, act } = pages[name]!
        await page.emulateMedia({ media: null })
        await page.goto(path.startsWith('/') ? site.url + path : path)
        await act?.(page)
        const file = `${name}-${width}-${locale}-${colorScheme}.png`
        await page.screenshot({ path: join(folder, file), fullPage: true })
        if (wanted.includes('axe'))
          for (const [rule, element] of await findViolations(page))
            violations.push(`${file}: ${rule} ${element}`)
        taken++
      }
      await context.close()
    }
await merchant.stop(true)
console.log(`${taken} pictures are in ${folder}.`)
if (wanted.includes('axe')) console.log([`${violations.length} violations.`, ...violations].join('\n'))
if (violations.length > 0) process.exitCode = 1
