// The operations by which clients of x402 read the catalog in their own format.
import type { Catalog } from '../catalog/catalog.ts'
import {
  BAZAAR_VERSION,
  type BazaarItem,
  type BazaarList,
  type BazaarMerchant,
  type BazaarSearch,
  OFFER_EXTENSION,
} from '../domain/bazaar.ts'
import type { BazaarListQuery, BazaarMerchantQuery, BazaarSearchQuery } from '../domain/bazaar-query.ts'
import { toSeenItem } from '../domain/bazaar-terms.ts'
import { Encoded } from '../domain/encoded.ts'
import type { TermsTable } from '../store/store.ts'

export interface Bazaar {
  /** Services whose terms were seen, or that are listed in a known asset, and that are not inactive; newest first. */
  resources(query: BazaarListQuery): Promise<Encoded<BazaarList>>
  /** The same, by what is needed, best first. */
  searchResources(query: BazaarSearchQuery): Promise<Encoded<BazaarSearch>>
  /** What pays to one address, inactive services included: their owners look for them here. */
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
      items: await toSeen(items, terms),
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
      resources: await toSeen(items, terms),
      pagination: { limit, offset, total },
      ...told(unapplied),
    })
  },

  async searchResources({ query, limit, cursor: offset = 0, unapplied, ...filters }) {
    const { items, hasNext, isPartial } = ready().searchOffers(query, filters, { offset, limit })
    return Encoded.of<BazaarSearch>({
      x402Version: BAZAAR_VERSION,
      resources: await toSeen(items, terms),
      partialResults: isPartial,
      searchMethod: 'hybrid',
      pagination: { limit, cursor: hasNext ? String(offset + limit) : null },
      ...told(unapplied),
    })
  },
})

/** The items as their endpoints tell them; what has no way to pay to tell is left out: clients take the first one for granted. */
async function toSeen(items: readonly BazaarItem[], terms: TermsTable): Promise<BazaarItem[]> {
  const idOf = (item: BazaarItem) => item.extensions[OFFER_EXTENSION].id
  const seen = await terms.ofAll(items.map(idOf))
  return items
    .map(item => {
      const own = seen.get(idOf(item))
      return own ? toSeenItem(item, own) : item
    })
    .filter(({ accepts }) => accepts.length > 0)
}

const told = (unapplied: readonly string[]) =>
  unapplied.length > 0 ? { unappliedFilters: [...unapplied] } : {}
