// Checks an endpoint before or without registration.

import { checkReportExample, checkRequestExample } from '../../directory/examples/check.ts'
import { API_KEY, failures, json, jsonBody, ok, READ_FAILURES } from '../openapi/describe.ts'
import { COMMON_HEADERS } from '../openapi/headers.ts'
import { schemaRef } from '../openapi/json-schema.ts'
import { JSON_TYPE } from '../pipeline/answer.ts'
import { authorizeToRegister } from '../pipeline/auth.ts'
import { readJsonObject } from '../pipeline/body.ts'
import { toFieldsHeader } from '../pipeline/header-text.ts'
import { queryOf, refuseParameters } from '../pipeline/query-string.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

/** Waits for a stranger's server, which may be slow. */
const CHECK_TIMEOUT_SECONDS = 240

const check: Endpoint = {
  operation: () => ({
    operationId: 'checkEndpoint',
    tags: ['payment'],
    summary: 'Check an endpoint without listing it',
    description:
      'Probes the URL once, without paying, and reports each check as passed, failed or skipped. 10 a minute per owner, over all keys. Also 403 if the directory does not probe.',
    security: API_KEY,
    requestBody: jsonBody(schemaRef('CheckRequest'), checkRequestExample),
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
  }),
  // Creates nothing, so it returns 200; not cacheable, because the next result may differ.
  create:
    ({ directory, keys, readOrigin }) =>
    async exchange => {
      const { request, server } = exchange
      const key = await authorizeToRegister(request, keys)
      const body = await readJsonObject(request)
      refuseParameters(queryOf(request.url))
      server.timeout(request, CHECK_TIMEOUT_SECONDS)
      const { report, ignored } = await directory.check(body, { key, from: readOrigin(exchange) })
      return {
        status: 200,
        headers: {
          'Content-Type': JSON_TYPE,
          'Cache-Control': 'no-store',
          ...(ignored.length > 0 && { 'X-Ignored-Fields': toFieldsHeader(ignored) }),
        },
        body: report.bytes as Uint8Array<ArrayBuffer>,
      }
    },
}

export const CHECK_ROUTE: ApiRoute = { path: '/api/check', methods: { POST: check } }
