// A buyer of the tests; and an order for a seller, with the guard of a listing that is verified and as its endpoint asks.

import { BUYER_LIMITS, type createBuyer, type Order } from '../../packages/buyer/src/buyer.ts'
import { createGuard } from '../../packages/buyer/src/order.ts'
import { openAuthorizationReader } from '../../packages/buyer/src/payment-use.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { NO_RATES } from '../../src/domain/money/rates.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Store } from '../../src/store/store.ts'
import { draft, entry } from '../entries.ts'
import { probeOf, recordProbe, unchanged } from '../probes.ts'
import type { HostileMerchant } from './hostile-merchants.ts'
import { AMOUNT, USDC } from './sold.ts'
import { TOOL } from './tool-merchants.ts'

export type Placed = {
  readonly url: string
  readonly payTo: string
  readonly clock: Clock
  readonly chain?: Chain
}
type Chain = { readonly network: string; readonly id: string; readonly asset: string }

const BASE: Chain = { network: 'base', id: 'eip155:8453', asset: USDC }

export function toListing(
  { method = 'GET' }: Pick<HostileMerchant, 'method'>,
  { url, payTo, clock, chain = BASE }: Placed,
): Entry {
  const listed = entry(
    draft({
      endpoint: url,
      pricing: { currency: 'USDC', pricePerRequest: '0.002', freeQuota: 0 },
      x402Config: { paymentAddress: payTo, network: chain.network },
    }),
    { standing: { status: 'verified' } },
  )
  const requirements = { scheme: 'exact', chain: chain.id, asset: chain.asset, amount: AMOUNT, payTo }
  const at = clock.now().toISOString()
  const seen = { at, price: 'same', asks: { amount: '0.002', currency: 'USDC' } } as const
  return { ...listed, seen: { ...seen, resources: [{ url, method, ways: [requirements] }] } }
}

let orders = 0

export function toOrder(
  merchant: Pick<HostileMerchant, 'method' | 'output' | 'mimeType'>,
  placed: Placed,
  parts: Partial<Order> = {},
): Order {
  const { method = 'GET', output, mimeType } = merchant
  const listing = toListing(merchant, placed)
  return {
    purpose: `test ${++orders}`,
    serviceId: listing.id,
    request: {
      method,
      url: placed.url,
      ...(method === 'POST' && { body: '{}', contentType: 'application/json' }),
    },
    payee: listing.x402Config,
    output,
    mimeType,
    guard: createGuard(listing, placed.clock),
    // The answers of the tests are small, and what is huge is not made large.
    maxBodyBytes: 262_144,
    ...parts,
  }
}

/** An order for a tool of the tests. */
export const toToolOrder = (placed: Placed, parts: Partial<Order> = {}): Order =>
  toOrder({ method: 'POST' }, placed, {
    request: { method: 'POST', url: placed.url, tool: { name: TOOL, arguments: { city: 'Tokyo' } } },
    ...parts,
  })

type BuyerDeps = Parameters<typeof createBuyer>[0]

/** What a buyer is made of. */
export const toBuyerParts = <C extends Clock>(
  { purchases }: Pick<Store, 'purchases'>,
  {
    wallets,
    caps,
    clock,
    reader = openAuthorizationReader({}, clock),
  }: Pick<BuyerDeps, 'wallets' | 'caps'> & Partial<Pick<BuyerDeps, 'reader'>> & { readonly clock: C },
) => ({
  wallets,
  purchases,
  caps,
  fetch: createSafeFetch({ allowPrivate: true, limits: BUYER_LIMITS }),
  clock,
  rates: () => NO_RATES,
  reader,
})

/** Stores the terms of a listing, as a probe leaves them. */
export async function recordTerms(
  store: Store,
  { id, endpoint: url }: Pick<Entry, 'id' | 'endpoint'>,
  { payTo, clock, chain = BASE }: Omit<Placed, 'url'>,
): Promise<void> {
  const at = clock.now().toISOString()
  const requirements = {
    protocol: 'x402' as const,
    ...{ scheme: 'exact', network: chain.id, chain: chain.id, asset: chain.asset, amount: AMOUNT },
    ...{ payTo, maxTimeoutSeconds: 60, extra: {} },
  }
  const terms = {
    seenAt: at,
    x402Version: 2 as const,
    resources: [{ url, method: 'GET', accepts: [requirements], extensions: [], source: '402' as const }],
  }
  await recordProbe(store, probeOf(id, { at }), ({ seen, ...entry }) =>
    unchanged(
      { ...entry, ...(seen && { seen: { ...seen, at } }) },
      { terms: { stored: terms, isChanged: true } },
    ),
  )
}
