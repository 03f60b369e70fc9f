// The purchases that this directory made from a service, and their outcomes.

import { Encoded } from '../domain/json/encoded.ts'
import {
  type PurchasesAnswer,
  type PurchasesPageQuery,
  toPurchasesAnswer,
} from '../domain/purchases/purchases-view.ts'
import { toEvidenceSource } from '../domain/standing/delivery-evidence.ts'
import type { Store, StoredEntry } from '../store/store.ts'

export interface PurchaseReads {
  /** Newest first. @throws DirectoryError `not_found`, `hidden` */
  purchases(id: string, query: PurchasesPageQuery): Promise<Encoded<PurchasesAnswer>>
}

export const createPurchaseReads = ({
  store,
  requireVisible,
}: {
  readonly store: Pick<Store, 'find' | 'purchases'>
  /** @throws DirectoryError `not_found`, `hidden` */
  readonly requireVisible: (stored: StoredEntry | undefined, id: string) => StoredEntry
}): PurchaseReads => ({
  async purchases(id, { limit, before }) {
    const { entry } = requireVisible(await store.find(id), id)
    const source = toEvidenceSource(entry)
    const page = await store.purchases.evidence({ ...source, limit: limit + 1, before })
    return Encoded.of(toPurchasesAnswer(entry, page, limit))
  },
})
