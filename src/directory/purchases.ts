// Purchases from a service: those of this directory, and those of directories that it follows.
import { Encoded } from '../domain/json.ts'
import {
  type PurchaseFeed,
  type PurchaseFeedQuery,
  type PurchasesAnswer,
  type PurchasesPageQuery,
  purchaseFeedQuerySchema,
  purchaseFeedSchema,
  purchasesQuerySchema,
  purchasesSchema,
  toPurchasesAnswer,
  toPurchaseView,
} from '../domain/purchases/purchases-view.ts'
import { toEvidenceSource } from '../domain/standing/judge-delivery.ts'
import type { Operation } from './operation.ts'
import type { Parts } from './parts.ts'

export interface Purchases {
  /** What this directory itself bought, of services that it lists; oldest first. */
  allPurchases(query: PurchaseFeedQuery): Promise<Encoded<PurchaseFeed>>
  /** Newest first. @throws DirectoryError `not_found`, `hidden` */
  purchases(id: string, query: PurchasesPageQuery): Promise<Encoded<PurchasesAnswer>>
}

export const PURCHASE_OPERATIONS = {
  allPurchases: {
    id: 'listPurchases',
    tag: 'feed',
    summary: 'List what this directory bought',
    description:
      'For directories that follow this one: its own purchases with their outcome and transaction, oldest first. Send `next` of each response as `after` of the following request.',
    query: { schema: purchaseFeedQuerySchema },
    answer: 'A page of purchases',
    result: purchaseFeedSchema,
  },
  purchases: {
    id: 'getServicePurchases',
    tag: 'proof',
    summary: 'List purchases from a service',
    description:
      'Who paid, what came back and the transaction, newest first: what this directory itself bought (most directories buy nothing), and what followed directories bought. Only the purchases of this directory count in status and trust.',
    query: { schema: purchasesQuerySchema },
    answer: 'A page of purchases',
    result: purchasesSchema,
    cost: 4,
    errors: ['hidden'],
  },
} satisfies Readonly<Record<keyof Purchases, Operation>>

export function createPurchases({
  store,
  finder,
  ready,
}: Pick<Parts, 'store' | 'finder' | 'ready'>): Purchases {
  return {
    async purchases(id, { limit, before, source }) {
      const { entry } = finder.requireVisible(await store.find(id), id)
      const [page, peers] = await Promise.all([
        store.purchases.evidence({ ...toEvidenceSource(entry), of: source, limit: limit + 1, before }),
        store.purchases.peerSums(id, entry.movedAt),
      ])
      return Encoded.of(toPurchasesAnswer(entry, page, limit, peers))
    },

    async allPurchases({ limit, after }) {
      const catalog = ready()
      const page = await store.purchases.concluded(limit, after)
      const purchases = page.flatMap(purchase => {
        const serviceId = purchase.serviceId!
        return catalog.service(serviceId) ? [{ ...toPurchaseView(purchase, serviceId), serviceId }] : []
      })
      return Encoded.of<PurchaseFeed>({ purchases, next: page.at(-1)?.id ?? null })
    },
  }
}
