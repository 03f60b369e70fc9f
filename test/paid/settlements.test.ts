// What the official clients pay and the official facilitator settles is what the directory counts as settled.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { ExactEvmSchemeV1 } from '@x402/evm/v1'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { openIndexer } from '../../src/chain/indexer.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { type EvmChain, openEvmChain } from '../chain/evm-chain.ts'
import { draft, entry } from '../entries.ts'
import { accountOf, type Facilitator, openFacilitator } from './facilitator.ts'
import { openMerchant, type Shape } from './merchants.ts'

const CHAIN = 'eip155:8453'
const payer = accountOf(5)
const hurried: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 10), signal),
}
const base = {
  version: 2,
  method: 'GET',
  style: 'bare',
  scheme: 'exact',
  word: 'Tokyo',
  amount: 2_000,
} as const

const parts = new AsyncDisposableStack()
let chain: EvmChain
let facilitator: Facilitator

beforeAll(async () => {
  chain = parts.use(await openEvmChain())
  await chain.approve(payer.address)
  facilitator = parts.use(openFacilitator(chain))
}, 120_000)
afterAll(() => parts.disposeAsync())

const pay = () => {
  const signer = privateKeyToAccount(payer.key)
  const client = new x402Client()
    .register('eip155:*', new ExactEvmScheme(signer))
    .register('eip155:*', new UptoEvmScheme(signer))
    .registerV1('base', new ExactEvmSchemeV1(signer))
  return wrapFetchWithPayment(fetch, client)
}

const cases: [string, Omit<Shape, 'payTo'>, string][] = [
  ['exact', base, 'authorization'],
  ['exact of version 1', { ...base, version: 1 }, 'authorization'],
  ['exact by Permit2', { ...base, scheme: 'exact by Permit2' }, 'permit2'],
  ['upto', { ...base, scheme: 'upto' }, 'permit2'],
]
test.each(cases)('a purchase by the scheme %s counts', async (_, shape, method) => {
  const payTo = privateKeyToAccount(
    `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}`,
  ).address.toLowerCase() as `0x${string}`
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
    rpcUrls: { [CHAIN]: chain.url },
    settings: { backfillBlocks: 1_000 },
    facilitators: new Map(),
    report: () => {},
  })
  const response = await pay()(merchant.url, { method: shape.method })
  expect(response.status).toBe(200)
  for (;;) {
    const { txCount } = (await store.find(listed.id))!.entry.standing
    if (txCount > 0) break
    await new Promise<void>(resolve => setTimeout(resolve, 10))
  }
  expect(await store.payments.received(CHAIN, payTo, 9)).toMatchObject([
    { method, payer: payer.address.toLowerCase(), serviceId: listed.id },
  ])
})
