// Does an agent get what it pays for, from a sentence to the answer, with sellers of every kind? Options: calls (100), seed (1).
import { openLedger } from '../packages/buyer/src/ledger.ts'
import { openAuthorizationReader } from '../packages/buyer/src/payment-use.ts'
import { createReconcile } from '../packages/buyer/src/settlements.ts'
import type { PurchaseOutcome } from '../src/domain/purchases/purchases.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { createShiftedClock } from '../test/buyer/clock.ts'
import { listAll } from '../test/buyer/crashes.ts'
import { seededRandom } from '../test/buyer/random.ts'
import { deliver, type Sale } from '../test/calling/sellers.ts'
import { openWorld } from '../test/calling/world.ts'
import { call, connectOverStdio } from '../test/mcp/connect.ts'

/** What a seller does once it is paid, and what must come of it. */
const MANNERS: readonly (readonly [PurchaseOutcome, (sale: Sale) => Promise<Response>])[] = [
  ['delivered', deliver],
  ['delivered', deliver],
  [
    'delivered_not_as_declared',
    async ({ settle, told }) => new Response('', { headers: told(await settle()) }),
  ],
  [
    'refused_after_payment',
    async ({ settle, told }) => new Response('', { status: 500, headers: told(await settle()) }),
  ],
  ['refused_after_payment', async ({ settle, askAgain }) => (await settle()) && askAgain()],
  ['charged_other', async ({ settle, askAgain }) => (await settle()) && askAgain({ amount: '9000' })],
  [
    'charged_other',
    async ({ settle, askAgain }) => (await settle()) && askAgain({ payTo: `0x${'77'.repeat(20)}` }),
  ],
  ['not_settled', async () => Response.json({ sunny: true })],
  ['not_settled', async ({ askAgain }) => askAgain()],
]
const SENTENCE = 'weather forecast of a city'

const [given = '100', seed = '1'] = process.argv.slice(2)
const calls = Number(given)
const random = seededRandom(Number(seed))
const draw = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
const began = performance.now()
await using world = await openWorld(6, [
  { name: 'City Weather', description: 'Weather forecast of any city.' },
  { name: 'Weather by GET', description: 'Weather forecast of any city, once more.', method: 'GET' },
])
// Less than all of them together would cost.
const perDay = Math.floor(calls * 0.8) * 2_000
const dollars = String(perDay / 1e6)
const env = world.env('calls', {
  BUDGET_PER_DAY: dollars,
  BUDGET_PER_HOST: dollars,
  BUDGET_PER_SERVICE: dollars,
})
const connect = () =>
  connectOverStdio(['--url', world.directory.url, '--pay', '--ask-above', '0.01'], {
    env,
    cwd: world.folder.path,
  })
await using first = await connect()
await using second = await connect()
const agents = [first, second]
for (const agent of agents) await agent.listTools()

const expected = new Map<string, PurchaseOutcome>()
const times: number[] = []
const refusals = new Map<string, number>()
let [wrong, dry] = [0, 0]
for (let i = 0; i < calls; i++) {
  const [outcome, onPaid] = draw(MANNERS)
  for (const seller of world.sellers) seller.onPaid = onPaid
  const purpose = `call ${i}`
  const input = { city: draw(['Kyoto', 'Oslo', '東京']), days: 1 + Math.floor(random() * 14) }
  const target = random() < 0.5 ? { sentence: SENTENCE } : { id: draw(world.ids) }
  const before = performance.now()
  const isDry = random() < 0.1
  const args = { ...target, input, purpose, ...(isDry && { dryRun: true }) }
  const { content, text, isError } = await call(draw(agents), 'call_service', args)
  if (isDry) {
    dry++
    if (content?.paid !== false) wrong++
    continue
  }
  if (isError) {
    const why = text.includes('are spent or reserved') ? 'by the cap' : text.slice(0, 200)
    refusals.set(why, (refusals.get(why) ?? 0) + 1)
    continue
  }
  times.push(performance.now() - before)
  expected.set(content.receipt.purchaseId, outcome)
  // The same purpose once more, by either process, pays nothing.
  const again = await call(draw(agents), 'call_service', { ...target, input, purpose })
  if (!again.isError) wrong++
}

const clock = createShiftedClock()
clock.advance(10 * 60_000)
await world.chain.client.increaseTime({ seconds: 600 })
await world.chain.client.mine({ blocks: 1 })
await using ledger = await openLedger(env.LEDGER_FILE!, clock)
using reader = openAuthorizationReader({ 'eip155:8453': world.chain.url }, systemClock)
await createReconcile({ purchases: ledger.purchases, reader, clock, onConcluded: undefined })()
const kept = await listAll(ledger.purchases)
for (const { id, outcome } of kept) if (expected.get(id) !== outcome) wrong++
const inLedger = kept
  .filter(({ state }) => state === 'settled')
  .reduce((sum, { amount }) => sum + Number(amount), 0)
const onChain = await world.paidOnChain()
const purposes = Map.groupBy(kept, ({ purpose }) => purpose)
const most = Math.max(0, ...[...purposes.values()].map(each => each.length))
const sorted = times.toSorted((a, b) => a - b)
const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
console.log(
  `${calls} calls by two agents with seed ${seed}: ${kept.length} signed, ${dry} dry runs, ${wrong} wrong, at most ${most} for one purpose`,
)
for (const [why, count] of refusals) console.log(`  refused ${why}: ${count}`)
console.log(`from the call to the answer: ${at(0.5)} ms in the middle, ${at(0.95)} ms at the 95th percentile`)
console.log(`millionths of a dollar: ${onChain} on chain, ${inLedger} in the ledger, ${perDay} the cap`)
console.log(`${Math.round((performance.now() - began) / 1000)} s`)
process.exit(wrong === 0 && most <= 1 && onChain === inLedger && onChain <= perDay ? 0 : 1)
