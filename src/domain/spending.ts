// What a ledger tells its owner: what counts within 24 hours, by service, by host and by payee, and what is left of each cap.
import type { Caps } from './caps.ts'
import { fromMicroDollars } from './micro-dollars.ts'
import { payeeOf } from './purchase-places.ts'
import type { Purchase } from './purchases.ts'

/** Amounts are decimals of dollars. */
export type Spent = {
  readonly usd: string
  /** Of the cap; 0 where it is reached. */
  readonly left: string
  readonly purchases: number
}
export type SpentOn = Spent & { readonly of: string }

export type Spending = {
  readonly caps: Readonly<Record<keyof Caps, string>>
  readonly day: Spent
  /** The most spent first. */
  readonly services: readonly SpentOn[]
  /** By registrable domain. */
  readonly hosts: readonly SpentOn[]
  /** By the wallet that is paid; its cap is that of hosts. */
  readonly payees: readonly SpentOn[]
  /** What may still be taken, or may have been. */
  readonly uncertain: readonly Purchase[]
}

const UNCERTAIN = ['reserved', 'signed', 'unknown']

/** @param recent what counts against the caps now. @param open what is reserved or signed, however old */
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

const toSpent = (purchases: readonly Purchase[], most: number): Spent => ({
  usd: fromMicroDollars(sumOf(purchases)),
  left: fromMicroDollars(Math.max(0, most - sumOf(purchases))),
  purchases: purchases.length,
})

const groupBy = (
  purchases: readonly Purchase[],
  keyOf: (purchase: Purchase) => string,
  most: number,
): SpentOn[] =>
  [...Map.groupBy(purchases, keyOf)]
    .sort(([, a], [, b]) => sumOf(b) - sumOf(a))
    .map(([of, each]) => ({ of, ...toSpent(each, most) }))
