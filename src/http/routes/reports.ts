// Reports about services: any key may send them, operators read them. Not cacheable.

import { reportDraftExample, reportExample } from '../../directory/examples/reports.ts'
import { parseReportsQuery, reportsQuerySchema } from '../../domain/reports.ts'
import {
  API_KEY,
  arrayOf,
  BODY_FAILURES,
  failures,
  ID,
  idParameter,
  json,
  jsonBody,
  noContent,
  ok,
  queryParameters,
  WRITE_FAILURES,
} from '../openapi/describe.ts'
import { COMMON_HEADERS } from '../openapi/headers.ts'
import { schemaRef } from '../openapi/json-schema.ts'
import { JSON_TYPE } from '../pipeline/answer.ts'
import { authorizeToRegister } from '../pipeline/auth.ts'
import { readJsonObject } from '../pipeline/body.ts'
import { toFieldsHeader } from '../pipeline/header-text.ts'
import { queryOf, readQuery, refuseParameters } from '../pipeline/query-string.ts'
import { type ApiRoute, type Endpoint, idOf } from './api-route.ts'

const PRIVATE = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' }

const send: Endpoint = {
  operation: () => ({
    operationId: 'reportService',
    tags: ['services'],
    summary: 'Report a service to the operator',
    description:
      'Only operators see it, and it has no automatic effect. A caller may have one open report per service: until it is resolved, sending another returns the first. 20 a day per owner, over all keys.',
    security: API_KEY,
    parameters: [ID],
    requestBody: jsonBody(schemaRef('ReportDraft'), reportDraftExample),
    responses: {
      201: ok(
        'The stored report',
        [...COMMON_HEADERS, 'X-Ignored-Fields'],
        json(schemaRef('Report'), reportExample),
      ),
      ...failures(...BODY_FAILURES, 'not_found', 'hidden', ...WRITE_FAILURES),
    },
  }),
  create:
    ({ directory, keys, readOrigin }) =>
    async exchange => {
      const { request } = exchange
      const key = await authorizeToRegister(request, keys)
      const body = await readJsonObject(request)
      refuseParameters(queryOf(request.url))
      const by = { key, from: readOrigin(exchange) }
      const { report, ignored } = await directory.report(idOf(request), body, by)
      return {
        status: 201,
        headers: { ...PRIVATE, ...(ignored.length > 0 && { 'X-Ignored-Fields': toFieldsHeader(ignored) }) },
        body: JSON.stringify(report),
      }
    },
}

const list: Endpoint = {
  operation: () => ({
    operationId: 'listReports',
    tags: ['operating'],
    summary: 'List reports about services',
    description: 'Needs a key with the scope admin. Oldest first; pass the id of the last one in after.',
    security: API_KEY,
    parameters: queryParameters(reportsQuerySchema),
    responses: {
      200: ok('A page of reports', COMMON_HEADERS, json(arrayOf('Report'), [reportExample])),
      ...failures('invalid_request', ...WRITE_FAILURES),
    },
  }),
  create:
    ({ directory, keys }) =>
    async ({ request }) => {
      const key = await authorizeToRegister(request, keys)
      const { parsed } = readQuery(queryOf(request.url), parseReportsQuery)
      return {
        status: 200,
        headers: PRIVATE,
        body: JSON.stringify(await directory.listReports(parsed, { key })),
      }
    },
}

const resolve: Endpoint = {
  operation: () => ({
    operationId: 'resolveReport',
    tags: ['operating'],
    summary: 'Mark a report as resolved',
    description: 'Needs a key with the scope admin. Its sender may report the service again.',
    security: API_KEY,
    parameters: [idParameter('Id of the report', reportExample.id)],
    responses: {
      ...noContent('It is resolved'),
      ...failures('invalid_request', 'not_found', ...WRITE_FAILURES),
    },
  }),
  create:
    ({ directory, keys }) =>
    async ({ request }) => {
      const key = await authorizeToRegister(request, keys)
      refuseParameters(queryOf(request.url))
      await directory.resolveReport(idOf(request), { key })
      return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }
    },
}

export const REPORT_ROUTES: readonly ApiRoute[] = [
  { path: '/api/services/:id/reports', methods: { POST: send } },
  { path: '/api/reports', methods: { GET: list } },
  { path: '/api/reports/:id/resolve', methods: { POST: resolve } },
]
