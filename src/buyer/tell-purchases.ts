// Tells what came of purchases: events, trust and status of the service. It reads all of the newest again, so that a process that
// ended between a purchase and its telling loses nothing.
import { MAX_COUNTED } from '../domain/delivery.ts'
import { judgeDelivery } from '../domain/judge-delivery.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'

type TellingStore = Pick<Store, 'purchases' | 'update'>

/** Every purchase of the service that has an outcome and was not told yet. */
export async function tellPurchases(store: TellingStore, serviceId: string, clock: Clock): Promise<void> {
  const purchases = await store.purchases.list({ serviceId, limit: 2 * MAX_COUNTED })
  await store.update([serviceId], entry => judgeDelivery(entry, purchases, clock.now()))
}

/** So many of the newest are looked at after a start: more are not in hand at once. */
const MAX_LOOKED_AT = 200

/** What a process that ended may have left untold. */
export async function tellLeft(store: TellingStore, clock: Clock): Promise<void> {
  const newest = await store.purchases.list({ limit: MAX_LOOKED_AT })
  const ids = new Set(newest.flatMap(({ serviceId, outcome }) => (serviceId && outcome ? [serviceId] : [])))
  for (const id of ids) await tellPurchases(store, id, clock)
}
