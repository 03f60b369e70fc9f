import { afterEach, describe, expect, test } from 'bun:test'
import { isSignedByPayee } from '../../src/directory/sign-in.ts'
import type { Checker, CheckName, CheckReport } from '../../src/domain/check.ts'
import { createChecker } from '../../src/probe/checker.ts'
import { createProofReader } from '../../src/probe/documents/proof-reader.ts'
import { createProbe } from '../../src/probe/probe.ts'
import { createHostGate } from '../../src/probe/requests/host-gate.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { createServiceProber } from '../../src/probe/service-prober.ts'
import { openStore } from '../../src/store/open.ts'
import { entry } from '../entries.ts'
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

async function open({ allowPrivate = true } = {}) {
  const clock = new ManualClock()
  const store = parts.use(await openStore('sqlite::memory:', { clock }))
  const fetch = createSafeFetch({ allowPrivate, lookup: async () => [{ address: '10.0.0.7', family: 4 }] })
  const gate = createHostGate(clock)
  const probe = createProbe({ fetch, userAgent: 'test', gate, random: () => 1 })
  const readProof = createProofReader({ fetch, isSigned: isSignedByPayee, userAgent: 'test', gate, clock })
  const checkNow = createChecker({ probe, readProof, clock, allowPrivate })
  /** Time passes while it asks. */
  const check: Checker = async (request, caller) => {
    const ended = new AbortController()
    const checking = checkNow(request, caller).finally(() => ended.abort())
    checking.catch(() => {})
    for (; !ended.signal.aborted; await Bun.sleep(1)) clock.advance(100)
    return checking
  }
  return { clock, gate, store, check }
}

const merchant = (routes: Routes) => parts.use(openMerchant(routes))
const resultOf = ({ checks }: CheckReport, name: CheckName) => checks.find(({ check }) => check === name)
const failedOf = ({ checks }: CheckReport) =>
  checks.filter(({ result }) => result === 'failed').map(({ check }) => check)

describe('a check', () => {
  test('passes every step for a merchant that matches its listing', async () => {
    const { url } = merchant({ '/v1': asksV2() })
    const report = await (await open()).check({ endpoint: `${url}/v1`, ...listing }, 'key')
    expect(report.checks.every(({ result }) => result === 'passed')).toBe(true)
    expect(report).toMatchObject({ outcome: 'payable', wouldVerify: true, httpStatus: 402, resource: null })
  })

  test('reports whether the domain names the wallet, and notes if it names others', async () => {
    const signable = asksV2([{ ...onBase, extra: { name: 'USD Coin', version: '2' } }])
    const withFile = (wallet: string) =>
      merchant({
        '/v1': signable.clone() as Response,
        '/.well-known/shirube.json': Response.json({ wallets: [wallet] }),
      }).url
    const { check } = await open()
    const [own, others] = [withFile(PAYEE), withFile(STRANGER)]
    const { host } = new URL(own)
    const proved = await check({ endpoint: `${own}/v1`, ...listing }, 'key')
    expect(proved).toMatchObject({ domain: { host, names: 'wallet' }, notes: [] })
    const unproved = await check({ endpoint: `${others}/v1`, ...listing }, 'key')
    expect(unproved).toMatchObject({
      domain: null,
      wouldVerify: true,
      noteCodes: [{ code: 'domain_names_others' }],
    })
    expect((await check({ endpoint: `${own}/v1` }, 'key')).domain).toBeNull()
    const { url } = merchant({
      '/v1': signable,
      '/.well-known/shirube.json': Response.json({ probe: false }),
    })
    expect(await check({ endpoint: `${url}/v1`, ...listing }, 'key')).toMatchObject({
      wouldVerify: false,
      noteCodes: [{ code: 'probing_declined' }],
    })
  })

  test('notes why no official client could pay, and what to add', async () => {
    const { url } = merchant({ '/v1': asksV2() })
    const report = await (await open()).check({ endpoint: `${url}/v1`, ...listing }, 'key')
    expect(report).toMatchObject({
      wouldVerify: true,
      notes: [expect.stringContaining('lacks extra.name and extra.version')],
      noteCodes: [{ code: 'not_by_default_client', values: { why: 'domain' } }],
    })
  })

  test.each([
    ['address', { '/v1': asksV2([{ ...onBase, payTo: STRANGER }]) }],
    ['other_payees', { '/v1': asksV2([onBase, { ...onBase, payTo: STRANGER }]) }],
    ['network', { '/v1': asksV2([{ ...onBase, network: 'eip155:137' }]) }],
    ['price', { '/v1': asksV2([{ ...onBase, amount: '9000' }]) }],
    ['answers_402', { '/v1': new Response(SECRET) }],
    ['readable_terms', { '/v1': new Response(SECRET, { status: 402 }) }],
    ['reachable', { '/v1': status(502) }],
  ] as const)('names %s where that is what fails, and repeats nothing of the body', async (name, routes) => {
    const { url } = merchant(routes)
    const report = await (await open()).check({ endpoint: `${url}/v1`, ...listing }, 'key')
    expect(failedOf(report)).toEqual([name])
    expect(report.wouldVerify).toBe(false)
    expect(resultOf(report, name)?.detail).toMatch(/\.$/)
    expect(JSON.stringify(report)).not.toContain(SECRET)
  })

  test('compares only given values', async () => {
    const { url } = merchant({ '/v1': asksV2() })
    const report = await (await open()).check({ endpoint: `${url}/v1` }, 'key')
    expect(report).toMatchObject({ outcome: 'payable', wouldVerify: false })
    for (const name of ['network', 'address', 'other_payees', 'price'] as const)
      expect(resultOf(report, name)).toMatchObject({ result: 'skipped' })
  })

  test.each([
    ['as listed', [onBase]],
    ['an undeclared address beside the right one', [onBase, { ...onBase, payTo: STRANGER }]],
    ['an undeclared address before the right one', [{ ...onBase, payTo: STRANGER }, onBase]],
    [
      'an undeclared address on another network',
      [onBase, { ...onBase, network: 'eip155:137', payTo: STRANGER }],
    ],
    ['another address alone', [{ ...onBase, payTo: STRANGER }]],
    ['another network alone', [{ ...onBase, network: 'eip155:137' }]],
    ['another price', [{ ...onBase, amount: '9000' }]],
  ])('of %s says what the rounds say of a listing with these values', async (_, ways) => {
    const { url } = merchant({ '/v1': asksV2(ways) })
    const { check, store, clock } = await open()
    const listed = entry({ endpoint: `${url}/v1`, ...listing, pricing: { ...listing.pricing, freeQuota: 0 } })
    await store.insert([listed])
    const probe = createProbe({
      fetch: createSafeFetch({ allowPrivate: true }),
      userAgent: 'test',
      random: () => 1,
    })
    const prober = createServiceProber({ store, probe, clock })
    const measured = await prober.probe({ entry: listed, finding: null }, { patienceMs: 60_000 })
    await prober.record(measured)
    const report = await check({ endpoint: `${url}/v1`, ...listing }, 'key')
    expect(report.outcome).toBe(measured.probe.outcome)
    const { status: judged } = (await store.find(listed.id))!.entry.standing
    expect(report.wouldVerify).toBe(judged === 'verified')
    expect(report.wouldVerify).toBe(failedOf(report).length === 0)
  })

  test('names the payable resource below a base URL', async () => {
    const { url } = merchant({
      '/.well-known/x402': Response.json({ resources: ['/v1/a'] }),
      '/v1/a': asksV2(),
    })
    const report = await (await open()).check({ endpoint: `${url}/v1`, ...listing }, 'key')
    expect(report).toMatchObject({ outcome: 'payable', resource: `${url}/v1/a` })
  })
})

describe('a check sends no request', () => {
  test.each([
    ['url', 'no url'],
    ['url', 'ftp://api.acme.dev/'],
    ['public_address', 'http://127.0.0.1:1/'],
    ['public_address', 'http://0x7f.1/'],
    ['public_address', 'http://api.acme.dev/'],
    ['public_address', 'https://weather.example/v1'],
  ] as const)('and %s fails for %s', async (name, endpoint) => {
    const report = await (await open({ allowPrivate: false })).check({ endpoint, ...listing }, 'key')
    expect(failedOf(report)).toEqual([name])
    expect(report).toMatchObject({ httpStatus: null, wouldVerify: false })
  })
})

describe('a check respects the limits:', () => {
  test('ten per minute for one key', async () => {
    const { check, clock } = await open()
    const again = (caller: string) => check({ endpoint: 'no url' }, caller)
    for (let i = 0; i < 10; i++) await again('a')
    await expect(again('a')).rejects.toMatchObject({ code: 'rate_limited' })
    await again('b')
    clock.advance(60_000)
    await again('a')
  })

  test('a host that others are waiting for is not contacted', async () => {
    const { check, gate } = await open()
    const { url, asked } = merchant({ '/v1': asksV2() })
    const enough = new AbortController()
    const patience = { patienceMs: 60_000, signal: enough.signal }
    const waiting = Array.from({ length: 5 }, () =>
      gate.enter({ host: new URL(url).host, addresses: ['127.0.0.1'] }, patience),
    )
    const checking = check({ endpoint: `${url}/v1` }, 'key')
    await expect(checking).rejects.toMatchObject({ code: 'rate_limited' })
    enough.abort()
    await Promise.allSettled(waiting)
    expect(asked).toEqual([])
  })
})
