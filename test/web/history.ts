// The data of a directory after months: services of many kinds, a seller with fifty of them, one with 90 days of probes, sources
// that fail.
import { judge } from '../../src/domain/standing/judge.ts'
import type { ProbeRecord } from '../../src/domain/standing/standing.ts'
import { say } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { createSourceState } from '../../src/store/sources.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { recordProbe } from '../probes.ts'
import { requirements, resource, seen } from '../terms.ts'
import { addProbe } from './exhibits.ts'
import type { PageDirectory } from './page-directory.ts'

const DAY_MS = 86_400_000
const TRAM_WALLET = `0x${'3d'.repeat(20)}`
export const CROWDED_PAYEE = `0x${'c'.repeat(40)}`
const ago = (days: number) => new Date(Date.now() - days * DAY_MS)

/** Returns the id of the old service. */
export async function addHistory(site: PageDirectory): Promise<{ readonly ninety: string }> {
  await using store = await openStore(site.databaseUrl, { clock: systemClock })
  await addSeller(store)
  await addMarket(store)
  const ninety = await addOld(store)
  // All figures are of the same moment.
  const { lastChecked } = (await store.find(ninety))!.entry.standing
  const checked = async () => (await site.get(`/api/services/${ninety}/status`)).json()
  while ((await checked()).lastChecked !== lastChecked) await Bun.sleep(5)
  for (const [host, failures] of [
    ['list.example', 0],
    ['away.example', 1],
    ['gone.example', 12],
  ] as const) {
    const url = `https://${host}/list`
    await store.sources.add(url)
    const succeededAt = failures < 12 ? ago(0.1).toISOString() : null
    await store.sources.save({ ...createSourceState(url), kind: 'list', failures, succeededAt })
  }
  return { ninety }
}

const COUNTRIES =
  'Albania Andorra Armenia Australia Austria Azerbaijan Belgium Bolivia Brazil Bulgaria Cambodia Canada Chile Colombia Croatia Cyprus Denmark Ecuador Estonia Finland France Georgia Germany Greece Hungary Iceland India Indonesia Ireland Italy Japan Kenya Korea Latvia Lithuania Luxembourg Malaysia Malta Mexico Mongolia Morocco Nepal Netherlands Norway Peru Poland Portugal Romania Slovenia Spain'.split(
    ' ',
  )

/** One wallet, fifty services. */
async function addSeller(store: Store): Promise<void> {
  const accepts = [{ ...requirements, payTo: CROWDED_PAYEE }]
  for (const [i, country] of COUNTRIES.entries()) {
    const listed = entry(
      {
        name: `Parcel Tracking ${country}`,
        description: `Where a parcel in ${country} is and when it arrives, from every carrier there.`,
        endpoint: `https://parcels.example/${country.toLowerCase()}`,
        category: 'commerce',
        x402Config: { paymentAddress: CROWDED_PAYEE, network: 'base' },
      },
      { now: ago(i < 2 ? 0.01 : 4 + i) },
    )
    await store.insert([listed])
    // The newest two wait for their first probe.
    if (i > 1)
      await addProbe(store, listed, ago(0.1), resource({ url: listed.endpoint, accepts }), 90 + 7 * i)
  }
}

/** Name, host, category, price, days and text. */
const MARKET = `
Ledgerline | ledgerline | finance | 0.01 | 21 | Filed accounts of companies in 40 countries, as figures in one currency.
Paperclip OCR | paperclip | ocr | 0.004 | 34 | Reads receipts and invoices into lines, sums and taxes.
議事録メーカー | gijiroku | audio | 0.02 | 12 | 会議の録音を文字に起こし、決まったことと宿題にまとめます。
Hallmark Search | hallmark | search | 0.005 | 40 | Web search without advertisements, with the passage that answers.
Nutrient Lens | nutrients | health | 0.002 | 9 | Nutrients of a dish from its recipe or from a photograph.
路線図ナビ | rosenzu | travel | 0.003 | 27 | 全国の鉄道とバスの乗り換えを、運賃と遅れを含めて調べます。
Cartouche | cartouche | text | 0.001 | 15 | Corrects spelling and grammar and says why.
Vault Notary | vault-notary | security | 0.05 | 30 | Keeps the fingerprint of a file, with a proof of the time.
Sound Shelf | soundshelf | entertainment | 0.0015 | 5 | Who sings, who plays and where to buy it, from ten seconds of music.
Gazette Watch | gazette | government | 0.008 | 18 | New laws and notices of 27 countries by subject, each morning.
Kotonoha | kotonoha | translation | 0.002 | 20 | Translates texts and contracts between Japanese, English and 30 other languages.
Postilion | postilion | communication | 0.001 | 14 | Sends an email to any address, with attachments, and says when it arrived.
Stitch Video | stitch | video | 0.12 | 8 | Cuts a film to the scenes that are described.
Pocket Compute | pocket | compute | 0.03 | 23 | Runs a Python script in a sandbox for up to a minute.`
  .trim()
  .split('\n')
  .map(line => line.split(' | ') as [string, string, string, string, string, string])

/** What an ordinary directory lists, each with some days behind it. */
async function addMarket(store: Store): Promise<void> {
  for (const [i, [name, host, category, price, listedDays, description]] of MARKET.entries()) {
    const days = Number(listedDays)
    const payTo = `0x${(i + 0x60).toString(16).repeat(20)}`
    const listed = entry(
      {
        name,
        description,
        category,
        endpoint: `https://api.${host}.example/v1`,
        pricing: { currency: 'USDC', pricePerRequest: price, freeQuota: i % 4 === 0 ? 25 : 0 },
        x402Config: { paymentAddress: payTo, network: 'base' },
      },
      { now: ago(days) },
    )
    await store.insert([listed])
    const amount = String(Math.round(Number(price) * 1e6))
    const terms = resource({ url: listed.endpoint, accepts: [{ ...requirements, payTo, price, amount }] })
    for (let day = days - 0.5; day > 0; day--) await addProbe(store, listed, ago(day), terms, 120 + 60 * i)
  }
}

/** It misses a day a month, is mostly quick, and took half a minute once. */
async function addOld(store: Store): Promise<string> {
  const parts = {
    name: 'Tram Departures',
    description: 'The next trams from any stop in 60 cities, with delays and whether they are step-free.',
    category: 'travel',
    endpoint: 'https://trams.example/v1',
    x402Config: { paymentAddress: TRAM_WALLET, network: 'base' },
  }
  const listed = entry(parts, { now: ago(91) })
  await store.insert([listed])
  const asks = { amount: '0.0025', currency: 'USDC' }
  const accepts = [{ ...requirements, payTo: TRAM_WALLET }]
  const terms = { payTo: [TRAM_WALLET], price: asks, furtherChains: [] }
  for (let i = 0; i < 90; i++) {
    const isDown = i % 30 === 17
    const probe: ProbeRecord = {
      serviceId: listed.id,
      at: ago(89.05 - i).toISOString(),
      outcome: isDown ? 'unreachable' : 'payable',
      httpStatus: isDown ? null : 402,
      latencyMs: isDown ? null : i === 70 ? 30_000 : 90 + ((i * 37) % 60),
      priceSeen: isDown ? null : '0.0025',
      asListed: !isDown,
      reasons: [
        isDown
          ? say('connection_refused', { host: 'trams.example', errno: 'ECONNREFUSED' })
          : say('network_as_registered', { network: 'Base' }),
      ],
    }
    const read = { ...seen(resource({ url: listed.endpoint, accepts })), asks, price: 'same' } as const
    await recordProbe(store, probe, (kept, history) => ({
      ...judge(kept, { probe, terms: isDown ? undefined : { ...terms, seen: read } }, history),
      dueAt: null,
    }))
  }
  return listed.id
}
