import { expect, test } from 'bun:test'
import { APART_MS, createHostGate } from '../../src/probe/host-gate.ts'
import { ManualClock } from '../store/manual-clock.ts'

const settle = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve()
}

function createVisitors(gate: ReturnType<typeof createHostGate>) {
  const inside: (() => void)[] = []
  return {
    inside,
    async arrive(host: string, signal?: AbortSignal) {
      const arriving = gate.enter(host, signal).then(leave => void inside.push(leave))
      arriving.catch(() => {})
      await settle()
      return arriving
    },
  }
}

test('a host is entered a second apart, other hosts at once', async () => {
  const clock = new ManualClock()
  const gate = createHostGate(clock)
  const { inside, arrive } = createVisitors(gate)
  void arrive('a')
  void arrive('a')
  void arrive('b')
  await settle()
  expect(inside).toHaveLength(2)
  clock.advance(APART_MS - 1)
  await settle()
  expect(inside).toHaveLength(2)
  clock.advance(1)
  await settle()
  expect(inside).toHaveLength(3)
})

test('no more than two are inside, however long they stay', async () => {
  const clock = new ManualClock()
  const gate = createHostGate(clock)
  const { inside, arrive } = createVisitors(gate)
  for (let i = 0; i < 4; i++) void arrive('a')
  for (let i = 0; i < 20; i++) {
    clock.advance(APART_MS)
    await settle()
  }
  expect(inside).toHaveLength(2)
  inside[0]!()
  inside[0]!()
  await settle()
  expect(inside).toHaveLength(3)
  inside[1]!()
  await settle()
  expect(inside).toHaveLength(3)
  clock.advance(APART_MS)
  await settle()
  expect(inside).toHaveLength(4)
})

test('tells how long it would take', async () => {
  const clock = new ManualClock()
  const gate = createHostGate(clock)
  const { arrive } = createVisitors(gate)
  expect(gate.waitMs('a')).toBe(0)
  void arrive('a')
  await settle()
  expect(gate.waitMs('a')).toBe(APART_MS)
  void arrive('a')
  await settle()
  expect(gate.waitMs('a')).toBe(2 * APART_MS)
  expect(gate.waitMs('b')).toBe(0)
})

test('who gives up waiting leaves no trace', async () => {
  const clock = new ManualClock()
  const gate = createHostGate(clock)
  const { inside, arrive } = createVisitors(gate)
  const giveUp = new AbortController()
  void arrive('a')
  const waiting = arrive('a', giveUp.signal)
  giveUp.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  clock.advance(APART_MS)
  await settle()
  expect(inside).toHaveLength(1)
  expect(gate.waitMs('a')).toBe(0)
})

test('a clock that is set back closes a host for no longer than the distance', async () => {
  const clock = new ManualClock()
  const gate = createHostGate(clock)
  const { inside, arrive } = createVisitors(gate)
  void arrive('a')
  await settle()
  clock.advance(-3_600_000)
  void arrive('a')
  await settle()
  expect(gate.waitMs('a')).toBeLessThanOrEqual(2 * APART_MS)
  expect(inside).toHaveLength(1)
})
