// The x402 lists: the catalog as clients of x402 Bazaar read it.
import {
  BAZAAR_VERSION,
  type BazaarItem,
  type BazaarList,
  type BazaarListQuery,
  type BazaarSearch,
  type BazaarSearchQuery,
  bazaarListQuerySchema,
  bazaarListSchema,
  bazaarSearchQuerySchema,
  bazaarSearchSchema,
  MAX_BAZAAR_LIMIT,
  MAX_SEARCH_LIMIT,
  OFFER_EXTENSION,
  parseBazaarQuery,
  toBazaarItem,
  toSeenItem,
} from '../domain/formats/bazaar.ts'
import { Encoded } from '../domain/json.ts'
import { NO_MARKS } from '../domain/listing/backing.ts'
import type { TermsTable } from '../store/store.ts'
import type { OperationDeps } from './deps.ts'
import { serviceExample, statusExample } from './examples.ts'
import { costOfPage, type Operation } from './operation.ts'

export interface Bazaar {
  /** Services that are not inactive and whose terms were seen, or that are listed in a known asset; newest first. */
  resources(query: BazaarListQuery): Promise<Encoded<BazaarList>>
  /** The same, for a search, best first. */
  searchResources(query: BazaarSearchQuery): Promise<Encoded<BazaarSearch>>
}

const ABOUT =
  'What this directory cannot filter by is named in unappliedFilters; a well-formed value that matches nothing gives an empty list. Errors carry their sentence in error, too.'

const itemExample = toBazaarItem(serviceExample, statusExample, NO_MARKS)
const pagination = { limit: 20, offset: 0, total: 1 }

export const BAZAAR_OPERATIONS = {
  resources: {
    id: 'listResources',
    tag: 'bazaar',
    summary: 'List services in the x402 facilitator format',
    description: `Newest first, without inactive services. Payment requirements, version and schemas are those last observed at the endpoint; before the first observation they come from the listing, if its asset is known. ${ABOUT}`,
    query: {
      schema: bazaarListQuerySchema,
      parse: parseBazaarQuery(bazaarListQuerySchema),
      examples: { network: 'eip155:8453' },
    },
    answer: 'A page',
    result: bazaarListSchema,
    example: { x402Version: BAZAAR_VERSION, items: [itemExample], pagination },
    hasNotices: true,
    cost: costOfPage(3, { each: 10, max: MAX_BAZAAR_LIMIT }),
  },
  searchResources: {
    id: 'searchResources',
    tag: 'bazaar',
    summary: 'Search services in the x402 facilitator format',
    description: `Best first, 500 at most. ${ABOUT}`,
    query: {
      schema: bazaarSearchQuerySchema,
      parse: parseBazaarQuery(bazaarSearchQuerySchema),
      examples: { query: 'weather in tokyo' },
    },
    answer: 'A page',
    result: bazaarSearchSchema,
    example: {
      x402Version: BAZAAR_VERSION,
      resources: [itemExample],
      partialResults: false,
      searchMethod: 'hybrid',
      pagination: { limit: 20, cursor: null },
    },
    hasNotices: true,
    cost: costOfPage(10, { each: 10, max: MAX_SEARCH_LIMIT }),
  },
} satisfies Readonly<Record<keyof Bazaar, Operation>>

export const createBazaar = ({ requireCatalog, store: { terms } }: OperationDeps): Bazaar => ({
  async resources({ unapplied, ...query }) {
    const { items, total, suppressed } = requireCatalog().offers(query)
    const { limit, offset } = query
    return Encoded.of<BazaarList>({
      x402Version: BAZAAR_VERSION,
      items: await withSeenTerms(items, terms),
      pagination: { limit, offset, total },
      ...toNotes(unapplied, suppressed),
    })
  },

  async searchResources({ query, limit, cursor: offset = 0, unapplied, ...filters }) {
    const { items, hasNext, isPartial, suppressed } = requireCatalog().searchOffers(query, filters, {
      offset,
      limit,
    })
    return Encoded.of<BazaarSearch>({
      x402Version: BAZAAR_VERSION,
      resources: await withSeenTerms(items, terms),
      partialResults: isPartial,
      searchMethod: 'hybrid',
      pagination: { limit, cursor: hasNext ? String(offset + limit) : null },
      ...toNotes(unapplied, suppressed),
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

const toNotes = (unapplied: readonly string[], suppressed: number) => ({
  ...(unapplied.length > 0 && { unappliedFilters: [...unapplied] }),
  ...(suppressed > 0 && { suppressed: { policy: suppressed } }),
})
