// Budgets of agents that pay with a wallet of their own, on a local chain.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openCalling } from '../../packages/buyer/src/ledger.ts'
import { readConfig } from '../../src/app/config.ts'
import { openIndexer } from '../../src/chain/indexer.ts'
import { toMicroDollars } from '../../src/domain/money/money.ts'
import { createClient } from '../../src/http/client/client.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { deliver } from '../calling/sellers.ts'
import { createHurriedClock } from '../hurried-clock.ts'
import { call, connectOverStdio } from '../mcp/connect.ts'
import { type Agents, openAgents, spendAll } from './agents.ts'

const BUDGET = '0.009'
let agents: Agents
beforeAll(async () => {
  agents = await openAgents(10, { levels: ['verified'], budgetPerDay: BUDGET })
}, 120_000)
afterAll(() => agents?.[Symbol.asyncDispose]())

const micro = (usd: string) => toMicroDollars(usd)!
const total = async (of: 'usd' | 'confirmedUsd' = 'usd') =>
  (await agents.sums()).reduce((sum, each) => sum + micro(each[of]), 0)

const OVER = 'It would cost $n; of the $n that this API key may spend a day, $n are spent or reserved.'
const OUTSIDE =
  'stop. The policy of this API key, or of callers without one, does not allow it; ask the operator of the directory.'

test('ten agents at once never pass their budgets, and the account is what left the wallet', async () => {
  const outcomes = await spendAll(agents, 1_000)
  expect(Object.keys(outcomes).sort()).toEqual([OVER, OUTSIDE, 'paid'].sort())
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(1_000)
  expect(agents.world.sellers[2]!.asked).not.toContain('paid')
  const sums = await agents.sums()
  expect(await agents.world.paidOnChain()).toBe(await total())
  expect(sums.reduce((sum, { payments }) => sum + payments, 0)).toBe(outcomes.paid!)
  const byDay = Map.groupBy(sums, ({ day, agent }) => `${day} ${agent}`)
  for (const of of byDay.values())
    expect(of.reduce((sum, { usd }) => sum + micro(usd), 0)).toBeLessThanOrEqual(micro(BUDGET))
  expect(new Set(sums.map(({ agent }) => agent)).size).toBe(10)
  expect(sums.every(({ reservedUsd }) => reservedUsd === '0')).toBe(true)

  // The directory reads the chain, and finds each payment that was reported.
  await using store = await openStore(agents.databaseUrl, { clock: systemClock })
  await using _indexer = openIndexer({
    store,
    clock: createHurriedClock(),
    rpcUrls: { 'eip155:8453': agents.world.chain.url },
    settings: { backfillBlocks: 10_000 },
    facilitators: new Map(),
    report: () => {},
  })
  while ((await total('confirmedUsd')) < (await total())) await Bun.sleep(20)
  expect(await total('confirmedUsd')).toBe(await total())
}, 240_000)

type Try = readonly [what: string, run: (key: string) => Promise<string>, said: string]
const TRIES: readonly Try[] = [
  [
    'a directory that is away',
    key => agents.buy(key, 0, { directory: 'http://127.0.0.1:9', away: 'allow' }),
    'No directory answers',
  ],
  [
    'a directory that goes away before the reservation',
    key => agents.buy(key, 0, { away: 'allow', fetch: failing('/api/reservations', 'POST') }),
    'No directory answers',
  ],
  [
    'a directory that goes away before the payment is sent',
    key => agents.buy(key, 0, { away: 'allow', fetch: failing('/api/reservations/', 'PATCH') }),
    'No directory answers',
  ],
  ['an invented key', () => agents.buy('an-invented-key', 0), 'key'],
]
const failing = (path: string, method: string) => async (url: string, init: RequestInit) => {
  if (new URL(url).pathname.startsWith(path) && init.method === method) throw new TypeError('away')
  return fetch(url, init)
}

test.each(TRIES)('%s means no payment', async (_, run, said) => {
  const { world, directory, by } = agents
  const { key } = await directory.createKey({ name: 'late', policy: { budgetPerDay: BUDGET } }, by)
  const before = [await world.paidOnChain(), await total()]
  expect(await run(key)).toContain(said)
  expect([await world.paidOnChain(), await total()]).toEqual(before)
})

const INPUT = { city: 'Kyoto' }

test('calls that the user pays for, typed or by an agent, are within the budget of the key', async () => {
  const { world, directory, by } = agents
  const policy = { deny: [world.ids[2]!], budgetPerDay: '0.005' }
  const { key, id } = await directory.createKey({ name: 'buyer', policy }, by)
  const env = world.env('buyer', { SHIRUBE_KEY: key })
  const before = await world.paidOnChain()
  const type = (service: number) =>
    world.folder.run(['call', world.ids[service]!, '--pay', '--yes', '--input', JSON.stringify(INPUT)], {
      env,
    })
  expect(await type(0)).toMatchObject({ code: 0 })
  expect(await type(2)).toMatchObject({ code: 1, stderr: expect.stringContaining('policy of this API key') })
  await using agent = await connectOverStdio(['--url', world.directory.url, '--pay', '--ask-above', '0.01'], {
    env,
    cwd: world.folder.path,
  })
  const ask = (service: number) => call(agent, 'call_service', { id: world.ids[service]!, input: INPUT })
  expect((await ask(2)).text).toContain('policy of this API key')
  expect(await ask(1)).toMatchObject({ isError: false, content: { paid: true } })
  expect((await ask(0)).text).toContain('this API key may spend a day')

  const [sum] = await directory.spending({ agent: id }, by)
  expect(sum).toMatchObject({ payments: 2, usd: '0.005', reservedUsd: '0' })
  expect(await world.paidOnChain()).toBe(before + 5_000)
}, 120_000)

test('a directory that goes away before the reservation lets no call pay', async () => {
  const { world, directory, by } = agents
  const { key } = await directory.createKey({ name: 'cut off', policy: { budgetPerDay: BUDGET } }, by)
  const client = createClient({ url: world.directory.url, key, fetch: failing('/api/reservations', 'POST') })
  const before = await world.paidOnChain()
  await using user = await openCalling(
    readConfig(world.env('cut off', { SHIRUBE_KEY: key })),
    client,
    systemClock,
  )
  const target = { kind: 'id', id: world.ids[0]! } as const
  const result = await user.caller.call({ target, input: INPUT, dryRun: false, approve: async () => 'yes' })
  expect(result).toMatchObject({ kind: 'refused', tried: [{ reason: { code: 'directory_unreachable' } }] })
  expect(await world.paidOnChain()).toBe(before)
})

test('what a seller takes and denies counts, and a key without a policy has no budget', async () => {
  const { world, directory, by } = agents
  const { key, id } = await directory.createKey({ name: 'denied', policy: { budgetPerDay: BUDGET } }, by)
  world.sellers[0]!.onPaid = async ({ settle, askAgain }) => (await settle()) && askAgain()
  expect(await agents.buy(key, 0)).toBe('status 402')
  world.sellers[0]!.onPaid = deliver
  const [sum] = await directory.spending({ agent: id }, by)
  expect(sum).toMatchObject({ payments: 1, usd: '0.002' })
  const open = await directory.createKey({ name: 'open', scopes: ['register'] }, by)
  expect(await agents.buy(open.key, 0)).toBe('paid')
  expect(await directory.spending({ agent: open.id }, by)).toEqual([])
})
