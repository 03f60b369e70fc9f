// A merchant may answer us otherwise than its customers: some probes do not say who they are.
import { describe, expect, test } from 'bun:test'
import type { FirstRequest } from '../../src/domain/standing/judge.ts'
import { tellInEnglish } from '../../src/messages/message.ts'
import type { Target } from '../../src/probe/conclude.ts'
import { createProbe } from '../../src/probe/probe.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { answerOf, openHostile } from './hostile.ts'
import { asksV2, listing, onBase, openMerchant, type Routes, STRANGER, status } from './merchant.ts'
import { createRandom } from './until-bad.ts'

const NAME = 'Shirube-Prober/1 (+https://directory.test/probe)'
const fetch = createSafeFetch({ allowPrivate: true })
/** Answers by who asks. */
const cloaking = (named: Response, customer: Response) => (request: Request) =>
  (request.headers.get('user-agent') === NAME ? named : customer).clone() as Response

/** @param random 0.2: as a customer; 1: under our name */
async function probed(routes: Routes, random = 0.2, target: Partial<Target> = {}) {
  await using merchant = openMerchant(routes)
  const probe = createProbe({ fetch, userAgent: NAME, random: () => random })
  const outcome = await probe({ ...listing, endpoint: `${merchant.url}/v1`, ...target })
  return {
    ...outcome,
    asked: [...merchant.asked],
    agents: merchant.headers.map(headers => headers.get('user-agent')),
    codes: outcome.reasons.map(({ code }) => code),
  }
}

const bad = asksV2([{ ...onBase, payTo: STRANGER }])
const dear = asksV2([{ ...onBase, amount: '9000' }])

describe('a merchant that refuses customers but answers the prober', () => {
  test.each([401, 403, 429])('by %i is probed as a customer until one gets terms', async code => {
    const routes = { '/v1': cloaking(asksV2(), status(code)) }
    await using merchant = openMerchant(routes)
    // The first probe comes as a customer; all others would come under our name.
    const draws = [0.2]
    const probe = createProbe({ fetch, userAgent: NAME, random: () => draws.shift() ?? 1 })
    const target = { ...listing, endpoint: `${merchant.url}/v1` }
    let { outcome, firstRequest } = await probe(target)
    for (let i = 0; i < 4; i++) {
      expect(outcome).not.toBe('payable')
      expect(firstRequest.asCustomer).toBe(true)
      ;({ outcome, firstRequest } = await probe({ ...target, firstRequest }))
    }
  })

  test('is verified again once it answers customers', async () => {
    const firstRequest = { url: '', asCustomer: true as const }
    await using merchant = openMerchant({ '/v1': asksV2() })
    const probe = createProbe({ fetch, userAgent: NAME, random: () => 1 })
    const endpoint = `${merchant.url}/v1`
    const found = await probe({ ...listing, endpoint, firstRequest: { ...firstRequest, url: endpoint } })
    expect(found).toMatchObject({ outcome: 'payable' })
    expect(found.firstRequest).toEqual({ url: endpoint, method: 'GET' })
  })
})

describe('a merchant that answers everybody alike', () => {
  test.each([
    [0.2, 'node'],
    [1, NAME],
  ])('is requested by one client (chance %p)', async (random, agent) => {
    const { outcome, agents, firstRequest } = await probed({ '/v1': asksV2() }, random)
    expect(outcome).toBe('payable')
    expect(firstRequest.asCustomer).toBeUndefined()
    expect(new Set(agents)).toEqual(new Set([agent]))
  })

  test('sees no other difference between the two than the name', async () => {
    await using server = await openHostile(socket =>
      socket.end(answerOf('402 Pay', { 'PAYMENT-REQUIRED': asksV2().headers.get('payment-required')! })),
    )
    for (const random of [0.2, 1]) {
      const probe = createProbe({ fetch, userAgent: NAME, random: () => random })
      await probe({ ...listing, endpoint: server.url })
    }
    const [customer, named] = server.requests.map(String).filter(request => request.startsWith('GET'))
    expect(customer).not.toContain(NAME)
    expect(named).toBe(customer!.replace(/(user-agent): .*/i, `$1: ${NAME}`))
  })
})

describe('other terms for customers', () => {
  test.each([
    ['another payee', bad, 'mismatched', 'other_address'],
    ['a higher price', dear, 'mismatched', 'asks_more'],
    ['the goods without asking', status(200), 'unpayable', 'request_without_402'],
    ['a closed door', status(403), 'refused', 'answers_with_refusal'],
    ['nothing at all', status(404), 'unpayable', 'request_without_402'],
  ] as const)('like %s are what counts', async (_, customer, expected, code) => {
    const found = await probed({ 'GET /v1': cloaking(asksV2(), customer) }, 0.2)
    const { outcome, codes, firstRequest, asked } = found
    expect({ outcome, code: codes[0]! }).toEqual({ outcome: expected, code })
    expect(firstRequest).toMatchObject({ asCustomer: true })
    expect(asked.length).toBeLessThanOrEqual(6)
  })

  test('count until a customer gets the right terms, whatever is drawn', async () => {
    await using merchant = openMerchant({ '/v1': cloaking(asksV2(), bad) })
    const probe = createProbe({ fetch, userAgent: NAME, random: () => 1 })
    const doubted: FirstRequest = { url: `${merchant.url}/v1`, method: 'GET', asCustomer: true }
    const endpoint = `${merchant.url}/v1`
    expect(await probe({ ...listing, endpoint, firstRequest: doubted })).toMatchObject({
      outcome: 'mismatched',
      firstRequest: { asCustomer: true },
    })
    merchant.answer({ '/v1': asksV2() })
    const mended = await probe({ ...listing, endpoint, firstRequest: doubted })
    expect(mended).toMatchObject({ outcome: 'payable' })
    expect(mended.firstRequest.asCustomer).toBeUndefined()
  })

  test('are found by the first probe, and by one in four later', async () => {
    expect((await probed({ '/v1': cloaking(asksV2(), bad) }, 1, { hasNoTerms: true })).outcome).toBe(
      'mismatched',
    )
    await using merchant = openMerchant({ '/v1': cloaking(asksV2(), bad) })
    const probe = createProbe({ fetch, userAgent: NAME, random: createRandom(7) })
    const outcomes: string[] = []
    for (let i = 0; i < 40; i++)
      outcomes.push((await probe({ ...listing, endpoint: `${merchant.url}/v1` })).outcome)
    const found = outcomes.filter(outcome => outcome === 'mismatched').length
    expect(found).toBeWithin(5, 16)
  })

  test('of a merchant that is honest after it saw the name are found', async () => {
    let hasSeenName = false
    const { outcome, codes } = await probed({
      '/v1': request => {
        hasSeenName ||= request.headers.get('user-agent') === NAME
        return (hasSeenName ? asksV2() : bad).clone() as Response
      },
    })
    expect(outcome).toBe('mismatched')
    expect(codes).toContain('other_address')
  })
})

describe('a merchant that watches who asks', () => {
  test('gets no request for documents from a customer', async () => {
    const { outcome, requests, asked } = await probed({ '/v1': asksV2() }, 0)
    expect(outcome).toBe('payable')
    expect(requests.map(({ as }) => as)).not.toContain('directory')
    expect(asked.every(request => request.endsWith(' /v1'))).toBe(true)
  })
})

test('a merchant that refuses the prober but not customers is payable to a customer', async () => {
  expect((await probed({ '/v1': cloaking(status(429), asksV2()) })).outcome).toBe('payable')
})

describe('a payee that changes with each call', () => {
  test.each([0.2, 1])('is reported as changing (chance %p)', async random => {
    let count = 1
    const { outcome, reasons, codes, checks } = await probed(
      { '/v1': () => asksV2([{ ...onBase, payTo: `0x${String(++count).repeat(40)}` }]) },
      random,
    )
    expect(outcome).toBe('mismatched')
    expect(codes).toEqual(['payee_changes', 'request_was'])
    expect(tellInEnglish(reasons[0]!)).toContain('a different address in every response (dynamicPayTo)')
    expect(checks.find(({ check }) => check === 'address')).toMatchObject({
      passed: false,
      detail: { code: 'payee_changes' },
    })
  })

  test('is not reported for one that always names the same stranger', async () => {
    expect((await probed({ '/v1': bad }, 1)).codes).toEqual(['other_address', 'request_was'])
  })
})
