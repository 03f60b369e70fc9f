import { expect, test } from 'bun:test'
import {
  LATENCY_ANSWERS,
  MAX_LATENCY_MS,
  medianLatency,
  toOrderedLatency,
} from '../../../src/domain/standing/standing.ts'

test('the latency is the median of the answers', () => {
  expect(medianLatency(Array.from({ length: 20 }, (_, i) => 100 * (i + 1)))).toBe(1000)
  expect(medianLatency([240.4])).toBe(240)
})

test('unanswered probes and old answers do not count', () => {
  expect(medianLatency([null, null])).toBeUndefined()
  expect(medianLatency([])).toBeUndefined()
  const newest = Array.from({ length: LATENCY_ANSWERS }, () => 100)
  expect(medianLatency([null, ...newest, ...newest.map(() => 90_000), 90_000])).toBe(100)
})

test('entries are ordered by latency rounded to two digits, so that few probes move them', () => {
  expect([7, 118, 123, 1_449, 0, 99_999].map(toOrderedLatency)).toEqual([
    7,
    120,
    120,
    1_400,
    1,
    MAX_LATENCY_MS,
  ])
})
