import { Database } from 'bun:sqlite'
import { afterEach, describe, expect, test } from 'bun:test'
import { editEntry, toDraft } from '../../src/domain/listing/edit.ts'
import { createEntry } from '../../src/domain/listing/service.ts'
import { createProbe, type Probe } from '../../src/probe/probe.ts'
import { createHostGate } from '../../src/probe/requests/host-gate.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { openRounds } from '../../src/probe/rounds.ts'
import { createServiceProber } from '../../src/probe/service-prober.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { draft, entry } from '../entries.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { lease } from '../store/schedule.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { asksV2, onBase } from './merchant.ts'

/** Where the interval is an hour. */
const MEAN = 1 - 1 / Math.E
const HOUR_MS = 3_600_000
const fetch = createSafeFetch({ allowPrivate: true })

let parts = new AsyncDisposableStack()
afterEach(async () => {
  const ended = parts
  parts = new AsyncDisposableStack()
  await ended.disposeAsync()
})

async function openParts(path?: string) {
  const clock = new ManualClock()
  const store = parts.use(await openStore(path ? `sqlite:${path}` : 'sqlite::memory:', { clock }))
  return { clock, store }
}

function startRounds(store: Store, clock: ManualClock) {
  const gate = createHostGate(clock)
  const troubles: string[] = []
  const ask = createProbe({ fetch, userAgent: 'test', gate, random: () => 1 })
  // One request each: what is new is asked more, and that is no matter of the rounds.
  const probe: Probe = ({ hasNoTerms: _, ...target }, patience) => ask(target, patience)
  const prober = createServiceProber({ store, probe, clock, random: () => MEAN })
  const onTrouble = (message: string) => void troubles.push(message)
  const rounds = parts.use(openRounds({ store, prober, clock, onTrouble }))
  const probed = () => Object.values(rounds.outcomes).reduce((sum, count) => sum + count, 0)
  return Object.assign(rounds, { probed, troubles })
}

/** One server on every loopback address: 127.0.0.1, 127.0.0.2 and so on are hosts of their own. */
function openHosts(answer: (request: Request) => Response | Promise<Response> = () => asksV2()) {
  const asked: string[] = []
  const server = Bun.serve({
    hostname: '0.0.0.0',
    port: 0,
    fetch(request) {
      asked.push(new URL(request.url).hostname)
      return answer(request)
    },
  })
  parts.defer(() => server.stop(true))
  const service = (host: string) =>
    entry(
      {
        endpoint: `http://${host}:${server.port}/v1`,
        x402Config: { paymentAddress: onBase.payTo, network: 'base' },
      },
      { now: new Date('2026-11-01T12:00:00Z') },
    )
  return { asked, service }
}

/** Moves the clock in small steps until it holds. */
async function until(clock: ManualClock, isSo: () => boolean | Promise<boolean>, stepMs = 10) {
  while (!(await isSo())) {
    clock.advance(stepMs)
    await Bun.sleep(1)
  }
}

const dueNow = (store: Store, clock: ManualClock) => store.schedule.countDue(clock.now(), 10_000)
const probesOf = async (store: Store, id: string) =>
  (await store.probes.history(id, 1_000)).filter(({ kind }) => kind === 'probe')
const standingOf = async (store: Store, id: string) => (await store.find(id))!.entry.standing

test('a new service is probed within seconds, and again about an hour later', async () => {
  const { clock, store } = await openParts()
  const { asked, service } = openHosts()
  const rounds = startRounds(store, clock)
  const listed = service('127.0.0.1')
  await store.insert([listed])
  const startMs = clock.now().getTime()
  await until(clock, () => rounds.outcomes.payable === 1)
  expect(clock.now().getTime() - startMs).toBeLessThan(60_000)
  expect(await standingOf(store, listed.id)).toMatchObject({ status: 'verified', uptimeScore: 100 })
  clock.advance(HOUR_MS * 0.9)
  await Bun.sleep(5)
  expect(asked).toHaveLength(1)
  await until(clock, () => rounds.outcomes.payable === 2, 60_000)
})

test('samples, reserved names, retired and hidden services are never probed', async () => {
  const { clock, store } = await openParts()
  const { asked, service } = openHosts()
  const sample = createEntry(draft({ endpoint: service('127.0.0.1').endpoint }), {
    id: service('127.0.0.1').id,
    now: clock.now(),
    source: 'sample',
  })
  const retired = { ...service('127.0.0.1'), retired: 'Closed.' }
  const hidden = { ...service('127.0.0.1'), hidden: { at: clock.now().toISOString(), why: 'Malware.' } }
  const last = service('127.0.0.9')
  await store.insert([sample, retired, hidden, entry({ endpoint: 'https://weather.example/v1' }), last])
  const rounds = startRounds(store, clock)
  await until(clock, () => rounds.probed() === 1)
  await until(clock, async () => (await store.schedule.countDue(clock.now(), 10)) === 0)
  expect(asked).toEqual(['127.0.0.9'])
  expect(
    await store.schedule.leaseDue(new Date(clock.now().getTime() + 900 * HOUR_MS), 10, lease(1)),
  ).toMatchObject([{ entry: { id: last.id } }])
})

describe('several processes', () => {
  const openSeveral = async (count: number) => {
    const path = temporaryPath('store.db')
    const { clock, store } = await openParts(path)
    const open = async () => parts.use(await openStore(`sqlite:${path}`, { clock }))
    return { clock, store, stores: await Promise.all(Array.from({ length: count }, open)) }
  }

  test('take turns: one probes, the next continues when it leaves, and nothing is stored twice', async () => {
    const { clock, store, stores } = await openSeveral(3)
    const { asked, service } = openHosts()
    const services = Array.from({ length: 60 }, (_, i) => service(`127.0.1.${i + 1}`))
    await store.insert(services)
    const all = stores.map(each => startRounds(each, clock))
    const probed = () => all.reduce((sum, each) => sum + each.probed(), 0)
    await until(clock, () => probed() >= 10)
    const [first, ...others] = all.toSorted((a, b) => b.probed() - a.probed())
    expect(others.map(each => each.probed())).toEqual([0, 0])
    expect([first!, ...others].map(each => each.state().by)).toEqual(['this', 'another', 'another'])
    await first![Symbol.asyncDispose]()
    const leftMs = clock.now().getTime()
    await until(clock, () => others.some(each => each.probed() > 0))
    expect(clock.now().getTime() - leftMs).toBeLessThan(10_000)
    await until(clock, () => probed() === 60)
    // What was under way when the first one left is asked once more, and nothing else.
    for (const { endpoint } of services) {
      const { hostname } = new URL(endpoint)
      expect(asked.filter(each => each === hostname).length).toBeWithin(1, 3)
    }
    for (const { id } of services) expect(await probesOf(store, id)).toHaveLength(1)
    await until(clock, () => others.every(each => each.state().lastHour.payable === 60), 500)
  })

  test('do not wait for one that hangs, and its late results are not stored', async () => {
    const { clock, store, stores } = await openSeveral(2)
    const slow = Promise.withResolvers<Response>()
    let calls = 0
    const { asked, service } = openHosts(() => (calls++ === 0 ? slow.promise : asksV2()))
    const listed = service('127.0.0.1')
    await store.insert([listed])
    // Its store stands still as the process would: it neither renews nor settles.
    const blocked = Promise.withResolvers<void>()
    let isBlocked = false
    const held = async <T>(work: () => Promise<T>) => {
      if (isBlocked) await blocked.promise
      return work()
    }
    const [stalling, other] = stores as [Store, Store]
    const leases = {
      ...stalling.leases,
      take: (...args: Parameters<Store['leases']['take']>) => held(() => stalling.leases.take(...args)),
    }
    const first = startRounds({ ...stalling, leases } as Store, clock)
    await until(clock, () => asked.length === 1)
    isBlocked = true
    const second = startRounds(other, clock)
    await until(clock, () => second.probed() === 1, 500)
    expect(second.state().by).toBe('this')
    slow.resolve(asksV2())
    isBlocked = false
    blocked.resolve()
    await until(clock, () => first.state().by === 'another', 100)
    expect(first.probed()).toBe(0)
    expect(await probesOf(store, listed.id)).toHaveLength(1)
  })
})

test('a probe that outlives its lease is not repeated and is stored once', async () => {
  const { clock, store } = await openParts()
  const slow = Promise.withResolvers<void>()
  const { asked, service } = openHosts(() => slow.promise.then(() => asksV2()))
  const listed = service('127.0.0.1')
  await store.insert([listed])
  const rounds = startRounds(store, clock)
  await until(clock, () => asked.length === 1)
  for (let i = 0; i < 20; i++) {
    clock.advance(4 * 60_000)
    await Bun.sleep(2)
  }
  slow.resolve()
  await until(clock, () => rounds.probed() === 1)
  expect(asked).toHaveLength(1)
  expect(await probesOf(store, listed.id)).toHaveLength(1)
  await until(clock, () => asked.length === 2, 60_000)
})

test('a service that moves during a probe is probed at its new endpoint, and the old response is not stored', async () => {
  const { clock, store } = await openParts()
  const slow = Promise.withResolvers<Response>()
  const { asked, service } = openHosts(request =>
    new URL(request.url).hostname === '127.0.0.1' ? slow.promise : asksV2(),
  )
  const listed = service('127.0.0.1')
  const moved = service('127.0.0.2')
  await store.insert([listed])
  startRounds(store, clock)
  await until(clock, () => asked.length === 1)
  await store.update([listed.id], each => ({
    entry: { ...each, endpoint: moved.endpoint },
    events: [],
    dueAt: clock.now(),
  }))
  // Claimed once more while the old place has not answered.
  await until(clock, async () => (await dueNow(store, clock)) === 0)
  expect(await probesOf(store, listed.id)).toEqual([])
  slow.resolve(asksV2())
  await until(clock, async () => (await probesOf(store, listed.id)).length === 1)
  expect(asked).toEqual(['127.0.0.1', '127.0.0.2'])
  expect(await standingOf(store, listed.id)).toMatchObject({ status: 'verified' })
})

describe('an owner who edits', () => {
  const reprice = (store: Store, id: string, pricePerRequest: string, now: Date) =>
    store.update([id], each => {
      const pricing = { ...each.pricing, pricePerRequest }
      return editEntry(each, { ...toDraft(each), pricing }, { by: 'owner', now })
    })

  test('is probed at once and at the scheduled time', async () => {
    const { clock, store } = await openParts()
    const { asked, service } = openHosts()
    const listed = service('127.0.0.1')
    await store.insert([listed])
    const rounds = startRounds(store, clock)
    await until(clock, () => rounds.probed() === 1)
    const firstMs = clock.now().getTime()
    clock.advance(HOUR_MS / 2)
    await reprice(store, listed.id, '0.0026', clock.now())
    const editedMs = clock.now().getTime()
    await until(clock, () => rounds.probed() === 2)
    expect(clock.now().getTime() - editedMs).toBeLessThan(60_000)
    await until(clock, () => rounds.probed() === 3, 10_000)
    expect(clock.now().getTime() - firstMs).toBeWithin(HOUR_MS - 60_000, HOUR_MS + 5 * 60_000)
    expect(asked).toHaveLength(3)
  })

  test('its price during every probe is detected, and causes no flood of probes', async () => {
    const { clock, store } = await openParts()
    const thief = { ...onBase, payTo: `0x${'2'.repeat(40)}`, amount: '900000' }
    let isThief = false
    let edits = 0
    const { asked, service } = openHosts(async () => {
      if (!isThief) return asksV2()
      await reprice(store, listed.id, `0.0${100_000 + ++edits}`, clock.now())
      return asksV2([thief])
    })
    const listed = service('127.0.0.1')
    await store.insert([listed])
    const rounds = startRounds(store, clock)
    await until(clock, () => rounds.probed() === 1)
    expect(await standingOf(store, listed.id)).toMatchObject({ status: 'verified' })
    isThief = true
    const before = asked.length
    clock.advance(HOUR_MS)
    await until(clock, () => rounds.probed() === 2)
    expect(await standingOf(store, listed.id)).toMatchObject({ status: 'unverified' })
    const endMs = clock.now().getTime() + 10 * 60_000
    await until(clock, () => clock.now().getTime() >= endMs, 1_000)
    // A second request of each probe looks whether the payee changes with every answer.
    expect(asked.length - before).toBeLessThan(2 * (5 + 10 + 2))
    expect(rounds.troubles).toEqual([])
  })
})

test('hundreds of listings by throwaway wallets delay the seller of a host by at most a minute', async () => {
  const { clock, store } = await openParts()
  const { service } = openHosts()
  const host = '127.0.0.1'
  const path = (name: string, owner: string) => {
    const listed = service(host)
    return { ...listed, endpoint: listed.endpoint.replace('/v1', `/${name}`), owner }
  }
  await store.insert(Array.from({ length: 200 }, (_, i) => path(`junk${i}`, `eip155:0x${i % 24}`)))
  const rounds = startRounds(store, clock)
  await until(clock, () => rounds.probed() >= 3)
  // All of them have been turned away, and wait.
  await until(clock, async () => (await dueNow(store, clock)) === 0)
  const own = path('own', 'key_honest')
  await store.insert([own])
  const startMs = clock.now().getTime()
  await until(clock, async () => (await standingOf(store, own.id)).status === 'verified', 50)
  expect(clock.now().getTime() - startMs).toBeLessThan(60_000)
  expect(rounds.probed()).toBeLessThan(60)
})

test('hundreds of hosts that hang leave room for others', async () => {
  const { clock, store } = await openParts()
  const released = Promise.withResolvers<void>()
  parts.defer(() => released.resolve())
  let hanging = 0
  const { service } = openHosts(async ({ url, signal }) => {
    if (new URL(url).hostname === '127.0.0.1') return asksV2()
    hanging++
    await Promise.race([released.promise, new Promise(end => signal.addEventListener('abort', end))])
    hanging--
    return asksV2()
  })
  startRounds(store, clock)
  await store.insert(Array.from({ length: 200 }, (_, i) => service(`127.0.1.${i + 1}`)))
  // More than are probed at a time where all of them answer.
  await until(clock, () => hanging > 128, 50)
  const other = service('127.0.0.1')
  await store.insert([other])
  await until(clock, async () => (await standingOf(store, other.id)).status === 'verified', 50)
  expect(hanging).toBeGreaterThan(0)
})

test('requests to one host are a second apart, and do not delay others', async () => {
  const { clock, store } = await openParts()
  const at: number[] = []
  const { service } = openHosts(request => {
    if (new URL(request.url).hostname === '127.0.0.1') at.push(clock.now().getTime())
    return asksV2()
  })
  await store.insert(Array.from({ length: 40 }, () => service('127.0.0.1')))
  const others = Array.from({ length: 40 }, (_, i) => service(`127.0.2.${i + 1}`))
  await store.insert(others)
  const rounds = startRounds(store, clock)
  const isVerified = async (id: string) => (await standingOf(store, id)).status === 'verified'
  await until(clock, async () => (await Promise.all(others.map(({ id }) => isVerified(id)))).every(Boolean))
  expect(at.length).toBeLessThan(30)
  await until(clock, () => rounds.outcomes.payable === 80, 100)
  // The clock moves while a request is on its way, so single distances are blurred; their sum is not.
  expect(at).toHaveLength(40)
  expect(at.at(-1)! - at[0]!).toBeGreaterThanOrEqual(38_000)
})

test('a host to which many others redirect gets no request for them', async () => {
  const { clock, store } = await openParts()
  let led = 0
  const { service } = openHosts(request => {
    const { hostname, port } = new URL(request.url)
    if (hostname.startsWith('127.0.3.')) return Response.redirect(`http://127.0.0.1:${port}/v1`)
    if (hostname === '127.0.0.1') led++
    return asksV2()
  })
  const leading = Array.from({ length: 200 }, (_, i) => service(`127.0.3.${i + 1}`))
  await store.insert(leading)
  const rounds = startRounds(store, clock)
  await until(clock, () => rounds.probed() >= 5)
  const fresh = service('127.0.0.9')
  await store.insert([fresh])
  const beforeMs = clock.now().getTime()
  await until(clock, async () => (await standingOf(store, fresh.id)).status === 'verified')
  expect(clock.now().getTime() - beforeMs).toBeLessThan(60_000)
  await until(clock, () => rounds.outcomes.unpayable === 200, 100)
  expect(led).toBe(0)
})

test('a new service is probed within seconds, even behind a long backlog', async () => {
  const { clock, store } = await openParts()
  const { service } = openHosts()
  await store.insert(Array.from({ length: 1_000 }, (_, i) => service(`127.1.${i >> 8}.${i & 255}`)))
  const rounds = startRounds(store, clock)
  await until(clock, () => rounds.probed() >= 50)
  const fresh = service('127.0.0.1')
  clock.advance(1)
  await store.insert([fresh])
  const before = rounds.probed()
  await until(clock, async () => (await standingOf(store, fresh.id)).status === 'verified')
  expect(rounds.probed() - before).toBeLessThan(400)
  expect(await dueNow(store, clock)).toBeGreaterThan(300)
})

describe('trouble', () => {
  test('a failing store pauses the rounds, and they continue when it is back', async () => {
    const path = temporaryPath('store.db')
    const { clock, store } = await openParts(path)
    const { service } = openHosts()
    const rounds = startRounds(store, clock)
    const db = new Database(path)
    parts.defer(() => db.close())
    db.run('PRAGMA busy_timeout = 5000')
    db.run('ALTER TABLE probe_schedule RENAME TO moved_away')
    await until(clock, () => rounds.troubles.length > 2, 1_000)
    expect(rounds.troubles[0]).toBe('probing waits for the store')
    db.run('ALTER TABLE moved_away RENAME TO probe_schedule')
    const listed = service('127.0.0.1')
    await store.insert([listed])
    await until(clock, () => rounds.outcomes.payable === 1, 1_000)
  })

  test('shutdown is quick while a host hangs, and its lease is released', async () => {
    const { clock, store } = await openParts()
    const hanging = Promise.withResolvers<Response>()
    const { asked, service } = openHosts(() => hanging.promise)
    const listed = service('127.0.0.1')
    await store.insert([listed])
    const rounds = startRounds(store, clock)
    await until(clock, () => asked.length === 1)
    await rounds[Symbol.asyncDispose]()
    expect(await store.schedule.leaseDue(clock.now(), 10, lease(1))).toMatchObject([
      { entry: { id: listed.id } },
    ])
    expect(await store.probes.days(listed.id, 1)).toEqual([])
    hanging.resolve(new Response())
  })
})

test('probes are deleted after 30 days and their daily totals after a year', async () => {
  const { clock, store } = await openParts()
  const { service } = openHosts()
  const listed = service('127.0.0.1')
  await store.insert([listed])
  const rounds = startRounds(store, clock)
  await until(clock, () => rounds.probed() === 1)
  const probes = async () => (await probesOf(store, listed.id)).length
  await until(clock, () => rounds.probed() >= 3, HOUR_MS / 4)
  expect(await probes()).toBeGreaterThanOrEqual(3)
  clock.advance(31 * 24 * HOUR_MS)
  await until(clock, async () => rounds.probed() > 3 && (await probes()) < rounds.probed(), HOUR_MS / 4)
  const { day, up } = (await store.probes.days(listed.id, 100)).at(-1)!
  expect(day).toBe('2026-11-01')
  expect(up).toBeGreaterThanOrEqual(3)
  expect((await standingOf(store, listed.id)).uptimeScore).toBe(100)
  clock.advance(340 * 24 * HOUR_MS)
  await until(
    clock,
    async () => (await store.probes.days(listed.id, 9)).every(({ day }) => day !== '2026-11-01'),
    HOUR_MS / 4,
  )
})
