// The format of x402 as OpenAPI tells it.
import { BAZAAR_VERSION, toBazaarItem } from '../../domain/bazaar.ts'
import {
  bazaarListQuerySchema,
  bazaarMerchantQuerySchema,
  bazaarSearchQuerySchema,
} from '../../domain/bazaar-query.ts'
import { toManifest } from '../routes/bazaar.ts'
import { type Json, schemaRef } from './components.ts'
import {
  CACHED_HEADERS,
  failures,
  IF_NONE_MATCH,
  json,
  notModified,
  ok,
  queryParameters,
  READ_FAILURES,
} from './describe.ts'
import { serviceExample, statusExample } from './examples.ts'

const ABOUT =
  'What this directory cannot filter by is named in unappliedFilters; a well-formed value that matches nothing gives an empty list. Errors carry their sentence in error, too.'

const item = toBazaarItem(serviceExample, statusExample)!
const pagination = { limit: 20, offset: 0, total: 1 }

const operation = (
  operationId: string,
  about: { summary: string; description: string },
  parameters: readonly Json[],
  content: Json,
): Json => ({
  operationId,
  tags: ['bazaar'],
  summary: about.summary,
  description: `${about.description} ${ABOUT}`,
  parameters: [...parameters, IF_NONE_MATCH],
  responses: {
    200: ok('A page', CACHED_HEADERS, content),
    ...notModified(CACHED_HEADERS),
    ...failures('invalid_request', ...READ_FAILURES),
  },
})

const resources = operation(
  'listResources',
  {
    summary: 'List services as x402 facilitators do',
    description:
      'Newest first; without what is inactive, and without what is priced in an asset that is not known.',
  },
  queryParameters(bazaarListQuerySchema, { network: 'eip155:8453' }),
  json(schemaRef('BazaarList'), { x402Version: BAZAAR_VERSION, items: [item], pagination }),
)

const search = operation(
  'searchResources',
  { summary: 'Search services as x402 facilitators do', description: 'Best first, 500 at most.' },
  queryParameters(bazaarSearchQuerySchema, { query: 'weather in tokyo' }),
  json(schemaRef('BazaarSearch'), {
    x402Version: BAZAAR_VERSION,
    resources: [item],
    partialResults: false,
    searchMethod: 'hybrid',
    pagination: { limit: 20, cursor: null },
  }),
)

const merchant = operation(
  'listMerchantResources',
  { summary: 'List what pays to one address', description: 'Newest first, inactive services included.' },
  queryParameters(bazaarMerchantQuerySchema, { payTo: serviceExample.x402Config.paymentAddress }),
  json(schemaRef('BazaarMerchant'), {
    x402Version: BAZAAR_VERSION,
    payTo: serviceExample.x402Config.paymentAddress,
    resources: [item],
    pagination,
  }),
)

const manifest: Json = {
  operationId: 'getManifest',
  tags: ['bazaar'],
  summary: 'Read what this origin says about itself to clients of x402',
  description: 'Nothing here is paid for; it tells where the lists are.',
  parameters: [IF_NONE_MATCH],
  responses: {
    200: ok('The manifest', CACHED_HEADERS, json({ type: 'object' }, toManifest('Shirube', ''))),
    ...notModified(CACHED_HEADERS),
    ...failures('rate_limited', 'internal'),
  },
}

export const BAZAAR_PATHS: Readonly<Record<string, Json>> = {
  '/discovery/resources': { get: resources },
  '/discovery/search': { get: search },
  '/discovery/merchant': { get: merchant },
  '/.well-known/x402': { get: manifest },
}
