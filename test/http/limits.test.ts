// Limits hold for whoever multiplies what costs nothing: addresses of a block, keys of a wallet, wallets.
import { afterAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { MAX_FROM_ONE_NETWORK } from '../../src/directory/webhooks.ts'
import { ask, body, createSetClock, KEY, openTestServer, type TestServer } from './directory-server.ts'

const PUBLIC_URL = 'https://directory.example'
const AT = '2026-11-10T08:00:00.000Z'
const open = (settings: Record<string, string> = {}, clock = createSetClock(AT)) =>
  openTestServer({ PUBLIC_URL, ...settings }, { clock })

const newWallet = () => privateKeyToAccount(generatePrivateKey())
type Wallet = ReturnType<typeof newWallet>

const post = (
  { url }: TestServer,
  path: string,
  json: unknown,
  { key, from }: { key?: string; from?: string } = {},
) =>
  ask(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(from !== undefined && { 'x-forwarded-for': from }),
    },
    body: JSON.stringify(json),
  })

async function signIn(server: TestServer, wallet: Wallet, more: object = {}) {
  const asked = await post(server, '/api/auth/challenge', { address: wallet.address, network: 'base' })
  const { message } = await asked.json()
  const signature = await wallet.signMessage({ message })
  return post(server, '/api/auth/keys', { message, signature, ...more })
}

async function keyOf(server: TestServer, wallet: Wallet): Promise<string> {
  const answer = await signIn(server, wallet)
  expect(answer.status).toBe(201)
  return (await answer.json()).key
}

describe('The rate limit', () => {
  test('is shared by all addresses of an IPv6 block and separate for the next block', async () => {
    await using server = await open({ RATE_LIMIT: '3', TRUST_PROXY: '1' })
    const from = async (address: string) =>
      (await server.get('/api/services', { 'x-forwarded-for': address })).status
    for (const last of [1, 2, 3]) expect(await from(`2001:db8:7:7::${last}`)).toBe(200)
    expect(await from('2001:db8:7:7:ffff:ffff:ffff:ffff')).toBe(429)
    expect(await from('[2001:db8:7:7::9]:4711')).toBe(429)
    expect(await from('2001:db8:7:8::1')).toBe(200)
  })

  test.each([
    ['0', 1],
    ['1', 0],
  ])(
    'is one for all behind a proxy with TRUST_PROXY=%s, and the log says so %d times',
    async (hops, times) => {
      const logged: string[] = []
      {
        await using server = await openTestServer(
          { LOG_LEVEL: 'warn', TRUST_PROXY: hops },
          { log: lines => logged.push(lines) },
        )
        await server.get('/api/services')
        expect(logged).toEqual([])
        for (const from of ['203.0.113.1', '203.0.113.2'])
          await server.get('/api/services', { 'x-forwarded-for': from })
      }
      expect(logged.join('').match(/TRUST_PROXY/g) ?? []).toHaveLength(times)
    },
  )

  test('is not multiplied by wallets or their keys; a key of the operator is counted separately', async () => {
    await using server = await open({ RATE_LIMIT: '100', TRUST_PROXY: '1' })
    const [one, two] = [newWallet(), newWallet()]
    const keys = [await keyOf(server, one), await keyOf(server, one), await keyOf(server, two)]
    const remaining = async (key: string, from: string) => {
      const answer = await server.get('/api/services', {
        authorization: `Bearer ${key}`,
        'x-forwarded-for': from,
      })
      return Number(/r=(\d+)/.exec(answer.headers.get('ratelimit')!)![1])
    }
    for (const key of [...keys, KEY])
      expect((await post(server, '/api/check', {}, { key, from: '203.0.113.1' })).status).toBe(400)
    expect(await remaining(keys[0]!, '203.0.113.5')).toBe(99)
    expect(await remaining(keys[1]!, '203.0.113.5')).toBe(98)
    expect(await remaining(keys[2]!, '203.0.113.5')).toBe(97)
    expect(await remaining(KEY, '203.0.113.5')).toBe((await remaining(KEY, '203.0.113.6')) + 1)
  })
})

describe('A request costs what it takes of the processor', async () => {
  const server = await open({ RATE_LIMIT: '6000', TRUST_PROXY: '1' })
  afterAll(() => server[Symbol.asyncDispose]())
  await server.register(body())
  let callers = 0

  test.each([
    ['/api/services?limit=100', 1],
    ['/api/services?category=tea&chain=base&status=verified', 1],
    ['/api/services?sortBy=price&maxPricePerRequest=1', 1],
    ['/api/services?query=tea', 4],
    // Counted one by one: 4 to 20 ms with 100,000 services.
    ['/api/services?maxPricePerRequest=1', 10],
    ['/api/services?maxUsdPrice=1&sortBy=price', 10],
    ['/api/services?level=paid', 10],
    ['/api/services?protocol=mpp', 10],
    ['/api/services?currency=usdc', 10],
    ['/api/services?freeQuota=true&query=tea', 10],
    ['/api/services?lev%65l=paid', 10],
    ['/api/catalog/search?q=tea', 4],
    ['/api/services/search/intent?q=tea', 10],
    ['/api/services/search/intent?q=tea&limit=100', 40],
    ['/api/services/svc_none/rank?q=tea', 40],
    ['/discovery/search?query=tea', 12],
    ['/discovery/search?query=tea&limit=100', 20],
    ['/discovery/resources', 5],
    ['/discovery/resources?limit=1000', 103],
    ['/discovery/resources?%6Cimit=1000', 103],
    ['/discovery/resources?limit=999999999', 103],
    ['/api/resolve?url=https://tea.example/', 2],
    ['/api/export', 2],
    ['/api/changes?limit=1000', 41],
    ['/?q=tea', 40],
    ['/', 20],
    // With the page for signing in, to which it leads.
    ['/yours/svc_none?q=tea', 45],
    ['/yours/svc_none', 10],
    ['/feeds/changed.atom', 10],
    ['/feeds/search.atom?q=tea', 40],
    ['/ard/search', 40],
    ['/catalog', 20],
    ['/about', 5],
    // Where a signature is verified, for as long as twenty lists take.
    ['/api/auth/keys', 15],
    ['/api/auth/challenge', 10],
  ])('%s: %d', async (path, cost) => {
    const answer = await server.get(path, { 'x-forwarded-for': `203.0.113.${++callers}` })
    expect(Number(/r=(\d+)/.exec(answer.headers.get('ratelimit')!)![1])).toBe(6_000 - cost)
  })
})

test('A long answer costs by its length, too', async () => {
  await using server = await open()
  const description = '天気'.repeat(1_000)
  for (let i = 0; i < 40; i++) await server.register(body({ description }))
  const remaining = async (limit: number) => {
    const answer = await server.get(`/api/services?limit=${limit}`)
    const { length } = await answer.bytes()
    return { length, left: Number(/r=(\d+)/.exec(answer.headers.get('ratelimit')!)![1]) }
  }
  const [one, all] = [await remaining(1), await remaining(40)]
  expect(all.length).toBeGreaterThan(200_000)
  expect(one.left - all.left).toBe(1 + Math.floor(all.length / 65_536))
})

describe('A check', () => {
  const url = { endpoint: 'https://tides.example/v1' }
  const check = async (server: TestServer, key: string, from: string) =>
    (await post(server, '/api/check', url, { key, from })).status
  const settings = { PROBE: 'on', RATE_LIMIT: '0', TRUST_PROXY: '1' }

  test('is counted per owner, so a second key of the wallet allows no more', async () => {
    await using server = await open(settings)
    const wallet = newWallet()
    const keys = [await keyOf(server, wallet), await keyOf(server, wallet)]
    for (let i = 0; i < 10; i++) expect(await check(server, keys[i % 2]!, `203.0.113.${i}`)).toBe(200)
    for (const key of keys) expect(await check(server, key, '203.0.113.77')).toBe(429)
  })

  test('is also counted per endpoint: a second wallet allows no more, and uses up none of an operator key', async () => {
    await using server = await open(settings)
    for (let i = 0; i < 10; i++)
      expect(await check(server, await keyOf(server, newWallet()), `2001:db8:1:1::${i}`)).toBe(200)
    const another = await keyOf(server, newWallet())
    expect(await check(server, another, '2001:db8:1:1::99')).toBe(429)
    expect(await check(server, KEY, '2001:db8:1:1::99')).toBe(200)
    expect(await check(server, another, '2001:db8:2:1::1')).toBe(200)
  })

  test('by MCP and by the page is counted like any other', async () => {
    await using server = await open(settings)
    const from = '203.0.113.4'
    const byMcp = async (key: string) => {
      const call = { name: 'check_endpoint', arguments: url }
      const answer = await ask(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${key}`,
          'x-forwarded-for': from,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
      })
      return await answer.text()
    }
    const byPage = async (key: string) => {
      const form = new URLSearchParams({ action: 'check', key, ...url })
      const answer = await ask(`${server.url}/register`, {
        method: 'POST',
        headers: { 'x-forwarded-for': from, 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
      })
      return answer.status
    }
    for (let i = 0; i < 4; i++) {
      expect(await byMcp(await keyOf(server, newWallet()))).toContain('public_address: failed')
      expect(await byPage(await keyOf(server, newWallet()))).toBe(200)
    }
    for (let i = 0; i < 2; i++) expect(await check(server, await keyOf(server, newWallet()), from)).toBe(200)
    expect(await byMcp(await keyOf(server, newWallet()))).toContain('rate_limited')
    expect(await byPage(await keyOf(server, newWallet()))).toBe(429)
  })
})

describe('A wallet', () => {
  test('has at most twenty keys and can revoke lost ones with its signature', async () => {
    const clock = createSetClock(AT)
    await using server = await open({ RATE_LIMIT: '0' }, clock)
    const wallet = newWallet()
    const keys: string[] = []
    for (let i = 0; i < 20; i++) keys.push(await keyOf(server, wallet))
    const refused = await signIn(server, wallet)
    expect(refused.status).toBe(403)
    expect((await refused.json()).detail).toMatch(
      /20 keys already.*DELETE \/api\/auth\/keys\/:id.*"revokeOthers": true/,
    )
    expect((await signIn(server, wallet, { revokeOthers: false })).status).toBe(403)
    expect((await signIn(server, wallet, { revokeOthers: 'yes' })).status).toBe(400)
    const list = async (key: string) => server.get('/api/auth/keys', { authorization: `Bearer ${key}` })
    expect(await (await list(keys[7]!)).json()).toHaveLength(20)
    await keyOf(server, newWallet())

    const anew = await signIn(server, wallet, { revokeOthers: true })
    expect(anew.status).toBe(201)
    const { key } = await anew.json()
    for (const old of keys) expect((await list(old)).status).toBe(401)
    const left = await (await list(key)).json()
    expect(left.filter(({ revokedAt }: { revokedAt: string | null }) => revokedAt === null)).toHaveLength(1)
    for (let i = 0; i < 19; i++) await keyOf(server, wallet)
    expect((await signIn(server, wallet)).status).toBe(403)
    clock.set('2027-02-09T08:00:00.000Z')
    expect((await signIn(server, wallet)).status).toBe(201)
  })
})

test('wallets at one address can create a limited number of webhooks an hour, however many wallets there are', async () => {
  const clock = createSetClock(AT)
  await using server = await open({ TRUST_PROXY: '1' }, clock)
  let made = 0
  const make = async (key: string, from: string) => {
    const url = `https://receiver-${made++}.example/`
    return (await post(server, '/api/webhooks', { url }, { key, from })).status
  }
  const keys: string[] = []
  for (let i = 0; i < 6; i++) keys.push(await keyOf(server, newWallet()))
  const statuses: number[] = []
  for (let i = 0; i <= MAX_FROM_ONE_NETWORK; i++)
    statuses.push(await make(keys[i % 6]!, `2001:db8:7:7::${i}`))
  expect(statuses).toEqual([...Array<number>(MAX_FROM_ONE_NETWORK).fill(201), 429])
  expect(await make(keys[5]!, '2001:db8:8:7::1')).toBe(201)
  // A key of the operator's is nobody's for nothing.
  expect(await make(KEY, '2001:db8:7:7::1')).toBe(201)
  clock.set('2026-11-10T09:00:00.000Z')
  expect(await make(keys[5]!, '2001:db8:7:7::1')).toBe(201)
})
