// Budgets of agents that pay with a wallet of their own, on a local chain.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { toMicroDollars } from '../../src/domain/money/money.ts'
import { deliver } from '../calling/sellers.ts'
import { type Agents, openAgents, spendAll } from './agents.ts'

const BUDGET = '0.009'
let agents: Agents
beforeAll(async () => {
  agents = await openAgents(10, { levels: ['verified'], budgetPerDay: BUDGET })
}, 120_000)
afterAll(() => agents?.[Symbol.asyncDispose]())

const micro = (usd: string) => toMicroDollars(usd)!
const total = async () => (await agents.sums()).reduce((sum, { usd }) => sum + micro(usd), 0)

test('ten agents at once never pass their budgets, and the account is what left the wallet', async () => {
  const outcomes = await spendAll(agents, 60)
  const [paid, refused, ...others] = Object.entries(outcomes).sort()
  expect(others).toEqual([])
  expect([paid, refused].map(each => each?.[0]).toSorted()).toEqual([
    'It would cost $n; of the $n that this API key may spend a day, $n are spent or reserved.',
    'paid',
  ])
  const sums = await agents.sums()
  expect(await agents.world.paidOnChain()).toBe(await total())
  expect(sums.reduce((sum, { payments }) => sum + payments, 0)).toBe(outcomes.paid!)
  const byDay = Map.groupBy(sums, ({ day, agent }) => `${day} ${agent}`)
  for (const of of byDay.values())
    expect(of.reduce((sum, { usd }) => sum + micro(usd), 0)).toBeLessThanOrEqual(micro(BUDGET))
  expect(new Set(sums.map(({ agent }) => agent)).size).toBe(10)
  expect(sums.every(({ reservedUsd }) => reservedUsd === '0')).toBe(true)
}, 120_000)

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
