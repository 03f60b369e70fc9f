// Purchases that end in the middle, at every step, again and again: a process that is killed runs nothing more, so a step at which it
// ends never comes back. What it had begun stays as it was, and the next process goes on from the ledger.
import { parseAbiItem } from 'viem'
import { BUYER_LIMITS, type Buyer, createBuyer } from '../../packages/buyer/src/buyer.ts'
import { openAuthorizationReader } from '../../packages/buyer/src/payment-use.ts'
import type { SettlementReader } from '../../packages/buyer/src/settlements.ts'
import { openWallet, type Wallet } from '../../packages/buyer/src/wallet.ts'
import { NO_RATES } from '../../src/domain/money/rates.ts'
import type { Caps } from '../../src/domain/purchases/purchases.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { Secret } from '../../src/runtime/secret.ts'
import { openStore } from '../../src/store/open.ts'
import type { PurchaseTable } from '../../src/store/purchases.ts'
import { openEvmChain } from '../chain/evm-chain.ts'
import { accountOf, type Facilitator, openFacilitator } from '../paid/facilitator.ts'
import { createShiftedClock, type ShiftedClock } from './clock.ts'
import { orderFrom, SELLERS, TOOLS } from './crash-sellers.ts'
import { type End, endFetch, endTable, STEPS } from './ends.ts'
import { openHostileMerchants, payeeOf } from './hostile-server.ts'
import { type Placed, toListing } from './order.ts'
import { AMOUNT, USDC } from './sold.ts'
import { openToolMerchants, toolPayeeOf } from './tool-server.ts'

/** All of them, open: what is bought from one is told by its number. */
export function openSellers(facilitator: Facilitator, clock: Clock) {
  const parts = new AsyncDisposableStack()
  const http = parts.use(openHostileMerchants(facilitator, SELLERS))
  const mcp = parts.use(openToolMerchants(facilitator, TOOLS))
  const placed: readonly Placed[] = [
    ...SELLERS.map((seller, i) => ({ url: http.url(seller), payTo: payeeOf(i), clock })),
    ...TOOLS.map((tool, i) => ({ url: mcp.url(tool), payTo: toolPayeeOf(i), clock })),
  ]
  return {
    placed,
    ids: placed.map((place, i) => toListing(SELLERS[i] ?? { method: 'POST' }, place).id),
    settled: () => Promise.all([http.settled(), mcp.settled()]),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

export type CrashReport = {
  readonly runs: number
  readonly crashes: number
  readonly paid: number
  /** Payments for one purpose, at most. */
  readonly mostForOnePurpose: number
  /** In millionths of a dollar: what the chain says, what the ledger says, and the cap. */
  readonly onChain: number
  readonly inLedger: number
  readonly cap: number
  readonly refusedByCap: number
  /** Times at which the chain showed more than the ledger counted, or more than the cap. */
  readonly violations: number
}

/** A chain with sellers and a wallet on it. */
export type Ground = AsyncDisposable & {
  readonly wallet: Wallet
  readonly reader: SettlementReader
  /** Where each is paid, the id of its listing, and when nothing is being settled any more. */
  readonly sellers: Pick<ReturnType<typeof openSellers>, 'placed' | 'ids'> & { settled(): Promise<unknown> }
  /** All that the wallet has paid. */
  paid(): Promise<number>
  /** From now on nothing that was signed before can be used. */
  expire(): Promise<void>
}

async function openBase(clock: ShiftedClock): Promise<Ground> {
  await using opened = new AsyncDisposableStack()
  const chain = opened.use(await openEvmChain())
  const sellers = opened.use(openSellers(opened.use(openFacilitator(chain)), clock))
  const payer = accountOf(6)
  const wallet = await openWallet(new Secret(payer.key))
  const reader = opened.use(openAuthorizationReader({ 'eip155:8453': chain.url }, systemClock))
  const kept = opened.move()
  return {
    wallet,
    reader,
    sellers,
    paid: () => readPaid(chain.client, payer.address),
    expire: () => expire(clock, chain),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** @param random from 0 to 1 */
export async function runCrashes(
  runs: number,
  random: () => number,
  databaseUrl: string,
  openGround: (clock: ShiftedClock) => Promise<Ground> = openBase,
): Promise<CrashReport> {
  await using parts = new AsyncDisposableStack()
  const clock = createShiftedClock()
  const ground = parts.use(await openGround(clock))
  const { wallet, reader, sellers, paid: onChain } = ground
  const store = parts.use(await openStore(databaseUrl, { clock }))
  // Less than all of them together would cost.
  const perDay = Math.floor(runs * 0.6) * Number(AMOUNT)
  const caps: Caps = { perCall: 2_000, perService: 1_000_000_000, perHost: 1_000_000_000, perDay }
  const fetch = createSafeFetch({ allowPrivate: true, limits: BUYER_LIMITS })
  const create = (end: End | undefined): { buyer: Buyer; ended: Promise<void> } => {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const shared = { wallets: [wallet], caps, clock, rates: () => NO_RATES, reader }
    const dying = end && { end, die: resolve }
    return {
      buyer: createBuyer({
        ...shared,
        purchases: dying ? endTable(store.purchases, dying) : store.purchases,
        fetch: dying ? endFetch(fetch, dying) : fetch,
      }),
      ended,
    }
  }
  let crashes = 0
  let refusedByCap = 0
  let violations = 0
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
    if (run % 10 === 9) violations += await countViolations(store.purchases, onChain, perDay)
  }
  await ground.expire()
  await create(undefined).buyer.reconcile()
  violations += await countViolations(store.purchases, onChain, perDay)
  const kept = await listAll(store.purchases)
  const settled = kept.filter(({ state }) => state === 'settled')
  const purposes = Map.groupBy(settled, ({ purpose }) => purpose)
  return {
    runs,
    crashes,
    paid: settled.length,
    mostForOnePurpose: Math.max(0, ...[...purposes.values()].map(each => each.length)),
    onChain: await onChain(),
    inLedger: settled.reduce((sum, { charged }) => sum + Number(charged), 0),
    cap: perDay,
    refusedByCap,
    violations: violations + kept.filter(({ state }) => state === 'reserved' || state === 'signed').length,
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

type Chain = Awaited<ReturnType<typeof openEvmChain>>

export async function expire(clock: ShiftedClock, { client }: Chain): Promise<void> {
  clock.advance(10 * 60_000)
  await client.increaseTime({ seconds: 600 })
  await client.mine({ blocks: 1 })
}

const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

export async function readPaid(client: Chain['client'], from: `0x${string}`): Promise<number> {
  const args = { from }
  const logs = await client.getLogs({ address: USDC, event: TRANSFER, args, fromBlock: 0n, strict: true })
  return Number(logs.reduce((sum, { args }) => sum + args.value, 0n))
}

export async function countViolations(purchases: PurchaseTable, onChain: () => Promise<number>, cap: number) {
  const { microUsd } = await purchases.spent(new Date(0))
  const paid = await onChain()
  return Number(paid > microUsd) + Number(microUsd > cap) + Number(paid > cap)
}
