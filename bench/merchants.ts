// Is every seller of the tests classed right, and does the ledger equal the chain, round after round? Options: rounds (3).
import { PURCHASE_OUTCOMES } from '../src/domain/purchases/purchases.ts'
import { listAll } from '../test/buyer/crashes.ts'
import { openMarket, type Stall } from '../test/buyer/market.ts'

const [given = '3'] = process.argv.slice(2)
const rounds = Number(given)
const began = performance.now()
await using market = await openMarket({ rounds })
const { stalls, store, clock, buyer } = market
const expected = new Map<string, Stall>()
for (let round = 0; round < rounds; round++) {
  await Promise.all(stalls.map(async stall => expected.set((await market.buyFrom(stall)).purchase.id, stall)))
  await market.sellers.settled()
}
clock.advance(10 * 60_000)
await market.expire()
await buyer.reconcile()

const kept = await listAll(store.purchases)
const isRight = ({ id, outcome, state }: (typeof kept)[number]) => {
  const stall = expected.get(id)
  return stall?.outcome === outcome && stall.state === state
}
const wrong = kept.filter(purchase => !isRight(purchase))
for (const over of ['http', 'mcp'] as const) {
  const own = kept.filter(({ id }) => expected.get(id)?.over === over)
  console.log(
    `${stalls.filter(stall => stall.over === over).length} sellers over ${over}, ${own.length} purchases`,
  )
  for (const outcome of PURCHASE_OUTCOMES) {
    const such = own.filter(({ id }) => expected.get(id)?.outcome === outcome)
    console.log(`  ${outcome.padEnd(26)} ${such.filter(isRight).length} of ${such.length} classed right`)
  }
}
for (const { id, outcome, state } of wrong)
  console.log(`  wrong: ${expected.get(id)?.name}: ${outcome} (${state}), not ${expected.get(id)?.outcome}`)
const onChain = BigInt(await market.paid())
const settled = kept.filter(({ state }) => state === 'settled')
const inLedger = settled.reduce((sum, { charged }) => sum + BigInt(charged!), 0n)
console.log(`millionths of a dollar: ${onChain} on chain, ${inLedger} in the ledger`)
console.log(`${Math.round((performance.now() - began) / 1000)} s`)
process.exit(wrong.length === 0 && kept.length === rounds * stalls.length && onChain === inLedger ? 0 : 1)
