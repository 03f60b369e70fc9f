// A node that is away keeps a directory from paying on Solana, and is no reason to pass a service over for a day.
import { expect, test } from 'bun:test'
import { openBuyingRounds } from '../../../packages/buyer/src/rounds.ts'
import { NO_RATES } from '../../../src/domain/money/rates.ts'
import { EMPTY_TALLY } from '../../../src/domain/standing/standing.ts'
import { TRUST_FORMULA } from '../../../src/domain/standing/trust.ts'
import { SOLANA, USDC } from '../../chain/solana/svm-chain.ts'
import { toListing } from '../order.ts'
import { AMOUNT } from '../sold.ts'
import { payeeOf } from './ground.ts'
import { honest, openWorld } from './world.ts'

const HOUR_MS = 3_600_000

test('what could not be paid while the node was unavailable is bought within hours of its return', async () => {
  await using world = await openWorld([honest])
  const { store, node, buyer, parts } = world
  const { clock } = parts
  const listed = toListing(honest, world.sellers.placed[0]!)
  await store.insert([listed])
  const at = clock.now().toISOString()
  const requirements = {
    protocol: 'x402' as const,
    ...{ scheme: 'exact', network: SOLANA, chain: SOLANA, asset: USDC, amount: AMOUNT },
    ...{ payTo: payeeOf(0), extra: {} },
  }
  const resource = {
    url: listed.endpoint,
    method: 'GET',
    accepts: [requirements],
    extensions: [],
    source: '402' as const,
  }
  const probe = {
    ...{ serviceId: listed.id, at, outcome: 'payable' as const, httpStatus: 402, latencyMs: 1 },
    ...{ priceSeen: '0.002', asListed: true, reasons: [] },
  }
  await store.probes.record(probe, entry => ({
    entry,
    events: [],
    facts: { tally: EMPTY_TALLY, ageDays: 0, payments: null, formula: TRUST_FORMULA },
    finding: { resource: null, payTo: null, price: null },
    terms: { terms: { seenAt: at, x402Version: 2 as const, resources: [resource] }, isChanged: true },
    dueAt: null,
  }))
  node.fault = () => {
    throw new Error('away')
  }
  const refused: string[] = []
  await using _ = openBuyingRounds({
    store,
    buyer,
    perCall: 10_000,
    rates: () => NO_RATES,
    clock,
    onRefused: (_, reason) => refused.push(reason),
    onTrouble: (message, error) => {
      throw new Error(message, { cause: error })
    },
  })
  const bought = () => store.purchases.list({ limit: 10 })
  while (!refused.includes('node_away')) await Bun.sleep(2)
  expect(await bought()).toEqual([])
  node.fault = undefined
  clock.advance(2 * HOUR_MS)
  while ((await bought()).length === 0) await Bun.sleep(2)
  while ((await bought())[0]!.state !== 'settled') await Bun.sleep(2)
  expect(await world.paid()).toBe(2_000)
})
