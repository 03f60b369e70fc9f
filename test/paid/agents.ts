// Agents with a wallet of their own and the official client: each has a key with a budget, and the guard before its payments.
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { readConfig } from '../../src/app/config.ts'
import { openOperator } from '../../src/app/operator.ts'
import type { Policy } from '../../src/domain/policy.ts'
import type { SpendingSum } from '../../src/domain/spending.ts'
import { createClient } from '../../src/http/client/client.ts'
import { direct, type GuardOptions, guard } from '../../src/http/client/guard.ts'
import { openWorld, type World } from '../calling/world.ts'
import { openFolder } from '../cli/shirube.ts'

export type Agents = Awaited<ReturnType<typeof openAgents>>

/** A directory with three sellers, at 0.002, 0.003 and 0.002 dollars, on a local chain. No agent may pay the last. */
export async function openAgents(count: number, policy: Policy) {
  await using parts = new AsyncDisposableStack()
  const folder = parts.use(await openFolder())
  const settings = { DATABASE_URL: `sqlite:${folder.path}/directory.db` }
  const offered = [
    { name: 'City Weather' },
    { name: 'Weather at sea', amount: '3000' },
    { name: 'Weather of a stranger' },
  ]
  const world = parts.use(await openWorld(7, offered, settings))
  const operator = parts.use(await openOperator(readConfig(settings)))
  const create = (name: string, given: object) =>
    operator.keys.create({ name, scopes: [], expiresAt: null, ...given })
  const own = { ...policy, deny: [world.ids[2]!] }
  const keys = await Promise.all(
    Array.from({ length: count }, (_, i) => create(`agent ${i}`, { policy: own })),
  )
  const by = { key: (await create('operator', { scopes: ['admin'] })).key }
  const directory = createClient({ url: world.directory.url })
  const owned = parts.move()
  return {
    databaseUrl: settings.DATABASE_URL,
    world,
    keys,
    directory,
    by,
    buy: (key: string, seller: number, options?: Partial<GuardOptions>) => buy(world, key, seller, options),
    /** By day, agent and seller. */
    sums: (): Promise<SpendingSum[]> => directory.spending({}, by),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** @returns "paid", or why it was not */
async function buy(
  { directory, sellers, payer }: World,
  key: string,
  seller: number,
  options: Partial<GuardOptions> = {},
): Promise<string> {
  const account = privateKeyToAccount(payer.key as `0x${string}`)
  const client = new x402HTTPClient(
    new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls(false),
  )
  guard(client, { directory: directory.url, key, ...options })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"city":"Kyoto"}' }
  try {
    const response = await wrapFetchWithPayment(direct(fetch), client)(sellers[seller]!.url, init)
    return response.status === 200 ? 'paid' : `status ${response.status}`
  } catch (error) {
    return (error as Error).message
  }
}

/** All agents at once, each call to one of the sellers; @returns how often each outcome occurred */
export async function spendAll({ keys, buy }: Agents, calls: number): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {}
  await Promise.all(
    keys.map(async ({ key }, agent) => {
      for (let i = agent; i < calls; i += keys.length) {
        const outcome = (await buy(key, i % 7 === 0 ? 2 : i % 3 === 0 ? 1 : 0))
          .replace(/.*Shirube: /s, '')
          .replaceAll(/[\d.]+\d/g, 'n')
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      }
    }),
  )
  return outcomes
}
