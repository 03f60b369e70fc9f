// Tells what came of purchases: events, trust and status of the service, and of others at its place where it failed. It reads all of
// the newest again, so that a process that ended between a purchase and its telling loses nothing.
import { isFailure } from '../domain/delivery.ts'
import { isAgainst, MAX_EVIDENCE, toEvidenceSource } from '../domain/delivery-evidence.ts'
import { judgeDelivery } from '../domain/judge-delivery.ts'
import type { Purchase } from '../domain/purchases.ts'
import type { Entry } from '../domain/service.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'

type TellingStore = Pick<Store, 'purchases' | 'update' | 'find' | 'paidTo'>

/** So many others at one place are told at once; any others learn of it with their next probe. */
const MAX_OTHERS = 100

/** Every purchase of the service that has an outcome and was not told yet. */
export async function tellPurchases(store: TellingStore, serviceId: string, clock: Clock): Promise<void> {
  const kept = await store.find(serviceId)
  if (kept) await tell(store, kept.entry, clock)
  const own = await store.purchases.list({ serviceId, limit: MAX_EVIDENCE })
  const failed = own.find(isFailure)
  if (failed) for (const other of await findOthers(store, failed)) await tell(store, other, clock)
}

async function tell({ purchases, update }: TellingStore, entry: Entry, clock: Clock): Promise<void> {
  const evidence = await purchases.evidence({ ...toEvidenceSource(entry), limit: MAX_EVIDENCE })
  await update([entry.id], now => judgeDelivery(now, evidence, clock.now()))
}

/** Those that a purchase speaks against, besides the one that it was made through. */
async function findOthers(store: TellingStore, failed: Purchase): Promise<Entry[]> {
  const paid = await store.paidTo([failed.payTo])
  return paid
    .filter(entry => entry.id !== failed.serviceId && isAgainst(entry, failed, toEvidenceSource(entry)))
    .slice(0, MAX_OTHERS)
}

/** So many of the newest are looked at after a start: more are not in hand at once. */
const MAX_LOOKED_AT = 200

/** What a process that ended may have left untold. */
export async function tellLeft(store: TellingStore, clock: Clock): Promise<void> {
  const newest = await store.purchases.list({ limit: MAX_LOOKED_AT })
  const ids = new Set(newest.flatMap(({ serviceId, outcome }) => (serviceId && outcome ? [serviceId] : [])))
  for (const id of ids) await tellPurchases(store, id, clock)
}
