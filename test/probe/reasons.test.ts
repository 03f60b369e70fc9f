// Whatever GET and POST are answered, one after the other: the reason names a request that was made and what that one was answered.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import type { Conclusion } from '../../src/probe/conclude.ts'
import { createProbe } from '../../src/probe/probe.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { answerOf, type Hostile, openHostile } from './hostile.ts'
import { asksV2, onBase, PAYEE, STRANGER } from './merchant.ts'

type Answer = number | 'hangs up' | 'elsewhere' | 'garbled' | 'thief'
const STATUSES = [200, 204, 400, 401, 403, 404, 405, 409, 422, 429, 500, 501, 503, 522]
const ANSWERS: readonly Answer[] = [...STATUSES, 'hangs up', 'elsewhere', 'garbled', 'thief']
/** Where nothing is known, and something else may be. */
const EMPTY = [404, 405, 501]

let answers: Record<string, Answer> = {}
let server: Hostile
let origin = ''
beforeAll(async () => {
  server = await openHostile(answer)
  origin = server.url.slice(0, -1)
})
afterAll(() => server[Symbol.asyncDispose]())

function answer(socket: Socket, request: string): void {
  const [method, path] = request.split(' ')
  const told = path === '/v1' ? answers[method!] : 404
  if (told === undefined || told === 'hangs up') socket.destroy()
  else if (told === 'garbled') socket.end(answerOf('402 Payment Required', { 'PAYMENT-REQUIRED': 'e30' }))
  else if (told === 'thief') socket.end(answerOf('402 Payment Required', { 'PAYMENT-REQUIRED': THEFT }))
  else if (told === 'elsewhere') socket.end(answerOf('302 Found', { Location: 'https://elsewhere.test/v1' }))
  else socket.end(answerOf(`${told} Told`, {}))
}
const THEFT = asksV2([{ ...onBase, payTo: STRANGER }]).headers.get('payment-required')!

const STATUS_OF: Readonly<Record<string, number | null>> = {
  'hangs up': null,
  elsewhere: 302,
  garbled: 402,
  thief: 402,
}
const statusOf = (told: Answer): number | null => (typeof told === 'number' ? told : STATUS_OF[told]!)

const proberWith = (limits: { firstByteMs: number; totalMs: number }) =>
  createProbe({
    fetch: createSafeFetch({ allowPrivate: true, limits }),
    userAgent: 'Shirube-Prober/1 (+https://directory.test/probe)',
    random: () => 1,
  })
const probe = proberWith({ firstByteMs: 20_000, totalMs: 30_000 })
const target = () => ({
  endpoint: `${origin}/v1`,
  paymentAddress: PAYEE,
  network: 'base',
  pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
})

/** The request that the reasons name, and the status that they tell of it. */
function named({ reasons }: Conclusion): { method: string; status: unknown } {
  const own = reasons.map(({ values }) => values as { method?: string; path?: string; status?: number })
  const request = own.filter(({ path }) => path !== undefined)
  expect(request.map(({ path }) => path)).toEqual(['/v1'])
  const status = own.find(({ status }) => status !== undefined)?.status
  return { method: request[0]!.method!, status }
}

describe('A reason names the request that failed:', () => {
  const pairs = ANSWERS.flatMap(get => ANSWERS.map(post => [get, post] as const))
  test(`whatever ${pairs.length} pairs of answers to GET and POST`, async () => {
    for (const [get, post] of pairs) {
      answers = { GET: get, POST: post }
      const outcome = await probe(target())
      const { method, status } = named(outcome)
      const pair = `GET ${get}, POST ${post}: ${method} ${status}`
      expect(outcome.outcome, pair).not.toBe('payable')
      expect(['GET', 'POST'], pair).toContain(method)
      const told = answers[method]!
      // A status that is told is that of the request that is named.
      if (status !== undefined) expect(status, pair).toBe(statusOf(told) as number)
      expect(outcome.httpStatus, pair).toBe(statusOf(told))
      const made = outcome.requests.filter(({ url }) => url.endsWith('/v1')).map(request => request.method)
      expect(made, pair).toContain(method)
      if (made.includes('POST') && EMPTY.includes(statusOf(get) ?? 0) && statusOf(post) !== null)
        expect(method, pair).toBe(EMPTY.includes(statusOf(post)!) ? 'GET' : 'POST')
      // All that was asked is told where several were.
      if (outcome.requests.length > 1 && outcome.outcome !== 'mismatched')
        expect(outcome.reasons.at(-1)).toMatchObject({
          code: 'requests_made',
          values: { requests: expect.arrayContaining([`GET /v1 → ${statusOf(get) ?? '–'}`]) },
        })
    }
  })
})
