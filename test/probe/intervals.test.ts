import { expect, test } from 'bun:test'
import type { ProbeOutcome, ProbeRecord } from '../../src/domain/probes.ts'
import { nextIntervalMs } from '../../src/probe/intervals.ts'

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
