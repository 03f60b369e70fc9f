import { expect, test } from 'bun:test'
import { createRateLimiter } from '../../../src/http/pipeline/rate-limit.ts'

test('tracks a limited number of callers and drops the first one seen', () => {
  const limiter = createRateLimiter(2, 3)
  const now = new Date('2026-05-01T10:00:00Z')
  for (const caller of ['a', 'b', 'c']) for (let i = 0; i < 3; i++) limiter.take(caller, now)
  expect(limiter.take('c', now).isExceeded).toBe(true)
  expect(limiter.take('d', now).isExceeded).toBe(false)
  expect(limiter.take('c', now).isExceeded).toBe(true)
  expect(limiter.take('a', now).isExceeded).toBe(false)
})
