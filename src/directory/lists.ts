// Reads of the whole catalog: lists, searches, and whether a URL is safe to pay.

import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import { Encoded } from '../domain/json.ts'
import { LANGUAGE_CHOICE } from '../domain/languages/languages.ts'
import { serviceSchema } from '../domain/listing/service.ts'
import {
  FILTER_NAMES,
  type Filters,
  filterOf,
  INDEXED_FILTERS,
  listUnnamed,
  toUnknownFilter,
  type UnknownFilter,
} from '../domain/queries/filters.ts'
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
  parseIntentQuery,
  parseKeywordQuery,
  parseListQuery,
  type Rank,
  type RankQuery,
  rankQuerySchema,
  rankSchema,
} from '../domain/queries/queries.ts'
import {
  parseResolveQuery,
  type Resolution,
  type ResolveQuery,
  resolutionSchema,
  resolveQuerySchema,
} from '../domain/resolve/resolution.ts'
import { type CatalogFigures, catalogSchema } from '../domain/standing/history.ts'
import { DAY_MS } from '../domain/time.ts'
import type { Message } from '../messages/message.ts'
import type { OperationDeps } from './deps.ts'
import { intentExample, resolutionExample, serviceExample } from './examples.ts'
import { costOfPage, type Operation } from './operation.ts'
import type { Services } from './services.ts'

export interface Lists {
  list(query: ListQuery): Promise<Page>
  search(query: KeywordQuery): Promise<Page>
  searchByIntent(query: IntentQuery): Promise<Encoded<IntentAnswer>>
  /** Where a service stands for a sentence. @throws DirectoryError `not_found`, `hidden`, `not_approved` */
  rank(id: string, query: RankQuery): Promise<Encoded<Rank>>
  catalog(): Promise<Encoded<CatalogFigures>>
  /** Whether a URL is safe to pay, by the listings here and by the terms that its endpoint was seen to declare. */
  resolve(query: ResolveQuery): Promise<Encoded<Resolution>>
}

const ACCURACY_DAYS = { length: 90, ago: 7 }
/** It is read over the whole history. */
const ACCURACY_EVERY_MS = 10 * 60_000

/** Filters without an index: to tell the total, services are tested one by one, unless they are read in the order that the filter bounds. */
const TESTED = FILTER_NAMES.filter(name => !INDEXED_FILTERS.some(indexed => indexed === name)).map(name => {
  const { bound } = filterOf(name)
  return { parameter: `${name}=`, inOrder: bound && `sortBy=${bound.order}` }
})
const ENCODED_NAME = /[?&][^=&?]*%/

const isTested = (url: string): boolean =>
  ENCODED_NAME.test(url) ||
  TESTED.some(
    ({ parameter, inOrder }) => url.includes(parameter) && !(inOrder !== undefined && url.includes(inOrder)),
  )

export const LIST_OPERATIONS = {
  catalog: {
    id: 'getCatalog',
    tag: 'services',
    summary: 'Get the catalog in figures',
    description: 'How many services are listed, and how often this directory was wrong about one.',
    answer: 'The figures',
    result: catalogSchema,
  },
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
    cost: ({ url }) => {
      if (isTested(url)) return 10
      // A list by words is a search.
      return url.includes('query=') ? 4 : 1
    },
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
    cost: costOfPage(6, { each: 3, max: MAX_LIMIT, usual: 10 }),
  },
  rank: {
    id: 'getServiceRank',
    tag: 'search',
    summary: 'Get where a service stands for a sentence',
    description:
      'For providers: the place in the results of a sentence, the first services before it, which part of the score puts each of them there, and what would help. Ranked as the search by a sentence with limit=100.',
    query: {
      schema: rankQuerySchema,
      examples: { q: 'cheap weather forecast on Base' },
    },
    answer: 'Its place, and why',
    result: rankSchema,
    errors: ['hidden'],
    cost: 40,
  },
} satisfies Readonly<Record<keyof Lists, Operation>>

/** Lists and searches as memory answers them, without a promise. */
export const createListReads = (requireCatalog: () => Catalog) => ({
  list: (query: ListQuery) => requireCatalog().list(query),
  search: (query: KeywordQuery) => requireCatalog().search(query),
  searchByIntent: (query: IntentQuery) => requireCatalog().searchByIntent(query),
})

export function createLists({ store, requireCatalog, clock, finder }: OperationDeps): Lists {
  const fromMemory = createListReads(requireCatalog)
  let accuracy: { readonly atMs: number; readonly read: Promise<CatalogFigures['accuracy']> } | undefined

  async function readAccuracy(now: Date): Promise<CatalogFigures['accuracy']> {
    // By whole days, so that every process answers alike.
    const until = new Date(Math.floor(now.getTime() / DAY_MS - ACCURACY_DAYS.ago) * DAY_MS)
    const since = new Date(until.getTime() - ACCURACY_DAYS.length * DAY_MS)
    const found = await store.accuracy({ since, until })
    return { since: since.toISOString(), until: until.toISOString(), ...found }
  }

  return {
    async catalog() {
      const catalog = requireCatalog()
      const now = clock.now()
      // abs: a clock that was set back must not keep it for ever.
      if (!accuracy || Math.abs(now.getTime() - accuracy.atMs) > ACCURACY_EVERY_MS) {
        const read = readAccuracy(now)
        accuracy = { atMs: now.getTime(), read }
        read.catch(() => {
          accuracy = undefined
        })
      }
      const services = catalog.list(parseListQuery({ limit: 1 })).total ?? 0
      return Encoded.of<CatalogFigures>({
        services,
        samples: catalog.countSamples({}),
        accuracy: await accuracy.read,
      })
    },
    list: async query => fromMemory.list(query),
    search: async query => fromMemory.search(query),
    searchByIntent: async query => fromMemory.searchByIntent(query),
    rank: async (id, query) => Encoded.of(finder.requireFound(requireCatalog().rank(id, query), id)),
    resolve: async query => requireCatalog().resolve(query, clock.now()),
  }
}

// The filters of a query that nothing here has by that name: a typing error looks like an honest answer without results.

const toQuery = (alone: Filters) => ({ ...alone, limit: 1, offset: 0 })

/** From memory. The nearest known name is looked for only where nothing has the value: that takes longer than the list. */
export const listUnknownFilters = (catalog: Pick<Catalog, 'list'>, filters: Filters): UnknownFilter[] =>
  listUnnamed(filters)
    .filter(alone => catalog.list(toQuery(alone)).total === 0)
    .map(alone => toUnknownFilter(alone))

/** @param found the number of results; where there are some, every filter is known */
export async function readUnknownFilters(
  directory: Pick<Services, 'categories'> & Pick<Lists, 'list'>,
  filters: Filters,
  found: number,
): Promise<Message[]> {
  const unnamed = found > 0 ? [] : listUnnamed(filters)
  const totals = await Promise.all(unnamed.map(async alone => (await directory.list(toQuery(alone))).total))
  const unknown = unnamed.filter((_, i) => totals[i] === 0)
  if (unknown.length === 0) return []
  const categories = (await directory.categories()).map(({ id }) => id)
  return unknown.map(alone => toUnknownFilter(alone, categories).message)
}
