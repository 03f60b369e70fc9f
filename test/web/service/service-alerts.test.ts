import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { body } from '../../http/directory-server.ts'
import { addExhibits } from '../exhibits.ts'
import { openPageDirectory, type PageDirectory } from '../page-directory.ts'
import { addTroubles, OTHER_WALLET, type TroubleName } from '../troubles.ts'

let site: PageDirectory
let troubles: Record<TroubleName, string>
beforeAll(async () => {
  site = await openPageDirectory({ RATE_LIMIT: '0' })
  troubles = await addTroubles(site.databaseUrl)
  const isInactive = async () => {
    const response = await site.get(`/api/services/${troubles.silent}`)
    return response.status === 200 && (await response.json()).status === 'inactive'
  }
  while (!(await isInactive())) await Bun.sleep(5)
})
afterAll(() => site[Symbol.asyncDispose]())

const page = async (id: string, lang = 'en') => (await site.get(`/services/${id}?lang=${lang}`)).text()
/** The verdict, and the bands within its card; one that the verdict names already has no title. */
const verdictIn = (text: string): (string | undefined)[] =>
  /class="panel judged (\w+)".*?<b><svg.*?<\/svg>([^<]*)<\/b>(?: <span>([^<]*))?/s.exec(text)!.slice(1)
const bandsIn = (text: string) =>
  [
    ...text.matchAll(
      /<div class="band (\w+)">(?:<svg.*?<\/svg>)?<div>(?:<p class="title"><strong>([^<]*))?/gs,
    ),
  ].map(([, level, title]) => [level, title])

const partOf = (text: string, id: string): string =>
  new RegExp(`<div class="part" id="${id}">[\\s\\S]*?</ol>`).exec(text)![0]

describe('the warning on a service page', () => {
  test('is absent if nothing is wrong', async () => {
    const text = await page(site.probedId)
    expect(verdictIn(text)).toEqual(['fine', 'Verified', undefined])
    expect(bandsIn(text)).toEqual([])
  })

  test('shows once that the endpoint asks more than listed, with both prices', async () => {
    const text = await page(troubles.asksMore)
    // Nobody who is told not to pay is told how.
    expect(verdictIn(text)).toEqual(['stop', 'Do not pay', 'Asks 5 USDC, listed at 0.001 USDC'])
    expect(bandsIn(text)).toEqual([['stop', undefined]])
    expect(text).toContain('<b class="wrong">5 USDC per request (listed at 0.001 USDC)</b>')
    expect(text).toContain('List the price that your endpoint asks')
    expect(text).not.toContain('<pre')
    expect(await page(troubles.asksMore, 'ja')).toContain('掲載は 0.001 USDC、請求は 5 USDC')
  })

  test('says that the probe is refused, by what, and what the provider can do', async () => {
    const text = await page(troubles.refused)
    expect(bandsIn(text)).toEqual([['care', 'The probe is refused']])
    expect(text).toContain('It refuses a request without payment with 403')
    expect(text).toContain('Your client may be refused in the same way.')
    expect(text).toMatch(
      /<summary>If this is your service<\/summary><p>[^<]*past any firewall or bot check, and answer them with 402, not 403\. Then use/,
    )
    expect(text).not.toContain('Not probed yet')
    expect(await page(troubles.refused, 'ja')).toContain('確認が拒否されています')
  })

  test('names the other wallet that the endpoint asks to pay', async () => {
    const text = await page(troubles.otherWallet)
    expect(verdictIn(text)).toEqual(['stop', 'Do not pay', 'Asks you to pay another wallet'])
    expect(bandsIn(text)).toEqual([['stop', undefined]])
    // Whole, because a look-alike has the same ends.
    expect(text).toMatch(
      new RegExp(
        `The endpoint asks to pay <code>${OTHER_WALLET}</code>, and <code>0x\\w{40}</code> is listed`,
      ),
    )
    // Beside the listed one both are whole.
    expect(text).toContain(`<b class="wrong">Endpoint asks to pay: <code>${OTHER_WALLET}</code></b>`)
    // There is nothing to pay it with.
    expect(text).not.toContain('<pre')
    expect(text).toContain('<h2>Listing</h2>')
    const japanese = await page(troubles.otherWallet, 'ja')
    expect(japanese).toContain('別のウォレットへの支払いを求めています')
    // The warning does not go by itself.
    expect(text).toContain('Once it is fixed, the next probe, within the hour, removes this warning.')
    expect(japanese).toContain('直すと、次の確認（1時間以内）でこの警告は消えます。')
  })

  test('of another wallet is also on cards', async () => {
    const alarm =
      /<span class="verdict stop"><b><svg.*?<\/svg>Do not pay<\/b> <span>Asks you to pay another wallet</
    const cards = async (name: string) => {
      const text = await (await site.get(`/?q=${encodeURIComponent(name)}&lang=en`)).text()
      return text
        .split('<li class="card">')
        .slice(1)
        .find(card => card.replace(/<\/?mark>/g, '').includes(name))!
    }
    expect(await cards('Lingua Bridge')).toMatch(alarm)
    expect(await cards('Meridian Geocoder')).not.toMatch(alarm)
  })

  test('shows since when the endpoint has not answered', async () => {
    const { items } = await site.json(`/api/services/${troubles.silent}/history`)
    const failed = items.findLast(({ outcome }: { outcome?: string }) => outcome === 'unreachable')
    const text = await page(troubles.silent)
    const [tone, word, title] = verdictIn(text)
    expect([tone, word]).toEqual(['stop', 'Not answering'])
    // Said once, with what else there is.
    expect(bandsIn(text)).toEqual([['stop', undefined]])
    expect(text).toContain('<a href="/?category=image&amp;lang=en">Choose another: Image</a>')
    // The same moment as among the incidents below.
    const time = new RegExp(`datetime="${failed.at}">([^<]+)`).exec(text)?.[1]
    expect(title).toBe(`Has failed every probe since ${time}`)
    expect(text).toContain('imagery.example.com did not accept a connection')
    expect(await page(troubles.silent, 'ja')).toMatch(/<span>[^<]*から確認に失敗し続けています<\/span>/)
  })

  test('says that a sample is invented, and that a new listing was not probed yet', async () => {
    const [sample] = await site.json('/api/services?category=ocr&limit=1')
    expect(verdictIn(await page(sample.id))).toEqual(['note', 'Invented sample', undefined])
    expect(await page(sample.id, 'ja')).toContain('見本の登録です')
    expect((await site.json(`/api/services/${sample.id}/terms`)).detail).toContain(
      'nobody offers this service',
    )
    const { id } = await (
      await site.register(body({ name: 'Newcomer', endpoint: 'https://newcomer.dev/v1' }))
    ).json()
    expect(bandsIn(await page(id))).toContainEqual(['note', 'Not probed yet'])
  })

  test('says that a reserved host is never probed', async () => {
    const { id } = await (await site.register(body({ name: 'For the tutorial' }))).json()
    const text = await page(id)
    expect(text).toContain('<dd>Never: its host is reserved for examples</dd>')
    expect(bandsIn(text)).toEqual([])
    expect(text).not.toContain('has not been probed yet')
    expect(await site.json(`/api/services/${id}/call`)).toMatchObject({
      code: 'no_terms',
      detailCode: { code: 'host_reserved' },
    })
    const { components } = await site.json(`/api/services/${id}/trust`)
    expect(components.slice(0, 3).map(({ code }: { code: string }) => code)).toEqual([
      'host_reserved',
      'host_reserved',
      'host_reserved',
    ])
  })

  test('comes before everything that can be copied', async () => {
    for (const id of Object.values(troubles)) {
      const text = await page(id)
      const end = text.lastIndexOf('class="band')
      expect(end).toBeGreaterThan(0)
      for (const copied of ['<pre', 'data-copy', 'class="rows"'])
        expect(text.slice(0, end)).not.toContain(copied)
    }
  })
})

const TONES = ['stop', 'care', 'note', 'fine']

describe('with purchases and other listings', () => {
  let exhibits: Awaited<ReturnType<typeof addExhibits>>
  beforeAll(async () => {
    exhibits = await addExhibits(site)
  })

  test('a page warns if a service mostly took a test payment without delivering', async () => {
    const { purchases, delivered } = (await site.json(`/api/services/${site.probedId}/purchases`)).delivery
    expect(delivered / purchases).toBeLessThan(0.5)
    while (bandsIn(await page(site.probedId)).length < 1) await Bun.sleep(5)
    const line = `${delivered} of ${purchases} test purchases delivered`
    const text = await page(site.probedId)
    expect(verdictIn(text)).toEqual(['care', 'Often does not deliver', line])
    expect(text).toContain('<dd>Verified · <time')
    expect(await page(site.probedId, 'ja')).toContain(`テスト購入${purchases}回のうち提供は${delivered}回`)
    const badgeOf = async (lang: string) =>
      await (await site.get(`/services/${site.probedId}/badge.svg?lang=${lang}`)).text()
    expect(await badgeOf('en')).toContain(`Often does not deliver · ${line}<`)
    expect(await badgeOf('ja')).toContain(`提供は${delivered}回<`)
  })

  test('a card that is found by its status says so where its verdict says what is worse', async () => {
    const found = await (await site.get('/?category=weather&status=verified')).text()
    expect(found).toContain('Often does not deliver')
    expect(found).toContain('<li>Terms verified</li>')
    expect(await (await site.get('/')).text()).toMatch(/>All \d+ services <span class="note">Page 1 of \d+</)
  })

  test('the page of a wallet has what warns before what does not, and no uptime of what refuses probes', async () => {
    const text = await (await site.get('/sellers/0x7aA3B0D047d135f43e8699E07783a548819BC25c')).text()
    const tones = [...text.matchAll(/class="verdict (\w+)"/g)].map(([, tone]) => tone)
    expect(tones).toContain('care')
    expect(tones.toSorted((a, b) => TONES.indexOf(a!) - TONES.indexOf(b!))).toEqual(tones)
    expect(text).toContain('Walled Garden')
    expect(text).not.toMatch(/\b0% up/)
  })

  test('a page warns of a similar name on the copy, not on the listing that had it first', async () => {
    const title = 'Another service has the same or a similar name'
    const copy = await page(exhibits.namesake)
    expect(verdictIn(copy)).toContainEqual(title)
    expect(copy).toContain('It was listed separately and may have nothing to do with this one:')
    // What is to be compared stands beside it.
    expect(copy).toMatch(/This one is paid to <code>0x\w{40}<\/code>, the other to <code>0x\w{40}<\/code>\./)
    expect(await page(site.probedId)).not.toContain(title)
  })

  test('a page, a card and a badge say that only clients of MPP can pay, and show no tick', async () => {
    const told = ['MPP only', 'x402 clients cannot pay']
    while (verdictIn(await page(exhibits.mppOnly))[1] !== told[0]) await Bun.sleep(5)
    const text = await page(exhibits.mppOnly)
    expect(verdictIn(text)).toEqual(['care', ...told])
    expect(text).toContain('MPP (Machine Payments Protocol)')
    expect(text).toContain('<h2>Call it by MPP</h2>')
    expect(await (await site.get(`/services/${exhibits.mppOnly}/badge.svg`)).text()).toContain(
      told.join(' · '),
    )
    expect(await (await site.get('/catalog?lang=ja')).text()).toContain('MPP専用</b>')
  })

  test('a page, a card and a badge say that official clients need a setting, and show neither tick nor alarm', async () => {
    const line = 'Official clients refuse it by default'
    expect(verdictIn(await page(exhibits.tool))).toEqual(['note', 'Verified', line])
    expect(await (await site.get(`/services/${exhibits.tool}/badge.svg`)).text()).toContain(line)
    // The facts say once what is to be set.
    expect(await page(exhibits.tool)).toContain('<dd>Official x402 clients, once they allow 0.5 JPYC</dd>')
    expect(bandsIn(await page(exhibits.tool))).toEqual([])
    const card = /<li class="card">(?:(?!<li class="card">).)*?Ferry Timetables/s
    const found = await (await site.get('/?category=travel&lang=ja')).text()
    expect(card.exec(found)![0]).toMatch(/verdict note.*公式クライアントの標準設定では支払えません/s)
  })

  test('a listing that is backed at its endpoint has no warning about a stranger’s listing of it', async () => {
    expect(bandsIn(await page(exhibits.backed))).toEqual([])
    expect(await page(exhibits.backed)).not.toContain('resembles yours')
    expect(verdictIn(await page(exhibits.stranger))).toEqual(['care', 'Unverified', 'Listed by a stranger'])
  })

  test('a page explains a purchase that was made through another listing', async () => {
    const { long, waiting } = exhibits
    while (!/test purchases? delivered/.test(await page(waiting))) await Bun.sleep(5)
    const text = await page(waiting)
    expect(text).toContain('The same provider answers and is paid there, so expect the same here.')
    const part = partOf(text, 'bought')
    expect(part).toContain('another listing of the same endpoint and wallet')
    // Its own page has nothing to explain.
    expect(await page(long)).not.toContain('so expect the same here')
    expect(await page(waiting, 'ja')).toContain('エンドポイントと支払い先が同じ別の登録で購入：<a')
    // Said of the warning and of the purchase, each with the listing that was bought.
    expect(
      text.match(new RegExp(`of the same endpoint and wallet: <a href="/services/${long}\\b`, 'g')),
    ).toHaveLength(2)
    expect(text).toContain(
      '<dd>1 test purchase by this directory, 0 delivered · Payments by others are not watched',
    )
  })

  test('the number of counted purchases agrees with the list of purchases', async () => {
    const { delivery, purchases } = await site.json(`/api/services/${site.probedId}/purchases`)
    expect(delivery.purchases).toBe(6)
    expect(purchases).toHaveLength(8)
    const counted = purchases.filter((purchase: { counts: boolean }) => purchase.counts)
    expect(counted).toHaveLength(6)
    const part = partOf(await page(site.probedId), 'bought')
    expect(part).toContain('2 of 6 test purchases delivered.')
    expect(part.match(/<li[ >]/g)).toHaveLength(8)
    expect(part.match(/·\u00a0reported by the payer</g)).toHaveLength(1)
    expect(part).toContain('1 of 1 say that it delivered.')
    expect(part.match(/·\u00a0not counted</g)).toHaveLength(1)
    expect(part).toContain('Not counted: purchases where no payment was taken')
    // An empty answer is told as one; it is not said to have delivered anything.
    expect(part).toContain('Paid, empty answer<')
    expect(part).not.toContain('not as declared')
    expect(partOf(await page(site.probedId, 'ja'), 'bought')).toContain('支払い後に空の応答<')
    // Where all count, nothing is said of it.
    expect(partOf(await page(exhibits.long), 'bought')).toContain('<p>0 of 1 test purchase delivered.</p>')
    expect(partOf(await page(exhibits.long), 'bought')).not.toContain('ot counted')
  })
})
