import { afterEach, describe, expect, test } from 'bun:test'
import {
  ADDRESS_APART_MS,
  APART_MS,
  createHostGate,
  HostBusy,
  type HostGate,
  LEASE_MS,
  MAX_PER_ADDRESS,
} from '../../../src/probe/requests/host-gate.ts'
import type { ResolvedHost } from '../../../src/probe/requests/safe-fetch.ts'
import { createPostponing, HOST_PATIENCE_MS } from '../../../src/probe/rounds.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import { entry } from '../../entries.ts'
import { ManualClock } from '../../store/manual-clock.ts'
import { temporaryPath } from '../../store/temporary-path.ts'

const PATIENT = { patienceMs: 1_000_000 }

/** Each host has an address of its own unless a test says otherwise. */
const at = (host: string, ...addresses: string[]): ResolvedHost => {
  const own = `10.0.${Bun.hash.crc32(host.replace(/\.$/, '')) % 256}.${host.length}`
  return { host, addresses: addresses.length > 0 ? addresses : [own] }
}

let parts = new AsyncDisposableStack()
afterEach(async () => {
  const ended = parts
  parts = new AsyncDisposableStack()
  await ended.disposeAsync()
})

/** What is ready to happen happens: writes too. */
const settle = async () => {
  for (let i = 0; i < 40; i++) await new Promise(resolve => setImmediate(resolve))
}

async function open() {
  const clock = new ManualClock()
  const store = parts.use(await openStore('sqlite::memory:', { clock }))
  const openGate = () => parts.use(createHostGate({ hosts: store.hosts, clock }))
  /** In steps small enough for whoever looks again and again. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      clock.advance(Math.min(left, 100))
      await settle()
    }
  }
  return { clock, store, openGate, pass }
}

function createVisitors(gate: HostGate) {
  const inside: (() => void)[] = []
  return {
    inside,
    async arrive(to: string | ResolvedHost, patience: Parameters<HostGate['enter']>[1] = PATIENT) {
      const arriving = gate
        .enter(typeof to === 'string' ? at(to) : to, patience)
        .then(leave => void inside.push(leave))
      arriving.catch(() => {})
      await settle()
      return arriving
    },
  }
}

describe('one thread', () => {
  test('enters a host a second apart, other hosts at once', async () => {
    const { openGate, clock, pass } = await open()
    const { inside, arrive } = createVisitors(openGate())
    void arrive('a')
    void arrive('a.')
    void arrive('b')
    await settle()
    expect(inside).toHaveLength(2)
    await pass(APART_MS - 1)
    expect(inside).toHaveLength(2)
    clock.advance(1)
    await settle()
    expect(inside).toHaveLength(3)
  })

  test('has at most two requests in flight, however long they take', async () => {
    const { openGate, pass } = await open()
    const { inside, arrive } = createVisitors(openGate())
    for (let i = 0; i < 4; i++) void arrive('a')
    await pass(5 * APART_MS)
    expect(inside).toHaveLength(2)
    inside[0]!()
    inside[0]!()
    await settle()
    expect(inside).toHaveLength(3)
    inside[1]!()
    await settle()
    expect(inside).toHaveLength(3)
    await pass(APART_MS)
    expect(inside).toHaveLength(4)
  })

  test('rejects requests that would wait or have waited too long', async () => {
    const { openGate, pass } = await open()
    const gate = openGate()
    const { inside, arrive } = createVisitors(gate)
    const patience = (patienceMs: number) => ({ patienceMs })
    void arrive('a')
    await settle()
    await expect(arrive('a', patience(APART_MS - 1))).rejects.toBeInstanceOf(HostBusy)
    void arrive('a', patience(APART_MS))
    await expect(arrive('a', patience(APART_MS))).rejects.toBeInstanceOf(HostBusy)
    void arrive('b', patience(0))
    await pass(APART_MS)
    expect(inside).toHaveLength(3)
    await pass(APART_MS)
    // Two are inside and stay: that they will leave within a second was a guess.
    const late = gate.enter(at('a'), patience(2 * APART_MS))
    late.catch(() => {})
    await pass(2 * APART_MS + 200)
    await expect(late).rejects.toBeInstanceOf(HostBusy)
  })

  test('leaves no trace of an aborted wait', async () => {
    const { openGate, pass } = await open()
    const { inside, arrive } = createVisitors(openGate())
    const giveUp = new AbortController()
    void arrive('a')
    const waiting = arrive('a', { ...PATIENT, signal: giveUp.signal })
    giveUp.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await pass(APART_MS)
    expect(inside).toHaveLength(1)
    void arrive('a', { patienceMs: 0 })
    await settle()
    expect(inside).toHaveLength(2)
  })

  test('is not blocked by a clock that is set back', async () => {
    const { openGate, clock, pass } = await open()
    const { inside, arrive } = createVisitors(openGate())
    void arrive('a')
    await settle()
    inside[0]!()
    clock.advance(-3_600_000)
    void arrive('a')
    await settle()
    expect(inside).toHaveLength(1)
    await pass(2 * APART_MS)
    expect(inside).toHaveLength(2)
  })
})

describe('an address', () => {
  test('is limited in concurrency and rate, whatever host names it has', async () => {
    const { openGate, clock, pass } = await open()
    const { inside, arrive } = createVisitors(openGate())
    for (let i = 0; i < 40; i++) void arrive(at(`name-${i}.dev`, '192.0.2.7'))
    await settle()
    expect(inside).toHaveLength(1)
    clock.advance(ADDRESS_APART_MS - 1)
    await settle()
    expect(inside).toHaveLength(1)
    clock.advance(1)
    await settle()
    expect(inside).toHaveLength(2)
    await pass(5_000)
    expect(inside).toHaveLength(MAX_PER_ADDRESS)
    inside[0]!()
    inside[0]!()
    await settle()
    expect(inside).toHaveLength(MAX_PER_ADDRESS + 1)
    // Who lives elsewhere is not kept waiting.
    void arrive(at('elsewhere.dev', '192.0.2.8'), { patienceMs: 0 })
    await settle()
    expect(inside).toHaveLength(MAX_PER_ADDRESS + 2)
  })

  test.each([
    ['of IPv6 is a network of 64 bits', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9'],
    ['in IPv6 is the same address', '::ffff:192.0.2.7', '192.0.2.7'],
    ['behind a gateway is the same address', '64:ff9b::c000:207', '192.0.2.7'],
  ])('%s', async (_, first, second) => {
    const { openGate } = await open()
    const { inside, arrive } = createVisitors(openGate())
    void arrive(at('a.dev', first))
    await settle()
    await expect(arrive(at('b.dev', second), { patienceMs: 0 })).rejects.toBeInstanceOf(HostBusy)
    await expect(arrive(at('c.dev', '2001:db8:9::1', second), { patienceMs: 0 })).rejects.toBeInstanceOf(
      HostBusy,
    )
    void arrive(at('d.dev', '2001:db8:1:3::1'), { patienceMs: 0 })
    await settle()
    expect(inside).toHaveLength(2)
  })

  test('rejects requests that would wait too long, with the time to retry', async () => {
    const { openGate, clock, pass } = await open()
    const gate = openGate()
    const [inside, busy]: [(() => void)[], HostBusy[]] = [[], []]
    for (let i = 0; i < 200; i++)
      gate.enter(at(`name-${i}.dev`, '192.0.2.7'), { patienceMs: HOST_PATIENCE_MS }).then(
        leave => inside.push(leave),
        error => busy.push(error),
      )
    await settle()
    // As many wait as can begin within their patience, besides the one that has begun.
    expect(busy).toHaveLength(200 - 1 - HOST_PATIENCE_MS / ADDRESS_APART_MS)
    expect(busy.every(({ place }) => place === '192.0.2.7')).toBe(true)
    const postpone = createPostponing(clock)
    const dates = busy.map(each => postpone(each, entry()).getTime() - clock.now().getTime())
    expect(dates[0]).toBe(HOST_PATIENCE_MS + ADDRESS_APART_MS)
    expect(dates.at(-1)).toBe(HOST_PATIENCE_MS + busy.length * ADDRESS_APART_MS)
    await pass(HOST_PATIENCE_MS + 200)
    expect(inside).toHaveLength(MAX_PER_ADDRESS)
  })

  test('is not kept blocked by a clock that is set back', async () => {
    const { openGate, clock, pass } = await open()
    const { inside, arrive } = createVisitors(openGate())
    void arrive(at('a.dev', '192.0.2.7'))
    await settle()
    clock.advance(-3_600_000)
    void arrive(at('b.dev', '192.0.2.7'))
    await pass(2 * APART_MS)
    expect(inside).toHaveLength(2)
  })
})

describe('several threads on a store', () => {
  test('never request a host at once, and keep a second between requests', async () => {
    const { openGate, pass } = await open()
    const [one, other] = [createVisitors(openGate()), createVisitors(openGate())]
    void one.arrive('a')
    void one.arrive('a')
    void other.arrive('a')
    void other.arrive('b')
    await settle()
    expect([one.inside.length, other.inside.length]).toEqual([1, 1])
    await pass(5 * APART_MS)
    expect([one.inside.length, other.inside.length]).toEqual([2, 1])
    for (const leave of one.inside) leave()
    await pass(3 * APART_MS)
    expect(other.inside).toHaveLength(2)
  })

  test('get leases in turn, however many requests one of them has', async () => {
    const { openGate, pass } = await open()
    const [busy, other] = [openGate(), createVisitors(openGate())]
    let begun = 0
    let isEnough = false
    const askAgain = async () => {
      while (!isEnough) {
        const leave = await busy.enter(at('a'), PATIENT)
        begun++
        leave()
      }
    }
    const asking = [askAgain(), askAgain()]
    await settle()
    void other.arrive('a')
    await pass(15_000)
    expect(other.inside).toHaveLength(1)
    other.inside[0]!()
    const before = begun
    await pass(15_000)
    expect(begun).toBeGreaterThan(before)
    isEnough = true
    await pass(15_000)
    await Promise.all(asking)
  })

  test('do not wait for one that was killed longer than its lease', async () => {
    const { openGate, store, clock, pass } = await open()
    const terms = { holder: 'killed', now: clock.now(), leaseMs: LEASE_MS }
    await store.hosts.take(['a'], terms)
    const { inside, arrive } = createVisitors(openGate())
    void arrive('a')
    await pass(LEASE_MS - 1)
    expect(inside).toHaveLength(0)
    await pass(201)
    expect(inside).toHaveLength(1)
  })

  test('start nothing after a pause during which the lease ended', async () => {
    const { openGate, clock, pass } = await open()
    const [frozen, other] = [createVisitors(openGate()), createVisitors(openGate())]
    void frozen.arrive('a')
    await settle()
    void frozen.arrive('a')
    void frozen.arrive('a')
    await settle()
    clock.advance(LEASE_MS)
    void other.arrive('a')
    await settle()
    expect([frozen.inside.length, other.inside.length]).toEqual([1, 1])
    frozen.inside[0]!()
    await pass(3 * APART_MS)
    expect([frozen.inside.length, other.inside.length]).toEqual([1, 1])
    other.inside[0]!()
    await pass(3 * APART_MS)
    expect(frozen.inside.length).toBeGreaterThan(1)
  })

  test('lease hosts with one write, and release them if unused', async () => {
    const { openGate, store, clock, pass } = await open()
    let writes = 0
    const counted: typeof store.hosts = {
      take: (hosts, terms) => {
        writes++
        return store.hosts.take(hosts, terms)
      },
      leave: (ends, terms) => store.hosts.leave(ends, terms),
    }
    const gate = parts.use(createHostGate({ hosts: counted, clock }))
    const names = Array.from({ length: 20 }, (_, i) => `host-${i}`)
    await gate.reserve(names)
    const { inside, arrive } = createVisitors(gate)
    for (const name of names.slice(1)) void arrive(name)
    await gate.reserve(names)
    await settle()
    expect(inside).toHaveLength(19)
    expect(writes).toBe(1)
    const other = createVisitors(openGate())
    void other.arrive(names[0]!)
    await pass(9_000)
    expect(other.inside).toHaveLength(0)
    await pass(3_000)
    expect(other.inside).toHaveLength(1)
    for (const leave of inside) leave()
    void other.arrive(names[1]!)
    await pass(2_000)
    expect(other.inside).toHaveLength(2)
  })

  test('keep the pause of a host when a gate is closed', async () => {
    const { openGate, pass } = await open()
    const gate = openGate()
    ;(await gate.enter(at('a'), PATIENT))()
    await gate[Symbol.asyncDispose]()
    const { inside, arrive } = createVisitors(openGate())
    void arrive('a')
    await pass(APART_MS - 1)
    expect(inside).toHaveLength(0)
    await pass(201)
    expect(inside).toHaveLength(1)
  })

  test('share the limit on real clocks with two open files', async () => {
    const path = temporaryPath('store.db')
    const inside = { now: 0, most: 0 }
    const starts: number[] = []
    const ask = async (gate: HostGate) => {
      const leave = await gate.enter(at('a'), PATIENT)
      starts.push(performance.now())
      inside.most = Math.max(inside.most, ++inside.now)
      await Bun.sleep(1_500)
      inside.now--
      leave()
    }
    const gates: HostGate[] = []
    for (let i = 0; i < 2; i++) {
      const store = parts.use(await openStore(`sqlite:${path}`, { clock: systemClock }))
      gates.push(parts.use(createHostGate({ hosts: store.hosts, clock: systemClock })))
    }
    const began = performance.now()
    await Promise.all([0, 1, 0, 1].map(i => ask(gates[i]!)))
    expect(inside.most).toBeLessThanOrEqual(2)
    // A busy machine makes one late, never early; only a timer may be so, by a hair.
    starts.forEach((at, i) => void expect(at - began).toBeGreaterThan(i * (APART_MS - 20)))
  })
})
