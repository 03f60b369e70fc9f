import { expect, test } from 'bun:test'
import {
  LATENCY_ANSWERS,
  latencyOf,
  MAX_LATENCY_MS,
  toOrderedLatency,
} from '../../../src/domain/standing/standing.ts'

test('p50 and p95 are the median and the 95th percentile of the answers', () => {
  const latencies = Array.from({ length: 20 }, (_, i) => 100 * (i + 1))
  expect(latencyOf(latencies)).toEqual({ p50: 1000, p95: 1900, answers: 20 })
  expect(latencyOf([240.4])).toEqual({ p50: 240, p95: 240, answers: 1 })
})

test('unanswered probes and old answers do not count', () => {
  expect(latencyOf([null, null])).toBeUndefined()
  expect(latencyOf([])).toBeUndefined()
  const newest = Array.from({ length: LATENCY_ANSWERS }, () => 100)
  expect(latencyOf([null, ...newest, 90_000])).toEqual({ p50: 100, p95: 100, answers: LATENCY_ANSWERS })
})

test('entries are ordered by latency rounded to two digits, so that few probes move them', () => {
  const ordered = (p50: number) => toOrderedLatency({ p50, p95: p50, answers: 1 })
  expect([7, 118, 123, 1_449, 0, 99_999].map(ordered)).toEqual([7, 120, 120, 1_400, 1, MAX_LATENCY_MS])
})
