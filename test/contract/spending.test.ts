// What agents spend: no key passes its budget, whatever its holders send, in whatever order, on both stores.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKeyring } from '../../src/directory/keys.ts'
import { readPolicy } from '../../src/domain/policy.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import {
  type Answer,
  ask,
  body,
  createSetClock,
  KEY,
  openTestServer,
  type TestServer,
} from '../http/directory-server.ts'
import { createDatabase } from '../postgres.ts'

const DAY = '2026-11-18'
const NOON = `${DAY}T12:00:00.000Z`
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const PAYEE = `0x${'a1'.repeat(20)}`
const HASH = `0x${'5E'.repeat(32)}`
const URL_PAID = 'https://paid.shop.test/v1'
const DENIED = 'https://denied.test/v1'
const OTHER = 'https://other.test/v1'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shirube-spending-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const STORES = {
  SQLite: async () => `sqlite:${join(folder, 'directory.db')}`,
  PostgreSQL: () => createDatabase(),
}

/** Of $0.01, valid for a minute. */
const payment = (id: string, changes: object = {}) => ({
  ...{ id, url: URL_PAID, payTo: PAYEE, network: 'base', asset: USDC, amount: '10000', validSeconds: 60 },
  ...changes,
})

describe.each(Object.entries(STORES))('on %s', (_, createUrl) => {
  const clock = createSetClock(NOON)
  let DATABASE_URL: string
  let server: TestServer
  let store: Store
  let admin: string
  let agent: { key: string; id: string }
  let other: { key: string; id: string }

  beforeAll(async () => {
    DATABASE_URL = await createUrl()
    store = await openStore(DATABASE_URL, { clock })
    server = await openTestServer(
      { DATABASE_URL, RATE_LIMIT: '0', RPC_URL_BASE: 'http://127.0.0.1:9' },
      { clock },
    )
    for (const [name, endpoint] of [
      ['Paid', URL_PAID],
      ['Denied', DENIED],
      ['Other', OTHER],
    ])
      await server.register(
        body({
          ...{ name, endpoint, pricing: { currency: 'USDC', pricePerRequest: '0.01', freeQuota: 0 } },
          x402Config: { paymentAddress: PAYEE, network: 'base' },
        }),
      )
    admin = (await ring().create({ name: 'operator', scopes: ['admin'], expiresAt: null })).key
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await store?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    clock.set(NOON)
    agent = await createAgent('agent')
    other = await createAgent('other')
  })

  const ring = () => openKeyring({ keys: store.keys, clock, extraKeys: [] })
  const createAgent = async (
    name: string,
    policy: object = { deny: ['denied.test'], budgetPerDay: '0.03' },
  ) => {
    const { key, record } = await ring().create({
      name,
      scopes: [],
      expiresAt: null,
      policy: readPolicy(policy),
    })
    return { key, id: record.id }
  }
  const send = (method: string, path: string, json: unknown, key: string | undefined = agent.key) =>
    ask(`${server.url}/api/reservations${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(json),
    })
  const reserve = (id: string, changes?: object, key?: string) => send('POST', '', payment(id, changes), key)
  const report = (id: string, json: object, key?: string) => send('PATCH', `/${id}`, json, key)
  const settle = (id: string, changes: object = {}, key?: string) =>
    report(id, { state: 'settled', transaction: HASH, ...changes }, key)
  const sums = async (query = '', key = admin) =>
    (
      await server.get(`/api/operator/spending?agent=${agent.id}${query}`, { authorization: `Bearer ${key}` })
    ).json()
  const minutes = (count: number) => new Date(Date.parse(NOON) + count * 60_000).toISOString()
  const readAnswer = async (response: Answer) => {
    const { state, usd, left, code } = await response.json()
    return [response.status, code ?? state, ...(code ? [] : [usd, left])]
  }

  test('a payment is reserved, settled and accounted for, by agent, seller and day', async () => {
    expect(await readAnswer(await reserve('a'))).toEqual([201, 'reserved', '0.01', '0.02'])
    // Sent again, it is reserved once.
    expect(await readAnswer(await reserve('a'))).toEqual([201, 'reserved', '0.01', '0.02'])
    expect(await readAnswer(await reserve('b', { amount: '5000' }))).toEqual([
      201,
      'reserved',
      '0.005',
      '0.015',
    ])
    expect(await readAnswer(await settle('a'))).toEqual([200, 'settled', '0.01', '0.015'])
    expect(await readAnswer(await settle('a'))).toEqual([200, 'settled', '0.01', '0.015'])
    const row = { day: DAY, agent: agent.id, name: 'agent', seller: 'shop.test', payments: 1, usd: '0.01' }
    expect(await sums()).toEqual([{ ...row, confirmedUsd: '0', reservedUsd: '0.005' }])
    expect(await readAnswer(await report('b', { state: 'released' }))).toEqual([200, 'released', '0', '0.02'])
    expect(await sums()).toEqual([{ ...row, confirmedUsd: '0', reservedUsd: '0' }])
    const csv = await server.get(`/api/operator/spending.csv?agent=${agent.id}`, {
      authorization: `Bearer ${admin}`,
    })
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(await csv.text()).toBe(
      `day,agent,name,seller,payments,usd,confirmedUsd,reservedUsd\r\n${DAY},${agent.id},agent,shop.test,1,0.01,0,0\r\n`,
    )
    expect(await sums('&from=2026-11-19&to=2026-11-20')).toEqual([])
  })

  test('a settlement that was seen on chain confirms one report, of its amount', async () => {
    const transaction = `0x${'7c'.repeat(32)}`
    for (const [minute, id] of ['first', 'second'].entries()) {
      clock.set(minutes(minute))
      await reserve(id)
      await settle(id, { transaction })
    }
    const confirmed = async (amount: string, logIndex: number) => {
      const settled = { chain: 'eip155:8453', transaction, logIndex, block: 7, at: NOON }
      const money = { asset: USDC.toLowerCase(), payer: `0x${'b2'.repeat(20)}`, payee: PAYEE, amount }
      const payments = [{ ...settled, ...money, method: 'authorization' as const, serviceId: null }]
      await store.payments.advance('eip155:8453', await store.payments.cursor('eip155:8453'), { payments })
      const [{ usd, confirmedUsd }] = await sums()
      return [usd, confirmedUsd]
    }
    expect(await confirmed('0.009', 3)).toEqual(['0.02', '0'])
    expect(await confirmed('0.01', 4)).toEqual(['0.02', '0.01'])
    expect((await (await settle('first', { transaction })).json()).confirmed).toBe(true)
    expect((await (await settle('second', { transaction })).json()).confirmed).toBe(false)
  })

  test('twenty agents with one key at once never pass its budget, over two processes', async () => {
    await using second = await openTestServer({ DATABASE_URL, RATE_LIMIT: '0' }, { clock })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        ask(`${(i % 2 ? second : server).url}/api/reservations`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${agent.key}` },
          body: JSON.stringify(payment(`race${i}`)),
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    const refused = answers.find(({ status }) => status === 403)!
    expect(await refused.json()).toMatchObject({
      code: 'over_budget',
      detail:
        'It would cost $0.01; of the $0.03 that this API key may spend a day, $0.03 are spent or reserved.',
    })
    expect(await sums()).toMatchObject([{ reservedUsd: '0.03' }])
  })

  // Each of these tries to pass a budget, to use that of another key, or to falsify the account.
  type Try = readonly [what: string, run: () => Promise<Answer>, expected: string]
  /** @param rows what is tried, by itself or by what is changed of a payment that is reserved */
  const tries = (expected: string, rows: readonly (readonly [string, Try[1] | Record<string, unknown>])[]) =>
    rows.map(([what, by]): Try => [what, typeof by === 'function' ? by : () => reserve('x', by), expected])
  const HOSTILE: readonly Try[] = [
    ...tries('404 not_found', [
      ['another key settles it', () => settle('mine', {}, other.key)],
      ['another key releases it', () => report('mine', { state: 'released' }, other.key)],
      ['another key releases what is paid', () => report('paid', { state: 'released' }, other.key)],
      ['to settle what was never reserved', () => settle('never')],
    ]),
    ...tries('201 reserved', [['another key reserves under its id', () => reserve('mine', {}, other.key)]]),
    ...tries('403 forbidden', [
      ['a key of the settings reserves', () => reserve('x', {}, KEY)],
      ['an operator reserves without a policy', () => reserve('x', {}, admin)],
      ['an agent reads the account', () => sumsOf(agent.key)],
      ['an agent reads the account of another', () => sumsOf(other.key)],
    ]),
    ...tries('401 unauthorized', [
      ['no key reserves', () => send('POST', '', payment('x'), '')],
      ['no key settles', () => send('PATCH', '/mine', { state: 'settled' }, '')],
      ['an invented key reserves', () => reserve('x', {}, 'an-invented-key')],
      ['a revoked key reserves', async () => reserve('x', {}, await revoked())],
      ['an expired key reserves', async () => reserve('x', {}, await expired())],
      ['nobody reads the account', () => server.get('/api/operator/spending')],
    ]),
    ...tries('403 not_approved', [
      ['more than the budget at once', { amount: '30001' }],
      ['a payment of more than is listed', { amount: '10001' }],
      ['a host that is denied', { url: DENIED, amount: '1' }],
      ['a host that is denied, in other letters', { url: 'https://DENIED.test/v1', amount: '1' }],
      ['a wallet that is not listed', { payTo: `0x${'99'.repeat(20)}`, amount: '1' }],
      ['a URL that is not listed', { url: 'https://elsewhere.test/', amount: '1' }],
      ['an amount beyond every number', { amount: '9'.repeat(78) }],
    ]),
    ...tries('403 over_budget', [
      ['more than is left', { amount: '10000', url: OTHER }],
      ['a thousandth of a cent more than is left', { amount: '9991', url: OTHER }],
      ['to name its own time', { at: '2026-11-19T00:00:00Z', url: OTHER }],
      ['to name its own key', () => reserve('x', { agent: other.id, url: OTHER })],
      ['to raise its own budget', { budgetPerDay: '9', policy: {}, url: OTHER }],
      ['a clock that was set back by an hour', () => at(-60, () => reserve('x', { url: OTHER }))],
    ]),
    ...tries('400 invalid_request', [
      ['an asset of no known price', { asset: `0x${'98'.repeat(20)}`, amount: '1' }],
      ['a negative amount', { amount: '-10000' }],
      ['an amount that is a number', { amount: 1 }],
      ['an amount with an exponent', { amount: '1e0' }],
      ['without an amount', { amount: undefined }],
      ['valid for longer than is counted', { validSeconds: 86_400 }],
      ['to report less than the scheme takes', () => settle('mine', { amount: '1' })],
      ['to report more', () => settle('mine', { amount: '10001' })],
      ['to make up a state', () => report('mine', { state: 'confirmed' })],
    ]),
    ...tries('409 idempotency_conflict', [
      ['the id of another payment, cheaper', () => reserve('mine', { amount: '1' })],
      ['the id of another payment, to another', () => reserve('mine', { url: OTHER })],
      ['to release what is paid', () => report('paid', { state: 'released' })],
      ['to replace the transaction', () => settle('paid', { transaction: `0x${'01'.repeat(32)}` })],
    ]),
    ...tries('201 settled', [['once more what is paid', () => reserve('paid')]]),
    ...tries('201 released', [['once more what was released', () => reserve('gone', { amount: '9990' })]]),
    ...tries('200 settled', [['what expired, paid late', () => at(12, () => settle('mine'))]]),
  ]
  const at = (minute: number, run: () => Promise<Answer>) => {
    clock.set(minutes(minute))
    return run()
  }
  const revoked = async () => {
    const { key, id } = await createAgent('revoked')
    await ring().revoke(id)
    return key
  }
  const expired = async () => {
    const { key, id } = await createAgent('expired')
    await ring().expire(id)
    return key
  }
  const sumsOf = (key: string) =>
    server.get(`/api/operator/spending?agent=${agent.id}`, { authorization: `Bearer ${key}` })

  test.each(HOSTILE.map(([what], i) => [what, i] as const))('fails: %s', async (_, i) => {
    expect((await reserve('mine')).status).toBe(201)
    expect((await reserve('paid')).status).toBe(201)
    expect((await settle('paid')).status).toBe(200)
    expect((await reserve('gone', { amount: '9990' })).status).toBe(201)
    expect((await report('gone', { state: 'released' })).status).toBe(200)
    expect((await reserve('small', { amount: '10' })).status).toBe(201)
    const before = await sums()
    const [, run, expected] = HOSTILE[i]!
    const response = await run()
    const { code, state } = await response.json()
    expect(`${response.status} ${code ?? state}`).toBe(expected)
    if (expected !== '200 settled') {
      clock.set(NOON)
      expect(await sums()).toEqual(before)
    }
    const [{ usd, reservedUsd }] = await sums()
    expect(Number(usd) + Number(reservedUsd)).toBeLessThanOrEqual(0.03)
  })

  test('what was reserved and never used comes back, and a new day has a new budget', async () => {
    for (const id of ['a', 'b', 'c']) expect((await reserve(id)).status).toBe(201)
    expect((await reserve('d')).status).toBe(403)
    await settle('c')
    clock.set(minutes(10))
    expect((await reserve('d')).status).toBe(403)
    // A minute in which it can be taken, and ten to report it.
    clock.set(minutes(11))
    expect(await readAnswer(await reserve('d'))).toEqual([201, 'reserved', '0.01', '0.01'])
    expect(await readAnswer(await reserve('a'))).toEqual([201, 'expired', '0.01', '0.01'])
    clock.set('2026-11-19T00:00:00.000Z')
    expect(await readAnswer(await reserve('e'))).toEqual([201, 'reserved', '0.01', '0.02'])
    // Forgotten after a week, but for what was paid.
    clock.set('2026-12-01T00:00:00.000Z')
    await reserve('f')
    expect(await sums('&from=2026-11-01')).toMatchObject([
      { day: '2026-12-01', reservedUsd: '0.01' },
      { day: DAY, payments: 1, usd: '0.01' },
    ])
  })
})
