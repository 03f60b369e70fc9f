// Where a server lets the rounds run: beside its requests, or on a thread.
import { afterEach, expect, test } from 'bun:test'
import { createProbing } from '../../src/app/probing/probing.ts'
import { MAX_ON_SERVING_THREAD, openProbingThread, openRoundsBySize } from '../../src/app/probing/thread.ts'
import { openRounds } from '../../src/probe/rounds.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { entry } from '../entries.ts'
import { createHurriedClock } from '../hurried-clock.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { until } from '../until.ts'
import { asksV2, onBase, openMerchant } from './merchant.ts'

const clock = systemClock
let parts = new AsyncDisposableStack()
afterEach(async () => {
  const ended = parts
  parts = new AsyncDisposableStack()
  await ended.disposeAsync()
})

async function open(after: Promise<unknown>, size = 1) {
  const databaseUrl = `sqlite:${temporaryPath('store.db')}`
  const store = parts.use(await openStore(databaseUrl, { clock }))
  const merchant = parts.use(openMerchant({ '/v1': asksV2(), '/v2': asksV2() }))
  const settings = {
    databaseUrl,
    allowPrivateEndpoints: true,
    publicUrl: undefined,
    assetsFile: undefined,
    rates: undefined,
  }
  const opened: string[] = []
  const probing = createProbing(settings, store, clock)
  const catalog = { size }
  const rounds = parts.use(
    openRoundsBySize({
      size: () => catalog.size,
      after,
      openHere() {
        opened.push('here')
        return openRounds({ ...probing, store, clock })
      },
      openThread() {
        opened.push('thread')
        return openProbingThread({ settings, clock, onTrouble: () => {} })
      },
      clock: createHurriedClock(),
    }),
  )
  const list = (path: string) =>
    store.insert([
      entry(
        { endpoint: merchant.url + path, x402Config: { paymentAddress: onBase.payTo, network: 'base' } },
        { now: new Date() },
      ),
    ])
  return { store, catalog, rounds, opened, list }
}

test('few services are probed on the main thread, many on their own thread, and counts continue', async () => {
  const { catalog, rounds, opened, list } = await open(Promise.resolve())
  await until(() => rounds.state().by === 'this')
  await list('/v1')
  await until(() => rounds.outcomes.payable === 1)
  expect(opened).toEqual(['here'])
  catalog.size = MAX_ON_SERVING_THREAD + 1
  await until(() => opened.length === 2 && rounds.state().by === 'this')
  expect(opened).toEqual(['here', 'thread'])
  expect(rounds.outcomes.payable).toBe(1)
  await list('/v2')
  await until(() => rounds.outcomes.payable === 2)
})

test('many services are on a thread from the start', async () => {
  const { rounds, opened } = await open(Promise.resolve(), MAX_ON_SERVING_THREAD + 1)
  await until(() => rounds.state().by === 'this')
  expect(opened).toEqual(['thread'])
})

test('the rounds wait for their start signal, and can end before it', async () => {
  const beginning = Promise.withResolvers<void>()
  const { rounds, opened, store } = await open(beginning.promise)
  expect(rounds.state()).toMatchObject({ by: 'nobody', due: 0, lastProbeAt: null })
  await rounds[Symbol.asyncDispose]()
  expect([opened, await store.leases.find('probing')]).toEqual([[], undefined])
})
