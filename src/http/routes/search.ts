// Keyword search and intent search.
import { SPOKEN } from '../../domain/languages/languages.ts'
import {
  intentQuerySchema,
  keywordQuerySchema,
  MAX_SEARCH_DEPTH,
  parseIntentQuery,
  parseKeywordQuery,
} from '../../domain/queries.ts'
import {
  arrayOf,
  CACHED_HEADERS,
  cachedRead,
  IF_NONE_MATCH,
  json,
  PAGE_HEADERS,
  queryParameters,
} from '../openapi/describe.ts'
import { intentExample } from '../openapi/examples/search.ts'
import { serviceExample } from '../openapi/examples/service.ts'
import { schemaRef } from '../openapi/json-schema.ts'
import { answerReady, JSON_TYPE, toReady } from '../pipeline/answer.ts'
import { toKept } from '../pipeline/links.ts'
import { createPageHandler, toReadyPage } from '../pipeline/page-answer.ts'
import { queryOf, readQuery } from '../pipeline/query-string.ts'
import { createResponseCache } from '../pipeline/response-cache.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

const KEYWORDS = '/api/catalog/search'
const INTENT = '/api/services/search/intent'

const byKeywords: Endpoint = {
  operation: {
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
  },
  create({ directory, publicUrl }) {
    const { reads } = directory
    const address = `${publicUrl}${KEYWORDS}`
    const depth = MAX_SEARCH_DEPTH
    return createPageHandler({
      keep: createResponseCache(reads),
      read: readKeywords,
      page: query => reads.search(query),
      pageLater: query => directory.search(query),
      toReady: (page, { query, kept }) => toReadyPage(page, { publicUrl, address, kept, query, depth }),
    })
  },
}

function readKeywords(question: string) {
  const { parsed, parameters } = readQuery(question, parseKeywordQuery)
  return { query: parsed, kept: toKept(parameters) }
}

const byIntent: Endpoint = {
  operation: {
    operationId: 'searchByIntent',
    tags: ['search'],
    summary: 'Search by a sentence',
    description: `Say what you need, in ${SPOKEN}. Limits on price, chain and the like are read from it.`,
    parameters: [...queryParameters(intentQuerySchema, { q: intentExample.query }), IF_NONE_MATCH],
    responses: cachedRead(
      'Services with the reason for each',
      CACHED_HEADERS,
      json(schemaRef('IntentAnswer'), intentExample),
      'invalid_request',
    ),
  },
  create({ directory: { reads } }) {
    const keep = createResponseCache(reads)
    const prepare = (question: string) => {
      const { parsed } = readQuery(question, parseIntentQuery)
      return toReady(reads.searchByIntent(parsed).bytes, JSON_TYPE)
    }
    return ({ request }) => answerReady(request, keep(queryOf(request.url), prepare))
  },
}

export const SEARCH_ROUTES: readonly ApiRoute[] = [
  { path: KEYWORDS, methods: { GET: byKeywords } },
  { path: INTENT, methods: { GET: byIntent } },
]
