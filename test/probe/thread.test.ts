// The rounds on a thread of their own, as a server runs them.
import { afterAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { openProbingThread } from '../../src/app/probing/thread.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { entry } from '../entries.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { until } from '../until.ts'
import { asksV2, onBase, openMerchant } from './merchant.ts'

const clock = systemClock
const parts = new AsyncDisposableStack()
afterAll(() => parts.disposeAsync())

function openThread(databaseUrl: string, rates?: string) {
  const troubles: string[] = []
  const onTrouble = (message: string, error: unknown) => void troubles.push(`${message}: ${error}`)
  const settings = {
    databaseUrl,
    allowPrivateEndpoints: true,
    publicUrl: undefined,
    assetsFile: undefined,
    rates,
  }
  return Object.assign(parts.use(openProbingThread({ settings, clock, onTrouble })), { troubles })
}

// They wait out the pauses between two requests, and none of them for another.
test.concurrent('a new service is probed, counted and published, and the lease is released at the end', async () => {
  const databaseUrl = `sqlite:${temporaryPath('store.db')}`
  const store = parts.use(await openStore(databaseUrl, { clock }))
  const merchant = parts.use(openMerchant({ '/v1': asksV2() }))
  const thread = openThread(databaseUrl)
  expect(thread.state()).toMatchObject({ by: 'nobody', lastProbeAt: null })
  await until(() => thread.state().by === 'this')
  const x402Config = { paymentAddress: onBase.payTo, network: 'base' }
  const listed = entry({ endpoint: `${merchant.url}/v1`, x402Config }, { now: new Date() })
  await store.insert([listed])
  await until(() => thread.outcomes.payable === 1)
  await until(() => thread.state().lastHour.payable === 1)
  expect(thread.state().by).toBe('this')
  expect((await store.find(listed.id))?.entry.standing.status).toBe('verified')
  await thread[Symbol.asyncDispose]()
  expect((await store.leases.find('probing'))!.endsAt.getTime()).toBeLessThanOrEqual(Date.now())
  expect(thread.troubles).toEqual([])
})

test.concurrent.each([
  { given: 'without rates', outcome: 'payable' },
  { given: 'with rates', outcome: 'mismatched' },
] as const)(
  '$given of the operator, a second price in another currency is $outcome',
  async ({ given, outcome }) => {
    const euro = { ...onBase, asset: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42', amount: '3600' }
    const merchant = parts.use(openMerchant({ '/v1': asksV2([onBase, euro]) }))
    const rates = temporaryPath('rates.json')
    await Bun.write(rates, JSON.stringify({ base: 'USD', date: '2026-11-16', rates: { EUR: 0.8 } }))
    const databaseUrl = `sqlite:${temporaryPath('store.db')}`
    const store = parts.use(await openStore(databaseUrl, { clock }))
    const thread = openThread(databaseUrl, given === 'with rates' ? rates : undefined)
    const x402Config = { paymentAddress: onBase.payTo, network: 'base' }
    const pricing = { currency: 'USDC', pricePerRequest: '0.0025', freeQuota: 0 }
    await store.insert([entry({ endpoint: `${merchant.url}/v1`, x402Config, pricing }, { now: new Date() })])
    await until(() => thread.outcomes.payable + thread.outcomes.mismatched === 1)
    expect(thread.outcomes[outcome]).toBe(1)
    expect(thread.troubles).toEqual([])
    await thread[Symbol.asyncDispose]()
  },
)

test.if(process.platform === 'linux')('the thread has a lower priority than requests', async () => {
  const databaseUrl = `sqlite:${temporaryPath('store.db')}`
  parts.use(await openStore(databaseUrl, { clock }))
  const thread = openThread(databaseUrl)
  await until(() => thread.state().by === 'this')
  const nicenesses = readdirSync('/proc/self/task').map(task => {
    const fields = readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return { task: Number(task), niceness: Number(fields[16]) }
  })
  expect(nicenesses.find(({ task }) => task === process.pid)?.niceness).toBeLessThan(10)
  expect(nicenesses.some(({ niceness }) => niceness === 10)).toBe(true)
})

test('errors of the thread are reported to the main thread, and shutdown does not wait for it', async () => {
  const thread = openThread('sqlite:')
  await until(() => thread.troubles.length > 0)
  expect(thread.troubles[0]).toContain('probing ended: ')
  expect(thread.troubles[0]).toContain('names no file')
  await thread[Symbol.asyncDispose]()
})
