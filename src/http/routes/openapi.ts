// The OpenAPI document itself.
import { CACHED_HEADERS, failures, notModified, ok } from '../openapi/describe.ts'
import { answerBytes, JSON_TYPE } from '../pipeline/answer.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

const read: Endpoint = {
  operation: () => ({
    operationId: 'getOpenApi',
    tags: ['operating'],
    summary: 'Get the OpenAPI document',
    description: 'OpenAPI 3.1, made from the schemas that read requests and shape answers.',
    responses: {
      200: ok('OpenAPI 3.1', CACHED_HEADERS, { 'application/json': { schema: { type: 'object' } } }),
      ...notModified(CACHED_HEADERS),
      ...failures('rate_limited', 'internal'),
    },
  }),
  create({ document }) {
    let bytes: Uint8Array | undefined
    return ({ request }) => {
      bytes ??= new TextEncoder().encode(JSON.stringify(document))
      return answerBytes(request, bytes, JSON_TYPE)
    }
  },
}

export const OPENAPI_ROUTE: ApiRoute = { path: '/openapi.json', methods: { GET: read } }
