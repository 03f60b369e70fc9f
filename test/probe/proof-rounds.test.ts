// When the probes look whether a domain speaks for a service, and what becomes of it in the store.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { isSignedByPayee } from '../../src/directory/sign-in.ts'
import { editEntry, toDraft } from '../../src/domain/listing/edit.ts'
import { levelOf } from '../../src/domain/standing/level.ts'
import { toTrust } from '../../src/domain/standing/trust.ts'
import { createProofReader } from '../../src/probe/documents/proof-reader.ts'
import { createProbe } from '../../src/probe/measure.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { openRounds } from '../../src/probe/rounds.ts'
import { createServiceProber, type ServiceProber } from '../../src/probe/service-prober.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { asksV2, type Merchant, onBase, openMerchant, PAYEE, STRANGER } from './merchant.ts'

const FILE = '/.well-known/shirube.json'
const HOUR_MS = 3_600_000
const file = (document: object) => ({ [FILE]: Response.json(document) })

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
  merchant = parts.use(openMerchant({ '/v1': asksV2() }))
  const fetch = createSafeFetch({ allowPrivate: true })
  const probe = createProbe({ fetch, userAgent: 'test', random: () => 1 })
  const readProof = createProofReader({
    fetch,
    isSigned: isSignedByPayee,
    userAgent: 'test',
    gate: { enter: async () => () => {} },
    clock,
  })
  prober = createServiceProber({ store, probe, readProof, clock, random: () => 0.5 })
  const listed = entry(
    {
      endpoint: `${merchant.url}/v1`,
      x402Config: { paymentAddress: PAYEE, network: 'base' },
      pricing: { currency: 'USDC', pricePerRequest: '0.0025', freeQuota: 0 },
    },
    { now: clock.now() },
  )
  id = listed.id
  await store.insert([listed])
})
afterEach(() => parts.disposeAsync())

const present = async () => (await store.find(id))!.entry
async function probeAfter(hours: number, options?: { readsProof: boolean }) {
  clock.advance(hours * HOUR_MS)
  await prober.record(await prober.measure((await store.find(id))!, { patienceMs: 60_000 }, options))
  return (await present()).proof
}
const looks = () => merchant.asked.filter(path => path === `GET ${FILE}`).length
const told = async () =>
  (await store.events.of(id, 9)).flatMap(({ reason }) =>
    reason?.code.startsWith('proof') ? reason.code : [],
  )

test('A proof is checked with the first probe and then daily, with an event when gained or lost', async () => {
  merchant.answer({ '/v1': asksV2(), ...file({ wallets: [PAYEE] }) })
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
  merchant.answer({ '/v1': asksV2(), ...file({ wallets: [PAYEE] }) })
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
  clock.advance(HOUR_MS)
  const x402Config = { paymentAddress: STRANGER, network: 'base' }
  const act = { by: 'owner', now: clock.now() } as const
  await store.update([id], kept => editEntry(kept, { ...toDraft(kept), x402Config }, act))
  expect(await present()).not.toHaveProperty('proof')
  expect(await probeAfter(1, { readsProof: true })).toBeUndefined()
  merchant.answer({ '/v1': asksV2([{ ...onBase, payTo: STRANGER }]), ...file({ services: [id] }) })
  expect(await probeAfter(1, { readsProof: true })).toMatchObject({ names: 'id' })
})

test('a host that requests a pause gets no further request', async () => {
  merchant.answer({ '/v1': new Response('', { status: 429 }), ...file({ wallets: [PAYEE] }) })
  expect(await probeAfter(1)).toBeUndefined()
  expect(looks()).toBe(0)
})

const verification = async () => {
  const { entry: kept, facts } = (await store.find(id))!
  return toTrust(kept, facts).components[0]!.code
}

test('a service whose origin asks not to be probed gets only the file once a day, and returns when it no longer does', async () => {
  merchant.answer({ '/v1': asksV2(), ...file({ wallets: [PAYEE] }) })
  await probeAfter(1)
  expect((await present()).standing.status).toBe('verified')
  merchant.answer({ '/v1': asksV2(), ...file({ probe: false, wallets: [PAYEE] }) })
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
  ['another wallet', () => asksV2([{ ...onBase, payTo: STRANGER }]), 'danger'],
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
  clock.advance(HOUR_MS)
  const act = { by: 'owner', now: clock.now() } as const
  await store.update([id], kept => editEntry(kept, { ...toDraft(kept), endpoint: `${other.url}/v1` }, act))
  await probeAfter(1)
  expect((await present()).standing.status).toBe('verified')
})

test('a service that is only probed without a name, and one that refuses, can ask not to be probed', async () => {
  for (const answer of [asksV2([{ ...onBase, payTo: STRANGER }]), new Response('', { status: 429 })]) {
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
