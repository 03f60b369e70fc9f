import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { LocalDirectory } from '../../src/directory/directory.ts'
import { DirectoryError } from '../../src/domain/errors.ts'
import { say } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { createComparePage } from '../../src/web/compare-page.ts'
import { createSellerPage } from '../../src/web/seller-page.ts'
import { entry } from '../entries.ts'
import { ask } from '../http/directory-server.ts'
import { addPurchases } from './exhibits.ts'
import { openPageDirectory, type PageDirectory } from './page-directory.ts'
import { pageRequest } from './page-request.ts'
import { addTroubles, OTHER_WALLET, type TroubleName } from './troubles.ts'

const WALLET = '0x7aA3B0D047d135f43e8699E07783a548819BC25c'

let site: PageDirectory
let troubles: Record<TroubleName, string>
let samples: { id: string; name: string }[]
beforeAll(async () => {
  site = await openPageDirectory({ RATE_LIMIT: '0' })
  troubles = await addTroubles(site.databaseUrl)
  while ((await site.get(`/api/services/${troubles.silent}`)).status !== 200) await Bun.sleep(5)
  samples = await site.json('/api/services?category=crypto&limit=5')
})
afterAll(() => site[Symbol.asyncDispose]())

const page = async (path: string) => (await site.get(path)).text()
/** The cells of a row, as text. */
const rowOf = (text: string, name: string) => {
  const row = new RegExp(`<th scope="row">${name}</th>(.*?)</tr>`, 's').exec(text)![1]!
  return [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) =>
    cell!
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

describe('the comparison of services', () => {
  test('keeps the order of the URL, shows the prices that endpoints ask, and marks the best values', async () => {
    const ids = [site.probedId, troubles.asksMore]
    const text = await page(`/compare?ids=${ids.join()}`)
    const heads = [...text.matchAll(/<th scope="col"><span class="head"><a href="\/services\/([^"]*)"/g)].map(
      ([, id]) => id,
    )
    expect(heads).toEqual(ids)
    expect(rowOf(text, 'Status')).toEqual(['Verified', 'Unverified Asks more than listed'])
    expect(rowOf(text, 'Price per request')).toEqual(['0.0025 USDC', '0.001 USDC Endpoint asks 5 USDC'])
    expect(rowOf(text, 'Price in US dollars')).toEqual(['$0.0025 Best', '$5'])
    expect(rowOf(text, 'Latency, p50')).toEqual(['260 ms', '150 ms'])
    // Nobody reads the chain there.
    expect(rowOf(text, 'Payments')).toEqual(['Not known', 'Not known'])
    // A host breaks before a dot, not inside of a label.
    expect(text).toContain('>tides<wbr>.example<wbr>.com</a>')
    expect(text).toContain(`href="/compare?ids=${troubles.asksMore}" aria-label="Remove Harbour Tides`)
    expect(await page(`/compare?ids=${ids.join()}&lang=ja`)).toContain('応答時間（中央値）')
  })

  test('shows every warning of a service page in short, and never marks a service that should not be paid as best', async () => {
    const directory = site.app.directory as LocalDirectory
    const ids = `${site.probedId},${troubles.asksMore}`
    const render = async (changes: Partial<LocalDirectory['reads']>, lang = 'en') => {
      const reads = { ...directory.reads, ...changes }
      const request = pageRequest(site.url, { path: '/compare', parameters: { ids, lang } })
      return (await createComparePage({ ...directory, reads })(request)).text
    }
    const bought =
      (failedInARow: number, delivered = 2) =>
      (id: string) =>
        id === site.probedId ? { purchases: 6, delivered, failedInARow } : undefined
    const failing = await render({ poorDelivery: bought(2) })
    expect(failing).toMatch(/<b class="warning stop"><svg.*?<\/svg>Did not deliver when paid<\/b>/)
    expect(failing).not.toContain('class="best"')
    expect(await render({ poorDelivery: bought(2) }, 'ja')).toContain('支払っても提供されず')
    for (const [delivered, level] of [
      [2, 'stop'],
      [3, 'care'],
    ] as const) {
      const unreliable = await render({ poorDelivery: bought(0, delivered) })
      expect(unreliable).toMatch(
        new RegExp(
          `<b class="warning ${level}"><svg.*?</svg>Delivered in ${delivered} of 6 test purchases</b>`,
        ),
      )
      expect(unreliable).not.toContain('class="best"')
    }
    const marks = (change: object) => (id: string) => ({ ...directory.reads.marks(id), ...change })
    const namesake = await render({ marks: marks({ namesake: true }) })
    expect(namesake).toMatch(/<b class="warning care"><svg.*?<\/svg>Similar name to another service<\/b>/)
    expect(namesake).toContain('class="best"')
    const stranger = await render({ marks: marks({ stranger: true }) })
    expect(stranger).toMatch(/<b class="warning stop"><svg.*?<\/svg>Listed by a stranger<\/b>/)
    expect(stranger).not.toContain('class="best"')
    const retired = await render({ isRetired: () => true })
    expect(rowOf(retired, 'Status')[0]).toBe('Out of service')
    expect(rowOf(await render({ isRetired: () => true }, 'ja'), '状態')[0]).toBe('提供終了')
  })

  test('marks no value of an inactive service or a sample as best, and labels samples', async () => {
    while ((await site.json(`/api/services/${troubles.silent}`)).status !== 'inactive') await Bun.sleep(5)
    const ids = [site.probedId, troubles.silent, samples[1]!.id, troubles.asksMore]
    const text = await page(`/compare?ids=${ids.join()}`)
    expect(rowOf(text, 'Price in US dollars')).toEqual(['$0.0025 Best', '$0.001', expect.any(String), '$5'])
    expect(rowOf(text, 'Uptime')[2]).not.toContain('Best')
    expect(rowOf(text, 'Trust')[2]).toBe('–')
    expect(text.match(/Invented sample/g)).toHaveLength(1)
    expect(rowOf(text, 'Last probed')[2]).toBe('–')
    expect(text).toContain('“Best” marks the best value of a row.')
    const alone = await page(`/compare?ids=${samples[1]!.id}&lang=ja`)
    expect(alone).toContain('架空の見本')
    expect(alone).not.toContain('「最良」は')
  })

  test('shows at most four services, and names ids that are left out or unknown', async () => {
    const all = await page(`/compare?ids=${samples.map(({ id }) => id).join()}`)
    expect(all.match(/<th scope="col"><span class="head"><a/g)).toHaveLength(4)
    expect(all).toContain(`Only 4 can be compared at once. Left out: ${samples[4]!.name}`)
    // What is not there takes no place.
    const four = samples.slice(0, 4).map(({ id }) => id)
    const known = await page(`/compare?ids=svc_none,${four.join()}`)
    expect(known.match(/<th scope="col"><span class="head"><a/g)).toHaveLength(4)
    expect(known).not.toContain('Left out')
    const text = await page(`/compare?ids=${samples[0]!.id},svc_<b>,${samples[0]!.id}`)
    expect(text.match(/<th scope="col"><span class="head"><a/g)).toHaveLength(1)
    expect(text).toContain('Not found: svc_&lt;b&gt;')
    expect(await page('/compare')).toContain('No services selected')
    expect(await page('/compare?ids=,,')).toContain('No services selected')
  })

  test('shows how often each service delivered, by test purchases and payer reports', async () => {
    const ids = [site.probedId, troubles.asksMore]
    const path = `/compare?ids=${ids.join()}`
    expect(rowOf(await page(path), 'Delivered when paid')).toEqual(['Not bought yet', 'Not bought yet'])
    const directory = site.app.directory as LocalDirectory
    const render = async (changes: Partial<LocalDirectory>) => {
      const request = pageRequest(site.url, { path: '/compare', parameters: { ids: ids.join() } })
      return (await createComparePage({ ...directory, ...changes })(request)).text
    }
    await using store = await openStore(site.databaseUrl, { clock: systemClock })
    await addPurchases(store, site.probedId)
    const [bought, other] = rowOf(await page(path), 'Delivered when paid')
    const { delivery } = await site.json(`/api/services/${site.probedId}/purchases`)
    expect(bought).toBe(`${delivery.delivered} of ${delivery.purchases} test purchases 2 of 2 payer reports`)
    expect(other).toBe('Not bought yet')
    const away = async () => {
      throw new DirectoryError('store_unavailable', say('store_away'))
    }
    expect(rowOf(await render({ purchases: away, outcomes: away }), 'Delivered when paid')).toEqual([
      '–',
      '–',
    ])
  })

  test('redirects from submitted checkboxes to a URL that can be shared', async () => {
    const [a, b] = samples.map(({ id }) => id)
    const sent = await ask(`${site.url}/compare?lang=ja&${a}=1&${b}=1`, { redirect: 'manual' })
    expect(sent.status).toBe(303)
    expect(decodeURIComponent(sent.headers.get('location')!)).toBe(`/compare?ids=${a},${b}&lang=ja`)
  })
})

describe('the page of a seller', () => {
  const paymentsIn = (text: string, name = 'Payments') =>
    new RegExp(`<dt>${name}</dt><dd>(?:<[^>]*>)*([^<]+)<`).exec(text)?.[1]

  test('lists every service paid to the wallet in any spelling of its address, most trusted first', async () => {
    for (const spelled of [WALLET, WALLET.toLowerCase()]) {
      const text = await page(`/sellers/${spelled}`)
      expect(text).toContain(`data-copy="${WALLET}"`)
      const shown = [...text.matchAll(/<h3><a href="\/services\/([^"]*)"/g)].map(([, id]) => id!)
      expect(shown).toContain(site.probedId)
      for (const id of Object.values(troubles)) expect(shown).toContain(id)
      const trust = await Promise.all(
        shown.map(async id => (await site.json(`/api/services/${id}`)).trustScore as number),
      )
      // Those that must not be paid are last, however trusted.
      const isDangerous = shown.map(id => [troubles.asksMore, troubles.otherWallet].includes(id))
      expect(isDangerous).toEqual(isDangerous.toSorted((a, b) => Number(a) - Number(b)))
      for (const group of [false, true]) {
        const points = trust.filter((_, i) => isDangerous[i] === group)
        expect(points).toEqual(points.toSorted((a, b) => b - a))
      }
    }
    expect(await page(`/services/${site.probedId}`)).toContain(`href="/sellers/${WALLET}"`)
    expect(await page(`/sellers/${WALLET}?lang=ja`)).toContain('支払い先 0x7aA3…C25c')
  })

  test('leaves out samples, which nobody sells', async () => {
    const [sample] = await site.json('/api/services?category=crypto&limit=1')
    expect((await site.get(`/sellers/${sample.x402Config.paymentAddress}`)).status).toBe(404)
    const [skycast] = await site.json('/api/catalog/search?q=skycast')
    expect(skycast.x402Config.paymentAddress).toBe(WALLET)
    expect(await page(`/sellers/${WALLET}`)).not.toContain(skycast.id)
  })

  test('shows payments as unknown if no chain is read, and counts them otherwise', async () => {
    expect(paymentsIn(await page(`/sellers/${WALLET}`))).toBe('Not known')
    expect(paymentsIn(await page(`/sellers/${WALLET}?lang=ja`), '支払い')).toBe('不明')
    const directory = site.app.directory as LocalDirectory
    const reads = { ...directory.reads, readsPayments: () => true }
    const { text } = createSellerPage({ ...directory, reads })(
      pageRequest(site.url, { path: `/sellers/${WALLET}`, id: WALLET }),
    )
    expect(paymentsIn(text)).toBe('0')
  })

  test('counts a claim only if the endpoint asks for payment to that wallet, as cards do', async () => {
    await using store = await openStore(site.databaseUrl, { clock: systemClock })
    const owner = `eip155:${WALLET.toLowerCase()}`
    const { silent, otherWallet } = troubles
    await store.update([silent, otherWallet], kept => ({ entry: { ...kept, owner }, events: [] }))
    const isClaimed = async () => (await site.json(`/api/services/${otherWallet}/backing`)).claimed === true
    while (!(await isClaimed())) await Bun.sleep(5)
    const text = await page(`/sellers/${WALLET}`)
    expect(paymentsIn(text, 'Claimed by the wallet')).toBe('1')
    expect(text.split('<li>Claimed by its wallet</li>')).toHaveLength(2)
    expect(rowOf(await page(`/compare?ids=${silent},${otherWallet}`), 'Provider confirmed by')).toEqual([
      'Wallet',
      'Not confirmed',
    ])
    expect(await page(`/services/${silent}`)).toContain('Claimed by its wallet')
    const elsewhere = await page(`/services/${otherWallet}`)
    expect(elsewhere).toContain('Claimed by the listed wallet<br><small>This alone proves nothing')
    expect(elsewhere).not.toContain('Claimed by its wallet')

    // The wallet that is asked for lists it too.
    const { endpoint } = await site.json(`/api/services/${otherWallet}`)
    const own = entry(
      { name: 'Translator', endpoint, x402Config: { paymentAddress: OTHER_WALLET, network: 'base' } },
      { standing: { status: 'verified' } },
    )
    await store.insert([{ ...own, owner: `eip155:${OTHER_WALLET}` }])
    while ((await site.get(`/services/${own.id}`)).status !== 200) await Bun.sleep(5)
    const japanese = await page(`/services/${otherWallet}?lang=ja`)
    expect(japanese).toContain('<dd>第三者による登録<br>掲載されたウォレットが署名済み<br>')
    expect(japanese).not.toContain('>ウォレット署名済み')
  })

  test('is 404 for any text that is not a listed wallet', async () => {
    for (const payee of [`0x${'9'.repeat(40)}`, '%3Cscript%3E', 'x'.repeat(2_000)]) {
      const response = await site.get(`/sellers/${payee}`)
      expect(response.status).toBe(404)
      const text = await response.text()
      expect(text).toContain('No service is paid to this address')
      expect(text).not.toContain('<script>')
    }
  })
})
