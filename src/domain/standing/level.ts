// The level of a service, in one word: what must not be paid, what is proved, and by whom. Pure, from the stored entry alone.

import type { Entry } from '../listing/service.ts'
import { comparePrice } from '../terms/terms.ts'
import { comparePayee } from '../terms/terms-view.ts'
import { deliveryShare, isFailing } from './delivery.ts'
import type { CountedPayers, Level } from './standing.ts'

/**
 * terms: its endpoint asks for another wallet or network, or for more than is listed.
 * delivery: it was paid and did not deliver, several times in a row.
 */
export type Danger = 'terms' | 'delivery'

/** What was seen of an inactive service is outdated. */
export function dangerOf({ standing, seen, pricing, x402Config, delivery }: Entry): Danger | undefined {
  if (standing.status === 'inactive') return undefined
  const ways = seen?.resources[0]?.ways
  if (ways && !comparePayee(ways, x402Config).address) return 'terms'
  if (seen?.asks && comparePrice(seen.asks, pricing) === 'higher') return 'terms'
  return isFailing(delivery) ? 'delivery' : undefined
}

const DAY_MS = 86_400_000
const DELIVERED_MS = 30 * DAY_MS

/** As of the last judgement, so that the level is the same on every node and after every restart. */
export function levelOf(entry: Entry): Level {
  const { standing, delivery } = entry
  if (dangerOf(entry) !== undefined) return 'danger'
  if (standing.status !== 'verified') return 'listed'
  const deliveredMs = Date.parse(delivery?.deliveredAt ?? '')
  if (Date.parse(standing.lastChecked) - deliveredMs <= DELIVERED_MS) return 'delivers'
  return (standing.payers?.recent ?? 0) > 0 ? 'paid' : 'verified'
}

/** The weight of payers at which they give full points. */
export const FULL_PAYERS = 50

/** The share of full points for payers, from 0 to 1. */
export const payersShare = (payers: CountedPayers | undefined): number =>
  payers ? Math.min(Math.log1p(payers.weight) / Math.log1p(FULL_PAYERS), 1) : 0

/** What either kind of proof is worth alone, of a hundred. */
const PROOF = 60

/**
 * Evidence that costs an attacker something, from 0 to 100: payers and purchases. Search ranks by it, and not by the trust score, most
 * of which anybody gets who keeps an endpoint running.
 */
export const proofOf = ({ standing, delivery }: Pick<Entry, 'standing' | 'delivery'>): number =>
  Math.min(100, Math.round(PROOF * (payersShare(standing.payers) + deliveryShare(delivery))))
