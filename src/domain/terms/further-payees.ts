// Payees on chains other than the registered one. The listing names no payee there, so a new one is reported and distrusted for a
// while: it could belong to an attacker who has taken over the endpoint.
import { say } from '../../messages/message.ts'
import { chainKey } from '../chains/chains.ts'
import { sameAddress } from '../chains/same-address.ts'
import type { ServiceEvent } from '../events.ts'
import type { Seen } from './terms.ts'

export type FurtherPayee = {
  readonly chain: string
  readonly payTo: string
  /** When it first appeared, if other payees were seen before it. ISO 8601 UTC. */
  readonly since?: string
}

/** Payees stored per service that its endpoint no longer names. */
const MAX_STORED = 32
/** Payees on a chain after which new ones are no longer reported: an endpoint may name another one each time. */
const MAX_REPORTED = 8

const isSame = (a: FurtherPayee, b: FurtherPayee): boolean =>
  a.chain === b.chain && sameAddress(a.payTo, b.payTo, a.chain)

/** The payees in terms that were seen before payees were stored separately. */
export const payeesElsewhere = (seen: Seen | undefined, network: string): FurtherPayee[] =>
  (seen?.resources ?? [])
    .flatMap(({ ways }) => ways)
    .filter(({ chain }) => chain !== chainKey(network))
    .map(({ chain, payTo }) => ({ chain, payTo }))

/** @param before undefined if no terms were seen yet: then no payee is new */
export function withArrivals(
  before: readonly FurtherPayee[] | undefined,
  seen: readonly FurtherPayee[],
  at: string,
): FurtherPayee[] {
  const previous = before ?? []
  const now = seen.map(
    payee => previous.find(other => isSame(other, payee)) ?? { ...payee, ...(before && { since: at }) },
  )
  const gone = previous.filter(payee => !now.some(other => isSame(other, payee)))
  return [...now, ...gone.slice(0, MAX_STORED)]
}

/** As in CAIP-10: the chain, then the address. */
const toText = ({ chain, payTo }: FurtherPayee): string => `${chain}:${payTo}`

export function arrivalEvents(
  before: readonly FurtherPayee[] | undefined,
  after: readonly FurtherPayee[],
  at: string,
): ServiceEvent[] {
  if (!before) return []
  const arrived = after.filter(payee => !before.some(other => isSame(other, payee)))
  const reported = arrived.filter(
    ({ chain }) => before.filter(payee => payee.chain === chain).length < MAX_REPORTED,
  )
  if (reported.length === 0) return []
  const chains = new Set(reported.map(({ chain }) => chain))
  const from = before.filter(({ chain }) => chains.has(chain)).map(toText)
  const to = reported.map(toText)
  const reason = say('further_payee', { before: from, after: to })
  return [{ type: 'pay_to', at, reason, before: from, after: to }]
}

/** When the payee of payment requirements first appeared; undefined if it was there from the start, or is on the registered network. */
export const arrivedAt = (payees: readonly FurtherPayee[], requirements: FurtherPayee): string | undefined =>
  payees.find(payee => isSame(payee, requirements))?.since
