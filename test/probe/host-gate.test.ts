import { afterEach, describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/clock.ts'
import { createHostGate, HostBusy, type HostGate } from '../../src/probe/host-gate.ts'
import { APART_MS, TURN_MS } from '../../src/probe/host-turns.ts'
import { openStore } from '../../src/store/open.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { temporaryPath } from '../store/temporary-path.ts'

const PATIENT = { patienceMs: 1_000_000 }

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
    async arrive(host: string, patience: Parameters<HostGate['enter']>[1] = PATIENT) {
      const arriving = gate.enter(host, patience).then(leave => void inside.push(leave))
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

  test('has no more than two inside, however long they stay', async () => {
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

  test('turns away whoever would wait, or has waited, for too long', async () => {
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
    const late = gate.enter('a', patience(2 * APART_MS))
    late.catch(() => {})
    await pass(2 * APART_MS + 200)
    await expect(late).rejects.toBeInstanceOf(HostBusy)
  })

  test('leaves no trace of who gives up waiting', async () => {
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

  test('is not kept out by a clock that is set back', async () => {
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

describe('several threads on a store', () => {
  test('are never inside together, and a second lies between them', async () => {
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

  test('have their turns in turn, however much one of them wants', async () => {
    const { openGate, pass } = await open()
    const [busy, other] = [openGate(), createVisitors(openGate())]
    let begun = 0
    let isEnough = false
    const askAgain = async () => {
      while (!isEnough) {
        const leave = await busy.enter('a', PATIENT)
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

  test('do not wait for one that was killed for longer than its turn', async () => {
    const { openGate, store, clock, pass } = await open()
    const terms = { holder: 'killed', now: clock.now(), leaseMs: TURN_MS }
    await store.hosts.take(['a'], terms)
    const { inside, arrive } = createVisitors(openGate())
    void arrive('a')
    await pass(TURN_MS - 1)
    expect(inside).toHaveLength(0)
    await pass(201)
    expect(inside).toHaveLength(1)
  })

  test('begin nothing after a standstill in which a turn has ended', async () => {
    const { openGate, clock, pass } = await open()
    const [frozen, other] = [createVisitors(openGate()), createVisitors(openGate())]
    void frozen.arrive('a')
    await settle()
    void frozen.arrive('a')
    void frozen.arrive('a')
    await settle()
    clock.advance(TURN_MS)
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

  test('get hosts ready with one write, and give them back when nobody comes', async () => {
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

  test('leave a closed gate behind as it was: the pause goes on', async () => {
    const { openGate, pass } = await open()
    const gate = openGate()
    ;(await gate.enter('a', PATIENT))()
    await gate[Symbol.asyncDispose]()
    const { inside, arrive } = createVisitors(openGate())
    void arrive('a')
    await pass(APART_MS - 1)
    expect(inside).toHaveLength(0)
    await pass(201)
    expect(inside).toHaveLength(1)
  })

  test('hold it together on real clocks, two files open at once', async () => {
    const path = temporaryPath('store.db')
    const inside = { now: 0, most: 0 }
    const starts: number[] = []
    const ask = async (gate: HostGate) => {
      const leave = await gate.enter('a', PATIENT)
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
    await Promise.all([0, 1, 0, 1].map(i => ask(gates[i]!)))
    expect(inside.most).toBeLessThanOrEqual(2)
    const distances = starts.slice(1).map((at, i) => at - starts[i]!)
    // A timer may be a hair early.
    for (const distance of distances) expect(distance).toBeGreaterThan(APART_MS - 20)
  }, 60_000)
})
