// From a search in the format of x402 to a paid answer, with the clients that people use and what they read there alone; and what they
// pay is what the directory counts as settled.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { dirname } from 'node:path'
import { wrapAxiosWithPayment } from '@x402/axios'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { ExactEvmSchemeV1 } from '@x402/evm/v1'
import { validateDiscoveryExtension, withBazaar } from '@x402/extensions/bazaar'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSigner, wrapFetchWithPayment as wrapFetchV1 } from 'x402-fetch'
import { openIndexer } from '../../src/chain/indexer.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { type EvmChain, openEvmChain } from '../chain/evm-chain.ts'
import { draft, entry } from '../entries.ts'
import { openTestServer, registerVerified, type TestServer } from '../http/directory-server.ts'
import { createHurriedClock } from '../hurried-clock.ts'
import { accountOf, type Facilitator, openFacilitator } from './facilitator.ts'
import { type Merchant, openMerchant, type Shape } from './merchants.ts'

/** What comes with a package, as that package sees it. */
const from = (name: string, owner: string) =>
  import(Bun.resolveSync(name, dirname(Bun.resolveSync(owner, import.meta.dir))))

const payer = accountOf(5)
const base = {
  version: 2,
  method: 'GET',
  style: 'query',
  scheme: 'exact',
  word: 'Tokyo',
  amount: 2_000,
} as const
const shapes = {
  get: base,
  post: { ...base, method: 'POST', style: 'body' },
  mixed: { ...base, method: 'POST', style: 'mixed' },
  old: { ...base, version: 1 },
  oldPost: { ...base, version: 1, method: 'POST', style: 'body' },
  upto: { ...base, scheme: 'upto' },
  several: { ...base, scheme: 'solana and exact' },
} satisfies Record<string, Omit<Shape, 'payTo'>>
type Name = keyof typeof shapes

const parts = new AsyncDisposableStack()
let chain: EvmChain
let facilitator: Facilitator
let directory: TestServer
const merchants = new Map<Name, Merchant>()

beforeAll(async () => {
  chain = parts.use(await openEvmChain())
  await chain.approve(payer.address)
  facilitator = parts.use(openFacilitator(chain))
  directory = parts.use(
    await openTestServer(
      { PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on', RATE_LIMIT: '0' },
      { clock: createHurriedClock() },
    ),
  )
  for (const [i, [name, shape]] of Object.entries(shapes).entries()) {
    const payTo = `0x${(0xabc0 + i).toString(16).padStart(40, '9')}` as const
    const merchant = parts.use(openMerchant(facilitator.url, { ...shape, payTo }))
    merchants.set(name as Name, merchant)
    await registerVerified(directory, {
      name: `Weather by ${name}`,
      description: `Weather of any city, the ${name} way.`,
      endpoint: merchant.url,
      category: 'weather',
      pricing: { currency: 'USDC', pricePerRequest: '0.002' },
      x402Config: { paymentAddress: payTo, network: 'base' },
    })
  }
}, 240_000)
afterAll(() => parts.disposeAsync())

type Found = {
  resource: string
  x402Version: number
  accepts: Record<string, unknown>[]
  metadata: Record<string, unknown>
  extensions: { bazaar: { info: { input: Input }; schema: object } }
}
type Input = { method: string; queryParams?: Record<string, unknown>; body?: unknown }

/** By nothing but what the item says. */
function toRequest({ resource, extensions }: Found): [string, RequestInit] {
  const { method, queryParams = {}, body } = extensions.bazaar.info.input
  const url = new URL(resource)
  for (const [name, value] of Object.entries(queryParams)) url.searchParams.set(name, String(value))
  const headers = { 'content-type': 'application/json' }
  return [url.href, { method, ...(body !== undefined && { headers, body: JSON.stringify(body) }) }]
}

const bazaar = () => withBazaar(new HTTPFacilitatorClient({ url: directory.url })).extensions.bazaar
const client = () => {
  const signer = privateKeyToAccount(payer.key)
  return new x402Client()
    .register('eip155:*', new ExactEvmScheme(signer))
    .register('eip155:*', new UptoEvmScheme(signer))
    .registerV1('base', new ExactEvmSchemeV1(signer))
}
const search = async (name: Name): Promise<Found> => {
  const { resources } = await bazaar().search({ query: `weather ${name} way`, limit: 10 })
  const { url } = merchants.get(name)!
  return resources.find(({ resource }) => resource.startsWith(url)) as unknown as Found
}

test.each(Object.keys(shapes) as Name[])('withBazaar finds %s, and @x402/fetch pays for it', async name => {
  const found = await search(name)
  const { shape } = merchants.get(name)!
  expect(found).toMatchObject({ x402Version: shape.version, metadata: { terms: 'seen' } })
  expect(found.extensions.bazaar.info.input.method).toBe(shape.method)
  expect(validateDiscoveryExtension(found.extensions.bazaar as never)).toMatchObject({ valid: true })
  const response = await wrapFetchWithPayment(fetch, client())(...toRequest(found))
  expect([response.status, await response.json()]).toMatchObject([200, { sunny: true }])
  expect(facilitator.settled.at(-1)?.payTo.toLowerCase()).toBe(shape.payTo)
  expect(found.accepts.map(({ payTo }) => String(payTo).toLowerCase())).toContain(shape.payTo)
})

test('@x402/axios pays for services found by its list', async () => {
  const { items } = await bazaar().listResources({ scheme: 'exact', extensions: 'bazaar', limit: 100 })
  const found = items.find(({ resource }) =>
    resource.startsWith(merchants.get('post')!.url),
  ) as unknown as Found
  const [url, { method, body, headers }] = toRequest(found)
  // It brings its own copy of the client's types.
  const { default: axios } = await from('axios', '@x402/axios')
  const pay = wrapAxiosWithPayment(axios.create(), client() as never)
  const { status, data } = await pay.request({ url, method: method!, data: body, headers: headers as never })
  expect([status, data]).toMatchObject([200, { sunny: true }])
})

test.each<Name>(['old', 'oldPost'])('a client of version 1 lists %s and pays for it', async name => {
  const { useFacilitator } = await from('x402/verify', 'x402-fetch')
  const { items } = await useFacilitator({ url: directory.url as `http://${string}` }).list({ limit: 100 })
  const found: Found = items.find(({ resource }: Found) => resource.startsWith(merchants.get(name)!.url))
  expect(found).toMatchObject({
    x402Version: 1,
    accepts: [{ network: 'base', maxAmountRequired: '2000', extra: { name: 'USD Coin' } }],
  })
  const pay = wrapFetchV1(fetch, await createSigner('base', payer.key))
  const [url, init] = toRequest(found)
  const response = await pay(url, init)
  expect([response.status, await response.json()]).toMatchObject([200, { sunny: true }])
})

test('schemes are filtered by the terms seen', async () => {
  const { items } = await bazaar().listResources({ scheme: 'upto', limit: 100 })
  expect(items.map(({ resource }) => resource)).toEqual([expect.stringContaining(merchants.get('upto')!.url)])
})

const hurried: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 10), signal),
}
const bare = { ...base, style: 'bare' } as const

const SETTLED: readonly [string, Omit<Shape, 'payTo'>, string][] = [
  ['exact', bare, 'authorization'],
  ['exact of version 1', { ...bare, version: 1 }, 'authorization'],
  ['exact by Permit2', { ...bare, scheme: 'exact by Permit2' }, 'permit2'],
  ['upto', { ...bare, scheme: 'upto' }, 'permit2'],
]
test.each(SETTLED)('a purchase by the scheme %s counts', async (_, shape, method) => {
  const payTo = privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as `0x${string}`
  await using merchant = openMerchant(facilitator.url, { ...shape, payTo })
  await using store = await openStore('sqlite::memory:', { clock: systemClock })
  const listed = entry(
    draft({
      endpoint: merchant.url,
      pricing: { currency: 'USDC', pricePerRequest: '0.002', freeQuota: 0 },
      x402Config: { paymentAddress: payTo, network: 'base' },
    }),
    { standing: { status: 'verified' } },
  )
  await store.insert([listed])
  await using _indexer = openIndexer({
    store,
    clock: hurried,
    rpcUrls: { 'eip155:8453': chain.url },
    settings: { backfillBlocks: 1_000 },
    facilitators: new Map(),
    report: () => {},
  })
  const response = await wrapFetchWithPayment(fetch, client())(merchant.url, { method: shape.method })
  expect(response.status).toBe(200)
  for (;;) {
    const { txCount } = (await store.find(listed.id))!.entry.standing
    if (txCount > 0) break
    await Bun.sleep(10)
  }
  expect(await store.payments.received('eip155:8453', payTo, 9)).toMatchObject([
    { method, payer: payer.address.toLowerCase(), serviceId: listed.id },
  ])
})
