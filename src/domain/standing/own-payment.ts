// Whether a payment that was attributed to a service still belongs to it.

import { chainKey } from '../chains/chains.ts'
import { sameAddress } from '../chains/same-address.ts'
import type { Entry } from '../listing/service.ts'

export type AttributedPayment = { readonly chain: string; readonly payee: string; readonly at: string }

/** A payment to another address, or from before the service came to its present place, no longer belongs to it. */
export function isOwnPayment(entry: Entry, { chain, payee, at }: AttributedPayment, now: Date): boolean {
  const { x402Config, movedAt } = entry
  if (movedAt === undefined) return true
  const isHere =
    chainKey(x402Config.network) === chain && sameAddress(x402Config.paymentAddress, payee, chain)
  return isHere && isSinceMove(at, movedAt, now)
}

/** A move dated in the future by a fast clock sets no bound: it would exclude payments until then. */
export const isSinceMove = (at: string, movedAt: string | undefined, now: Date): boolean =>
  movedAt === undefined || at >= movedAt || movedAt > now.toISOString()
