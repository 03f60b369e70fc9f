// A process of its own that buys once, and kills itself around the step that it is told: the system ends it as it is, with whatever it
// had begun. Its order comes as JSON.
import { createBuyer } from '../../packages/buyer/src/buyer.ts'
import { openAuthorizationReader } from '../../packages/buyer/src/payment-use.ts'
import { openWallet } from '../../packages/buyer/src/wallet.ts'
import type { Caps } from '../../src/domain/purchases/purchases.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { Secret } from '../../src/runtime/secret.ts'
import { openStore } from '../../src/store/open.ts'
import { orderFrom } from './crash-sellers.ts'
import { type Dying, type End, endFetch, endTable } from './ends.ts'
import { toBuyerParts } from './order.ts'

export type KilledOrder = {
  readonly databaseUrl: string
  readonly rpcUrl: string
  readonly key: string
  readonly caps: Caps
  readonly seller: number
  readonly url: string
  readonly payTo: string
  readonly purpose: string
  readonly serviceId: string
  readonly end: End
}

const { databaseUrl, rpcUrl, key, caps, seller, url, payTo, purpose, serviceId, end } = JSON.parse(
  process.argv[2]!,
) as KilledOrder
const clock = systemClock
const dying: Dying = { end, die: () => process.kill(process.pid, 'SIGKILL') }
const store = await openStore(databaseUrl, { clock })
const wallets = [await openWallet(new Secret(key))]
const reader = openAuthorizationReader({ 'eip155:8453': rpcUrl }, clock)
const parts = toBuyerParts(store, { wallets, caps, clock, reader })
const buyer = createBuyer({
  ...parts,
  purchases: endTable(parts.purchases, dying),
  fetch: endFetch(parts.fetch, dying),
})
const result = await buyer.buy(orderFrom(seller, { url, payTo, clock }, { purpose, serviceId }))
console.log(result.kind === 'refused' ? result.reason.code : result.kind)
process.exit(0)
