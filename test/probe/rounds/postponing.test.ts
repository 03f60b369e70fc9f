import { expect, test } from 'bun:test'
import { HostBusy } from '../../../src/probe/requests/host-gate.ts'
import { createPostponing, HOST_PATIENCE_MS } from '../../../src/probe/rounds.ts'
import { entry } from '../../entries.ts'

const NOW = new Date('2026-11-01T00:00:00Z')
const clock = { now: () => NOW, sleep: async () => {} }
const busy = new HostBusy('busy.example', 1_000)
const waits = (at: Date) => at.getTime() - NOW.getTime()
const FIRST_MS = HOST_PATIENCE_MS + 1_000
const ownedBy = (owner: string) => ({ ...entry(), owner })
const verified = (owner: string) => {
  const listed = ownedBy(owner)
  return { ...listed, standing: { ...listed.standing, status: 'verified' as const } }
}

test('hundreds of services that a key lists on a host delay neither another owner nor verified services', () => {
  const postpone = createPostponing(clock)
  const last = Array.from({ length: 300 }, () => waits(postpone(busy, ownedBy('key_flood')))).at(-1)!
  expect(last).toBe(HOST_PATIENCE_MS + 300 * 1_000)
  for (const other of [ownedBy('key_honest'), verified('key_flood')])
    expect(waits(postpone(busy, other))).toBe(FIRST_MS)
  // In a queue of their own they come one after the other.
  expect(waits(postpone(busy, verified('key_flood')))).toBe(FIRST_MS + 1_000)
})

test('listings of any number of wallets on a host share one queue, and leave the host to the others', () => {
  const postpone = createPostponing(clock)
  const flood = Array.from({ length: 288 }, (_, i) => waits(postpone(busy, ownedBy(`eip155:0x${i % 24}`))))
  // A new service takes up to eight requests: the next of them comes when the one before it is done.
  expect(flood.slice(0, 3)).toEqual([FIRST_MS, FIRST_MS + 8_000, FIRST_MS + 16_000])
  expect(new Set(flood).size).toBe(288)
  const proof = { at: NOW.toISOString(), by: 'dns', names: 'wallet' } as const
  const spokenFor = { ...ownedBy('eip155:0xhonest'), proof }
  for (const other of [ownedBy('key_honest'), verified('eip155:0xhonest'), spokenFor])
    expect(waits(postpone(busy, other))).toBe(FIRST_MS)
})

test('any number of owners have at most eight queues', () => {
  const postpone = createPostponing(clock)
  const first = Array.from({ length: 200 }, (_, i) => waits(postpone(busy, ownedBy(`key_${i}`)))).filter(
    wait => wait === FIRST_MS,
  )
  expect(first).toHaveLength(8)
})
