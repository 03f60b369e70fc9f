// The list of services, single services, and registration.

import { draftExample, serviceExample } from '../../directory/examples/service.ts'
import { listQuerySchema, parseListQuery } from '../../domain/queries/queries.ts'
import {
  API_KEY,
  arrayOf,
  CACHED_HEADERS,
  cachedRead,
  failures,
  ID,
  IF_NONE_MATCH,
  json,
  jsonBody,
  ok,
  PAGE_HEADERS,
  queryParameters,
  READ_FAILURES,
} from '../openapi/describe.ts'
import { COMMON_HEADERS } from '../openapi/headers.ts'
import { schemaRef } from '../openapi/json-schema.ts'
import { answerJson, JSON_TYPE } from '../pipeline/answer.ts'
import { authorizeToRegister } from '../pipeline/auth.ts'
import { readJsonObject } from '../pipeline/body.ts'
import { toFieldsHeader, toNoticeHeader } from '../pipeline/header-text.ts'
import { toLinkQuery } from '../pipeline/links.ts'
import { createPageHandler, toReadyPage } from '../pipeline/page-answer.ts'
import { queryOf, readQuery, refuseParameters } from '../pipeline/query-string.ts'
import { createResponseCache } from '../pipeline/response-cache.ts'
import { type ApiRoute, type Endpoint, idOf } from './api-route.ts'
import { editService, removeService } from './owners.ts'

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

const register: Endpoint = {
  operation: () => ({
    operationId: 'registerService',
    tags: ['services'],
    summary: 'Register a service',
    description:
      'When 201 is answered the service is on disk, and found by every read of that process unless it is over two seconds behind. Unknown fields are ignored and named in X-Ignored-Fields. The body is JSON of at most 64 KiB.',
    security: API_KEY,
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description: 'Makes a retry safe for 24 hours: same body, same answer; another body is 409',
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
    ],
    requestBody: jsonBody(schemaRef('ServiceDraft'), draftExample),
    responses: {
      201: ok(
        'The stored service',
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
  }),
  // Errors are checked in this order: 401, 415, 413, 400. So the key is verified before the body is read.
  create:
    ({ directory, keys, publicUrl, readOrigin }) =>
    async exchange => {
      const { request } = exchange
      const key = await authorizeToRegister(request, keys)
      const body = await readJsonObject(request)
      refuseParameters(queryOf(request.url))
      const idempotencyKey = request.headers.get('idempotency-key')
      const { id, service, ignored, notices } = await directory.register(body, {
        key,
        from: readOrigin(exchange),
        ...(idempotencyKey !== null && { once: idempotencyKey }),
      })
      return {
        status: 201,
        headers: {
          'Content-Type': JSON_TYPE,
          'Cache-Control': 'no-store',
          Location: `${publicUrl}${SERVICES}/${id}`,
          ...(ignored.length > 0 && { 'X-Ignored-Fields': toFieldsHeader(ignored) }),
          ...(notices.length > 0 && { 'X-Notice': toNoticeHeader(notices) }),
        },
        body: service.bytes as Uint8Array<ArrayBuffer>,
      }
    },
}

const detail: Endpoint = {
  operation: () => ({
    operationId: 'getService',
    tags: ['services'],
    summary: 'Get one service',
    description:
      'The service as listed. Its measurements, its backing and how to call it are resources of their own, below this one.',
    parameters: [ID, IF_NONE_MATCH],
    responses: cachedRead(
      'The service',
      CACHED_HEADERS,
      json(schemaRef('Service'), serviceExample),
      'not_found',
      'hidden',
    ),
  }),
  create:
    ({ directory }) =>
    ({ request }) => {
      const id = idOf(request)
      const known = directory.reads.find(id)
      return known ? answerJson(request, known) : directory.get(id).then(found => answerJson(request, found))
    },
}

/** A list by words is a search. */
const costOfList = ({ url }: Request): number => (/[?&](query=.|[^=&]*%)/.test(url) ? 4 : 1)

export const SERVICE_ROUTES: readonly ApiRoute[] = [
  { path: SERVICES, cost: costOfList, methods: { GET: list, POST: register } },
  { path: `${SERVICES}/:id`, methods: { GET: detail, PATCH: editService, DELETE: removeService } },
]
