// Webhooks over HTTP. Responses are for their owner only, so they are not cacheable.

import { webhookDraftExample, webhookExample } from '../../directory/examples/feed.ts'
import { toDetail } from '../../domain/message-view.ts'
import type { CreatedWebhook, WebhookTest } from '../../domain/webhooks.ts'
import { say } from '../../messages/message.ts'
import {
  API_KEY,
  arrayOf,
  BODY_FAILURES,
  failures,
  idParameter,
  json,
  jsonBody,
  noContent,
  ok,
  WRITE_FAILURES,
} from '../openapi/describe.ts'
import { COMMON_HEADERS } from '../openapi/headers.ts'
import { schemaRef } from '../openapi/json-schema.ts'
import { JSON_TYPE } from '../pipeline/answer.ts'
import { authorizeToChange, authorizeToRegister } from '../pipeline/auth.ts'
import { readJsonObject } from '../pipeline/body.ts'
import { toFieldsHeader } from '../pipeline/header-text.ts'
import { queryOf, refuseParameters } from '../pipeline/query-string.ts'
import type { Answer } from '../pipeline/route.ts'
import { type ApiRoute, type Endpoint, idOf } from './api-route.ts'

const WEBHOOKS = '/api/webhooks'
const ID = idParameter('Id of the webhook', webhookExample.id)

const createdExample: CreatedWebhook = {
  ...webhookExample,
  state: 'unconfirmed',
  confirmedAt: null,
  lastDeliveredAt: null,
  nextTryAt: '2026-02-01T12:00:01.000Z',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
}
const testedExample: WebhookTest = {
  delivered: true,
  httpStatus: 204,
  latencyMs: 42,
  ...toDetail(say('delivery_received', { status: 204 })),
}

const list: Endpoint = {
  operation: () => ({
    operationId: 'listWebhooks',
    tags: ['webhooks'],
    summary: 'List your webhooks with their state',
    description: 'Webhooks of the account of this key, with the last delivery and failures, without secrets.',
    security: API_KEY,
    responses: {
      200: ok(
        'Your webhooks, by age',
        [...COMMON_HEADERS, 'Link', 'X-Total-Count'],
        json(arrayOf('Webhook'), [webhookExample]),
      ),
      ...failures('invalid_request', ...WRITE_FAILURES),
    },
  }),
  create({ directory, keys, publicUrl }) {
    const address = `${publicUrl}${WEBHOOKS}`
    const Link = `<${address}>; rel="first", <${address}>; rel="last"`
    return async ({ request }) => {
      const key = await authorizeToRegister(request, keys)
      refuseParameters(queryOf(request.url))
      const webhooks = await directory.listWebhooks({ key })
      return answer(200, webhooks, { Link, 'X-Total-Count': String(webhooks.length) })
    }
  },
}

const create: Endpoint = {
  operation: () => ({
    operationId: 'createWebhook',
    tags: ['webhooks'],
    summary: 'Create a webhook for events',
    description:
      'The receiver first gets a challenge, one second later, and nothing else until it returns the value of one; after three without a response the webhook is disabled. Messages are signed by the Standard Webhooks convention with the secret, which only this response contains. Events from now on are delivered at least once, in order per service, and retried for five days.',
    security: API_KEY,
    requestBody: jsonBody(schemaRef('WebhookDraft'), webhookDraftExample),
    responses: {
      201: ok(
        'The webhook with its secret',
        [...COMMON_HEADERS, 'Location', 'X-Ignored-Fields'],
        json(schemaRef('CreatedWebhook'), createdExample),
      ),
      ...failures(...BODY_FAILURES, ...WRITE_FAILURES),
    },
  }),
  create:
    ({ directory, keys, publicUrl, readOrigin }) =>
    async exchange => {
      const { request } = exchange
      const key = await authorizeToRegister(request, keys)
      const body = await readJsonObject(request)
      refuseParameters(queryOf(request.url))
      const from = readOrigin(exchange)
      const { webhook, ignored } = await directory.createWebhook(body, { key, from })
      return answer(201, webhook, {
        Location: `${publicUrl}${WEBHOOKS}/${webhook.id}`,
        ...(ignored.length > 0 && { 'X-Ignored-Fields': toFieldsHeader(ignored) }),
      })
    },
}

const remove: Endpoint = {
  operation: () => ({
    operationId: 'removeWebhook',
    tags: ['webhooks'],
    summary: 'Remove a webhook',
    description: 'Nothing more is sent to it; a delivery in flight may still arrive.',
    security: API_KEY,
    parameters: [ID],
    responses: {
      ...noContent('Removed'),
      ...failures('invalid_request', 'not_found', 'precondition_failed', ...WRITE_FAILURES),
    },
  }),
  create:
    ({ directory, keys }) =>
    async ({ request }) => {
      const by = await authorizeToChange(request, keys)
      refuseParameters(queryOf(request.url))
      await directory.removeWebhook(idOf(request), by)
      return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }
    },
}

const test: Endpoint = {
  operation: () => ({
    operationId: 'testWebhook',
    tags: ['webhooks'],
    summary: 'Send a test delivery',
    description:
      'Sends a signed message of the type webhook.test now, or a challenge to an unconfirmed receiver, and returns the result. If it is delivered, a webhook that was unconfirmed, failing or disabled continues where it stopped.',
    security: API_KEY,
    parameters: [ID],
    responses: {
      200: ok('The result of the delivery', COMMON_HEADERS, json(schemaRef('WebhookTest'), testedExample)),
      ...failures('invalid_request', 'not_found', 'precondition_failed', ...WRITE_FAILURES),
    },
  }),
  create:
    ({ directory, keys, readOrigin }) =>
    async exchange => {
      const { request } = exchange
      const by = await authorizeToChange(request, keys)
      refuseParameters(queryOf(request.url))
      const from = readOrigin(exchange)
      return answer(200, await directory.testWebhook(idOf(request), { ...by, from }))
    },
}

const answer = (status: number, value: unknown, extra: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', ...extra },
  body: JSON.stringify(value),
})

export const WEBHOOK_ROUTES: readonly ApiRoute[] = [
  { path: WEBHOOKS, methods: { GET: list, POST: create } },
  { path: `${WEBHOOKS}/:id`, methods: { DELETE: remove } },
  { path: `${WEBHOOKS}/:id/test`, methods: { POST: test } },
]
