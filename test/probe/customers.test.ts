// A merchant may answer us otherwise than its customers: some probes do not say who they are.
import { describe, expect, test } from 'bun:test'
import type { Resource } from '../../src/domain/standing/finding.ts'
import type { ProbeRecord } from '../../src/domain/standing/probes.ts'
import { tellInEnglish } from '../../src/messages/tell-in-english.ts'
import type { Target } from '../../src/probe/outcome.ts'
import { createProber } from '../../src/probe/prober.ts'
import { CLIENTS } from '../../src/probe/requests/clients.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { nextIntervalMs } from '../../src/probe/rounds/intervals.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { answerOf, openHostile } from './hostile.ts'
import { asksV2, onBase, onSolana, openMerchant, PAYEE, type Routes, STRANGER, status } from './merchant.ts'

const NAME = 'Shirube-Prober/1 (+https://directory.test/probe)'
const fetch = createSafeFetch({ allowPrivate: true })
const listing = {
  paymentAddress: PAYEE,
  network: 'base',
  pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
}

/** Answers by who asks. */
const cloaking = (named: Response, customer: Response) => (request: Request) =>
  (request.headers.get('user-agent') === NAME ? named : customer).clone() as Response

/** @param random 0: as a customer, with documents; 0.4: as a customer; 1: under our name */
async function probed(routes: Routes, random = 0.4, target: Partial<Target> = {}) {
  await using merchant = openMerchant(routes)
  const probe = createProber({ fetch, userAgent: NAME, random: () => random })
  const outcome = await probe({ ...listing, endpoint: `${merchant.url}/v1`, ...target })
  return {
    ...outcome,
    asked: [...merchant.asked],
    agents: merchant.headers.map(headers => headers.get('user-agent')),
    codes: outcome.reasons.map(({ code }) => code),
    check: outcome.checks.find(({ check }) => check === 'same_for_customers'),
  }
}

const bad = asksV2([{ ...onBase, payTo: STRANGER }])
const dear = asksV2([{ ...onBase, amount: '9000' }])

describe('a merchant that refuses customers but answers the prober', () => {
  test.each([401, 403, 429])('by %i is probed as a customer until one gets terms', async code => {
    const routes = { '/v1': cloaking(asksV2(), status(code)) }
    await using merchant = openMerchant(routes)
    // The first probe comes as a customer; all others would come under our name.
    const draws = [0.4, 0.4]
    const probe = createProber({ fetch, userAgent: NAME, random: () => draws.shift() ?? 1 })
    const target = { ...listing, endpoint: `${merchant.url}/v1` }
    let { outcome, resource } = await probe(target)
    for (let i = 0; i < 4; i++) {
      expect(outcome).not.toBe('payable')
      expect(resource?.asCustomer).toBe(true)
      ;({ outcome, resource } = await probe({ ...target, resource }))
    }
  })

  test('is verified again once it answers customers', async () => {
    const resource = { url: '', asCustomer: true as const }
    await using merchant = openMerchant({ '/v1': asksV2() })
    const probe = createProber({ fetch, userAgent: NAME, random: () => 1 })
    const endpoint = `${merchant.url}/v1`
    const found = await probe({ ...listing, endpoint, resource: { ...resource, url: endpoint } })
    expect(found).toMatchObject({ outcome: 'payable', resource: null })
  })
})

describe('a merchant that answers everybody alike', () => {
  test('is requested once under each user agent, as a customer first', async () => {
    const { outcome, agents, check, resource } = await probed({ '/v1': asksV2() })
    expect(outcome).toBe('payable')
    expect(agents).toEqual(['python-httpx/0.28.1', NAME])
    expect(check).toMatchObject({ passed: true, detail: { code: 'same_for_customers' } })
    expect(resource).toBeNull()
  })

  test('is requested under the own user agent only in the other probes', async () => {
    const { outcome, agents, check } = await probed({ '/v1': asksV2() }, 1)
    expect({ outcome, agents, check }).toEqual({ outcome: 'payable', agents: [NAME], check: undefined })
  })

  test.each([
    ['node', 'host connection accept accept-language sec-fetch-mode user-agent accept-encoding'],
    ['axios', 'Accept User-Agent Accept-Encoding Host Connection'],
    ['httpx', 'Host Accept Accept-Encoding Connection User-Agent'],
    ['requests', 'Host User-Agent Accept-Encoding Accept Connection'],
    ['go', 'Host User-Agent Accept-Encoding Connection'],
    ['bun', 'Connection User-Agent Accept Host Accept-Encoding'],
    [
      'chrome',
      'Host Connection sec-ch-ua-platform User-Agent sec-ch-ua sec-ch-ua-mobile Accept Sec-Fetch-Site Sec-Fetch-Mode Sec-Fetch-Dest Accept-Encoding Accept-Language',
    ],
  ])('sees the headers of %s in its order, and no other difference than the name', async (client, names) => {
    await using server = await openHostile(socket =>
      socket.end(answerOf('402 Pay', { 'PAYMENT-REQUIRED': asksV2().headers.get('payment-required')! })),
    )
    const probe = createProber({ fetch, userAgent: NAME, random: () => 1 })
    const resource: Resource = { url: server.url, asCustomer: true, client }
    await probe({ ...listing, endpoint: server.url, resource })
    const [customer, named] = server.requests.map(String)
    const lines = customer!.trimEnd().split('\r\n')
    expect(lines.slice(1).map(line => line.split(':')[0])).toEqual(names.split(' '))
    expect(customer).not.toContain(NAME)
    expect(named).toBe(customer!.replace(/(user-agent): .*/i, `$1: ${NAME}`))
  })

  test('sees the headers of a real client, with a body in its place', async () => {
    await using server = await openHostile((socket, request) =>
      socket.end(
        request.startsWith('GET')
          ? answerOf('404 No', {})
          : answerOf('402 Pay', { 'PAYMENT-REQUIRED': asksV2().headers.get('payment-required')! }),
      ),
    )
    const probe = createProber({ fetch, userAgent: NAME, random: () => 1 })
    const resource: Resource = { url: server.url, method: 'POST', asCustomer: true, client: 'axios' }
    await probe({ ...listing, endpoint: server.url, resource })
    expect(server.requests[0]!.split('\r\n').map(line => line.split(':')[0])).toEqual([
      'POST / HTTP/1.1',
      ...['Accept', 'Content-Type', 'User-Agent', 'Content-Length', 'Accept-Encoding', 'Host', 'Connection'],
      ...['', '{}'],
    ])
  })
})

describe('customer requests imitate many clients', () => {
  /** Draws for a probe as a customer, then for its client. */
  const drawing = (client: number) => {
    let count = 0
    return () => (count++ === 0 ? 0 : client)
  }

  const isNode = (request: Request) => request.headers.get('user-agent') === 'node'

  test('and each client is drawn', async () => {
    await using merchant = openMerchant({ '/v1': asksV2() })
    const agents = new Set<string | null>()
    for (const [index, { headers }] of CLIENTS.entries()) {
      const from = merchant.headers.length
      const probe = createProber({ fetch, userAgent: NAME, random: drawing(index / CLIENTS.length + 0.01) })
      const endpoint = `${merchant.url}/v1`
      expect((await probe({ ...listing, endpoint, resource: null })).outcome).toBe('payable')
      const agent = merchant.headers[from]!.get('user-agent')
      expect(agent).toBe(headers.find(([name]) => /^user-agent$/i.test(name))![1])
      agents.add(agent)
    }
    expect(agents.size).toBe(7)
  })

  test('and a merchant honest only to the official client and the prober is detected by every other', async () => {
    for (const index of CLIENTS.keys()) {
      await using merchant = openMerchant({
        '/v1': request =>
          (isNode(request) || request.headers.get('user-agent') === NAME
            ? asksV2()
            : bad.clone()) as Response,
      })
      const endpoint = `${merchant.url}/v1`
      const probe = createProber({ fetch, userAgent: NAME, random: drawing(index / CLIENTS.length + 0.01) })
      const { outcome, resource } = await probe({ ...listing, endpoint, resource: null })
      expect(outcome).toBe(index === 0 ? 'payable' : 'mismatched')
      if (index === 0) continue
      expect(resource).toMatchObject({ asCustomer: true, client: CLIENTS[index]!.name })
      // Chance would draw the official one, which is answered well.
      const next = createProber({ fetch, userAgent: NAME, random: () => 0 })
      expect((await next({ ...listing, endpoint, resource })).outcome).toBe('mismatched')
    }
  })

  test('and a client that a firewall refuses is replaced by the official one', async () => {
    const { outcome, agents, check } = await probed(
      {
        '/v1': request =>
          isNode(request) || request.headers.get('user-agent') === NAME ? asksV2() : status(403),
      },
      0.4,
      { resource: null },
    )
    expect(agents).toEqual(['python-httpx/0.28.1', 'node', NAME])
    expect({ outcome, passed: check?.passed }).toEqual({ outcome: 'payable', passed: true })
  })
})

describe('every response of a probe is compared', () => {
  /** Answers in turn, the last one for good. */
  const inTurn = (...answers: Response[]) => {
    let count = 0
    return () => answers[Math.min(count++, answers.length - 1)]!.clone() as Response
  }

  test.each([
    ['another payee from the second on', [asksV2(), bad], 'other_address'],
    ['another payee once', [asksV2(), bad, asksV2()], 'other_address'],
    ['another payee, then peace', [asksV2(), bad, status(429)], 'other_address'],
    ['another payee, then a gateway', [asksV2(), bad, status(503)], 'other_address'],
    [
      'another payee beside the listed one',
      [asksV2(), asksV2([onBase, { ...onBase, payTo: STRANGER }])],
      'other_payees',
    ],
    ['a higher price from the second on', [asksV2(), dear], 'asks_more'],
    ['a higher price once', [asksV2(), dear, asksV2()], 'asks_more'],
  ] as const)('so that %s decides', async (_, answers, code) => {
    const { outcome, codes, resource, priceSeen } = await probed({ '/v1': inTurn(...answers) }, 0.4, {
      resource: null,
    })
    expect(outcome).toBe('mismatched')
    expect(codes).toContain(code)
    expect(resource).toMatchObject({ asCustomer: true })
    if (code === 'asks_more') expect(priceSeen).toBe('0.009')
  })

  test('also one by another method', async () => {
    const post = { info: { input: { type: 'http', method: 'POST', bodyType: 'json', body: {} } } }
    const { outcome, asked } = await probed({
      'GET /v1': asksV2([{ ...onBase, payTo: STRANGER }], { extensions: { bazaar: post } }),
      'POST /v1': asksV2(),
    })
    expect(asked.some(request => request.startsWith('POST'))).toBe(true)
    expect(outcome).toBe('mismatched')
  })
})

describe('a cloak is a mismatch', () => {
  test.each([
    ['another payee', bad],
    ['a higher price', dear],
    ['another chain besides, which the listing does not name', asksV2([onBase, { ...onSolana, payTo: 'X' }])],
    ['the goods without asking', status(200)],
    ['a closed door', status(403)],
    ['nothing at all', status(404)],
  ])('of %s for customers', async (_, customer) => {
    const { outcome, codes, check, resource, asked } = await probed(
      { 'GET /v1': cloaking(asksV2(), customer) },
      0.4,
      { resource: null },
    )
    expect({ outcome, code: codes[0], passed: check?.passed }).toEqual({
      outcome: 'mismatched',
      code: 'cloaked',
      passed: false,
    })
    expect(resource).toMatchObject({ asCustomer: true })
    expect(asked.length).toBeLessThanOrEqual(6)
  })

  test('has a reason in words', async () => {
    const { reasons } = await probed({ '/v1': cloaking(asksV2(), bad) })
    expect(tellInEnglish(reasons[0]!)).toBe(
      'A client that does not identify itself gets different terms than the prober.',
    )
    const hidden = await probed({ '/v1': cloaking(asksV2(), status(200)) }, 0.4, { resource: null })
    expect(tellInEnglish(hidden.reasons[0]!)).toBe(
      'A client that does not identify itself gets 200, while the prober gets 402.',
    )
  })

  test('remains one until a customer gets the right terms, whatever is drawn', async () => {
    await using merchant = openMerchant({ '/v1': cloaking(asksV2(), bad) })
    const probe = createProber({ fetch, userAgent: NAME, random: () => 1 })
    const doubted: Resource = { url: `${merchant.url}/v1`, method: 'GET', asCustomer: true }
    const endpoint = `${merchant.url}/v1`
    expect(await probe({ ...listing, endpoint, resource: doubted })).toMatchObject({
      outcome: 'mismatched',
      resource: { asCustomer: true },
    })
    merchant.answer({ '/v1': asksV2() })
    expect(await probe({ ...listing, endpoint, resource: doubted })).toMatchObject({
      outcome: 'payable',
      resource: null,
    })
  })

  test('is detected at the first probe, and with probability one half later', async () => {
    const { codes } = await probed({ '/v1': cloaking(asksV2(), bad) }, 1, { isNew: true })
    expect(codes[0]).toBe('cloaked')
    await using merchant = openMerchant({ '/v1': cloaking(asksV2(), bad) })
    let seed = 7
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const probe = createProber({ fetch, userAgent: NAME, random })
    const outcomes: string[] = []
    for (let i = 0; i < 40; i++)
      outcomes.push((await probe({ ...listing, endpoint: `${merchant.url}/v1`, resource: null })).outcome)
    const found = outcomes.filter(outcome => outcome === 'mismatched').length
    expect(found).toBeWithin(12, 29)
    expect(outcomes.indexOf('mismatched')).toBeLessThan(5)
  })

  test('of a merchant that is honest after probes is judged by the first customer response', async () => {
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

describe('a merchant that knows the schedule', () => {
  const seeded = (seed: number) => () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }

  test('and is honest after a probe and around the next one is detected', async () => {
    const found: number[] = []
    for (let seed = 1; seed <= 12; seed++) {
      let nowMs = 0
      let namedAtMs = Number.NEGATIVE_INFINITY
      await using merchant = openMerchant({
        '/v1': request => {
          if (request.headers.get('user-agent') === NAME) namedAtMs = nowMs
          const passedMs = nowMs - namedAtMs
          const isProbed = passedMs < 20_000 || passedMs > 53.5 * 60_000
          return (isProbed ? asksV2() : bad).clone() as Response
        },
      })
      const random = seeded(seed * 7_919)
      const probe = createProber({ fetch, userAgent: NAME, random })
      const endpoint = `${merchant.url}/v1`
      let resource: Resource | null = null
      for (let count = 1; ; count++) {
        const outcome = await probe({
          ...listing,
          endpoint,
          ...(count === 1 ? { isNew: true } : { resource }),
        })
        if (outcome.outcome === 'mismatched') {
          found.push(count)
          break
        }
        resource = outcome.resource
        const record = { outcome: outcome.outcome, httpStatus: 402 } as ProbeRecord
        nowMs += nextIntervalMs(record, 'verified', [record], random())
        expect(count).toBeLessThan(40)
      }
    }
    expect(found.toSorted((a, b) => a - b)[6]).toBeLessThanOrEqual(8)
  })

  test('is sometimes probed only as a customer, documents included', async () => {
    await using merchant = openMerchant({ '/v1': asksV2() })
    const draws = [0, 0.5, 0.5]
    const probe = createProber({ fetch, userAgent: NAME, random: () => draws.shift() ?? 0 })
    const { outcome, requests } = await probe({ ...listing, endpoint: `${merchant.url}/v1`, resource: null })
    expect(outcome).toBe('payable')
    expect(requests.map(({ as }) => as)).not.toContain('directory')
    expect(merchant.asked.every(request => request.endsWith(' /v1'))).toBe(true)
  })

  test('and refuses the first request is requested again, as a retrying client would', async () => {
    const clock = new ManualClock()
    let last = Number.NEGATIVE_INFINITY
    const isAsked = Promise.withResolvers<void>()
    await using merchant = openMerchant({
      '/v1': () => {
        const now = clock.now().getTime()
        const isFirst = now - last > 4_000
        last = now
        isAsked.resolve()
        return (isFirst ? status(429, { 'retry-after': '1' }) : bad).clone() as Response
      },
    })
    const probe = createProber({ fetch, userAgent: NAME, clock, random: () => 1 })
    const probing = probe({ ...listing, endpoint: `${merchant.url}/v1`, resource: null })
    await isAsked.promise
    const ticking = setInterval(() => clock.advance(100), 1)
    const outcome = await probing.finally(() => clearInterval(ticking))
    expect(outcome.outcome).toBe('mismatched')
    expect(outcome.requests.map(each => each.status).slice(0, 2)).toEqual([429, 402])
  })
})

describe('not a cloak:', () => {
  test('a price that changes between two requests', async () => {
    let count = 0
    const cheaper = asksV2([{ ...onBase, amount: '2000' }])
    const { outcome, check } = await probed({
      '/v1': () => (count++ === 0 ? asksV2() : (cheaper.clone() as Response)),
    })
    expect(outcome).toBe('payable')
    expect(check).toMatchObject({ passed: true, detail: { code: 'terms_unsteady' } })
  })

  test('a price that is another one each time', async () => {
    let amount = 1_000
    const { outcome, check } = await probed({
      '/v1': () => asksV2([{ ...onBase, amount: String(amount++) }]),
    })
    expect(outcome).toBe('payable')
    expect(check?.passed).toBe(true)
  })

  test('a nonce in what a payer need not know', async () => {
    let nonce = 0
    const { check } = await probed({ '/v1': () => asksV2([{ ...onBase, extra: { nonce: nonce++ } }]) })
    expect(check).toMatchObject({ passed: true, detail: { code: 'same_for_customers' } })
  })

  test('a merchant that refuses the prober but not customers', async () => {
    const { outcome } = await probed({ '/v1': cloaking(status(429), asksV2()) })
    expect(outcome).toBe('payable')
  })
})

describe('a payee that changes with each call', () => {
  test.each([0.4, 1])('is reported as changing (chance %p)', async random => {
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
