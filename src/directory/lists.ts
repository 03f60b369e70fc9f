// Reads of the whole catalog: lists, searches, and whether a URL is safe to pay.
import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import type { Encoded } from '../domain/json.ts'
import { LANGUAGE_CHOICE } from '../domain/languages/languages.ts'
import { serviceSchema } from '../domain/listing/service.ts'
import { type Filters, findUnknownFilters, type UnknownFilter } from '../domain/queries/filters.ts'
import {
  type IntentAnswer,
  type IntentQuery,
  intentAnswerSchema,
  intentQuerySchema,
  type KeywordQuery,
  keywordQuerySchema,
  type ListQuery,
  listQuerySchema,
  MAX_LIMIT,
  type Page,
  type PagePosition,
  parseIntentQuery,
  parseKeywordQuery,
  parseListQuery,
  placeOfList,
  placeOfSearch,
} from '../domain/queries/queries.ts'
import {
  parseResolveQuery,
  type Resolution,
  type ResolveQuery,
  resolutionSchema,
  resolveQuerySchema,
} from '../domain/resolve/resolution.ts'
import type { Message } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Store } from '../store/store.ts'
import { intentExample, resolutionExample, serviceExample } from './examples.ts'
import { costOfPage, type Operation } from './operation.ts'
import type { Services } from './services.ts'

export interface Lists {
  list(query: ListQuery): Promise<Page>
  search(query: KeywordQuery): Promise<Page>
  searchByIntent(query: IntentQuery): Promise<Encoded<IntentAnswer>>
  /** Whether a URL is safe to pay, by the listings here and by the terms that its endpoint was seen to declare. */
  resolve(query: ResolveQuery): Promise<Encoded<Resolution>>
}

export const LIST_OPERATIONS = {
  list: {
    id: 'listServices',
    tag: 'services',
    summary: 'List services',
    description:
      'Newest first, or by relevance with query. Filters add up. An unknown parameter, or one given twice, is refused.',
    query: {
      schema: listQuerySchema,
      parse: parseListQuery,
      examples: { category: 'weather', chain: 'base', maxPricePerRequest: '0.01' },
    },
    answer: 'A page of services',
    result: z.array(serviceSchema),
    example: [serviceExample],
    errors: ['invalid_request', 'history_changed'],
    // A list by words is a search.
    cost: ({ url }) => (/[?&](query=.|[^=&]*%)/.test(url) ? 4 : 1),
  },
  resolve: {
    id: 'resolvePayment',
    tag: 'payment',
    summary: 'Check whether a URL is safe to pay',
    description:
      'Compares the terms of a 402 with the listing and with the terms last observed at the endpoint. Pass every value of the 402: missing values are not compared. A URL belongs to a service if its path is at or below the endpoint; of several listings the verified and claimed one decides, then the one proved by its domain, then the verified, then the closest, then the oldest.',
    query: {
      schema: resolveQuerySchema,
      parse: parseResolveQuery,
      examples: { url: resolutionExample.url, network: 'eip155:8453' },
    },
    answer: 'The verdict, with its reasons',
    result: resolutionSchema,
    example: resolutionExample,
    errors: ['invalid_request'],
    cost: 2,
  },
  search: {
    id: 'searchCatalog',
    tag: 'search',
    summary: 'Search by keywords',
    description:
      'Any of the words; entries with more of them come first. offset + limit may not exceed 10,000.',
    query: { schema: keywordQuerySchema, parse: parseKeywordQuery, examples: { q: 'weather forecast' } },
    answer: 'A page of services, best first',
    result: z.array(serviceSchema),
    example: [serviceExample],
    errors: ['invalid_request', 'history_changed'],
    cost: 4,
  },
  searchByIntent: {
    id: 'searchByIntent',
    tag: 'search',
    summary: 'Search by a sentence',
    description: `Say what you need, in ${LANGUAGE_CHOICE}. Limits on price, chain and the like are read from it.`,
    query: { schema: intentQuerySchema, parse: parseIntentQuery, examples: { q: intentExample.query } },
    answer: 'Services with the reason for each',
    result: intentAnswerSchema,
    example: intentExample,
    hasNotices: true,
    errors: ['invalid_request'],
    cost: costOfPage(9, { each: 10, max: MAX_LIMIT }),
  },
} satisfies Readonly<Record<keyof Lists, Operation>>

export function createLists({
  store,
  ready,
  clock,
}: {
  readonly store: Pick<Store, 'history'>
  /** @throws DirectoryError `not_ready` */
  readonly ready: () => Catalog
  readonly clock: Clock
}): Lists {
  /** Reads a page; its cursor may come from a process that is ahead of this one. */
  async function readPage(
    place: PagePosition | undefined,
    read: (position: { readonly isKnown: boolean }) => Page,
  ): Promise<Page> {
    const catalog = ready()
    const isKnown = !place || (await catalog.includes('seq', place.since, catalog.seq, () => store.history()))
    return read({ isKnown })
  }

  return {
    list: query => readPage(placeOfList(query), position => ready().list(query, position)),
    search: query => readPage(placeOfSearch(query), position => ready().search(query, position)),
    searchByIntent: async query => ready().searchByIntent(query),
    resolve: async query => ready().resolve(query, clock.now()),
  }
}

// The filters of a query that nothing here has by that name: a typing error looks like an honest answer without results.

const toQuery = (alone: Filters) => ({ ...alone, limit: 1, offset: 0 })

/** From memory. */
export const listUnknownFilters = (reads: Pick<Catalog, 'list'>, filters: Filters): UnknownFilter[] =>
  findUnknownFilters(filters).filter(({ alone }) => reads.list(toQuery(alone)).total === 0)

/** @param found the number of results; where there are some, every filter is known */
export async function readUnknownFilters(
  directory: Pick<Services, 'categories'> & Pick<Lists, 'list'>,
  filters: Filters,
  found: number,
): Promise<Message[]> {
  if (found > 0 || findUnknownFilters(filters).length === 0) return []
  const category = (await directory.categories()).map(({ id }) => id)
  const told = findUnknownFilters(filters, { category }).map(async ({ alone, message }) => {
    const { total } = await directory.list(toQuery(alone))
    return total === 0 ? [message] : []
  })
  return (await Promise.all(told)).flat()
}
