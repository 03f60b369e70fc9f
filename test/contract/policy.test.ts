// A key with a policy: through every door, answers are those without a key minus what the policy does not allow.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openKeyring } from '../../src/directory/keys.ts'
import { chainKey } from '../../src/domain/chains/chains.ts'
import type { DirectoryError } from '../../src/domain/errors.ts'
import { endpointHost } from '../../src/domain/hosts/endpoint.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { compareDecimals } from '../../src/domain/money/money.ts'
import { dollarPriceOf, NO_RATES } from '../../src/domain/money/rates.ts'
import { type Policy, readNamed, readPolicy } from '../../src/domain/policy.ts'
import { parseIntentQuery, parseKeywordQuery, parseListQuery } from '../../src/domain/queries/queries.ts'
import { parseResolveQuery } from '../../src/domain/resolve/resolution.ts'
import { LEVELS } from '../../src/domain/standing/standing.ts'
import { levelOf } from '../../src/domain/standing/trust.ts'
import { PROTOCOLS, protocolsOf, type Seen } from '../../src/domain/terms/terms.ts'
import { guard } from '../../src/http/client/guard.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { fc } from '../fast-check.ts'
import { openTestServer, type TestServer } from '../http/directory-server.ts'
import { call, connectOverHttp } from '../mcp/connect.ts'
import { createDatabase } from '../postgres.ts'
import { temporaryPath } from '../store/temporary-path.ts'

const NOW = '2026-11-17T00:00:00.000Z'
const pick = <T>(values: readonly T[], i: number): T => values[i % values.length]!
const wallet = (i: number) => `0x${String(1 + (i % 5)).repeat(40)}`
const host = (i: number) => `${pick(['one', 'two', 'three', 'four'], i)}.shop.test`
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'

const seenAt = (i: number, protocol: 'x402' | 'mpp', amount: string): Seen => ({
  at: '2026-11-17T00:00:00.000Z',
  price: 'same',
  asks: null,
  resources: [
    {
      url: `https://${host(i)}/v${i}`,
      method: 'GET',
      ways: [
        {
          ...(protocol === 'mpp' && { protocol }),
          scheme: 'exact',
          chain: 'eip155:8453',
          asset: USDC,
          amount,
          payTo: wallet(i),
        },
      ],
    },
  ],
})

/** They differ in everything that a policy can name, each in another rhythm. */
const ENTRIES: readonly Entry[] = Array.from({ length: 48 }, (_, i) => {
  const [price, units] = pick(
    [
      ['0.001', '1000'],
      ['0.01', '10000'],
      ['0.5', '500000'],
    ] as const,
    i,
  )
  const made = entry(
    {
      name: `${pick(['Weather', 'Rain', 'Maps'], i)} signpost ${i}`,
      category: pick(['weather', 'ai', 'data'], i >> 1),
      endpoint: `https://${host(i)}/v${i}`,
      pricing: { currency: pick(['USDC', 'USDC', 'POINTS'], i >> 2), pricePerRequest: price, freeQuota: 0 },
      x402Config: { paymentAddress: wallet(i), network: 'base' },
    },
    {
      now: new Date(Date.UTC(2026, 9, 1, 0, i)),
      supportedChains: pick([['base'], ['base', 'solana'], ['base', 'polygon']], i >> 1),
      standing: {
        status: pick(['verified', 'verified', 'unverified', 'inactive'], i),
        payers: { weight: i % 2, recent: i % 2 },
      },
    },
  )
  return { ...made, ...pick([{}, { seen: seenAt(i, 'x402', units) }, { seen: seenAt(i, 'mpp', units) }], i) }
})

/** What each field means, told over a whole entry. */
function allows(policy: Policy, each: Entry): boolean {
  const { levels, maxUsdPrice, chains, protocols, allow, deny = [] } = policy
  const names = [each.id, each.x402Config.paymentAddress, endpointHost(each.endpoint)]
  const isNamed = (name: string) => (COLLECTIONS[name] ?? [name]).some(each => names.includes(each))
  const price = dollarPriceOf(each, NO_RATES)?.amount
  return (
    (!levels || levels.includes(levelOf(each))) &&
    (maxUsdPrice === undefined || (price !== undefined && compareDecimals(price, maxUsdPrice) <= 0)) &&
    (!chains || chains.some(chain => each.supportedChains.map(chainKey).includes(chainKey(chain)))) &&
    (!protocols || protocols.some(protocol => protocolsOf(each.seen).includes(protocol))) &&
    (!allow || allow.some(isNamed)) &&
    !deny.some(isNamed)
  )
}

const some = <T>(values: readonly T[]) =>
  fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined })
const COLLECTIONS: Readonly<Record<string, readonly string[]>> = {
  'collection:few': [ENTRIES[3]!.id, wallet(1)],
  'collection:hosts': [host(2), host(3)],
  'collection:none': [],
}
const NAMES = [
  ...[...ENTRIES.slice(0, 12).map(({ id }) => id), ...[0, 1, 2].map(wallet), ...[0, 1, 2].map(host)],
  ...Object.keys(COLLECTIONS),
]
const policies = fc
  .record({
    levels: some(LEVELS),
    maxUsdPrice: fc.option(fc.constantFrom('0.001', '0.01', '1'), { nil: undefined }),
    chains: some(['base', 'eip155:137', 'Solana']),
    protocols: some(PROTOCOLS),
    allow: fc.option(fc.subarray(NAMES, { minLength: 1 }), { nil: undefined, freq: 2 }),
    deny: fc.option(fc.subarray(NAMES, { minLength: 1, maxLength: 3 }), { nil: undefined }),
  })
  .map(policy => JSON.parse(JSON.stringify(policy)) as object)
  .filter(policy => Object.keys(policy).length > 0)
  .map(readPolicy)

const listQueries = fc.record({
  category: fc.constantFrom('', 'weather', 'data'),
  maxUsdPrice: fc.constantFrom('', '0.01'),
  query: fc.constantFrom('', 'signpost', 'rain'),
  sortBy: fc.constantFrom('', 'price', 'name', 'trustScore'),
})

type Listed = readonly { readonly id: string }[]
const idsOf = (services: Listed) => services.map(({ id }) => id)

const STORES = {
  SQLite: async () => `sqlite:${temporaryPath('directory.db')}`,
  PostgreSQL: () => createDatabase(),
}

describe.each(Object.entries(STORES))('on %s', (_, createUrl) => {
  let server: TestServer
  let store: Store

  beforeAll(async () => {
    const DATABASE_URL = await createUrl()
    store = await openStore(DATABASE_URL, { clock: systemClock })
    await store.insert(ENTRIES)
    for (const [name, values] of Object.entries(COLLECTIONS))
      await store.collections.put(
        name.slice('collection:'.length),
        values.map(value => {
          const { kind } = readNamed(value)!
          return { kind: kind as 'host', value, why: '', who: 'key', at: NOW }
        }),
      )
    server = await openTestServer({ DATABASE_URL, RATE_LIMIT: '0' })
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await store?.[Symbol.asyncDispose]()
  })

  const ring = () => openKeyring({ keys: store.keys, clock: systemClock, extraKeys: [] })
  const under = async (policy: Policy) => server.app.directory.under(await store.collections.readInto(policy))
  const createKey = (policy: Policy) => ring().create({ name: 'agent', scopes: [], expiresAt: null, policy })
  const allowedIds = (policy: Policy) =>
    new Set(ENTRIES.filter(each => allows(policy, each)).map(({ id }) => id))

  test('lists, whole and page by page, leave out exactly what a policy does not allow', async () => {
    const { directory } = server.app
    await fc.assert(
      fc.asyncProperty(policies, listQueries, async (policy, given) => {
        const allowed = allowedIds(policy)
        const query = parseListQuery({ ...given, limit: '100' })
        const all = await directory.list(query)
        const view = await under(policy)
        const own = await view.list(query)
        const expected = idsOf(all.services.decode()).filter(id => allowed.has(id))
        const found = idsOf(own.services.decode())
        // Words rank by standing among what is found; every other order is that of the whole list.
        const isRanked = given.query !== '' && given.sortBy === ''
        expect(isRanked ? found.toSorted() : found).toEqual(isRanked ? expected.toSorted() : expected)
        expect(own.total).toBe(expected.length)
        expect(own.suppressed).toBe(all.total! - expected.length)
        const paged: string[] = []
        for (let offset = 0; offset < expected.length; offset += 7) {
          const page = await view.list(parseListQuery({ ...given, limit: '7', offset }))
          paged.push(...idsOf(page.services.decode()))
        }
        expect(paged).toEqual(found)
      }),
    )
  })

  test('searches, x402 lists and categories do the same', async () => {
    const { directory } = server.app
    await fc.assert(
      fc.asyncProperty(policies, fc.constantFrom('weather', 'rain maps', 'signpost'), async (policy, q) => {
        const allowed = allowedIds(policy)
        const view = await under(policy)
        const words = parseKeywordQuery({ q, limit: '100' })
        const all = await directory.search(words)
        const own = await view.search(words)
        const expected = idsOf(all.services.decode()).filter(id => allowed.has(id))
        expect(idsOf(own.services.decode()).toSorted()).toEqual(expected.toSorted())
        expect(own.suppressed).toBe(all.total! - expected.length)

        const sentence = parseIntentQuery({ q: `${q} signpost`, limit: '50' })
        const whole = (await directory.searchByIntent(sentence)).decode()
        const answer = (await view.searchByIntent(sentence)).decode()
        const fitting = (results: typeof answer.results) =>
          results.filter(({ weak }) => !weak).map(({ service }) => service.id)
        expect(whole.suppressed.policy).toBe(0)
        expect(answer.suppressed.policy).toBe(ENTRIES.length - allowed.size)
        expect(fitting(answer.results).toSorted()).toEqual(
          fitting(whole.results)
            .filter(id => allowed.has(id))
            .toSorted(),
        )
        expect(answer.results.every(({ service }) => allowed.has(service.id))).toBe(true)

        const offers = { limit: 100, offset: 0, unapplied: [] }
        const toIds = (items: readonly { readonly extensions: unknown }[]) =>
          items.map(({ extensions }) => Object.values(extensions as Record<string, { id: string }>)[0]!.id)
        const offered = (await directory.resources(offers)).decode()
        const ownOffered = (await view.resources(offers)).decode()
        expect(toIds(ownOffered.items)).toEqual(toIds(offered.items).filter(id => allowed.has(id)))
        const left = offered.pagination.total - ownOffered.pagination.total
        expect(ownOffered.suppressed?.policy ?? 0).toBe(left)
        const { resources, suppressed } = (await view.searchResources({ query: q, ...offers })).decode()
        expect([toIds(resources).filter(id => !allowed.has(id)), suppressed?.policy ?? 0]).toEqual([[], left])
        const count = (await view.categories()).reduce((sum, each) => sum + each.count, 0)
        expect(count).toBe(allowed.size)
      }),
    )
  })

  test('verdicts are the same for what is allowed, and stop the rest', async () => {
    const { directory } = server.app
    await fc.assert(
      fc.asyncProperty(policies, fc.constantFrom(...ENTRIES), async (policy, { id, endpoint }) => {
        const query = parseResolveQuery({ url: endpoint })
        const whole = (await directory.resolve(query)).decode()
        const own = (await (await under(policy)).resolve(query)).decode()
        if (allowedIds(policy).has(id)) expect(own).toEqual(whole)
        else {
          expect(own).toMatchObject({ verdict: 'stop', service: whole.service })
          expect(own.reasons[0]!.code).toBe('not_approved')
        }
      }),
    )
  })

  test('a service that is not allowed is refused by its id at every path', async () => {
    const policy = readPolicy({ levels: ['paid'] })
    const { key } = await createKey(policy)
    const authorization = `Bearer ${key}`
    const allowed = allowedIds(policy)
    const [inside, outside] = [true, false].map(is => ENTRIES.find(({ id }) => allowed.has(id) === is)!.id)
    for (const rest of ['', '/status', '/history', '/trust', '/terms', '/call', '/provenance', '/backing']) {
      const refused = await server.get(`/api/services/${outside}${rest}`, { authorization })
      expect([rest, refused.status, (await refused.json()).code]).toEqual([rest, 403, 'not_approved'])
      const path = `/api/services/${inside}${rest}`
      const [own, open] = [await server.get(path, { authorization }), await server.get(path)]
      expect([rest, own.status, await own.text()]).toEqual([rest, open.status, await open.text()])
    }
    expect((await server.get('/api/services/svc_none', { authorization })).status).toBe(404)
  })

  test('answers to a key are kept apart from those of others, in our cache and in any other', async () => {
    const keys = await Promise.all(
      (['verified', 'listed'] as const).map(level => createKey(readPolicy({ levels: [level] }))),
    )
    const path = '/api/services?limit=100'
    const totals: (string | null)[][] = []
    for (let i = 0; i < 3; i++) {
      const open = await server.get(path)
      expect(open.headers.get('x-suppressed')).toBeNull()
      const row = [open.headers.get('x-total-count')]
      for (const { key, record } of keys) {
        const own = await server.get(path, { authorization: `Bearer ${key}` })
        expect(own.headers.get('cache-control')).toBe('private, no-cache')
        expect(own.headers.get('vary')).toContain('Authorization')
        expect((await own.json()).length).toBe(allowedIds(record.policy!).size)
        row.push(own.headers.get('x-total-count'))
        expect(own.headers.get('x-suppressed')).toBe(`policy=${48 - allowedIds(record.policy!).size}`)
      }
      totals.push(row)
    }
    expect(totals[0]![0]).toBe('48')
    expect(totals[1]).toEqual(totals[0]!)
    expect(totals[2]).toEqual(totals[0]!)
  })

  test('a key that is unknown or revoked reads nothing, instead of everything', async () => {
    const { key, record } = await createKey(readPolicy({ levels: ['paid'] }))
    await ring().revoke(record.id)
    for (const bad of [key, 'an-invented-key']) {
      const authorization = `Bearer ${bad}`
      expect((await server.get('/api/services', { authorization })).status).toBe(401)
    }
  })

  test('agents over MCP and payers with the guard see the same', async () => {
    const policy = readPolicy({ deny: [host(0)] })
    const { key } = await createKey(policy)
    await using agent = await connectOverHttp(server.url, { key })
    const outside = ENTRIES.find(each => !allows(policy, each))!
    const found = await call(agent, 'search_services', { q: 'signpost', limit: 50 })
    expect(found.isError).toBe(false)
    expect(found.text).not.toContain(outside.id)
    const left = ENTRIES.length - allowedIds(policy).size
    expect(found.content.suppressed).toEqual({ policy: left })
    const said = `The operator's policy leaves out ${left} more.`
    expect(found.text).toContain(said)
    expect((await call(agent, 'find_service', { q: 'signpost' })).text).toContain(said)
    expect((await call(agent, 'get_service', { id: outside.id })).text).toContain('not_approved')

    const pay = async (given: string) => {
      type Hook = (context: object) => Promise<{ reason: string } | undefined>
      let judge: Hook | undefined
      const hooks = {
        onBeforePaymentCreation: (hook: Hook) => (judge = hook),
        onAfterPaymentCreation() {},
        onPaymentCreationFailure() {},
        onPaymentResponse() {},
      }
      guard(hooks as never, { directory: server.url, key: given, away: 'allow', ask: () => true })
      const selectedRequirements = {
        ...{ scheme: 'exact', network: 'base', asset: USDC, payTo: wallet(0), amount: '1' },
        resource: outside.endpoint,
      }
      return judge!({ paymentRequired: { x402Version: 2 }, selectedRequirements })
    }
    expect((await pay(key))?.reason).toContain('policy of this API key')
    expect((await pay('an-invented-key'))?.reason).toContain('key')
  })
})

describe('a payment under a policy', () => {
  const CASES: readonly (readonly [string, object, object, boolean])[] = [
    ['on an allowed chain', { chains: ['base'] }, { network: 'eip155:8453' }, true],
    ['on another chain', { chains: ['base'] }, { network: 'solana' }, false],
    ['of a denied payee', { deny: [wallet(7)] }, { payTo: wallet(7).toUpperCase().replace('X', 'x') }, false],
    ['within the price', { maxUsdPrice: '0.01' }, { network: 'base', asset: USDC, amount: '10000' }, true],
    ['above the price', { maxUsdPrice: '0.01' }, { network: 'base', asset: USDC, amount: '10001' }, false],
    ['in an unknown asset', { maxUsdPrice: '0.01' }, { network: 'base', asset: '0x1', amount: '1' }, false],
  ]
  test.each(CASES)('%s', async (_, policy, asked, isAllowed) => {
    await using server = await openTestServer()
    const { id } = (await (
      await server.register({ ...entry(), endpoint: 'https://pay.test/v1' })
    ).json()) as { id: string }
    expect(id).toStartWith('svc_')
    const query = parseResolveQuery({ url: 'https://pay.test/v1', ...asked })
    const { reasons } = (await server.app.directory.under(readPolicy(policy)).resolve(query)).decode()
    expect(reasons[0]!.code === 'not_approved').toBe(!isAllowed)
  })
})

describe('a policy', () => {
  const problemsOf = (input: unknown) => {
    try {
      readPolicy(input)
      return []
    } catch (error) {
      return (error as DirectoryError).problems.map(({ path }) => path)
    }
  }
  test('is refused with all its problems at once', () => {
    expect(
      problemsOf({
        levels: ['best'],
        maxUsdPrice: 0.01,
        chains: [],
        protocols: 'x402',
        allow: ['svc_1', 'https://shop.test/v1'],
        level: 'paid',
        budgetPerDay: 1,
      }),
    ).toEqual('level levels.0 maxUsdPrice chains protocols allow.0 allow.1 budgetPerDay'.split(' '))
  })
  test.each([[{}], [null], [[]], ['paid']])('%j is none', input => {
    expect(problemsOf(input)).toEqual(['policy'])
  })
})
