// Payments as a provider sees them: in the status of the service, from a directory with a node of its own.
import { expect, test } from 'bun:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { readConfig } from '../../src/app/config.ts'
import { openApp } from '../../src/app/server.ts'
import type { Trust } from '../../src/domain/standing/trust.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { RENEW_EVERY_MS } from '../../src/runtime/lease.ts'
import { draft } from '../entries.ts'
import { openEvmChain } from './evm-chain.ts'

test('a payment on chain shows in the status of the service', async () => {
  await using chain = await openEvmChain()
  const [, alice] = chain.accounts as [never, `0x${string}`]
  const hurried: Clock = {
    now: systemClock.now,
    // Between two looks at the chain it renews its turn, again and again.
    sleep: (ms, signal) => systemClock.sleep(ms === RENEW_EVERY_MS ? 10 : ms, signal),
  }
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: 'sqlite::memory:',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'https://directory.example',
    PROBE: 'off',
    RPC_URL_BASE: chain.url,
  })
  await using app = await openApp(config, { clock: hurried })
  await app.caughtUp
  const [url] = app.urls
  const wallet = privateKeyToAccount(generatePrivateKey())
  const paymentAddress = wallet.address
  const post = (path: string, body: unknown, key?: string) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
    })
  // The wallet signs in and registers what pays it: by that it has claimed it.
  const asked = await post('/api/auth/challenge', { address: paymentAddress, network: 'base' })
  const { message } = (await asked.json()) as { message: string }
  const signature = await wallet.signMessage({ message })
  const { key } = (await (await post('/api/auth/keys', { message, signature })).json()) as { key: string }
  const listing = draft({ x402Config: { paymentAddress, network: 'eip155:8453' } })
  const registered = await post('/api/services', listing, key)
  const service = (await registered.json()) as { id: string }
  const read = async (path: string) => (await fetch(`${url}/api/services/${service.id}${path}`)).json()
  const becomes = async (txCount: number, totalRevenue: number) => {
    for (;;) {
      const status = (await read('/status')) as { txCount: number; totalRevenue: number }
      if (status.txCount === txCount && status.totalRevenue === totalRevenue) return
      await new Promise<void>(resolve => setTimeout(resolve, 10))
    }
  }
  expect(await read('/status')).toMatchObject({ txCount: 0, totalRevenue: 0 })

  await chain.settle(alice, paymentAddress, 2_000n)
  await chain.settle(alice, paymentAddress, 100_000n)
  await chain.client.mine({ blocks: 1 })
  await becomes(2, 0.102)
  const { payers, lastPaymentAt } = (await read('/trust')) as Trust
  expect(payers).toBe(1)
  expect(Date.parse(lastPaymentAt!)).toBeGreaterThan(0)
  // What the directory found out moves; the object of the service stays as it was, to the byte.
  expect(await read('')).toEqual(service)
})
