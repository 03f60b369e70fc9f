// From the measurement of a service to what the store keeps of it: its listing can change in between, and its domain can speak for it.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { isSignedByPayee } from '../../src/directory/sign-in.ts'
import { type EditContext, editEntry, toDraft } from '../../src/domain/listing/edit.ts'
import type { ServiceDraft } from '../../src/domain/listing/service.ts'
import { levelOf, toTrust } from '../../src/domain/standing/trust.ts'
import { createProofReader } from '../../src/probe/documents/proof-reader.ts'
import { createProbe } from '../../src/probe/probe.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { openRounds } from '../../src/probe/rounds.ts'
import { createServiceProber, type ServiceProber } from '../../src/probe/service-prober.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { asksV2, type Merchant, onBase, openMerchant, STRANGER } from './merchant.ts'

const PATIENCE = { patienceMs: 60_000 }
const HOUR_MS = 3_600_000
const FILE = '/.well-known/shirube.json'
const file = (document: object) => ({ [FILE]: Response.json(document) })
const byStranger = { ...onBase, payTo: STRANGER }

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
  const fetch = createSafeFetch({ allowPrivate: true })
  const userAgent = 'test'
  const probe = createProbe({ fetch, userAgent, random: () => 1 })
  const gate = { enter: async () => () => {} }
  const readProof = createProofReader({ fetch, isSigned: isSignedByPayee, userAgent, gate, clock })
  prober = createServiceProber({ store, probe, readProof, clock, random: () => 0.5 })
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
const measure = async () => prober.probe((await store.find(id))!, PATIENCE)
const probes = async () =>
  (await store.probes.history(id, 99)).flatMap(item => (item.kind === 'probe' ? [item.probe] : []))
async function claim() {
  const holder = 'the rounds'
  const due = await store.schedule.leaseDue(clock.now(), 9, { holder, leaseMs: 60_000 })
  expect(due.map(({ entry }) => entry.id)).toEqual([id])
  return { holder }
}
function edit(change: Partial<ServiceDraft>, afterMs = 1_000) {
  clock.advance(afterMs)
  const act: EditContext = { by: 'owner', now: clock.now() }
  return store.update([id], kept => editEntry(kept, { ...toDraft(kept), ...change }, act))
}

test('a folder that answers nothing is verified at once by a resource that its list names', async () => {
  const { provenance, ...listed } = entry(
    { ...toDraft(await present()), endpoint: `${merchant.url}/` },
    { now: clock.now() },
  )
  const origin = { key: 'a list', seq: 0, resource: `${merchant.url}/v2` }
  await store.insert([{ ...listed, provenance: { ...provenance, origin } }])
  await prober.record(await prober.probe((await store.find(listed.id))!, PATIENCE))
  expect((await store.find(listed.id))!.entry.standing.status).toBe('verified')
})

test('a probe measured before a rename counts, and moves no timestamp back', async () => {
  const measured = await measure()
  await edit({ name: 'Another name' })
  const { updatedAt } = await present()
  expect(await prober.record(measured)).toBeNumber()
  expect(await present()).toMatchObject({ updatedAt, standing: { status: 'verified' } })
})

test('a probe measured before a price change is judged by the new price', async () => {
  await prober.record(await measure())
  clock.advance(HOUR_MS)
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
  clock.advance(HOUR_MS)
  const { holder } = await claim()
  merchant.answer({ '/v1': asksV2([{ ...byStranger, amount: '900000' }]) })
  const measured = await measure()
  await edit(EDITS[what]!)
  expect(await prober.record(measured, holder)).toBeNumber()
  const { standing } = await present()
  expect(standing).toMatchObject({ status: 'unverified', lastChecked: measured.probe.at })
  expect(await probes()).toHaveLength(2)
})

test('a second probe requested meanwhile does not change that', async () => {
  await prober.record(await measure())
  clock.advance(HOUR_MS)
  const { holder } = await claim()
  merchant.answer({ '/v1': asksV2([byStranger]) })
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
  clock.advance(HOUR_MS)
  await prober.record(await measure())
  expect(merchant.asked.slice(asked).filter(path => !path.includes('/.well-known/'))).toEqual(['GET /v1'])
  expect((await store.terms.of(id))?.resources).toEqual(first!.resources)
})

test('a service that gave no terms yet is probed like a new one', async () => {
  merchant.answer({})
  await prober.record(await measure())
  merchant.answer({ '/v1': asksV2(), '/openapi.json': Response.json({ paths: {} }) })
  const before = merchant.asked.length
  clock.advance(HOUR_MS)
  await prober.record(await measure())
  expect(merchant.asked.slice(before)).toContain('GET /openapi.json')
  expect(await present()).toMatchObject({ standing: { status: 'verified' } })
})

// When the probes look whether a domain speaks for a service, and what becomes of it.

async function probeAfter(hours: number, options?: { readsProof: boolean }) {
  clock.advance(hours * HOUR_MS)
  await prober.record(await prober.probe((await store.find(id))!, PATIENCE, options))
  return (await present()).proof
}
const looks = () => merchant.asked.filter(path => path === `GET ${FILE}`).length
const told = async () =>
  (await store.events.of(id, 9)).flatMap(({ reason }) =>
    reason?.code.startsWith('proof') ? reason.code : [],
  )

test('A proof is checked with the first probe and then daily, with an event when gained or lost', async () => {
  merchant.answer({ '/v1': asksV2(), ...file({ wallets: [onBase.payTo] }) })
  expect(await probeAfter(1)).toMatchObject({ names: 'wallet' })
  for (let hour = 0; hour < 72; hour++) await probeAfter(1)
  expect(looks()).toBe(4)
  merchant.answer({ '/v1': asksV2() })
  const kept: boolean[] = []
  for (let day = 0; day < 4; day++) kept.push((await probeAfter(24)) !== undefined)
  expect(kept).toEqual([true, true, false, false])
  expect(await told()).toEqual(['proof_missing', 'proof_gained'])
})

test('A proof published later is found by a requested probe, which never drops one', async () => {
  const troubles: string[] = []
  const rounds = parts.use(
    openRounds({ store, prober, clock, onTrouble: message => void troubles.push(message) }),
  )
  const untilProbed = async (times: number) => {
    while (rounds.outcomes.payable !== times) {
      clock.advance(10)
      await Bun.sleep(1)
    }
    return (await present()).proof
  }
  const request = () => store.update([id], kept => ({ entry: kept, events: [], extraProbeAt: clock.now() }))
  expect(await untilProbed(1)).toBeUndefined()
  expect(looks()).toBe(1)
  merchant.answer({ '/v1': asksV2(), ...file({ wallets: [onBase.payTo] }) })
  // Sooner than what was read of the origin before is read again by itself.
  clock.advance(60_000)
  await request()
  expect(await untilProbed(2)).toMatchObject({ names: 'wallet' })
  merchant.answer({ '/v1': asksV2() })
  for (let times = 3; times < 6; times++) {
    await request()
    expect(await untilProbed(times)).toMatchObject({ names: 'wallet' })
  }
  expect(looks()).toBe(2)
  expect(troubles).toEqual([])
})

test('An id is no proof for an entry whose owner has pointed it at another wallet', async () => {
  merchant.answer({ '/v1': asksV2(), ...file({ services: [id] }) })
  expect(await probeAfter(1)).toMatchObject({ names: 'id' })
  await edit({ x402Config: { paymentAddress: STRANGER, network: 'base' } }, HOUR_MS)
  expect(await present()).not.toHaveProperty('proof')
  expect(await probeAfter(1, { readsProof: true })).toBeUndefined()
  merchant.answer({ '/v1': asksV2([byStranger]), ...file({ services: [id] }) })
  expect(await probeAfter(1, { readsProof: true })).toMatchObject({ names: 'id' })
})

test('a host that requests a pause gets no further request', async () => {
  merchant.answer({ '/v1': new Response('', { status: 429 }), ...file({ wallets: [onBase.payTo] }) })
  expect(await probeAfter(1)).toBeUndefined()
  expect(looks()).toBe(0)
})

const verification = async () => {
  const { entry: kept, facts } = (await store.find(id))!
  return toTrust(kept, facts).components[0]!.code
}

test('a service whose origin asks not to be probed gets only the file once a day, and returns when it no longer does', async () => {
  merchant.answer({ '/v1': asksV2(), ...file({ wallets: [onBase.payTo] }) })
  await probeAfter(1)
  expect((await present()).standing.status).toBe('verified')
  merchant.answer({ '/v1': asksV2(), ...file({ probe: false, wallets: [onBase.payTo] }) })
  await probeAfter(24)
  expect((await present()).standing.status).toBe('unverified')
  expect(levelOf(await present())).toBe('listed')
  expect(await verification()).toBe('probing_declined')
  const [event] = await store.events.of(id, 1)
  expect(event).toMatchObject({ type: 'status', reason: { code: 'probing_declined' } })
  for (let day = 0; day < 9; day++) {
    const before = merchant.asked.length
    await probeAfter(24)
    expect(merchant.asked.slice(before)).toEqual([`GET ${FILE}`])
    const dueIn = (hours: number) =>
      store.schedule.countDue(new Date(clock.now().getTime() + hours * HOUR_MS), 1)
    expect([await dueIn(23.9), await dueIn(24)]).toEqual([0, 1])
  }
  expect(await verification()).toBe('probing_declined')
  expect((await present()).proof).toMatchObject({ names: 'wallet' })
  merchant.answer({ '/v1': asksV2() })
  await probeAfter(24)
  expect((await present()).standing.status).toBe('verified')
  expect(await verification()).toBe('verified')
})

test.each<[string, () => Response, string]>([
  ['another wallet', () => asksV2([byStranger]), 'danger'],
  ['the listed wallet', () => asksV2(), 'listed'],
])('a request not to be probed does not hide that the endpoint pays %s', async (_, answer, level) => {
  merchant.answer({ '/v1': answer, ...file({ probe: false }) })
  await probeAfter(1)
  expect(levelOf(await present())).toBe(level as never)
  await probeAfter(24)
  expect(levelOf(await present())).toBe(level as never)
})

test('a request not to be probed is of one origin, and ends with a move to another', async () => {
  merchant.answer({ '/v1': asksV2(), ...file({ probe: false }) })
  await probeAfter(1)
  const other = parts.use(openMerchant({ '/v1': asksV2() }))
  await edit({ endpoint: `${other.url}/v1` }, HOUR_MS)
  await probeAfter(1)
  expect((await present()).standing.status).toBe('verified')
})

test('a service that is only probed without a name, and one that refuses, can ask not to be probed', async () => {
  for (const answer of [asksV2([byStranger]), new Response('', { status: 429 })]) {
    merchant.answer({ '/v1': answer })
    await probeAfter(24)
    await probeAfter(24)
    merchant.answer({ '/v1': answer, ...file({ probe: false }) })
    await probeAfter(24)
    const before = merchant.asked.length
    await probeAfter(24)
    expect(merchant.asked.slice(before)).toEqual([`GET ${FILE}`])
    merchant.answer({ '/v1': asksV2() })
    await probeAfter(24)
  }
})
