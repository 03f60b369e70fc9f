// Every operation of the API as OpenAPI tells it.

import { SPOKEN } from '../../domain/languages/languages.ts'
import {
  historyQuerySchema,
  intentQuerySchema,
  keywordQuerySchema,
  listQuerySchema,
} from '../../domain/queries.ts'
import { BAZAAR_PATHS } from './bazaar.ts'
import { COMMON_HEADERS, type Json, schemaRef } from './components.ts'
import {
  arrayOf,
  CACHED_HEADERS,
  failures,
  ID,
  IF_NONE_MATCH,
  json,
  notModified,
  ok,
  PAGE_HEADERS,
  queryParameters,
  READ_FAILURES,
} from './describe.ts'
import {
  categoriesExample,
  checkReportExample,
  checkRequestExample,
  draftExample,
  exportExample,
  historyExample,
  intentExample,
  provenanceExample,
  serviceExample,
  statusExample,
  trustExample,
} from './examples.ts'
import { FEED_PATHS } from './feed.ts'
import { OWNER_OPERATIONS, OWNER_PATHS } from './owners.ts'
import { WEBHOOK_PATHS } from './webhooks.ts'

const list: Json = {
  operationId: 'listServices',
  tags: ['services'],
  summary: 'List services',
  description:
    'Newest first, or by relevance with query. Filters add up. An unknown parameter, or one given twice, is refused.',
  parameters: [
    ...queryParameters(listQuerySchema, { category: 'weather', chain: 'base', maxPricePerRequest: '0.01' }),
    IF_NONE_MATCH,
  ],
  responses: {
    200: ok('A page of services', PAGE_HEADERS, json(arrayOf('Service'), [serviceExample])),
    ...notModified(PAGE_HEADERS),
    ...failures('invalid_request', 'history_changed', ...READ_FAILURES),
  },
}

const register: Json = {
  operationId: 'registerService',
  tags: ['services'],
  summary: 'Register a service',
  description:
    'When 201 is answered the service is on disk and found by every read. Unknown fields are ignored and named in X-Ignored-Fields. The body is JSON of at most 64 KiB.',
  security: [{ apiKey: [] }],
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Makes a retry safe for 24 hours: same body, same answer; another body is 409',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ],
  requestBody: { required: true, content: json(schemaRef('ServiceDraft'), draftExample) },
  responses: {
    201: ok(
      'The service as it is kept',
      [...COMMON_HEADERS, 'Location', 'X-Ignored-Fields', 'X-Notice'],
      json(schemaRef('Service'), { ...serviceExample, trustScore: 0, status: 'unverified' }),
    ),
    ...failures(
      'invalid_request',
      'unauthorized',
      'forbidden',
      'idempotency_conflict',
      'body_too_large',
      'unsupported_media_type',
      ...READ_FAILURES,
    ),
  },
}

const detail: Json = {
  operationId: 'getService',
  tags: ['services'],
  summary: 'Get one service',
  parameters: [ID, IF_NONE_MATCH],
  responses: {
    200: ok('The service', CACHED_HEADERS, json(schemaRef('Service'), serviceExample)),
    ...notModified(CACHED_HEADERS),
    ...failures('not_found', ...READ_FAILURES),
  },
}

const status: Json = {
  operationId: 'getServiceStatus',
  tags: ['services'],
  summary: 'Get what the directory found out about a service',
  parameters: [ID, IF_NONE_MATCH],
  responses: {
    200: ok('The status record', CACHED_HEADERS, json(schemaRef('StatusRecord'), statusExample)),
    ...notModified(CACHED_HEADERS),
    ...failures('not_found', ...READ_FAILURES),
  },
}

const history: Json = {
  operationId: 'getServiceHistory',
  tags: ['services'],
  summary: 'Get what happened to a service, and why',
  description:
    'Every probe and every change with its reasons, newest first, and sums for each day. Probes are kept for 30 days, days for a year.',
  parameters: [ID, ...queryParameters(historyQuerySchema), IF_NONE_MATCH],
  responses: {
    200: ok('A page of the history', CACHED_HEADERS, json(schemaRef('History'), historyExample)),
    ...notModified(CACHED_HEADERS),
    ...failures('invalid_request', 'not_found', ...READ_FAILURES),
  },
}

const provenance: Json = {
  operationId: 'getServiceProvenance',
  tags: ['services'],
  summary: 'Get where a service came from',
  description:
    'Registered here, imported, or read from another directory, a list or an origin; and whether changes there still arrive here.',
  parameters: [ID, IF_NONE_MATCH],
  responses: {
    200: ok('Its provenance', CACHED_HEADERS, json(schemaRef('Provenance'), provenanceExample)),
    ...notModified(CACHED_HEADERS),
    ...failures('not_found', ...READ_FAILURES),
  },
}

const trust: Json = {
  operationId: 'getServiceTrust',
  tags: ['services'],
  summary: 'Get where the trust score of a service comes from',
  description: 'The points of each component with its reason; together they are the trust score.',
  parameters: [ID, IF_NONE_MATCH],
  responses: {
    200: ok('The breakdown', CACHED_HEADERS, json(schemaRef('Trust'), trustExample)),
    ...notModified(CACHED_HEADERS),
    ...failures('not_found', ...READ_FAILURES),
  },
}

const check: Json = {
  operationId: 'checkEndpoint',
  tags: ['services'],
  summary: 'Check an endpoint without listing it',
  description:
    'Asks the URL once, without paying, as a probe would, and tells each check passed, failed or skipped. 10 a minute for one owner with all its keys. 403 also where the directory asks no endpoints.',
  security: [{ apiKey: [] }],
  requestBody: { required: true, content: json(schemaRef('CheckRequest'), checkRequestExample) },
  responses: {
    200: ok(
      'What was found',
      [...COMMON_HEADERS, 'X-Ignored-Fields'],
      json(schemaRef('CheckReport'), checkReportExample),
    ),
    ...failures(
      'invalid_request',
      'unauthorized',
      'forbidden',
      'body_too_large',
      'unsupported_media_type',
      ...READ_FAILURES,
    ),
  },
}

const searchByKeyword: Json = {
  operationId: 'searchCatalog',
  tags: ['search'],
  summary: 'Search by keywords',
  description:
    'Any of the words; entries with more of them come first. offset + limit may not exceed 10,000.',
  parameters: [...queryParameters(keywordQuerySchema, { q: 'weather forecast' }), IF_NONE_MATCH],
  responses: {
    200: ok('A page of services, best first', PAGE_HEADERS, json(arrayOf('Service'), [serviceExample])),
    ...notModified(PAGE_HEADERS),
    ...failures('invalid_request', 'history_changed', ...READ_FAILURES),
  },
}

const searchByIntent: Json = {
  operationId: 'searchByIntent',
  tags: ['search'],
  summary: 'Search by a sentence',
  description: `Say what you need, in ${SPOKEN}. Limits on price, chain and the like are read from it.`,
  parameters: [...queryParameters(intentQuerySchema, { q: intentExample.query }), IF_NONE_MATCH],
  responses: {
    200: ok(
      'Services with the reason for each',
      CACHED_HEADERS,
      json(schemaRef('IntentAnswer'), intentExample),
    ),
    ...notModified(CACHED_HEADERS),
    ...failures('invalid_request', ...READ_FAILURES),
  },
}

const categories: Json = {
  operationId: 'listCategories',
  tags: ['services'],
  summary: 'List the categories: the known ones and those in use',
  parameters: [IF_NONE_MATCH],
  responses: {
    200: ok('All categories', PAGE_HEADERS, json(arrayOf('Category'), categoriesExample)),
    ...notModified(PAGE_HEADERS),
    ...failures(...READ_FAILURES),
  },
}

const exportAll: Json = {
  operationId: 'exportCatalog',
  tags: ['export'],
  summary: 'Export the complete catalog',
  description: 'One document with every service, streamed; compressed with gzip when accepted.',
  parameters: [IF_NONE_MATCH],
  responses: {
    200: ok('The document', CACHED_HEADERS, json(schemaRef('ExportDocument'), exportExample)),
    ...notModified(CACHED_HEADERS),
    ...failures(...READ_FAILURES),
  },
}

const readiness = {
  state: 'ready',
  reason: null,
  seq: 1204,
  services: 64,
  lagMs: 0,
  storeErrors: 0,
  probing: {
    by: 'this',
    due: 2,
    lastHour: { payable: 51, mismatched: 1, unpayable: 4, unreachable: 2, refused: 0 },
    lastProbeAt: '2026-11-01T12:00:00.000Z',
  },
}

const operating: Json = {
  '/healthz': {
    get: {
      operationId: 'getHealth',
      tags: ['operating'],
      summary: 'Ask whether the process lives',
      responses: {
        200: ok(
          'It lives',
          ['X-Request-Id'],
          json({ type: 'object', properties: { state: { const: 'alive' } } }, { state: 'alive' }),
        ),
      },
    },
  },
  '/readyz': {
    get: {
      operationId: 'getReadiness',
      tags: ['operating'],
      summary: 'Ask whether the catalog has caught up',
      responses: {
        200: ok('It has', ['X-Request-Id'], json(schemaRef('Readiness'), readiness)),
        503: ok(
          'Not yet',
          ['X-Request-Id', 'Retry-After'],
          json(schemaRef('Readiness'), { ...readiness, state: 'starting', seq: 0, services: 0 }),
        ),
      },
    },
  },
  '/metrics': {
    get: {
      operationId: 'getMetrics',
      tags: ['operating'],
      summary: 'Read the metrics, in the Prometheus text format',
      description: 'From the machine itself only, unless the operator opens or closes it.',
      responses: {
        200: ok('The metrics', ['X-Request-Id'], {
          'text/plain': { schema: { type: 'string' }, example: 'shirube_catalog_services 64\n' },
        }),
        ...failures('forbidden', 'not_found'),
      },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'getOpenApi',
      tags: ['operating'],
      summary: 'Read this document',
      responses: {
        200: ok('OpenAPI 3.1', CACHED_HEADERS, { 'application/json': { schema: { type: 'object' } } }),
        ...notModified(CACHED_HEADERS),
        ...failures('rate_limited', 'internal'),
      },
    },
  },
}

export const PATHS: Readonly<Record<string, Json>> = {
  '/api/services': { get: list, post: register },
  '/api/services/{id}': { get: detail, ...OWNER_OPERATIONS },
  '/api/services/{id}/status': { get: status },
  '/api/services/{id}/history': { get: history },
  '/api/services/{id}/trust': { get: trust },
  '/api/services/{id}/provenance': { get: provenance },
  '/api/check': { post: check },
  '/api/catalog/search': { get: searchByKeyword },
  '/api/services/search/intent': { get: searchByIntent },
  '/api/categories': { get: categories },
  ...OWNER_PATHS,
  ...FEED_PATHS,
  ...WEBHOOK_PATHS,
  ...BAZAAR_PATHS,
  '/api/export': { get: exportAll },
  ...(operating as Record<string, Json>),
}
