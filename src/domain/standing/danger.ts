// Why a listing must not be paid as it stands, as far as its own endpoint and purchases show; pure.

import type { Entry } from '../listing/service.ts'
import { comparePrice } from '../terms/terms.ts'
import { comparePayee } from '../terms/terms-view.ts'
import { isFailing } from './delivery.ts'

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
