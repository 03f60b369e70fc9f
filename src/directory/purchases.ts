// The operation that tells what this directory bought from a service, and what came of it.
import { Encoded } from '../domain/encoded.ts'
import { type PurchasesAnswer, type PurchasesPageQuery, toPurchasesAnswer } from '../domain/purchases-view.ts'
import type { Kept, Store } from '../store/store.ts'

export interface PurchaseReads {
  /** Newest first. @throws DirectoryError `not_found`, `hidden` */
  purchases(id: string, query: PurchasesPageQuery): Promise<Encoded<PurchasesAnswer>>
}

export const createPurchaseReads = ({
  store,
  shown,
}: {
  readonly store: Pick<Store, 'find' | 'purchases'>
  /** @throws DirectoryError `not_found`, `hidden` */
  readonly shown: (kept: Kept | undefined, id: string) => Kept
}): PurchaseReads => ({
  async purchases(id, { limit, before }) {
    const [kept, page] = await Promise.all([
      store.find(id),
      store.purchases.list({ serviceId: id, limit: limit + 1, before }),
    ])
    const { entry } = shown(kept, id)
    return Encoded.of(toPurchasesAnswer(id, entry.delivery, page, limit))
  },
})
