// The list of services.

import { serviceExample } from '../../directory/examples/service.ts'
import { listQuerySchema, parseListQuery } from '../../domain/queries/queries.ts'
import {
  arrayOf,
  cachedRead,
  IF_NONE_MATCH,
  json,
  PAGE_HEADERS,
  queryParameters,
} from '../openapi/describe.ts'
import { toLinkQuery } from '../pipeline/links.ts'
import { createPageHandler, toReadyPage } from '../pipeline/page-answer.ts'
import { readQuery } from '../pipeline/query-string.ts'
import { createResponseCache } from '../pipeline/response-cache.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

const SERVICES = '/api/services'

const list: Endpoint = {
  operation: () => ({
    operationId: 'listServices',
    tags: ['services'],
    summary: 'List services',
    description:
      'Newest first, or by relevance with query. Filters add up. An unknown parameter, or one given twice, is refused.',
    parameters: [
      ...queryParameters(listQuerySchema, { category: 'weather', chain: 'base', maxPricePerRequest: '0.01' }),
      IF_NONE_MATCH,
    ],
    responses: cachedRead(
      'A page of services',
      PAGE_HEADERS,
      json(arrayOf('Service'), [serviceExample]),
      'invalid_request',
      'history_changed',
    ),
  }),
  create({ directory, publicUrl }) {
    const { reads } = directory
    const address = `${publicUrl}${SERVICES}`
    const depth = Number.POSITIVE_INFINITY
    return createPageHandler({
      cache: createResponseCache(reads),
      read: readList,
      page: query => reads.list(query),
      pageLater: query => directory.list(query),
      toReady: (page, { query, linkQuery }) =>
        toReadyPage(page, { publicUrl, address, linkQuery, query, depth, reads }),
    })
  },
}

function readList(queryText: string) {
  const { parsed: query, parameters } = readQuery(queryText, parseListQuery)
  return { query, linkQuery: toLinkQuery(parameters) }
}

/** A list by words is a search. */
const costOfList = ({ url }: Request): number => (/[?&](query=.|[^=&]*%)/.test(url) ? 4 : 1)

export const LIST_ROUTE: ApiRoute = { path: SERVICES, cost: costOfList, methods: { GET: list } }
