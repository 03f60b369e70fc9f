// Purchases that end in the middle, at every step, again and again: a process that is killed runs nothing more, so a step at which it
// ends never comes back. What it had begun stays as it was, and the next process goes on from the ledger.
import { type Buyer, createBuyer } from '../../packages/buyer/src/buyer.ts'
import type { Caps } from '../../src/domain/purchases/purchases.ts'
import { openStore } from '../../src/store/open.ts'
import type { PurchaseTable } from '../../src/store/purchases.ts'
import { createShiftedClock } from './clock.ts'
import { orderFrom } from './crash-sellers.ts'
import { type End, endFetch, endTable, STEPS } from './ends.ts'
import { type Ground, openBase } from './ground.ts'
import { toBuyerParts } from './order.ts'
import { AMOUNT } from './sold.ts'

export type CrashReport = Account & {
  readonly runs: number
  readonly crashes: number
  readonly refusedByCap: number
}

/** What ledger and chain say in the end. */
export type Account = {
  readonly paid: number
  /** Payments for one purpose, at most. */
  readonly mostForOnePurpose: number
  /** In millionths of a dollar: what the chain says, what the ledger says, and the cap. */
  readonly onChain: number
  readonly inLedger: number
  readonly cap: number
  /** Times at which the chain showed more than the ledger counted, or more than the cap; and purchases without an end. */
  readonly violations: number
}

/** @param random from 0 to 1 */
export async function runCrashes(
  runs: number,
  random: () => number,
  databaseUrl: string,
  openGround: (clock: ReturnType<typeof createShiftedClock>) => Promise<Ground> = openBase,
): Promise<CrashReport> {
  await using parts = new AsyncDisposableStack()
  const clock = createShiftedClock()
  const ground = parts.use(await openGround(clock))
  const { sellers, paid: onChain } = ground
  const store = parts.use(await openStore(databaseUrl, { clock }))
  // Less than all of them together would cost.
  const perDay = Math.floor(runs * 0.6) * Number(AMOUNT)
  const caps: Caps = { perCall: 2_000, perService: 1_000_000_000, perHost: 1_000_000_000, perDay }
  const shared = toBuyerParts(store, { ...ground, caps, clock })
  const create = (end: End | undefined): { buyer: Buyer; ended: Promise<void> } => {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const dying = end && { end, die: resolve }
    return {
      buyer: createBuyer({
        ...shared,
        ...(dying && { purchases: endTable(shared.purchases, dying), fetch: endFetch(shared.fetch, dying) }),
      }),
      ended,
    }
  }
  let crashes = 0
  let refusedByCap = 0
  const watch = watchAccount(store.purchases, onChain, perDay)
  for (let run = 0; run < runs; run++) {
    const index = Math.floor(random() * sellers.placed.length)
    const parts = { purpose: `purpose ${run}`, serviceId: sellers.ids[index]! }
    const order = orderFrom(index, sellers.placed[index]!, parts)
    const end: End | undefined =
      random() < 0.7
        ? { step: STEPS[Math.floor(random() * STEPS.length)]!, when: random() < 0.5 ? 'before' : 'after' }
        : undefined
    const first = create(end)
    const result = await Promise.race([first.buyer.buy(order), first.ended])
    if (!result) crashes++
    else if (result.kind === 'refused' && result.reason.code === 'cap_passed') refusedByCap++
    // The next process does not know what became of it, and tries the same once more.
    await create(undefined).buyer.buy(order)
    await sellers.settled()
    if (run % 10 === 9) await watch.look()
  }
  await ground.expire()
  await create(undefined).buyer.reconcile()
  return { runs, crashes, refusedByCap, ...(await watch.end()) }
}

/** Compares what is on chain with the ledger and the cap, as often as it is told to look. */
export function watchAccount(purchases: PurchaseTable, onChain: () => Promise<number>, cap: number) {
  let violations = 0
  const look = async () => {
    const { microUsd } = await purchases.spent(new Date(0))
    const paid = await onChain()
    violations += Number(paid > microUsd) + Number(microUsd > cap) + Number(paid > cap)
  }
  return {
    look,
    async end(): Promise<Account> {
      await look()
      const kept = await listAll(purchases)
      const settled = kept.filter(({ state }) => state === 'settled')
      const purposes = Map.groupBy(settled, ({ purpose }) => purpose)
      return {
        paid: settled.length,
        mostForOnePurpose: Math.max(0, ...[...purposes.values()].map(each => each.length)),
        onChain: await onChain(),
        inLedger: settled.reduce((sum, { charged }) => sum + Number(charged), 0),
        cap,
        violations:
          violations + kept.filter(({ state }) => state === 'reserved' || state === 'signed').length,
      }
    },
  }
}

export async function listAll(purchases: PurchaseTable) {
  const all = []
  for (let before: string | undefined; ; ) {
    const page = await purchases.list({ limit: 500, before })
    all.push(...page)
    if (page.length < 500) return all
    before = page.at(-1)!.id
  }
}
