import { afterEach, describe, expect, test } from 'bun:test'
import type { CheckName, CheckReport } from '../../src/domain/check.ts'
import { createChecker } from '../../src/probe/checker.ts'
import { createHostGate } from '../../src/probe/host-gate.ts'
import { createProber } from '../../src/probe/prober.ts'
import { createSafeFetch } from '../../src/probe/safe-fetch.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { asksV2, onBase, openMerchant, PAYEE, type Routes, STRANGER, status } from './merchant.ts'

const SECRET = 'the text of a stranger’s server'
const listing = {
  x402Config: { paymentAddress: PAYEE, network: 'base' },
  pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
}

let parts = new AsyncDisposableStack()
afterEach(async () => {
  await parts.disposeAsync()
  parts = new AsyncDisposableStack()
})

function open({ allowPrivate = true } = {}) {
  const clock = new ManualClock()
  const fetch = createSafeFetch({
    allowPrivate,
    lookup: async () => [{ address: '10.0.0.7', family: 4 }],
  })
  const gate = createHostGate(clock)
  const probe = createProber({ fetch, userAgent: 'test' })
  return { clock, gate, check: createChecker({ probe, gate, clock, allowPrivate }) }
}

const merchant = (routes: Routes) => parts.use(openMerchant(routes))
const resultOf = ({ checks }: CheckReport, name: CheckName) => checks.find(({ check }) => check === name)
const failedOf = ({ checks }: CheckReport) =>
  checks.filter(({ result }) => result === 'failed').map(({ check }) => check)

describe('a check', () => {
  test('passes every step of a merchant that is as listed', async () => {
    const { url } = merchant({ '/v1': asksV2() })
    const report = await open().check({ endpoint: `${url}/v1`, ...listing }, 'key')
    expect(report.checks.every(({ result }) => result === 'passed')).toBe(true)
    expect(report).toMatchObject({ outcome: 'payable', wouldVerify: true, httpStatus: 402, resource: null })
  })

  test.each([
    ['address', { '/v1': asksV2([{ ...onBase, payTo: STRANGER }]) }],
    ['network', { '/v1': asksV2([{ ...onBase, network: 'eip155:137' }]) }],
    ['price', { '/v1': asksV2([{ ...onBase, amount: '9000' }]) }],
    ['answers_402', { '/v1': new Response(SECRET) }],
    ['readable_terms', { '/v1': new Response(SECRET, { status: 402 }) }],
    ['reachable', { '/v1': status(502) }],
  ] as const)('names %s where that is what fails, and repeats nothing of the body', async (name, routes) => {
    const { url } = merchant(routes)
    const report = await open().check({ endpoint: `${url}/v1`, ...listing }, 'key')
    expect(failedOf(report)).toEqual([name])
    expect(report.wouldVerify).toBe(name === 'price')
    expect(resultOf(report, name)?.detail).toMatch(/\.$/)
    expect(JSON.stringify(report)).not.toContain(SECRET)
  })

  test('compares nothing that was not given', async () => {
    const { url } = merchant({ '/v1': asksV2() })
    const report = await open().check({ endpoint: `${url}/v1` }, 'key')
    expect(report).toMatchObject({ outcome: 'payable', wouldVerify: false })
    for (const name of ['network', 'address', 'price'] as const)
      expect(resultOf(report, name)).toMatchObject({ result: 'skipped' })
  })

  test('tells of an undeclared address beside the right one', async () => {
    const { url } = merchant({ '/v1': asksV2([onBase, { ...onBase, payTo: STRANGER }]) })
    const report = await open().check({ endpoint: `${url}/v1`, ...listing }, 'key')
    expect(report.wouldVerify).toBe(false)
    expect(report.notes.join(' ')).toContain('undeclared')
  })

  test('says where the payable resource below a base URL is', async () => {
    const { url } = merchant({
      '/.well-known/x402': Response.json({ resources: ['/v1/a'] }),
      '/v1/a': asksV2(),
    })
    const report = await open().check({ endpoint: `${url}/v1`, ...listing }, 'key')
    expect(report).toMatchObject({ outcome: 'payable', resource: `${url}/v1/a` })
  })
})

describe('a check asks nobody', () => {
  test.each([
    ['url', 'no url'],
    ['url', 'ftp://api.acme.dev/'],
    ['public_address', 'http://127.0.0.1:1/'],
    ['public_address', 'http://0x7f.1/'],
    ['public_address', 'http://api.acme.dev/'],
    ['public_address', 'https://weather.example/v1'],
  ] as const)('and %s fails for %s', async (name, endpoint) => {
    const report = await open({ allowPrivate: false }).check({ endpoint, ...listing }, 'key')
    expect(failedOf(report)).toEqual([name])
    expect(report).toMatchObject({ httpStatus: null, wouldVerify: false })
  })
})

describe('a check keeps its manners', () => {
  test('ten a minute for one key', async () => {
    const { check, clock } = open()
    const again = (caller: string) => check({ endpoint: 'no url' }, caller)
    for (let i = 0; i < 10; i++) await again('a')
    await expect(again('a')).rejects.toMatchObject({ code: 'rate_limited' })
    await again('b')
    clock.advance(60_000)
    await again('a')
  })

  test('a host that others are waiting for is left alone', async () => {
    const { check, gate } = open()
    const { url } = merchant({ '/v1': asksV2() })
    const enough = new AbortController()
    const waiting = Array.from({ length: 5 }, () => gate.enter('127.0.0.1', enough.signal))
    const asked = check({ endpoint: `${url}/v1` }, 'key')
    await expect(asked).rejects.toMatchObject({ code: 'rate_limited' })
    enough.abort()
    await Promise.allSettled(waiting)
  })
})
