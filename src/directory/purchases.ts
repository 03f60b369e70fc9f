// The purchases that this directory made from a service, and their outcomes.

import { Encoded } from '../domain/json.ts'
import {
  type PurchasesAnswer,
  type PurchasesPageQuery,
  parsePurchasesQuery,
  purchasesQuerySchema,
  purchasesSchema,
  toPurchasesAnswer,
} from '../domain/purchases/purchases-view.ts'
import { toEvidenceSource } from '../domain/standing/judge-delivery.ts'
import type { Store } from '../store/store.ts'
import { purchasesExample } from './examples.ts'
import type { Finder } from './finder.ts'
import type { Operation } from './operation.ts'

export interface PurchaseReads {
  /** Newest first. @throws DirectoryError `not_found`, `hidden` */
  purchases(id: string, query: PurchasesPageQuery): Promise<Encoded<PurchasesAnswer>>
}

export const PURCHASE_OPERATIONS = {
  purchases: {
    id: 'getServicePurchases',
    tag: 'proof',
    summary: 'List test purchases from a service',
    description:
      'What this directory itself bought from it, newest first: quoted and charged, the transaction, status, size, hash and conformance of the response. Empty if nothing was bought; most directories buy nothing.',
    query: { schema: purchasesQuerySchema, parse: parsePurchasesQuery },
    answer: 'A page of purchases',
    result: purchasesSchema,
    example: purchasesExample,
    errors: ['invalid_request', 'not_found', 'hidden'],
  },
} satisfies Readonly<Record<keyof PurchaseReads, Operation>>

export const createPurchaseReads = ({
  store,
  finder,
}: {
  readonly store: Pick<Store, 'find' | 'purchases'>
  readonly finder: Finder
}): PurchaseReads => ({
  async purchases(id, { limit, before }) {
    const { entry } = finder.requireVisible(await store.find(id), id)
    const source = toEvidenceSource(entry)
    const page = await store.purchases.evidence({ ...source, limit: limit + 1, before })
    return Encoded.of(toPurchasesAnswer(entry, page, limit))
  },
})
