// Changes by owners. Errors are checked in this order: 401, 415, 413, 400.
import type { Directory } from '../../directory/directory.ts'
import { ownServicesExample, serviceExample } from '../../directory/examples/service.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { ownServicesQuerySchema, parseOwnServicesQuery } from '../../domain/listing/own-services.ts'
import {
  API_KEY,
  BODY_FAILURES,
  failures,
  ID,
  json,
  jsonBody,
  noContent,
  ok,
  PRECONDITIONS,
  queryParameters,
  WRITE_FAILURES,
} from '../openapi/describe.ts'
import { COMMON_HEADERS } from '../openapi/headers.ts'
import { type Json, schemaRef } from '../openapi/json-schema.ts'
import { answerJson, JSON_TYPE } from '../pipeline/answer.ts'
import { authorizeToChange, authorizeToRegister } from '../pipeline/auth.ts'
import { readJsonObject } from '../pipeline/body.ts'
import { toFieldsHeader, toNoticeHeader } from '../pipeline/header-text.ts'
import { queryOf, readQuery, refuseParameters } from '../pipeline/query-string.ts'
import type { Answer } from '../pipeline/route.ts'
import { type ApiRoute, type Endpoint, idOf } from './api-route.ts'

type Written = Awaited<ReturnType<Directory['edit']>>
type By = Parameters<Directory['restore']>[1]

const OWNER_FAILURES: ErrorCode[] = ['not_found', 'hidden', 'precondition_failed', ...WRITE_FAILURES]
const WRITTEN: Json = {
  200: ok(
    'The service as it is now, with its new ETag',
    [...COMMON_HEADERS, 'ETag', 'X-Ignored-Fields', 'X-Notice'],
    json(schemaRef('Service'), serviceExample),
  ),
}

const patchSchema: Json = {
  type: 'object',
  description: 'A part of a registration body; what is left out stays, null removes',
}
const patchExample = { pricing: { pricePerRequest: '0.002' } }

/** On the same path as the read of a service. */
export const editService: Endpoint = {
  operation: () => ({
    operationId: 'editService',
    tags: ['owners'],
    summary: 'Change a service',
    description:
      'A merge patch (RFC 7396) of what was registered, judged like a registration. For the key or wallet that it belongs to, the wallet that it pays, and operators. Another endpoint, address or network makes it unverified, and it is probed at once.',
    security: API_KEY,
    parameters: [ID, ...PRECONDITIONS],
    requestBody: {
      required: true,
      content: {
        ...json(patchSchema, patchExample),
        'application/merge-patch+json': { schema: patchSchema, example: patchExample },
      },
    },
    responses: { ...WRITTEN, ...failures(...BODY_FAILURES, ...OWNER_FAILURES) },
  }),
  create:
    ({ directory, keys, readOrigin }) =>
    async exchange => {
      const { request } = exchange
      const by = { ...(await authorizeToChange(request, keys)), from: readOrigin(exchange) }
      const patch = await readJsonObject(request)
      refuseParameters(queryOf(request.url))
      return answerWritten(request, await directory.edit(idOf(request), patch, by))
    },
}

export const removeService: Endpoint = {
  operation: () => ({
    operationId: 'removeService',
    tags: ['owners'],
    summary: 'Remove a service',
    description: 'Removes it from every read; the feed reports a delete, and its history stays.',
    security: API_KEY,
    parameters: [ID, ...PRECONDITIONS],
    responses: { ...noContent('It is removed'), ...failures('invalid_request', ...OWNER_FAILURES) },
  }),
  create:
    ({ directory, keys, readOrigin }) =>
    async exchange => {
      const { request } = exchange
      const by = { ...(await authorizeToChange(request, keys)), from: readOrigin(exchange) }
      refuseParameters(queryOf(request.url))
      await directory.remove(idOf(request), by)
      return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }
    },
}

const retire: Endpoint = {
  operation: () => ({
    operationId: 'retireService',
    tags: ['owners'],
    summary: 'Retire a service',
    description:
      'It stays listed as inactive, with the message as the reason, and is not probed until it is restored.',
    security: API_KEY,
    parameters: [ID, ...PRECONDITIONS],
    requestBody: jsonBody(schemaRef('Retirement'), {
      message: 'Closed on 1 March; use https://weather.example.com/v2.',
    }),
    responses: { ...WRITTEN, ...failures(...BODY_FAILURES, ...OWNER_FAILURES) },
  }),
  create:
    ({ directory, keys, readOrigin }) =>
    async exchange => {
      const { request } = exchange
      const by = { ...(await authorizeToChange(request, keys)), from: readOrigin(exchange) }
      const body = await readJsonObject(request)
      refuseParameters(queryOf(request.url))
      return answerWritten(request, await directory.retire(idOf(request), body, by))
    },
}

/** A change without a body. */
const createAct = (
  { operationId, summary, description }: { operationId: string; summary: string; description: string },
  run: (directory: Directory, id: string, by: By) => Promise<Written>,
): Endpoint => ({
  operation: () => ({
    operationId,
    tags: ['owners'],
    summary,
    description,
    security: API_KEY,
    parameters: [ID, ...PRECONDITIONS],
    responses: { ...WRITTEN, ...failures('invalid_request', ...OWNER_FAILURES) },
  }),
  create:
    ({ directory, keys, readOrigin }) =>
    async exchange => {
      const { request } = exchange
      const by = { ...(await authorizeToChange(request, keys)), from: readOrigin(exchange) }
      refuseParameters(queryOf(request.url))
      return answerWritten(request, await run(directory, idOf(request), by))
    },
})

const restore = createAct(
  {
    operationId: 'restoreService',
    summary: 'Restore a retired service',
    description:
      'It is unverified again and probed at once, a minute after its last probe at the soonest; a reserved host, such as example.com, is never probed, and X-Notice says so. One that is not retired is unchanged.',
  },
  (directory, id, by) => directory.restore(id, by),
)

const claim = createAct(
  {
    operationId: 'claimService',
    summary: 'Claim a service for the wallet that it is paid to',
    description:
      'Needs a key of that wallet, which becomes the only owner: the account that registered the service can no longer change it.',
  },
  (directory, id, by) => directory.claim(id, by),
)

const probe: Endpoint = {
  operation: () => ({
    operationId: 'probeService',
    tags: ['owners'],
    summary: 'Probe a service now',
    description:
      'Probed in the next round, within seconds; the result appears in its history. While there is no domain proof, it is looked for too. Five probes of a service run at once, then one a minute: X-Notice says when it has to wait. A retired service is not probed, nor is a reserved host, such as example.com: X-Notice says so. 10 a minute per owner, over all keys.',
    security: API_KEY,
    parameters: [ID, ...PRECONDITIONS],
    responses: { ...WRITTEN, ...failures('invalid_request', ...OWNER_FAILURES) },
  }),
  create:
    ({ directory, keys, readOrigin }) =>
    async exchange => {
      const { request } = exchange
      const by = await authorizeToChange(request, keys)
      refuseParameters(queryOf(request.url))
      const from = readOrigin(exchange)
      return answerWritten(request, await directory.probe(idOf(request), { ...by, from }))
    },
}

const listOwn: Endpoint = {
  operation: () => ({
    operationId: 'listOwnServices',
    tags: ['owners'],
    summary: 'List your own services',
    description:
      'Services of the key or its wallet, and services listed by others that pay the wallet; including retired and hidden ones.',
    security: API_KEY,
    parameters: queryParameters(ownServicesQuerySchema),
    responses: {
      200: ok('A page of them', COMMON_HEADERS, json(schemaRef('OwnServices'), ownServicesExample)),
      ...failures('invalid_request', ...WRITE_FAILURES),
    },
  }),
  create:
    ({ directory, keys }) =>
    async ({ request }) => {
      const key = await authorizeToRegister(request, keys)
      const { parsed } = readQuery(queryOf(request.url), parseOwnServicesQuery)
      const { bytes } = await directory.ownServices(parsed, { key })
      return {
        status: 200,
        headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store' },
        body: bytes as Uint8Array<ArrayBuffer>,
      }
    },
}

/** With its new ETag, for the next change. */
function answerWritten(request: Request, { service, ignored, notices }: Written): Answer {
  return answerJson(request, service, {
    'Cache-Control': 'no-store',
    ...(ignored.length > 0 && { 'X-Ignored-Fields': toFieldsHeader(ignored) }),
    ...(notices.length > 0 && { 'X-Notice': toNoticeHeader(notices) }),
  })
}

export const OWNER_ROUTES: readonly ApiRoute[] = [
  { path: '/api/services/:id/retire', methods: { POST: retire } },
  { path: '/api/services/:id/restore', methods: { POST: restore } },
  { path: '/api/services/:id/claim', methods: { POST: claim } },
  { path: '/api/services/:id/probe', methods: { POST: probe } },
  { path: '/api/auth/services', methods: { GET: listOwn } },
]
