// Who is paid on chains besides the registered one. The listing names nobody there, so that whoever arrives is told, and doubted for
// a while: whoever takes over an endpoint would come this way.
import { say } from '../messages/message.ts'
import { chainKey } from './chains.ts'
import type { ServiceEvent } from './events.ts'
import { sameAddress } from './same-address.ts'
import type { Seen } from './terms.ts'

export type FurtherPayee = {
  readonly chain: string
  readonly payTo: string
  /** When it arrived, where others were seen before it. ISO 8601 UTC. */
  readonly since?: string
}

/** Kept with a service. */
const MAX_KEPT = 32
/** Whoever names another one each time is not told for ever. */
const MAX_TOLD = 8

const isSame = (a: FurtherPayee, b: FurtherPayee): boolean =>
  a.chain === b.chain && sameAddress(a.payTo, b.payTo, a.chain)

/** Those of what was seen before they were kept by themselves. */
export const payeesElsewhere = (seen: Seen | undefined, network: string): FurtherPayee[] =>
  (seen?.resources ?? [])
    .flatMap(({ ways }) => ways)
    .filter(({ chain }) => chain !== chainKey(network))
    .map(({ chain, payTo }) => ({ chain, payTo }))

/** @param before undefined where no terms were seen yet: then nobody has arrived since */
export function withArrivals(
  before: readonly FurtherPayee[] | undefined,
  seen: readonly FurtherPayee[],
  at: string,
): FurtherPayee[] {
  const known = before ?? []
  const now = seen.map(
    payee => known.find(other => isSame(other, payee)) ?? { ...payee, ...(before && { since: at }) },
  )
  const gone = known.filter(payee => !now.some(other => isSame(other, payee)))
  return [...now, ...gone].slice(0, MAX_KEPT)
}

/** As CAIP-10 writes an account: the chain, then the address. */
const toText = ({ chain, payTo }: FurtherPayee): string => `${chain}:${payTo}`

export function arrivalEvents(
  before: readonly FurtherPayee[] | undefined,
  after: readonly FurtherPayee[],
  at: string,
): ServiceEvent[] {
  if (!before) return []
  const arrived = after.filter(payee => !before.some(other => isSame(other, payee)))
  const told = arrived.filter(({ chain }) => before.filter(payee => payee.chain === chain).length < MAX_TOLD)
  if (told.length === 0) return []
  const chains = new Set(told.map(({ chain }) => chain))
  const from = before.filter(({ chain }) => chains.has(chain)).map(toText)
  const to = told.map(toText)
  const reason = say('further_payee', { before: from, after: to })
  return [{ type: 'pay_to', at, reason, before: from, after: to }]
}

/** When the payee of a way arrived; undefined where it was there from the first, or is on the registered network. */
export const arrivedAt = (payees: readonly FurtherPayee[], requirements: FurtherPayee): string | undefined =>
  payees.find(payee => isSame(payee, requirements))?.since
