import { describe, expect, test } from 'bun:test'
import { createPostponing, HOST_PATIENCE_MS } from '../../../src/probe/next-probe.ts'
import {
  createHostGate,
  HostBusy,
  type HostGate,
  PER_ADDRESS,
  PER_HOST,
} from '../../../src/probe/requests/host-gate.ts'
import type { ResolvedHost } from '../../../src/probe/requests/safe-fetch.ts'
import { entry } from '../../entries.ts'
import { ManualClock } from '../../store/manual-clock.ts'

const PATIENT = { patienceMs: 1_000_000 }

/** Each host has an address of its own unless a test says otherwise. */
const at = (host: string, ...addresses: string[]): ResolvedHost => {
  const own = `10.0.${Bun.hash.crc32(host.replace(/\.$/, '')) % 256}.${host.length}`
  return { host, addresses: addresses.length > 0 ? addresses : [own] }
}

/** What is ready to happen happens. */
const settle = async () => {
  for (let i = 0; i < 10; i++) await new Promise(resolve => setImmediate(resolve))
}

function open() {
  const clock = new ManualClock()
  const gate = createHostGate(clock)
  /** In steps small enough for whoever looks again and again. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      clock.advance(Math.min(left, 100))
      await settle()
    }
  }
  const inside: (() => void)[] = []
  return {
    clock,
    gate,
    pass,
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

describe('a host', () => {
  test('is entered a second apart, other hosts at once', async () => {
    const { clock, pass, inside, arrive } = open()
    void arrive('a')
    void arrive('a.')
    void arrive('b')
    await settle()
    expect(inside).toHaveLength(2)
    await pass(PER_HOST.apartMs - 1)
    expect(inside).toHaveLength(2)
    clock.advance(1)
    await settle()
    expect(inside).toHaveLength(3)
  })

  test('has at most two requests in flight, however long they take', async () => {
    const { pass, inside, arrive } = open()
    for (let i = 0; i < 4; i++) void arrive('a')
    await pass(5 * PER_HOST.apartMs)
    expect(inside).toHaveLength(2)
    inside[0]!()
    inside[0]!()
    await settle()
    expect(inside).toHaveLength(3)
    inside[1]!()
    await settle()
    expect(inside).toHaveLength(3)
    await pass(PER_HOST.apartMs)
    expect(inside).toHaveLength(4)
  })

  test('rejects requests that would wait or have waited too long', async () => {
    const { pass, gate, inside, arrive } = open()
    const patience = (patienceMs: number) => ({ patienceMs })
    void arrive('a')
    await settle()
    await expect(arrive('a', patience(PER_HOST.apartMs - 1))).rejects.toBeInstanceOf(HostBusy)
    void arrive('a', patience(PER_HOST.apartMs))
    await expect(arrive('a', patience(PER_HOST.apartMs))).rejects.toBeInstanceOf(HostBusy)
    void arrive('b', patience(0))
    await pass(PER_HOST.apartMs)
    expect(inside).toHaveLength(3)
    await pass(PER_HOST.apartMs)
    // Two are inside and stay: that they will leave within a second was a guess.
    const late = gate.enter(at('a'), patience(2 * PER_HOST.apartMs))
    late.catch(() => {})
    await pass(2 * PER_HOST.apartMs + 200)
    await expect(late).rejects.toBeInstanceOf(HostBusy)
  })

  test('leaves no trace of an aborted wait', async () => {
    const { pass, inside, arrive } = open()
    const giveUp = new AbortController()
    void arrive('a')
    const waiting = arrive('a', { ...PATIENT, signal: giveUp.signal })
    giveUp.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await pass(PER_HOST.apartMs)
    expect(inside).toHaveLength(1)
    void arrive('a', { patienceMs: 0 })
    await settle()
    expect(inside).toHaveLength(2)
  })

  test('is not blocked by a clock that is set back', async () => {
    const { clock, pass, inside, arrive } = open()
    void arrive('a')
    await settle()
    inside[0]!()
    clock.advance(-3_600_000)
    void arrive('a')
    await settle()
    expect(inside).toHaveLength(1)
    await pass(2 * PER_HOST.apartMs)
    expect(inside).toHaveLength(2)
  })
})

describe('an address', () => {
  test('is limited in concurrency and rate, whatever host names it has', async () => {
    const { clock, pass, inside, arrive } = open()
    for (let i = 0; i < 10; i++) void arrive(at(`name-${i}.dev`, '192.0.2.7'))
    await settle()
    expect(inside).toHaveLength(1)
    clock.advance(PER_ADDRESS.apartMs - 1)
    await settle()
    expect(inside).toHaveLength(1)
    clock.advance(1)
    await settle()
    expect(inside).toHaveLength(2)
    await pass(5_000)
    expect(inside).toHaveLength(PER_ADDRESS.most)
    inside[0]!()
    inside[0]!()
    await settle()
    expect(inside).toHaveLength(PER_ADDRESS.most + 1)
    // Who lives elsewhere is not kept waiting.
    void arrive(at('elsewhere.dev', '192.0.2.8'), { patienceMs: 0 })
    await settle()
    expect(inside).toHaveLength(PER_ADDRESS.most + 2)
  })

  test.each([
    ['of IPv6 is a network of 64 bits', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9'],
    ['in IPv6 is the same address', '::ffff:192.0.2.7', '192.0.2.7'],
    ['behind a gateway is the same address', '64:ff9b::c000:207', '192.0.2.7'],
  ])('%s', async (_, first, second) => {
    const { inside, arrive } = open()
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
    const { clock, pass, gate } = open()
    const [inside, busy]: [(() => void)[], HostBusy[]] = [[], []]
    for (let i = 0; i < 200; i++)
      gate.enter(at(`name-${i}.dev`, '192.0.2.7'), { patienceMs: HOST_PATIENCE_MS }).then(
        leave => inside.push(leave),
        error => busy.push(error),
      )
    await settle()
    // As many wait as can begin within their patience, besides the one that has begun.
    expect(busy).toHaveLength(200 - 1 - HOST_PATIENCE_MS / PER_ADDRESS.apartMs)
    expect(busy.every(({ host }) => host === '192.0.2.7')).toBe(true)
    const postpone = createPostponing(clock)
    const dates = busy.map(each => postpone(each, entry()).getTime() - clock.now().getTime())
    expect(dates[0]).toBe(HOST_PATIENCE_MS + PER_ADDRESS.apartMs)
    expect(dates.at(-1)).toBe(HOST_PATIENCE_MS + busy.length * PER_ADDRESS.apartMs)
    await pass(HOST_PATIENCE_MS + 200)
    expect(inside).toHaveLength(PER_ADDRESS.most)
  })

  test('is not kept blocked by a clock that is set back', async () => {
    const { clock, pass, inside, arrive } = open()
    void arrive(at('a.dev', '192.0.2.7'))
    await settle()
    clock.advance(-3_600_000)
    void arrive(at('b.dev', '192.0.2.7'))
    await pass(2 * PER_HOST.apartMs)
    expect(inside).toHaveLength(2)
  })
})
