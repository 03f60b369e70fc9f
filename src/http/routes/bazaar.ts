// The catalog in the format of x402: lists and search as served by facilitators, and the manifest of this origin.
import type { z } from 'zod'
import type { Bazaar } from '../../directory/bazaar.ts'
import { serviceExample, statusExample } from '../../directory/examples/service.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { BAZAAR_VERSION, toBazaarItem } from '../../domain/formats/bazaar.ts'
import {
  bazaarListQuerySchema,
  bazaarMerchantQuerySchema,
  bazaarSearchQuerySchema,
  type OfferFilters,
  parseBazaarListQuery,
  parseBazaarMerchantQuery,
  parseBazaarSearchQuery,
} from '../../domain/formats/bazaar-query.ts'
import { Encoded } from '../../domain/json/encoded.ts'
import { NO_MARKS } from '../../domain/listing/backing.ts'
import { SUMMARY } from '../../package/version.ts'
import {
  CACHED_HEADERS,
  cachedRead,
  failures,
  IF_NONE_MATCH,
  json,
  notModified,
  ok,
  queryParameters,
} from '../openapi/describe.ts'
import { type Json, schemaRef } from '../openapi/json-schema.ts'
import { answerJson } from '../pipeline/answer.ts'
import { toProblem } from '../pipeline/errors.ts'
import { queryOf, readQuery } from '../pipeline/query-string.ts'
import type { Answer } from '../pipeline/route.ts'
import { toUnknownNotice } from '../pipeline/unknown-notice.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

const ABOUT =
  'What this directory cannot filter by is named in unappliedFilters; a well-formed value that matches nothing gives an empty list. Errors carry their sentence in error, too.'

const toItem = () => toBazaarItem(serviceExample, statusExample, NO_MARKS)
const pagination = { limit: 20, offset: 0, total: 1 }
const { paymentAddress: payTo } = serviceExample.x402Config

function createEndpoint<Q extends OfferFilters>(
  about: { readonly operationId: string; readonly summary: string; readonly description: string },
  query: { readonly schema: z.ZodObject; readonly parse: (input: unknown) => Q; readonly examples: Json },
  page: { readonly schema: string; readonly example: () => object },
  ask: (directory: Bazaar, query: Q) => Promise<Encoded<unknown>>,
): Endpoint {
  return {
    operation: () => ({
      operationId: about.operationId,
      tags: ['bazaar'],
      summary: about.summary,
      description: `${about.description} ${ABOUT}`,
      parameters: [...queryParameters(query.schema, query.examples), IF_NONE_MATCH],
      responses: cachedRead(
        'A page',
        [...CACHED_HEADERS, 'X-Notice'],
        json(schemaRef(page.schema), { x402Version: BAZAAR_VERSION, ...page.example() }),
        'invalid_request',
      ),
    }),
    create:
      ({ directory }) =>
      async ({ request }) => {
        try {
          const { parsed } = readQuery(queryOf(request.url), query.parse)
          // Network is what these lists call the chain.
          const { chain = parsed.network } = parsed
          return answerJson(
            request,
            await ask(directory, parsed),
            toUnknownNotice(directory.reads, { ...parsed, chain }),
          )
        } catch (error) {
          if (!(error instanceof DirectoryError)) throw error
          return withErrorText(toProblem(error), error.message)
        }
      },
  }
}

/** Clients of the format expect the sentence as `error`. */
const withErrorText = (answer: Answer, error: string): Answer => ({
  ...answer,
  body: JSON.stringify({ ...JSON.parse(answer.body as string), error }),
})

const resources = createEndpoint(
  {
    operationId: 'listResources',
    summary: 'List services in the x402 facilitator format',
    description:
      'Newest first, without inactive services. Payment requirements, version and schemas are those last observed at the endpoint; before the first observation they come from the listing, if its asset is known.',
  },
  { schema: bazaarListQuerySchema, parse: parseBazaarListQuery, examples: { network: 'eip155:8453' } },
  { schema: 'BazaarList', example: () => ({ items: [toItem()], pagination }) },
  (directory, query) => directory.resources(query),
)

const search = createEndpoint(
  {
    operationId: 'searchResources',
    summary: 'Search services in the x402 facilitator format',
    description: 'Best first, 500 at most.',
  },
  { schema: bazaarSearchQuerySchema, parse: parseBazaarSearchQuery, examples: { query: 'weather in tokyo' } },
  {
    schema: 'BazaarSearch',
    example: () => ({
      resources: [toItem()],
      partialResults: false,
      searchMethod: 'hybrid',
      pagination: { limit: 20, cursor: null },
    }),
  },
  (directory, query) => directory.searchResources(query),
)

const merchant = createEndpoint(
  {
    operationId: 'listMerchantResources',
    summary: 'List services that are paid to one address',
    description: 'Newest first, inactive services included.',
  },
  { schema: bazaarMerchantQuerySchema, parse: parseBazaarMerchantQuery, examples: { payTo } },
  { schema: 'BazaarMerchant', example: () => ({ payTo, resources: [toItem()], pagination }) },
  (directory, query) => directory.merchantResources(query),
)

/** The directory itself takes no payment: its manifest only points to the lists. */
const toManifest = (name: string, publicUrl: string) => ({
  version: 1,
  x402Version: 2,
  name,
  description: SUMMARY,
  resources: [],
  discovery: {
    resources: `${publicUrl}/discovery/resources`,
    search: `${publicUrl}/discovery/search`,
    merchant: `${publicUrl}/discovery/merchant`,
  },
  changes: `${publicUrl}/api/changes`,
  openapi: `${publicUrl}/openapi.json`,
})

const manifest: Endpoint = {
  operation: () => ({
    operationId: 'getManifest',
    tags: ['bazaar'],
    summary: 'Get the x402 manifest of this origin',
    description: 'The directory itself takes no payment; the manifest points to its lists.',
    parameters: [IF_NONE_MATCH],
    responses: {
      200: ok('The manifest', CACHED_HEADERS, json({ type: 'object' }, toManifest('Shirube', ''))),
      ...notModified(CACHED_HEADERS),
      ...failures('rate_limited', 'internal'),
    },
  }),
  create({ directoryName, publicUrl }) {
    const encoded = Encoded.of(toManifest(directoryName, publicUrl))
    return ({ request }) => answerJson(request, encoded)
  },
}

export const BAZAAR_ROUTES: readonly ApiRoute[] = [
  { path: '/discovery/resources', cost: 3, methods: { GET: resources } },
  { path: '/discovery/search', cost: 4, methods: { GET: search } },
  { path: '/discovery/merchant', methods: { GET: merchant } },
  { path: '/.well-known/x402', methods: { GET: manifest } },
]
