// Keyword search and intent search.

import { intentExample } from '../../directory/examples/search.ts'
import { serviceExample } from '../../directory/examples/service.ts'
import { LANGUAGE_CHOICE } from '../../domain/languages/languages.ts'
import {
  intentQuerySchema,
  keywordQuerySchema,
  MAX_SEARCH_DEPTH,
  parseIntentQuery,
  parseKeywordQuery,
} from '../../domain/queries/queries.ts'
import {
  arrayOf,
  CACHED_HEADERS,
  cachedRead,
  IF_NONE_MATCH,
  json,
  PAGE_HEADERS,
  queryParameters,
} from '../openapi/describe.ts'
import { schemaRef } from '../openapi/json-schema.ts'
import { answerReady, JSON_TYPE, type Ready, toReady } from '../pipeline/answer.ts'
import { toLinkQuery } from '../pipeline/links.ts'
import { createPageHandler, toReadyPage } from '../pipeline/page-answer.ts'
import { queryOf, readQuery } from '../pipeline/query-string.ts'
import { createResponseCache } from '../pipeline/response-cache.ts'
import { toUnknownNotice } from '../pipeline/unknown-notice.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

const KEYWORDS = '/api/catalog/search'
const INTENT = '/api/services/search/intent'

const byKeywords: Endpoint = {
  operation: () => ({
    operationId: 'searchCatalog',
    tags: ['search'],
    summary: 'Search by keywords',
    description:
      'Any of the words; entries with more of them come first. offset + limit may not exceed 10,000.',
    parameters: [...queryParameters(keywordQuerySchema, { q: 'weather forecast' }), IF_NONE_MATCH],
    responses: cachedRead(
      'A page of services, best first',
      PAGE_HEADERS,
      json(arrayOf('Service'), [serviceExample]),
      'invalid_request',
      'history_changed',
    ),
  }),
  create({ directory, publicUrl }) {
    const { reads } = directory
    const address = `${publicUrl}${KEYWORDS}`
    const depth = MAX_SEARCH_DEPTH
    return createPageHandler({
      cache: createResponseCache(reads),
      read: readKeywords,
      page: query => reads.search(query),
      pageLater: query => directory.search(query),
      toReady: (page, { query, linkQuery }) =>
        toReadyPage(page, { publicUrl, address, linkQuery, query, depth, reads }),
    })
  },
}

function readKeywords(queryText: string) {
  const { parsed, parameters } = readQuery(queryText, parseKeywordQuery)
  return { query: parsed, linkQuery: toLinkQuery(parameters) }
}

const byIntent: Endpoint = {
  operation: () => ({
    operationId: 'searchByIntent',
    tags: ['search'],
    summary: 'Search by a sentence',
    description: `Say what you need, in ${LANGUAGE_CHOICE}. Limits on price, chain and the like are read from it.`,
    parameters: [...queryParameters(intentQuerySchema, { q: intentExample.query }), IF_NONE_MATCH],
    responses: cachedRead(
      'Services with the reason for each',
      [...CACHED_HEADERS, 'X-Notice'],
      json(schemaRef('IntentAnswer'), intentExample),
      'invalid_request',
    ),
  }),
  create({ directory: { reads } }) {
    const cache = createResponseCache(reads)
    const prepare = (queryText: string): Ready => {
      const { parsed } = readQuery(queryText, parseIntentQuery)
      return toReady(reads.searchByIntent(parsed).bytes, JSON_TYPE, toUnknownNotice(reads, parsed))
    }
    return ({ request }) => answerReady(request, cache(queryOf(request.url), prepare))
  },
}

export const SEARCH_ROUTES: readonly ApiRoute[] = [
  { path: KEYWORDS, cost: 4, methods: { GET: byKeywords } },
  { path: INTENT, cost: 10, methods: { GET: byIntent } },
]
