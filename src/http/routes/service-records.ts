// What the directory knows about a service: status, history, trust, terms, provenance.
import { callQuerySchema, parseCallQuery } from '../../domain/call/call.ts'
import { parsePurchasesQuery, purchasesQuerySchema } from '../../domain/purchases/purchases-view.ts'
import { historyQuerySchema, parseHistoryQuery } from '../../domain/queries/queries.ts'
import { CACHED_HEADERS, cachedRead, ID, IF_NONE_MATCH, json, queryParameters } from '../openapi/describe.ts'
import { purchasesExample } from '../openapi/examples/purchases.ts'
import { statusExample } from '../openapi/examples/service.ts'
import {
  backingExample,
  callExample,
  historyExample,
  provenanceExample,
  trustExample,
} from '../openapi/examples/service-records.ts'
import { termsExample } from '../openapi/examples/terms.ts'
import { schemaRef } from '../openapi/json-schema.ts'
import { answerBytes, answerJson } from '../pipeline/answer.ts'
import { queryOf, readQuery } from '../pipeline/query-string.ts'
import { type ApiRoute, type Endpoint, idOf } from './api-route.ts'

const status: Endpoint = {
  operation: () => ({
    operationId: 'getServiceStatus',
    tags: ['proof'],
    summary: 'Get the status of a service',
    description:
      'Status, trust, uptime and payments as of the last probe; before the first one, as of the registration.',
    parameters: [ID, IF_NONE_MATCH],
    responses: cachedRead(
      'The status record',
      CACHED_HEADERS,
      json(schemaRef('StatusRecord'), statusExample),
      'not_found',
      'hidden',
    ),
  }),
  create:
    ({ directory }) =>
    ({ request }) => {
      const id = idOf(request)
      const known = directory.reads.findStatus(id)
      return known
        ? answerJson(request, known)
        : directory.status(id).then(found => answerJson(request, found))
    },
}

const history: Endpoint = {
  operation: () => ({
    operationId: 'getServiceHistory',
    tags: ['proof'],
    summary: 'Get the history of a service',
    description:
      'Every probe and every change with its reasons, newest first, and daily totals. Probes are stored for 30 days, totals for a year.',
    parameters: [ID, ...queryParameters(historyQuerySchema), IF_NONE_MATCH],
    responses: cachedRead(
      'A page of the history',
      CACHED_HEADERS,
      json(schemaRef('History'), historyExample),
      'invalid_request',
      'not_found',
    ),
  }),
  create:
    ({ directory }) =>
    async ({ request }) => {
      const { parsed } = readQuery(queryOf(request.url), parseHistoryQuery)
      return answerJson(request, await directory.history(idOf(request), parsed))
    },
}

const trust: Endpoint = {
  operation: () => ({
    operationId: 'getServiceTrust',
    tags: ['proof'],
    summary: 'Get the breakdown of the trust score',
    description: 'The points of each component with its reason; together they are the trust score.',
    parameters: [ID, IF_NONE_MATCH],
    responses: cachedRead(
      'The breakdown',
      CACHED_HEADERS,
      json(schemaRef('Trust'), trustExample),
      'not_found',
      'hidden',
    ),
  }),
  create:
    ({ directory }) =>
    async ({ request }) =>
      answerJson(request, await directory.trust(idOf(request))),
}

const purchases: Endpoint = {
  operation: () => ({
    operationId: 'getServicePurchases',
    tags: ['proof'],
    summary: 'List test purchases from a service',
    description:
      'What this directory itself bought from it, newest first: quoted and charged, the transaction, status, size, hash and conformance of the response. Empty if nothing was bought; most directories buy nothing.',
    parameters: [ID, ...queryParameters(purchasesQuerySchema), IF_NONE_MATCH],
    responses: cachedRead(
      'A page of purchases',
      CACHED_HEADERS,
      json(schemaRef('Purchases'), purchasesExample),
      'invalid_request',
      'not_found',
      'hidden',
    ),
  }),
  create:
    ({ directory }) =>
    async ({ request }) => {
      const { parsed } = readQuery(queryOf(request.url), parsePurchasesQuery)
      return answerJson(request, await directory.purchases(idOf(request), parsed))
    },
}

const terms: Endpoint = {
  operation: () => ({
    operationId: 'getServiceTerms',
    tags: ['payment'],
    summary: 'Get the terms last observed at the endpoint of a service',
    description:
      'The payment options, input and output of each resource, and how they compare with the listing, as last seen; 404 with the code no_terms before its first readable response.',
    parameters: [ID, IF_NONE_MATCH],
    responses: cachedRead(
      'Its terms',
      CACHED_HEADERS,
      json(schemaRef('Terms'), termsExample),
      'not_found',
      'no_terms',
      'hidden',
    ),
  }),
  create:
    ({ directory }) =>
    async ({ request }) =>
      answerJson(request, await directory.terms(idOf(request))),
}

const call: Endpoint = {
  operation: () => ({
    operationId: 'getServiceCall',
    tags: ['payment'],
    summary: 'Get code that calls a service and pays for it',
    description:
      'To be pasted and run: the right method, a body or query that fits the schema, the payment client of the language, and a cap at the price that was seen. curl shows the unpaid request and what comes back; 404 with the code no_terms before its first readable answer.',
    parameters: [ID, ...queryParameters(callQuerySchema), IF_NONE_MATCH],
    responses: cachedRead(
      'The code',
      CACHED_HEADERS,
      { 'text/plain': { schema: { type: 'string' }, example: callExample } },
      'invalid_request',
      'not_found',
      'no_terms',
      'hidden',
    ),
  }),
  create:
    ({ directory }) =>
    async ({ request }) => {
      const { parsed } = readQuery(queryOf(request.url), parseCallQuery)
      const text = await directory.call(idOf(request), parsed)
      return answerBytes(request, new TextEncoder().encode(text), 'text/plain; charset=utf-8')
    },
}

const provenance: Endpoint = {
  operation: () => ({
    operationId: 'getServiceProvenance',
    tags: ['proof'],
    summary: 'Get the source of a listing (provenance)',
    description:
      'Registered here, imported, or read from another directory, a list or an origin; and whether changes there still arrive here.',
    parameters: [ID, IF_NONE_MATCH],
    responses: cachedRead(
      'Its provenance',
      CACHED_HEADERS,
      json(schemaRef('Provenance'), provenanceExample),
      'not_found',
      'hidden',
    ),
  }),
  create:
    ({ directory }) =>
    async ({ request }) =>
      answerJson(request, await directory.provenance(idOf(request))),
}

const backing: Endpoint = {
  operation: () => ({
    operationId: 'getServiceBacking',
    tags: ['proof'],
    summary: 'Get who has confirmed a listing (backing)',
    description:
      'Whether the wallet that it pays has signed for it, whether the domain of its endpoint has proved it, and which entries of other owners have its endpoint, its payee or a name like its own.',
    parameters: [ID, IF_NONE_MATCH],
    responses: cachedRead(
      'The backing',
      CACHED_HEADERS,
      json(schemaRef('Backing'), backingExample),
      'not_found',
      'hidden',
    ),
  }),
  create:
    ({ directory }) =>
    async ({ request }) =>
      answerJson(request, await directory.backing(idOf(request))),
}

export const SERVICE_RECORD_ROUTES: readonly ApiRoute[] = [
  { path: '/api/services/:id/status', methods: { GET: status } },
  { path: '/api/services/:id/history', methods: { GET: history } },
  { path: '/api/services/:id/trust', methods: { GET: trust } },
  { path: '/api/services/:id/purchases', methods: { GET: purchases } },
  { path: '/api/services/:id/terms', methods: { GET: terms } },
  { path: '/api/services/:id/call', methods: { GET: call } },
  { path: '/api/services/:id/provenance', methods: { GET: provenance } },
  { path: '/api/services/:id/backing', methods: { GET: backing } },
]
