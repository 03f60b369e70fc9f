// The operations by which clients of x402 read the catalog in their own format.
import type { Catalog } from '../catalog/catalog.ts'
import { BAZAAR_VERSION, type BazaarList, type BazaarMerchant, type BazaarSearch } from '../domain/bazaar.ts'
import type { BazaarListQuery, BazaarMerchantQuery, BazaarSearchQuery } from '../domain/bazaar-query.ts'
import { Encoded } from '../domain/encoded.ts'

export interface Bazaar {
  /** Services that can be paid in a known asset and are not inactive, newest first. */
  resources(query: BazaarListQuery): Promise<Encoded<BazaarList>>
  /** The same, by what is needed, best first. */
  searchResources(query: BazaarSearchQuery): Promise<Encoded<BazaarSearch>>
  /** What pays to one address, inactive services included: their owners look for them here. */
  merchantResources(query: BazaarMerchantQuery): Promise<Encoded<BazaarMerchant>>
}

/** @param ready throws DirectoryError `not_ready` */
export const createBazaar = (ready: () => Catalog): Bazaar => ({
  async resources({ unapplied, ...query }) {
    const { items, total } = ready().offers(query)
    const { limit, offset } = query
    return Encoded.of<BazaarList>({
      x402Version: BAZAAR_VERSION,
      items: [...items],
      pagination: { limit, offset, total },
      ...told(unapplied),
    })
  },

  async merchantResources({ unapplied, ...query }) {
    const { items, total } = ready().offers(query, { all: true })
    const { payTo, limit, offset } = query
    return Encoded.of<BazaarMerchant>({
      x402Version: BAZAAR_VERSION,
      payTo,
      resources: [...items],
      pagination: { limit, offset, total },
      ...told(unapplied),
    })
  },

  async searchResources({ query, limit, cursor: offset = 0, unapplied, ...filters }) {
    const { items, hasNext, isPartial } = ready().searchOffers(query, filters, { offset, limit })
    return Encoded.of<BazaarSearch>({
      x402Version: BAZAAR_VERSION,
      resources: [...items],
      partialResults: isPartial,
      searchMethod: 'hybrid',
      pagination: { limit, cursor: hasNext ? String(offset + limit) : null },
      ...told(unapplied),
    })
  },
})

const told = (unapplied: readonly string[]) =>
  unapplied.length > 0 ? { unappliedFilters: [...unapplied] } : {}
