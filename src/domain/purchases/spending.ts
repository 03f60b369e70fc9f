// The spending overview of a ledger: sums of 24 hours by service, host and payee, and what is left of each cap.

import { fromMicroDollars } from '../money/micro-dollars.ts'
import type { Caps } from './caps.ts'
import { payeeOf } from './purchase-places.ts'
import type { Purchase } from './purchases.ts'

/** Amounts are decimals in dollars. */
export type Spent = {
  readonly usd: string
  /** Left of the cap; 0 if it is reached. */
  readonly left: string
  readonly purchases: number
}
export type SpentOn = Spent & { readonly of: string }

export type Spending = {
  readonly caps: Readonly<Record<keyof Caps, string>>
  readonly day: Spent
  /** Highest spending first. */
  readonly services: readonly SpentOn[]
  /** By registrable domain. */
  readonly hosts: readonly SpentOn[]
  /** By payee wallet; the cap is that of hosts. */
  readonly payees: readonly SpentOn[]
  /** Purchases whose payment may still be taken, or may have been. */
  readonly uncertain: readonly Purchase[]
}

const UNCERTAIN = ['reserved', 'signed', 'unknown']

/** @param recent purchases that count against the caps now. @param open reserved or signed ones of any age */
export function toSpending(recent: readonly Purchase[], open: readonly Purchase[], caps: Caps): Spending {
  const uncertain = [...recent.filter(({ state }) => UNCERTAIN.includes(state)), ...open]
  return {
    caps: {
      perCall: fromMicroDollars(caps.perCall),
      perService: fromMicroDollars(caps.perService),
      perHost: fromMicroDollars(caps.perHost),
      perDay: fromMicroDollars(caps.perDay),
    },
    day: toSpent(recent, caps.perDay),
    services: groupBy(recent, ({ serviceId }) => serviceId ?? '', caps.perService),
    hosts: groupBy(recent, ({ host }) => host, caps.perHost),
    payees: groupBy(recent, ({ payTo, chain }) => payeeOf(payTo, chain), caps.perHost),
    uncertain: [...new Map(uncertain.map(each => [each.id, each])).values()],
  }
}

const sumOf = (purchases: readonly Purchase[]): number =>
  purchases.reduce((sum, { microUsd }) => sum + microUsd, 0)

const toSpent = (purchases: readonly Purchase[], cap: number): Spent => ({
  usd: fromMicroDollars(sumOf(purchases)),
  left: fromMicroDollars(Math.max(0, cap - sumOf(purchases))),
  purchases: purchases.length,
})

const groupBy = (
  purchases: readonly Purchase[],
  keyOf: (purchase: Purchase) => string,
  cap: number,
): SpentOn[] =>
  [...Map.groupBy(purchases, keyOf)]
    .sort(([, a], [, b]) => sumOf(b) - sumOf(a))
    .map(([of, each]) => ({ of, ...toSpent(each, cap) }))
