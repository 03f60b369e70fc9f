// The operation that tells what this directory bought from a service, and what came of it.
import { toEvidenceSource } from '../domain/delivery-evidence.ts'
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
    const { entry } = shown(await store.find(id), id)
    const source = toEvidenceSource(entry)
    const page = await store.purchases.evidence({ ...source, limit: limit + 1, before })
    return Encoded.of(toPurchasesAnswer(entry, page, limit))
  },
})
