// The check before a payment.

import { resolutionExample } from '../../directory/examples/terms.ts'
import { parseResolveQuery, resolveQuerySchema } from '../../domain/resolve/query.ts'
import { CACHED_HEADERS, cachedRead, IF_NONE_MATCH, json, queryParameters } from '../openapi/describe.ts'
import { schemaRef } from '../openapi/json-schema.ts'
import { answerReady, JSON_TYPE, toReady } from '../pipeline/answer.ts'
import { queryOf, readQuery } from '../pipeline/query-string.ts'
import { createResponseCache } from '../pipeline/response-cache.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

const MINUTE_MS = 60_000

const resolve: Endpoint = {
  operation: () => ({
    operationId: 'resolvePayment',
    tags: ['payment'],
    summary: 'Check whether a URL is safe to pay',
    description:
      'Compares the terms of a 402 with the listing and with the terms last observed at the endpoint. Pass every value of the 402: missing values are not compared. A URL belongs to a service if its path is at or below the endpoint; of several listings the verified and claimed one decides, then the one proved by its domain, then the verified, then the closest, then the oldest.',
    parameters: [
      ...queryParameters(resolveQuerySchema, { url: resolutionExample.url, network: 'eip155:8453' }),
      IF_NONE_MATCH,
    ],
    responses: cachedRead(
      'The verdict, with its reasons',
      CACHED_HEADERS,
      json(schemaRef('Resolution'), resolutionExample),
      'invalid_request',
    ),
  }),
  create({ directory: { reads }, clock }) {
    // Repeated payments repeat the same query. Terms age even while the catalog is unchanged.
    const cache = createResponseCache(reads, () => Math.floor(clock.now().getTime() / MINUTE_MS))
    const prepare = (question: string) => {
      const { parsed } = readQuery(question, parseResolveQuery)
      return toReady(reads.resolve(parsed).bytes, JSON_TYPE)
    }
    return ({ request }) => answerReady(request, cache(queryOf(request.url), prepare))
  },
}

export const RESOLVE_ROUTE: ApiRoute = { path: '/api/resolve', methods: { GET: resolve } }
