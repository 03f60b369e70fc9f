// Merchants that answer on loopback while the sample is served, so that a newcomer sees services being verified, found out, failing and
// recovering. They are probed like any other. They ask for payment to invented wallets, take none and settle nothing.

import { createIdSource } from '../domain/ids.ts'
import { createEntry, type Entry, readDraft } from '../domain/listing/service.ts'
import { MINUTE_MS } from '../domain/time.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Store } from '../store/store.ts'

const HOST = '127.0.0.1'
const USDC_ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const ATOMIC_UNITS = 1_000_000
/** Paid by the merchant that turns to another wallet. */
const OTHER_WALLET = '0x140fc913d18425Da314993B27B6eA9C8578c4119'

/** Within this time of its first start everything happens that the merchants show; then they are probed as seldom as others. */
const SHOW_MS = 10 * MINUTE_MS
const PROBE_EVERY_MS = 20_000

type Asked = { readonly price: string; readonly payTo: string }
type Declared = { readonly method: 'GET' | 'POST'; readonly example: object; readonly output: object }

type Merchant = {
  /** Its path. */
  readonly path: string
  readonly name: string
  readonly description: string
  readonly category: string
  readonly price: string
  readonly wallet: string
  readonly declared: Declared
  /** What it asks for, instead of what is listed. */
  readonly asks?: (ageMs: number, listed: Asked) => Asked
  readonly protocol?: 'mpp'
  /** A status instead of payment terms. */
  readonly fails?: (ageMs: number) => number | undefined
}

const MERCHANTS: readonly Merchant[] = [
  {
    path: 'sun',
    name: 'Gable Sun and Moon',
    description: 'Sunrise, sunset, twilight and the phase of the moon for any place and date.',
    category: 'data',
    price: '0.001',
    wallet: '0x50809B9Ab89769d169F0AeCAd7Fb75755C41719d',
    declared: {
      method: 'GET',
      example: { latitude: 59.91, longitude: 10.75, date: '2026-06-21' },
      output: { sunrise: '03:54', sunset: '22:44', moonPhase: 0.22 },
    },
  },
  {
    path: 'holidays',
    name: '祝日と営業日',
    description: '日本の祝日、振替休日、営業日を日付から調べます。翌営業日の計算もできます。',
    category: 'utilities',
    price: '0.002',
    wallet: '0x03546F4F02e4367441f571A2C7230CA9f3E9e554',
    declared: {
      method: 'GET',
      example: { date: '2026-05-06' },
      output: { holiday: '振替休日', nextBusinessDay: '2026-05-07' },
    },
  },
  {
    path: 'units',
    name: 'Plumb Unit Converter',
    description: 'Converts length, mass, volume, temperature and pressure between metric and imperial units.',
    category: 'utilities',
    price: '0.0005',
    wallet: '0xD1c445e36884687E01A76459303899C6Db05770a',
    declared: {
      method: 'POST',
      example: { value: 12, from: 'inch', to: 'cm' },
      output: { value: 30.48 },
    },
  },
  {
    path: 'furigana',
    name: 'ふりがな工房',
    description: '漢字にふりがなを付けます。HTMLのルビにもできます。',
    category: 'text',
    price: '0.003',
    wallet: '0x297bbCBBC9C237Fe06f40891775b963394740188',
    declared: { method: 'POST', example: { text: '道の標' }, output: { furigana: 'みちのしるべ' } },
    protocol: 'mpp',
  },
  {
    path: 'barcode',
    name: 'Crossbar Barcode Lookup',
    description: 'Product name, maker and picture for a barcode (EAN, UPC or JAN).',
    category: 'commerce',
    price: '0.001',
    wallet: '0x6F0E273e22659dBbc716937325f6862B7b4185aA',
    declared: {
      method: 'GET',
      example: { code: '4901234567894' },
      output: { name: 'Pencil, HB', maker: 'Crossbar' },
    },
    asks: (_, { payTo }) => ({ price: '0.02', payTo }),
  },
  {
    path: 'parcels',
    name: 'Longhaul Parcel Tracking',
    description: 'Where a parcel is: status and places passed, for two hundred carriers.',
    category: 'commerce',
    price: '0.004',
    wallet: '0xBc6923fEa353A90d04E04537330C9b6d37986fE7',
    declared: { method: 'GET', example: { number: 'LX123456789NO' }, output: { status: 'in transit' } },
    asks: (ageMs, listed) => (ageMs < MINUTE_MS ? listed : { ...listed, payTo: OTHER_WALLET }),
  },
  {
    path: 'phone',
    name: 'Turnstile Phone Validation',
    description: 'Country, carrier and line type of a phone number, and whether it is in use.',
    category: 'identity',
    price: '0.002',
    wallet: '0x9d347974F866642937049bDD6Ce846a21e3d00f8',
    declared: { method: 'GET', example: { number: '+4722000000' }, output: { valid: true } },
    fails: () => 403,
  },
  {
    path: 'rhymes',
    name: 'Couplet Rhymes',
    description: 'Rhymes, near rhymes and syllable counts for English words.',
    category: 'text',
    price: '0.001',
    wallet: '0x35c61ab7A59f5a821f7A16c3B80684A688DC9EA4',
    declared: { method: 'GET', example: { word: 'signpost' }, output: { rhymes: ['almost', 'compost'] } },
    fails: ageMs => (ageMs > MINUTE_MS && ageMs < 5 * MINUTE_MS ? 500 : undefined),
  },
]

export type SampleMerchants = AsyncDisposable & {
  /** Host and port, which the prober may ask although they are private. */
  readonly host: string
}

type Deps = {
  readonly store: Pick<Store, 'paidTo' | 'insert' | 'update'>
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}

/** Lists the merchants in a store that has none of them, and answers on the port where they are listed. */
export async function openSampleMerchants({ store, clock, log }: Deps): Promise<SampleMerchants> {
  const paid = await store.paidTo(MERCHANTS.map(({ wallet }) => wallet))
  // Strangers may list services for the same wallets.
  const known = paid.filter(({ provenance }) => provenance.source === 'sample')
  const listedAt = known[0] && new URL(known[0].endpoint)
  let openedAtMs = Date.parse(known[0]?.createdAt ?? clock.now().toISOString())
  // Workers of one directory share the port.
  const listen = (port: number) =>
    Bun.serve({
      hostname: HOST,
      port,
      reusePort: true,
      fetch: request => answer(request, clock.now().getTime() - openedAtMs),
    })
  let server: ReturnType<typeof listen>
  try {
    server = listen(Number(listedAt?.port ?? 0))
  } catch (error) {
    log.warn('the merchants of the sample do not answer', { error })
    return { host: '', [Symbol.asyncDispose]: async () => {} }
  }
  const host = `${HOST}:${server.port}`
  let entries = known
  if (known.length === 0) {
    const now = clock.now()
    openedAtMs = now.getTime()
    entries = toEntries(`http://${host}`, now)
    await store.insert(entries)
  }

  const stopping = new AbortController()
  const { signal } = stopping
  const running = showOff()
  return {
    host,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
      await server.stop(true)
    },
  }

  /** Asks for probes as their owners could. */
  async function showOff(): Promise<void> {
    const ids = entries.map(({ id }) => id)
    const isShowing = () => clock.now().getTime() - openedAtMs < SHOW_MS
    for (;;) {
      await clock.sleep(PROBE_EVERY_MS, signal)
      if (signal.aborted || !isShowing()) return
      const extraProbeAt = clock.now()
      await store
        .update(ids, entry => ({ entry, events: [], extraProbeAt }))
        .catch(error => log.warn('no probe of the merchants of the sample was scheduled', { error }))
    }
  }
}

function toEntries(origin: string, now: Date): Entry[] {
  const newId = createIdSource()
  const policy = { allowPrivateEndpoints: true, strictAddresses: true }
  return MERCHANTS.map(({ path, name, description, category, price, wallet }) => {
    const listing = {
      name,
      description,
      category,
      endpoint: `${origin}/${path}`,
      pricing: { currency: 'USDC', pricePerRequest: price },
      x402Config: { paymentAddress: wallet, network: 'base' },
    }
    const entry = createEntry(readDraft(listing, policy).draft, { id: newId(now), now, source: 'sample' })
    // It has a standing of its own, which is measured.
    return { ...entry, sample: false }
  })
}

function answer(request: Request, ageMs: number): Response {
  const url = new URL(request.url)
  const merchant = MERCHANTS.find(({ path }) => url.pathname === `/${path}`)
  if (!merchant) return new Response('Not found', { status: 404 })
  const failure = merchant.fails?.(ageMs)
  if (failure !== undefined) return new Response(undefined, { status: failure })
  if (request.method !== merchant.declared.method)
    return new Response(undefined, { status: 405, headers: { Allow: merchant.declared.method } })
  const listed = { price: merchant.price, payTo: merchant.wallet }
  const asked = merchant.asks?.(ageMs, listed) ?? listed
  return merchant.protocol === 'mpp' ? askByMpp(asked) : askByX402(merchant, asked, url)
}

const toAmount = (price: string): string => `${Math.round(Number(price) * ATOMIC_UNITS)}`

const NO_PAYMENT = 'Payment is required. This merchant belongs to the sample: it takes no payment.'

function askByX402({ description, declared }: Merchant, { price, payTo }: Asked, url: URL): Response {
  const { method, example, output } = declared
  const input = {
    type: 'http',
    method,
    ...(method === 'GET' ? { queryParams: example } : { bodyType: 'json', body: example }),
  }
  const required = {
    x402Version: 2,
    error: NO_PAYMENT,
    resource: { url: `${url.origin}${url.pathname}`, description, mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: 'eip155:8453',
        amount: toAmount(price),
        asset: USDC_ON_BASE,
        payTo,
        maxTimeoutSeconds: 60,
        extra: { name: 'USD Coin', version: '2' },
      },
    ],
    extensions: { bazaar: { info: { input, output: { type: 'json', example: output } } } },
  }
  const header = Buffer.from(JSON.stringify(required)).toString('base64')
  return Response.json({}, { status: 402, headers: { 'PAYMENT-REQUIRED': header } })
}

function askByMpp({ price, payTo }: Asked): Response {
  const request = {
    amount: toAmount(price),
    currency: USDC_ON_BASE,
    recipient: payTo,
    methodDetails: { chainId: 8453, credentialTypes: ['authorization'] },
  }
  const encoded = Buffer.from(JSON.stringify(request)).toString('base64url')
  const challenge = `Payment id="${crypto.randomUUID()}", realm="${HOST}", method="evm", intent="charge", request="${encoded}"`
  return Response.json({ title: NO_PAYMENT }, { status: 402, headers: { 'WWW-Authenticate': challenge } })
}
