// The composition of the catalog, day by day, and searches without results.

import { censusExample } from '../../directory/examples/census.ts'
import { censusQuerySchema, parseCensusQuery } from '../../domain/census.ts'
import { CACHED_HEADERS, cachedRead, IF_NONE_MATCH, json, queryParameters } from '../openapi/describe.ts'
import { schemaRef } from '../openapi/json-schema.ts'
import { answerJson } from '../pipeline/answer.ts'
import { queryOf, readQuery } from '../pipeline/query-string.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

const read: Endpoint = {
  operation: () => ({
    operationId: 'getCensus',
    tags: ['export'],
    summary: 'Get the census of the catalog, day by day',
    description:
      'How many services are listed, alive and verified, what they cost in US dollars, on which chains, in which categories and languages. Words of searches without results are anonymous: only ordinary words, of past days, that enough callers searched for.',
    parameters: [...queryParameters(censusQuerySchema), IF_NONE_MATCH],
    responses: cachedRead(
      'The census, today first',
      CACHED_HEADERS,
      json(schemaRef('Census'), censusExample),
      'invalid_request',
    ),
  }),
  create:
    ({ directory }) =>
    async ({ request }) => {
      const { parsed } = readQuery(queryOf(request.url), parseCensusQuery)
      return answerJson(request, await directory.census(parsed))
    },
}

export const CENSUS_ROUTE: ApiRoute = { path: '/api/census', methods: { GET: read } }
