import { expect, test } from 'bun:test'
import { FURTHEST_MS } from '../../src/domain/ahead.ts'
import type { ProbeOutcome, ProbeRecord } from '../../src/domain/probes.ts'
import { HostBusy } from '../../src/probe/host-gate.ts'
import { nextIntervalMs } from '../../src/probe/intervals.ts'
import { createPostponing } from '../../src/probe/postponing.ts'
import { entry } from '../entries.ts'
import { ManualClock } from '../store/manual-clock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const MIDDLE = 0.5

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

test('healthy services are asked about every hour', () => {
  expect(nextIntervalMs(good, 'verified', [good, failed], MIDDLE)).toBe(HOUR_MS)
  expect(nextIntervalMs(probe('mismatched'), 'unverified', [probe('mismatched')], MIDDLE)).toBe(HOUR_MS)
})

test('with a spread of a tenth to either side', () => {
  expect(nextIntervalMs(good, 'verified', [good], 0)).toBe(54 * MINUTE_MS)
  expect(nextIntervalMs(good, 'verified', [good], 1)).toBe(66 * MINUTE_MS)
})

test.each([
  [1, 1],
  [2, 6],
  [3, 24],
  [4, 72],
])('after failure %d in a row it is asked again after %d hours', (failures, hours) => {
  const latest = Array<ProbeRecord>(failures).fill(failed)
  expect(nextIntervalMs(failed, 'inactive', latest, MIDDLE)).toBe(hours * HOUR_MS)
})

test('what comes back is soon asked for its second answer', () => {
  expect(nextIntervalMs(good, 'inactive', [good, failed, failed, failed], MIDDLE)).toBe(5 * MINUTE_MS)
})

test('who refuses is left in peace for six hours', () => {
  expect(nextIntervalMs(probe('refused'), 'verified', [good], MIDDLE)).toBe(6 * HOUR_MS)
})

test('nobody waits for a probe longer than a schedule may say', () => {
  const latest = Array<ProbeRecord>(9).fill(failed)
  const longest = Math.max(
    nextIntervalMs(failed, 'inactive', latest, 1),
    nextIntervalMs(probe('refused'), 'inactive', latest, 1),
    nextIntervalMs(good, 'verified', [good], 1),
  )
  expect(longest).toBeLessThan(FURTHEST_MS.probe)
})

test('services of a busy host queue up, and not behind a time that a clock has put too far ahead', () => {
  const clock = new ManualClock()
  const postpone = createPostponing(clock)
  const waitMs = () => postpone(new HostBusy('a.example', 1_000), entry()).getTime() - clock.now().getTime()
  const first = waitMs()
  expect(waitMs()).toBe(first + 1_000)
  clock.advance(-365 * 24 * HOUR_MS)
  expect(waitMs()).toBe(first)
  expect(waitMs()).toBe(first + 1_000)
})
