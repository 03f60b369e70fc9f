// Payers' reports about their payments: every payer may report, and everyone may read.

import { outcomeDraftExample, outcomeExample, outcomesExample } from '../../directory/examples/purchases.ts'
import { outcomesQuerySchema, parseOutcomesQuery } from '../../domain/purchases/outcomes-view.ts'
import {
  BODY_FAILURES,
  CACHED_HEADERS,
  cachedRead,
  failures,
  ID,
  IF_NONE_MATCH,
  json,
  jsonBody,
  ok,
  queryParameters,
  READ_FAILURES,
} from '../openapi/describe.ts'
import { COMMON_HEADERS } from '../openapi/headers.ts'
import { schemaRef } from '../openapi/json-schema.ts'
import { answerJson, JSON_TYPE } from '../pipeline/answer.ts'
import { readJsonObject } from '../pipeline/body.ts'
import { toFieldsHeader } from '../pipeline/header-text.ts'
import { queryOf, readQuery, refuseParameters } from '../pipeline/query-string.ts'
import { type ApiRoute, type Endpoint, idOf } from './api-route.ts'

const send: Endpoint = {
  operation: () => ({
    operationId: 'reportOutcome',
    tags: ['proof'],
    summary: 'Report the outcome of a payment',
    description:
      'For payers, without a key: the payment is proved by its settlement on chain, and the paying wallet signs the report. One report per payment; sent again, it is returned again. Errors name the field, and for an invalid signature the text to sign. 403 if the directory does not know its public address.',
    parameters: [ID],
    requestBody: jsonBody(schemaRef('OutcomeDraft'), outcomeDraftExample),
    responses: {
      201: ok(
        'The report as published',
        [...COMMON_HEADERS, 'X-Ignored-Fields'],
        json(schemaRef('Outcome'), outcomeExample),
      ),
      ...failures(...BODY_FAILURES, 'forbidden', 'not_found', 'hidden', ...READ_FAILURES),
    },
  }),
  create:
    ({ directory, readOrigin }) =>
    async exchange => {
      const { request } = exchange
      const body = await readJsonObject(request)
      refuseParameters(queryOf(request.url))
      const by = { from: readOrigin(exchange) }
      const { outcome, ignored } = await directory.reportOutcome(idOf(request), body, by)
      return {
        status: 201,
        headers: {
          'Content-Type': JSON_TYPE,
          'Cache-Control': 'no-store',
          ...(ignored.length > 0 && { 'X-Ignored-Fields': toFieldsHeader(ignored) }),
        },
        body: JSON.stringify(outcome),
      }
    },
}

const list: Endpoint = {
  operation: () => ({
    operationId: 'getServiceOutcomes',
    tags: ['proof'],
    summary: 'List outcomes reported by payers',
    description:
      'Newest first, apart from what the directory bought itself. Of each payer the newest report counts in the sums, and neither status nor trust follows from them: a payment costs little.',
    parameters: [ID, ...queryParameters(outcomesQuerySchema), IF_NONE_MATCH],
    responses: cachedRead(
      'A page of reports',
      CACHED_HEADERS,
      json(schemaRef('Outcomes'), outcomesExample),
      'invalid_request',
      'not_found',
      'hidden',
    ),
  }),
  create:
    ({ directory }) =>
    async ({ request }) => {
      const { parsed } = readQuery(queryOf(request.url), parseOutcomesQuery)
      return answerJson(request, await directory.outcomes(idOf(request), parsed))
    },
}

export const OUTCOME_ROUTE: ApiRoute = {
  path: '/api/services/:id/outcomes',
  methods: { GET: list, POST: send },
}
