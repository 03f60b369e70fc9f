// A buyer with a wallet of Solana before sellers of its tests, which keep what they are sent.
import { type Bought, type Buyer, createBuyer } from '../../../packages/buyer/src/buyer.ts'
import { openStore } from '../../../src/store/open.ts'
import { USDC } from '../../chain/solana/svm-chain.ts'
import { createShiftedClock } from '../clock.ts'
import type { HostileMerchant } from '../hostile-merchants.ts'
import { toBuyerParts, toOrder } from '../order.ts'
import { CHAIN, openSolanaGround, payeeOf } from './ground.ts'

/** Longer than a purchase is left alone. */
const LEFT_MS = 10 * 60_000

export const seller = (name: string, parts: Partial<HostileMerchant> = {}): HostileMerchant => ({
  name,
  paid: () => Response.json({ ok: true }),
  outcome: null,
  ...parts,
})
export const honest = seller('honest', {
  paid: async ({ settle, told }) => Response.json({ ok: true }, { headers: told(await settle()) }),
})
/** Delivers, and keeps the payment to send it when it likes. */
export const keeps = seller('keeps it')

export type World = Awaited<ReturnType<typeof openWorld>>

export async function openWorld(sellers: readonly HostileMerchant[]) {
  await using opened = new AsyncDisposableStack()
  const clock = createShiftedClock()
  const ground = opened.use(await openSolanaGround(clock, sellers))
  const store = opened.use(await openStore('sqlite::memory:', { clock }))
  /** Transactions as sellers got them. */
  const held: string[] = []
  const caps = { perCall: 10_000, perService: 100_000, perHost: 100_000, perDay: 100_000 }
  const shared = toBuyerParts(store, { ...ground, caps, clock })
  const parts = {
    ...shared,
    fetch: ((url, request = {}) => {
      const { headers = {} } = request
      const payment = headers['payment-signature'] ?? headers['x-payment']
      if (payment) held.push(JSON.parse(Buffer.from(payment, 'base64').toString()).payload.transaction)
      return shared.fetch(url, request)
    }) satisfies typeof shared.fetch,
  }
  const buyer = createBuyer(parts)
  const order = (merchant: HostileMerchant, given: { purpose?: string; asset?: string } = {}) => {
    const { asset = USDC, ...others } = given
    const { payTo = payeeOf(sellers.indexOf(merchant)) } = (merchant.terms ?? {}) as { payTo?: string }
    const chain = { ...CHAIN, asset }
    return toOrder(merchant, { url: ground.server.url(merchant), payTo, clock, chain }, others)
  }
  const kept = opened.move()
  return {
    ...ground,
    store,
    held,
    parts,
    buyer,
    order,
    async buy(merchant: HostileMerchant, given: Parameters<typeof order>[1] = {}): Promise<Bought> {
      const result = await buyer.buy(order(merchant, given))
      if (result.kind !== 'bought') throw new Error(JSON.stringify(result))
      return result
    },
    /** Why nothing was signed. */
    async refusal(merchant: HostileMerchant, by: Buyer = buyer): Promise<string> {
      const result = await by.buy(order(merchant))
      if (result.kind !== 'refused') throw new Error(`not refused: ${result.kind}`)
      return result.reason.code
    },
    stateOf: async ({ purchase }: Bought) => (await store.purchases.find(purchase.id))!.state,
    counted: async () => (await store.purchases.spent(new Date(0))).microUsd,
    async reconcile() {
      clock.advance(LEFT_MS)
      await buyer.reconcile()
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
