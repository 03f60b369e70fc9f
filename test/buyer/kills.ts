// Processes that buy at once from one ledger and are killed by the system, each at another step; then each purpose is tried once more.
import { fileURLToPath } from 'node:url'
import { createBuyer } from '../../packages/buyer/src/buyer.ts'
import type { Caps } from '../../src/domain/purchases/purchases.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { createShiftedClock } from './clock.ts'
import { orderFrom } from './crash-sellers.ts'
import { type Account, watchAccount } from './crashes.ts'
import { type End, STEPS } from './ends.ts'
import { openBase } from './ground.ts'
import type { KilledOrder } from './killed-buyer.ts'
import { toBuyerParts } from './order.ts'
import { AMOUNT } from './sold.ts'

const PROGRAM = fileURLToPath(import.meta.resolve('./killed-buyer.ts'))
const ALL_ENDS: readonly End[] = STEPS.flatMap(step => [
  { step, when: 'before' as const },
  { step, when: 'after' as const },
])

export type KillReport = Account & {
  readonly started: number
  /** Ended by SIGKILL. */
  readonly killed: number
  readonly refusedByCap: number
}

/** The one half of them: what is written before a step was written after the one before it. */
export const LATE_ENDS = ALL_ENDS.filter(({ when }) => when === 'after')

/** @param random from 0 to 1. @param ends of the processes of one round */
export async function runKills(
  rounds: number,
  random: () => number,
  databaseUrl: string,
  ends = ALL_ENDS,
): Promise<KillReport> {
  await using parts = new AsyncDisposableStack()
  const clock = createShiftedClock()
  const ground = parts.use(await openBase(clock))
  const { rpcUrl, key, sellers, paid: onChain } = ground
  const { placed, ids } = sellers
  // Connections have deadlines of their own, which a clock that hurries would break.
  const store = parts.use(await openStore(databaseUrl, { clock: systemClock }))
  // Less than all of them together would cost.
  const perDay = (rounds * ends.length - 1) * Number(AMOUNT)
  const caps: Caps = { perCall: 2_000, perService: 1_000_000_000, perHost: 1_000_000_000, perDay }
  const buyer = createBuyer(toBuyerParts(store, { ...ground, caps, clock }))
  const watch = watchAccount(store.purchases, onChain, perDay)
  let [killed, refusedByCap] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    const orders = ends.map((end, i): KilledOrder => {
      const seller = Math.floor(random() * placed.length)
      const { url, payTo } = placed[seller]!
      const purpose = `kill ${round} ${i}`
      const shared = { databaseUrl, rpcUrl, key, caps }
      return { ...shared, seller, url, payTo, purpose, serviceId: ids[seller]!, end }
    })
    const ended = await Promise.all(orders.map(start))
    killed += ended.filter(({ signal }) => signal === 'SIGKILL').length
    await sellers.settled()
    await watch.look()
    for (const { seller, purpose, serviceId } of orders) {
      const order = orderFrom(seller, placed[seller]!, { purpose, serviceId })
      const result = await buyer.buy(order)
      if (result.kind === 'refused' && result.reason.code === 'cap_passed') refusedByCap++
    }
    await sellers.settled()
    await watch.look()
  }
  await ground.expire()
  await buyer.reconcile()
  return { started: rounds * ends.length, killed, refusedByCap, ...(await watch.end()) }
}

async function start(order: KilledOrder): Promise<{ readonly signal: unknown }> {
  const child = Bun.spawn([process.execPath, PROGRAM, JSON.stringify(order)], {
    stdout: 'ignore',
    stderr: 'inherit',
  })
  await child.exited
  return { signal: child.signalCode }
}
