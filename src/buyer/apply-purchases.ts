// Applies the results of purchases: events, trust and status of the service, and of other services at the same place after a failure.
// It reads all recent purchases again, so that nothing is lost if the process ends between a purchase and this step.

import type { Entry } from '../domain/listing/service.ts'
import type { Purchase } from '../domain/purchases/purchases.ts'
import { isFailure } from '../domain/standing/delivery.ts'
import { isAgainst, MAX_EVIDENCE, toEvidenceSource } from '../domain/standing/delivery-evidence.ts'
import { judgeDelivery } from '../domain/standing/judge-delivery.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'

type EvidenceStore = Pick<Store, 'purchases' | 'update' | 'find' | 'paidTo'>

/** Other services at the same place that are updated at once; any others are updated with their next probe. */
const MAX_OTHERS = 100

/** Applies every purchase of the service that has an outcome. */
export async function applyPurchases(store: EvidenceStore, serviceId: string, clock: Clock): Promise<void> {
  const stored = await store.find(serviceId)
  if (stored) await applyTo(store, stored.entry, clock)
  const own = await store.purchases.list({ serviceId, limit: MAX_EVIDENCE })
  const failed = own.find(isFailure)
  if (failed) for (const other of await findOthers(store, failed)) await applyTo(store, other, clock)
}

async function applyTo({ purchases, update }: EvidenceStore, entry: Entry, clock: Clock): Promise<void> {
  const evidence = await purchases.evidence({ ...toEvidenceSource(entry), limit: MAX_EVIDENCE })
  await update([entry.id], now => judgeDelivery(now, evidence, clock.now()))
}

/** The other services that a failed purchase counts against. */
async function findOthers(store: EvidenceStore, failed: Purchase): Promise<Entry[]> {
  const paid = await store.paidTo([failed.payTo])
  return paid
    .filter(entry => entry.id !== failed.serviceId && isAgainst(entry, failed, toEvidenceSource(entry)))
    .slice(0, MAX_OTHERS)
}

/** Newest purchases checked after a start: more are never in progress at once. */
const MAX_CHECKED = 200

/** Applies what an earlier process may have left. */
export async function applyUnapplied(store: EvidenceStore, clock: Clock): Promise<void> {
  const newest = await store.purchases.list({ limit: MAX_CHECKED })
  const ids = new Set(newest.flatMap(({ serviceId, outcome }) => (serviceId && outcome ? [serviceId] : [])))
  for (const id of ids) await applyPurchases(store, id, clock)
}
