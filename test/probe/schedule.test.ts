import { expect, test } from 'bun:test'
import type { ProbeOutcome, ProbeRecord } from '../../src/domain/standing/standing.ts'
import { createPostponing, HOST_PATIENCE_MS, nextIntervalMs } from '../../src/probe/next-probe.ts'
import { HostBusy } from '../../src/probe/requests/host-gate.ts'
import { entry } from '../entries.ts'
import { probeOf } from '../probes.ts'
import { ManualClock } from '../store/manual-clock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const MIDDLE = 0.5
/** Where an interval without memory is the mean. */
const MEAN = 1 - 1 / Math.E

const probe = (outcome: ProbeOutcome) => probeOf('svc', { outcome, httpStatus: null })
const failed = probe('unreachable')
const good = probe('payable')

test.each([
  ['healthy', good, 'verified', [good, failed], MEAN, HOUR_MS],
  ['whose terms differ', probe('mismatched'), 'unverified', [probe('mismatched')], MEAN, HOUR_MS],
  ['that failed once', failed, 'inactive', [failed], MIDDLE, HOUR_MS],
  ['that failed twice', failed, 'inactive', [failed, failed], MIDDLE, 6 * HOUR_MS],
  ['that failed three times', failed, 'inactive', Array(3).fill(failed), MIDDLE, 24 * HOUR_MS],
  ['that failed four times', failed, 'inactive', Array(4).fill(failed), MIDDLE, 72 * HOUR_MS],
  [
    'that failed four times, at the earliest',
    failed,
    'inactive',
    Array(4).fill(failed),
    0,
    0.9 * 72 * HOUR_MS,
  ],
  ['that failed four times, at the latest', failed, 'inactive', Array(4).fill(failed), 1, 1.1 * 72 * HOUR_MS],
  ['that responds again', good, 'inactive', [good, failed, failed, failed], MIDDLE, 5 * MINUTE_MS],
  ['that refuses', probe('refused'), 'unverified', [good], MEAN, 6 * HOUR_MS],
  ['that is verified and refuses', probe('refused'), 'verified', [good], MEAN, HOUR_MS],
] as const)('the next probe of a service %s', (_, last, status, latest, random, ms) => {
  expect(nextIntervalMs(last, status, latest, random)).toBe(ms)
})

test('probe times cannot be predicted from the last probe', () => {
  expect(nextIntervalMs(good, 'verified', [good], 0)).toBe(1_000)
  expect(nextIntervalMs(good, 'verified', [good], 1)).toBe(3 * HOUR_MS)
  const intervals = Array.from({ length: 10_000 }, (_, i) =>
    nextIntervalMs(good, 'verified', [good], (i + 0.5) / 10_000),
  )
  const mean = intervals.reduce((sum, each) => sum + each, 0) / intervals.length
  expect(mean).toBeWithin(0.9 * HOUR_MS, 1.1 * HOUR_MS)
  // None of them is a time in which a thief is safe, the first minute included.
  const first = intervals.filter(each => each <= MINUTE_MS)
  expect(first.length / intervals.length).toBeWithin(0.016, 0.017)
  // Of those that are still to come after any time, the same share comes within the next ten minutes.
  for (const passed of [0, 20, 40, 60, 80]) {
    const left = intervals.filter(each => each > passed * MINUTE_MS)
    const soon = left.filter(each => each <= (passed + 10) * MINUTE_MS)
    expect(soon.length / left.length).toBeWithin(0.13, 0.18)
  }
})

test('no service waits for a probe longer than the schedule allows', () => {
  const latest = Array<ProbeRecord>(9).fill(failed)
  const longest = Math.max(
    nextIntervalMs(failed, 'inactive', latest, 1),
    nextIntervalMs(probe('refused'), 'inactive', latest, 1),
    nextIntervalMs(good, 'verified', [good], 1),
  )
  expect(longest).toBeLessThan(4 * 24 * HOUR_MS)
})

test('services of a busy host queue up, ignoring times set too far ahead by a clock', () => {
  const clock = new ManualClock()
  const postpone = createPostponing(clock)
  const waitMs = () => postpone(new HostBusy('a.example', 1_000), entry()).getTime() - clock.now().getTime()
  const first = waitMs()
  expect(waitMs()).toBe(first + 1_000)
  clock.advance(-365 * 24 * HOUR_MS)
  expect(waitMs()).toBe(first)
  expect(waitMs()).toBe(first + 1_000)
})

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

test('listings of any number of wallets on a host share one queue, and leave the host to the others', () => {
  const postpone = createPostponing(clock)
  const flood = Array.from({ length: 288 }, (_, i) => waits(postpone(busy, ownedBy(`eip155:0x${i % 24}`))))
  // A new service takes up to eight requests: the next of them comes when the one before it is done.
  expect(flood.slice(0, 3)).toEqual([FIRST_MS, FIRST_MS + 8_000, FIRST_MS + 16_000])
  expect(new Set(flood).size).toBe(288)
  const proof = { at: NOW.toISOString(), names: 'wallet' } as const
  const spokenFor = { ...ownedBy('eip155:0xhonest'), proof }
  for (const other of [ownedBy('key_honest'), verified('eip155:0xhonest')])
    expect(waits(postpone(busy, other))).toBe(FIRST_MS)
  expect(waits(postpone(busy, spokenFor))).toBe(FIRST_MS + 1_000)
})
