import { expect, test } from 'bun:test'
import { HostBusy } from '../../src/probe/host-gate.ts'
import { createPostponing, HOST_PATIENCE_MS } from '../../src/probe/postponing.ts'
import { entry } from '../entries.ts'

const NOW = new Date('2026-11-01T00:00:00Z')
const clock = { now: () => NOW, sleep: async () => {} }
const busy = new HostBusy('busy.example', 1_000)
const waits = (at: Date) => at.getTime() - NOW.getTime()

test('hundreds of services that somebody lists on a host keep neither another owner nor what is verified waiting', () => {
  const postpone = createPostponing(clock)
  const flood = { ...entry(), owner: 'eip155:0xflood' }
  const last = Array.from({ length: 300 }, () => waits(postpone(busy, flood))).at(-1)!
  expect(last).toBe(HOST_PATIENCE_MS + 300 * 1_000)
  const verified = { ...flood, standing: { ...flood.standing, status: 'verified' as const } }
  for (const other of [{ ...entry(), owner: 'eip155:0xhonest' }, verified])
    expect(waits(postpone(busy, other))).toBe(HOST_PATIENCE_MS + 1_000)
  // In a queue of their own they come one after the other.
  expect(waits(postpone(busy, verified))).toBe(HOST_PATIENCE_MS + 2_000)
})

test('owners without number make no more than eight queues', () => {
  const postpone = createPostponing(clock)
  const first = Array.from({ length: 200 }, (_, i) =>
    waits(postpone(busy, { ...entry(), owner: `eip155:0x${i}` })),
  ).filter(wait => wait === HOST_PATIENCE_MS + 1_000)
  expect(first).toHaveLength(8)
})
