// Of two services that say as much and stand alike, the one that delivers is first, through every interface that ranks.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { applyPurchases } from '../../packages/buyer/src/rounds.ts'
import type { PurchaseOutcome } from '../../src/domain/purchases/purchases.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { openFolder } from '../cli/shirube.ts'
import { draft, entry } from '../entries.ts'
import { openTestServer, type TestServer } from '../http/directory-server.ts'
import { type Connected, connectOverHttp } from '../mcp/connect.ts'
import { purchase } from '../store/purchases.ts'

const WORDS = 'rain radar'
const most = 1_000_000
const CAPS = { perCall: most, perService: most, perHost: most, perDay: most }
const listing = (name: string, digit: string) =>
  entry(
    draft({
      name,
      description: 'Where it rains now, and where it will within the hour.',
      endpoint: `https://${name.split(' ')[0]!.toLowerCase()}.example/v1`,
      category: 'weather',
      x402Config: { paymentAddress: `0x${digit.repeat(40)}`, network: 'base' },
    }),
    { standing: { status: 'verified', trustScore: 30 } },
  )
const older = listing('Amber Rain Radar', 'a')
const newer = listing('Cobalt Rain Radar', 'c')
const BOTH = [older.id, newer.id]

const parts = new AsyncDisposableStack()
let server: TestServer
let store: Store
let client: Connected
let folder: Awaited<ReturnType<typeof openFolder>>

beforeAll(async () => {
  folder = parts.use(await openFolder())
  const databaseUrl = `sqlite:${folder.path}/directory.db`
  store = parts.use(await openStore(databaseUrl, { clock: systemClock }))
  await store.insert([older, newer])
  server = parts.use(await openTestServer({ DATABASE_URL: databaseUrl, RATE_LIMIT: '0' }))
  client = parts.use(await connectOverHttp(server.url))
}, 60_000)
afterAll(() => parts.disposeAsync())

/** A purchase whose payment a node has seen, told as the buyer tells it. */
async function buy({ id, endpoint, x402Config }: typeof older, outcome: PurchaseOutcome): Promise<void> {
  const made = purchase({
    id: `pur_${systemClock.now().getTime()}_${crypto.randomUUID()}`,
    purpose: crypto.randomUUID(),
    serviceId: id,
    payTo: x402Config.paymentAddress,
    at: systemClock.now().toISOString(),
  })
  const detail = { ...made.detail, url: endpoint, endpoint, reasons: [] }
  expect(await store.purchases.reserve({ ...made, detail }, CAPS)).toBeUndefined()
  await store.purchases.sign(made.id, `0x${'0'.repeat(64)}`, 0)
  const conclusion = { state: 'settled', charged: made.amount, transaction: '0xab', outcome, detail } as const
  await store.purchases.conclude(made.id, conclusion)
  await applyPurchases(store, id, systemClock)
  const { trustScore } = (await store.find(id))!.entry.standing
  // The process that answers follows the database.
  while ((await server.json(`/api/services/${id}`)).trustScore !== trustScore) await Bun.sleep(5)
}

type Json = { readonly id: string }
const inText = (text: string) =>
  BOTH.filter(id => text.includes(id)).sort((a, b) => text.indexOf(a) - text.indexOf(b))
const idsOf = (services: readonly Json[]) => services.map(({ id }) => id)

/** By each interface. */
async function orders(): Promise<Record<string, readonly string[]>> {
  const q = encodeURIComponent(WORDS)
  const ofEndpoint = ({ resource }: { resource: string }) =>
    [older, newer].find(({ endpoint }) => endpoint === resource)!.id
  const tool = async (name: string, args: Record<string, unknown>) =>
    JSON.stringify((await client.callTool({ name, arguments: args })).structuredContent)
  const run = async (...args: string[]) => (await folder.run([...args, '--url', server.url, '--json'])).stdout
  return {
    list: idsOf(await server.json(`/api/services?query=${q}`)),
    'list by trust': idsOf(await server.json('/api/services?sortBy=trustScore')),
    search: idsOf(await server.json(`/api/catalog/search?q=${q}`)),
    intent: idsOf(
      (await server.json(`/api/services/search/intent?q=${q}`)).results.map(
        ({ service }: { service: Json }) => service,
      ),
    ),
    'search of x402': (await server.json(`/discovery/search?query=${q}`)).resources.map(ofEndpoint),
    page: inText(await (await server.get(`/?q=${q}`)).text()),
    'MCP search_services': inText(await tool('search_services', { q: WORDS })),
    'MCP find_service': inText(await tool('find_service', { q: WORDS })),
    'CLI list': inText(await run('list', '--query', WORDS)),
    'CLI search': inText(await run('search', WORDS)),
  }
}

async function expectFirst(first: typeof older): Promise<void> {
  const expected = first === older ? BOTH : BOTH.toReversed()
  const found = await orders()
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map(name => [name, expected])))
}

test('purchases change the places of two services that are alike otherwise', async () => {
  const found = await orders()
  expect(new Set(Object.values(found).map(each => each.length))).toEqual(new Set([2]))
  await buy(newer, 'delivered')
  await expectFirst(newer)
  await buy(older, 'delivered')
  await buy(older, 'delivered')
  await expectFirst(older)
  await buy(newer, 'delivered')
  // Both have delivered twice. One failure costs points, and the second one what was verified.
  await buy(older, 'settled_silent')
  await expectFirst(newer)
  await buy(older, 'refused_after_payment')
  expect((await server.json(`/api/services/${older.id}`)).status).toBe('unverified')
  await expectFirst(newer)
}, 60_000)
