// A node that is away keeps a directory from paying on Solana, and is no reason to pass a service over for a day.
import { expect, test } from 'bun:test'
import { openBuyingRounds } from '../../../packages/buyer/src/rounds.ts'
import { NO_RATES } from '../../../src/domain/money/rates.ts'
import { recordTerms, toListing } from '../order.ts'
import { honest, openWorld } from './world.ts'

const HOUR_MS = 3_600_000

test('what could not be paid while the node was unavailable is bought within hours of its return', async () => {
  await using world = await openWorld([honest])
  const { store, node, buyer, parts } = world
  const { clock } = parts
  const listed = toListing(honest, world.sellers.placed[0]!)
  await store.insert([listed])
  await recordTerms(store, listed, world.sellers.placed[0]!)
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
