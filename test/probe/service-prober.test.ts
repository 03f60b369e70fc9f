// Between the measurement of a service and the settling of what was measured its listing can change.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type EditContext, editEntry, toDraft } from '../../src/domain/listing/edit.ts'
import type { ServiceDraft } from '../../src/domain/listing/service.ts'
import { createProbe } from '../../src/probe/measure.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { createServiceProber, type ServiceProber } from '../../src/probe/service-prober.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { asksV2, type Merchant, onBase, openMerchant } from './merchant.ts'

const PATIENCE = { patienceMs: 60_000 }

let parts: AsyncDisposableStack
let clock: ManualClock
let store: Store
let merchant: Merchant
let prober: ServiceProber
let id: string
beforeEach(async () => {
  parts = new AsyncDisposableStack()
  clock = new ManualClock()
  store = parts.use(await openStore('sqlite::memory:', { clock }))
  merchant = parts.use(openMerchant({ '/v1': asksV2(), '/v2': asksV2() }))
  const probe = createProbe({
    fetch: createSafeFetch({ allowPrivate: true }),
    userAgent: 'test',
    random: () => 1,
  })
  prober = createServiceProber({ store, probe, clock, random: () => 0.5 })
  const listed = entry(
    {
      endpoint: `${merchant.url}/v1`,
      x402Config: { paymentAddress: onBase.payTo, network: 'base' },
      pricing: { currency: 'USDC', pricePerRequest: '0.0025', freeQuota: 0 },
    },
    { now: clock.now() },
  )
  id = listed.id
  await store.insert([listed])
})
afterEach(() => parts.disposeAsync())

const present = async () => (await store.find(id))!.entry
const measure = async () => prober.measure((await store.find(id))!, PATIENCE)
const probes = async () =>
  (await store.probes.history(id, 99)).flatMap(item => (item.kind === 'probe' ? [item.probe] : []))
async function claim() {
  const holder = 'the rounds'
  const due = await store.schedule.claimDue(clock.now(), 9, { holder, leaseMs: 60_000 })
  expect(due.map(({ entry }) => entry.id)).toEqual([id])
  return { holder }
}
function edit(change: Partial<ServiceDraft>) {
  clock.advance(1_000)
  const act: EditContext = { by: 'owner', now: clock.now() }
  return store.update([id], kept => editEntry(kept, { ...toDraft(kept), ...change }, act))
}

test('a probe measured before a rename counts, and moves no timestamp back', async () => {
  const measured = await measure()
  await edit({ name: 'Another name' })
  const { updatedAt } = await present()
  expect(await prober.record(measured)).toBeNumber()
  expect(await present()).toMatchObject({ updatedAt, standing: { status: 'verified' } })
})

test('a probe measured before a price change is judged by the new price', async () => {
  await prober.record(await measure())
  clock.advance(3_600_000)
  const measured = await measure()
  expect(measured.probe).toMatchObject({ outcome: 'payable', asListed: true })
  await edit({ pricing: { currency: 'USDC', pricePerRequest: '0.001', freeQuota: 0 } })
  expect(await prober.record(measured)).toBeNumber()
  const { standing, seen } = await present()
  expect({ status: standing.status, price: seen?.price }).toEqual({ status: 'unverified', price: 'higher' })
  const [kept] = await probes()
  expect(kept).toMatchObject({
    outcome: 'mismatched',
    asListed: false,
    reasons: [{ code: 'asks_more' }, { code: 'request_was' }],
  })
})

const EDITS: Record<string, Partial<ServiceDraft>> = {
  'its price': { pricing: { currency: 'USDC', pricePerRequest: '0.0026', freeQuota: 0 } },
  'its currency': { pricing: { currency: 'USDT', pricePerRequest: '0.0025', freeQuota: 0 } },
  'the spelling of its network': { x402Config: { paymentAddress: onBase.payTo, network: 'eip155:8453' } },
  'the spelling of its address': {
    x402Config: { paymentAddress: onBase.payTo.toUpperCase().replace('0X', '0x'), network: 'base' },
  },
}
test.each(Object.keys(EDITS))('a bad probe cannot be discarded by an edit of %s', async what => {
  await prober.record(await measure())
  expect((await present()).standing.status).toBe('verified')
  clock.advance(3_600_000)
  const { holder } = await claim()
  merchant.answer({ '/v1': asksV2([{ ...onBase, payTo: `0x${'2'.repeat(40)}`, amount: '900000' }]) })
  const measured = await measure()
  await edit(EDITS[what]!)
  expect(await prober.record(measured, holder)).toBeNumber()
  const { standing } = await present()
  expect(standing).toMatchObject({ status: 'unverified', lastChecked: measured.probe.at })
  expect(await probes()).toHaveLength(2)
})

test('a second probe requested meanwhile does not change that', async () => {
  await prober.record(await measure())
  clock.advance(3_600_000)
  const { holder } = await claim()
  merchant.answer({ '/v1': asksV2([{ ...onBase, payTo: `0x${'2'.repeat(40)}` }]) })
  const measured = await measure()
  await store.update([id], kept => ({ entry: kept, events: [], extraProbeAt: clock.now() }))
  expect(await prober.record(measured, holder)).toBeNumber()
  expect((await present()).standing.status).toBe('unverified')
})

test('a probe measured before a service moved away does not count once it is back', async () => {
  const measured = await measure()
  await edit({ endpoint: `${merchant.url}/v2` })
  await edit({ endpoint: `${merchant.url}/v1` })
  expect(await prober.record(measured)).toBeUndefined()
  expect((await present()).standing.status).toBe('unverified')
  expect(await prober.record(await measure())).toBeNumber()
  expect((await present()).standing.status).toBe('verified')
})

test('resources in documents are published from the first probe on, and stay until the documents are read again', async () => {
  const schema = { type: 'object', required: ['port'], properties: { port: { type: 'string' } } }
  const paths = {
    '/v1': { get: { description: 'Tides', parameters: [{ name: 'port', in: 'query', schema }] } },
    '/v1/waves': { post: { 'x-payment-info': { price: { amount: '0.01', currency: 'USD' } } } },
  }
  merchant.answer({ '/v1': asksV2(), '/openapi.json': Response.json({ paths }) })
  await prober.record(await measure())
  const first = await store.terms.of(id)
  expect(first?.resources).toMatchObject([
    { url: `${merchant.url}/v1`, description: 'Tides', input: { properties: { port: {} } }, source: '402' },
    { url: `${merchant.url}/v1/waves`, method: 'POST', declaredPrice: { amount: '0.01' }, source: 'openapi' },
  ])
  // What a document alone says is not what the endpoint asks.
  expect((await present()).seen?.resources).toHaveLength(1)
  const asked = merchant.asked.length
  clock.advance(3_600_000)
  await prober.record(await measure())
  expect(merchant.asked.length).toBe(asked + 1)
  expect((await store.terms.of(id))?.resources).toEqual(first!.resources)
})

test('a service that gave no terms yet is probed like a new one', async () => {
  merchant.answer({})
  await prober.record(await measure())
  merchant.answer({ '/v1': asksV2(), '/openapi.json': Response.json({ paths: {} }) })
  const before = merchant.asked.length
  clock.advance(3_600_000)
  await prober.record(await measure())
  expect(merchant.asked.slice(before)).toContain('GET /openapi.json')
  expect(await present()).toMatchObject({ standing: { status: 'verified' } })
})
