// Whether a payment that was read for a service is still its own.

import { chainKey } from './chains.ts'
import { sameAddress } from './same-address.ts'
import type { Entry } from './service.ts'

export type PaidAt = { readonly chain: string; readonly payee: string; readonly at: string }

/** What was paid to another address, or before the service came to where it is, is not its own any more. */
export function isOwnPayment(entry: Entry, { chain, payee, at }: PaidAt, now: Date): boolean {
  const { x402Config, movedAt } = entry
  if (movedAt === undefined) return true
  const isHere =
    chainKey(x402Config.network) === chain && sameAddress(x402Config.paymentAddress, payee, chain)
  return isHere && isSinceMove(at, movedAt, now)
}

/** A move that a clock which was ahead has dated later than now bounds nothing: it would keep payments away until then. */
export const isSinceMove = (at: string, movedAt: string | undefined, now: Date): boolean =>
  movedAt === undefined || at >= movedAt || movedAt > now.toISOString()
