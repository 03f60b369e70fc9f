import { expect, test } from 'bun:test'
import { MAX_AHEAD_MS } from '../../../src/domain/ahead.ts'
import type { ProbeOutcome, ProbeRecord } from '../../../src/domain/standing/standing.ts'
import { nextIntervalMs } from '../../../src/probe/probe-service.ts'
import { HostBusy } from '../../../src/probe/requests/host-gate.ts'
import { createPostponing } from '../../../src/probe/rounds.ts'
import { entry } from '../../entries.ts'
import { ManualClock } from '../../store/manual-clock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const MIDDLE = 0.5
/** Where an interval without memory is the mean. */
const MEAN = 1 - 1 / Math.E

const probe = (outcome: ProbeOutcome): ProbeRecord => ({
  serviceId: 'svc',
  at: '2026-11-01T00:00:00.000Z',
  outcome,
  httpStatus: null,
  latencyMs: null,
  priceSeen: null,
  asListed: false,
  reasons: [],
})
const failed = probe('unreachable')
const good = probe('payable')

test('healthy services are probed about every hour', () => {
  expect(nextIntervalMs(good, 'verified', [good, failed], MEAN)).toBe(HOUR_MS)
  expect(nextIntervalMs(probe('mismatched'), 'unverified', [probe('mismatched')], MEAN)).toBe(HOUR_MS)
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

test('inactive services are probed with a spread of a tenth to either side', () => {
  const latest = Array<ProbeRecord>(4).fill(failed)
  expect(nextIntervalMs(failed, 'inactive', latest, 0)).toBe(0.9 * 72 * HOUR_MS)
  expect(nextIntervalMs(failed, 'inactive', latest, 1)).toBe(1.1 * 72 * HOUR_MS)
})

test.each([
  [1, 1],
  [2, 6],
  [3, 24],
  [4, 72],
])('after failure %d in a row it is probed again after %d hours', (failures, hours) => {
  const latest = Array<ProbeRecord>(failures).fill(failed)
  expect(nextIntervalMs(failed, 'inactive', latest, MIDDLE)).toBe(hours * HOUR_MS)
})

test('a service that responds again is soon probed a second time', () => {
  expect(nextIntervalMs(good, 'inactive', [good, failed, failed, failed], MIDDLE)).toBe(5 * MINUTE_MS)
})

test('a service that refuses is probed again after six hours', () => {
  expect(nextIntervalMs(probe('refused'), 'unverified', [good], MEAN)).toBe(6 * HOUR_MS)
})

test('a verified service does not stay verified by refusing', () => {
  expect(nextIntervalMs(probe('refused'), 'verified', [good], MEAN)).toBe(HOUR_MS)
})

test('no service waits for a probe longer than the schedule allows', () => {
  const latest = Array<ProbeRecord>(9).fill(failed)
  const longest = Math.max(
    nextIntervalMs(failed, 'inactive', latest, 1),
    nextIntervalMs(probe('refused'), 'inactive', latest, 1),
    nextIntervalMs(good, 'verified', [good], 1),
  )
  expect(longest).toBeLessThan(MAX_AHEAD_MS.probe)
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
