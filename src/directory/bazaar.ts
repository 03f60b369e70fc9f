// Reads of the catalog in the format of x402 clients.
import type { Catalog } from '../catalog/catalog.ts'
import {
  BAZAAR_VERSION,
  type BazaarItem,
  type BazaarList,
  type BazaarMerchant,
  type BazaarSearch,
  OFFER_EXTENSION,
} from '../domain/formats/bazaar.ts'
import type {
  BazaarListQuery,
  BazaarMerchantQuery,
  BazaarSearchQuery,
} from '../domain/formats/bazaar-query.ts'
import { toSeenItem } from '../domain/formats/bazaar-terms.ts'
import { Encoded } from '../domain/json/encoded.ts'
import type { TermsTable } from '../store/store.ts'

export interface Bazaar {
  /** Services that are not inactive and whose terms were seen, or that are listed in a known asset; newest first. */
  resources(query: BazaarListQuery): Promise<Encoded<BazaarList>>
  /** The same, for a search, best first. */
  searchResources(query: BazaarSearchQuery): Promise<Encoded<BazaarSearch>>
  /** Services paid at one address, including inactive ones: their owners look for them here. */
  merchantResources(query: BazaarMerchantQuery): Promise<Encoded<BazaarMerchant>>
}

export const createBazaar = ({
  ready,
  terms,
}: {
  /** Throws DirectoryError `not_ready`. */
  ready: () => Catalog
  terms: TermsTable
}): Bazaar => ({
  async resources({ unapplied, ...query }) {
    const { items, total } = ready().offers(query)
    const { limit, offset } = query
    return Encoded.of<BazaarList>({
      x402Version: BAZAAR_VERSION,
      items: await withSeenTerms(items, terms),
      pagination: { limit, offset, total },
      ...toUnapplied(unapplied),
    })
  },

  async merchantResources({ unapplied, ...query }) {
    const { items, total } = ready().offers(query, { all: true })
    const { payTo, limit, offset } = query
    return Encoded.of<BazaarMerchant>({
      x402Version: BAZAAR_VERSION,
      payTo,
      resources: await withSeenTerms(items, terms),
      pagination: { limit, offset, total },
      ...toUnapplied(unapplied),
    })
  },

  async searchResources({ query, limit, cursor: offset = 0, unapplied, ...filters }) {
    const { items, hasNext, isPartial } = ready().searchOffers(query, filters, { offset, limit })
    return Encoded.of<BazaarSearch>({
      x402Version: BAZAAR_VERSION,
      resources: await withSeenTerms(items, terms),
      partialResults: isPartial,
      searchMethod: 'hybrid',
      pagination: { limit, cursor: hasNext ? String(offset + limit) : null },
      ...toUnapplied(unapplied),
    })
  },
})

/** Adds the terms that endpoints declare. Items without payment requirements are left out: clients use the first without checking. */
async function withSeenTerms(items: readonly BazaarItem[], terms: TermsTable): Promise<BazaarItem[]> {
  const idOf = (item: BazaarItem) => item.extensions[OFFER_EXTENSION].id
  const seen = await terms.ofAll(items.map(idOf))
  return items
    .map(item => {
      const itemTerms = seen.get(idOf(item))
      return itemTerms ? toSeenItem(item, itemTerms) : item
    })
    .filter(({ accepts }) => accepts.length > 0)
}

const toUnapplied = (unapplied: readonly string[]) =>
  unapplied.length > 0 ? { unappliedFilters: [...unapplied] } : {}
