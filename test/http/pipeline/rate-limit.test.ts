import { expect, test } from 'bun:test'
import { createRateLimiter, nextTurn } from '../../../src/http/pipeline/limits.ts'

const now = new Date('2026-05-01T10:00:00Z')

test('never forgets a caller, whatever the number of others', () => {
  const limiter = createRateLimiter(100)
  for (let i = 0; i < 100; i++) limiter.take('first', now)
  for (let i = 0; i < 70_000; i++) expect(limiter.take(`other ${i}`, now).isExceeded).toBe(false)
  expect(limiter.take('first', now).isExceeded).toBe(true)
  expect(limiter.take('first', new Date(now.getTime() + 60_000)).isExceeded).toBe(false)
})

test('counts the networks of an IPv6 /48 together, and those of the next apart', () => {
  const limiter = createRateLimiter(100)
  let passed = 0
  for (let i = 0; i < 65_536; i++)
    if (!limiter.take(`2001:db8:7:${i.toString(16)}::/64`, now).isExceeded) passed++
  expect(passed).toBe(400)
  expect(limiter.take('2001:db8:8:1::/64', now)).toMatchObject({ isExceeded: false, remaining: 99 })
})

test('weighs requests, and lets a costly one through while anything is left', () => {
  const limiter = createRateLimiter(10)
  expect(limiter.take('a', now, 7)).toMatchObject({ isExceeded: false, remaining: 3 })
  expect(limiter.take('a', now, 50)).toMatchObject({ isExceeded: false, remaining: 0 })
  expect(limiter.take('a', now)).toMatchObject({ isExceeded: true, remaining: 0 })
})

test('the networks of an IPv6 /48 block share the turns of one caller', async () => {
  const order: string[] = []
  const take = (caller: string) => nextTurn(caller).then(() => order.push(caller))
  const networks = Array.from({ length: 50 }, (_, i) => `2001:db8:7:${i.toString(16)}::/64`)
  await Promise.all([...networks, '203.0.113.1'].map(take))
  expect(order.indexOf('203.0.113.1')).toBeLessThan(3)
})
