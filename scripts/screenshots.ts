// Takes pictures of every page, in each width, language and theme, for people to look at: bun scripts/screenshots.ts [folder] [page …]
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { body } from '../test/http/directory-server.ts'
import { CHROMIUM, openBrowser } from '../test/web/browser.ts'
import { openHouse } from '../test/web/house.ts'
import { addTroubles } from '../test/web/troubles.ts'

const [folder = 'tmp/screenshots', ...wanted] = process.argv.slice(2)
if (!CHROMIUM)
  throw new Error(
    'There is no Chromium on this machine: install one, for example with apt-get install chromium.',
  )

await using house = await openHouse({ ALLOW_PRIVATE_ENDPOINTS: 'on' })
await using browser = await openBrowser()
mkdirSync(folder, { recursive: true })

const long = await (
  await house.register(
    body({
      name: 'x'.repeat(255),
      description: `${'Longwordwithoutspaces'.repeat(20)} ${'長い説明。'.repeat(100)}`,
    }),
  )
).json()
const troubles = await addTroubles(house.databaseUrl)
const samples: { id: string; name: string }[] = await house.json('/api/services?sortBy=trustScore&limit=4')
const shown = async (id: string) => (await house.json(`/api/services/${id}`)).status
while ((await shown(troubles.silent)) !== 'inactive') await Bun.sleep(5)
const pages: Record<string, { path: string; submits?: boolean }> = {
  home: { path: '/' },
  search: { path: '/?q=weather+forecast+under+1+cent+on+Base' },
  japanese: { path: `/?q=${encodeURIComponent('東京の天気予報を安く')}` },
  filtered: { path: '/?category=weather&status=verified&sortBy=price' },
  nothing: { path: '/?category=nowhere' },
  service: { path: `/services/${house.probedId}` },
  asksMore: { path: `/services/${troubles.asksMore}` },
  otherWallet: { path: `/services/${troubles.otherWallet}` },
  silent: { path: `/services/${troubles.silent}` },
  sample: { path: `/services/${samples[0]!.id}` },
  compare: {
    path: `/compare?ids=${[house.probedId, troubles.asksMore, samples[0]!.id, samples[1]!.id].join()}`,
  },
  seller: { path: '/sellers/0x7aA3B0D047d135f43e8699E07783a548819BC25c' },
  long: { path: `/services/${long.id}?registered=1` },
  register: { path: '/register' },
  catalog: { path: '/catalog' },
  about: { path: '/about' },
  status: { path: '/status' },
  signIn: { path: '/sign-in' },
  docs: { path: '/docs' },
  reference: { path: '/docs/feed' },
  missing: { path: '/nowhere' },
  refused: { path: '/register', submits: true },
}

for (const width of [390, 820, 1440]) {
  for (const locale of ['en', 'ja']) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, locale, colorScheme })
      const page = await context.newPage()
      for (const [name, { path, submits = false }] of Object.entries(pages)) {
        if (wanted.length > 0 && !wanted.includes(name)) continue
        await page.goto(house.url + path)
        if (submits) {
          await page.locator('button[value=register]').click()
          await page.getByRole('alert').waitFor()
        }
        const file = `${name}-${width}-${locale}-${colorScheme}.png`
        await page.screenshot({ path: join(folder, file), fullPage: true })
      }
      await context.close()
    }
  }
}
console.log(`The pictures are in ${folder}.`)
