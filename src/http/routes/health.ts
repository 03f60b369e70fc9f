// For monitoring: liveness, readiness, metrics.

import { DirectoryError } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'
import { failures, json, ok } from '../openapi/describe.ts'
import { schemaRef } from '../openapi/json-schema.ts'
import { JSON_TYPE } from '../pipeline/answer.ts'
import { isLocal } from '../pipeline/caller.ts'
import type { Answer } from '../pipeline/route.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'
import { toBuyingText } from './buying-metrics.ts'
import { toMetricsText, toProbingText, toWebhooksText } from './metrics.ts'

const health: Endpoint = {
  operation: () => ({
    operationId: 'getHealth',
    tags: ['operating'],
    summary: 'Liveness: whether the process runs',
    description:
      '200 as soon as the process responds, whatever the state of the store: for a liveness probe.',
    responses: {
      200: ok(
        'It runs',
        ['X-Request-Id'],
        json(
          { type: 'object', properties: { state: { const: 'alive', description: 'The process responds' } } },
          { state: 'alive' },
        ),
      ),
      ...failures('method_not_allowed'),
    },
  }),
  create: () => () => answerUncached(200, JSON_TYPE, '{"state":"alive"}'),
}

const readinessExample = {
  state: 'ready',
  reason: null,
  seq: 1204,
  services: 64,
  loaded: 1,
  lagMs: 0,
  storeErrors: 0,
  probing: {
    by: 'this',
    due: 2,
    lastHour: { payable: 51, mismatched: 1, unpayable: 4, unreachable: 2, refused: 0 },
    lastProbeAt: '2026-11-01T12:00:00.000Z',
  },
}

const readiness: Endpoint = {
  operation: () => ({
    operationId: 'getReadiness',
    tags: ['operating'],
    summary: 'Readiness: whether the catalog has caught up',
    description:
      '503 until the catalog has caught up with the store, and then 200, also while the store is unavailable: for a readiness probe.',
    responses: {
      200: ok('It is ready', ['X-Request-Id'], json(schemaRef('Readiness'), readinessExample)),
      503: ok(
        'Not yet',
        ['X-Request-Id', 'Retry-After'],
        json(schemaRef('Readiness'), { ...readinessExample, state: 'starting', seq: 0, loaded: 0.4 }),
      ),
      ...failures('method_not_allowed'),
    },
  }),
  create:
    ({ directory }) =>
    async () => {
      const health = await directory.health()
      const isStarting = health.state === 'starting'
      const retry = isStarting ? { 'Retry-After': '1' } : undefined
      return answerUncached(isStarting ? 503 : 200, JSON_TYPE, JSON.stringify(health), retry)
    },
}

const metrics: Endpoint = {
  operation: () => ({
    operationId: 'getMetrics',
    tags: ['operating'],
    summary: 'Get metrics in the Prometheus text format',
    description: 'From the machine itself only, unless the operator opens or closes it.',
    responses: {
      200: ok('The metrics', ['X-Request-Id'], {
        'text/plain': { schema: { type: 'string' }, example: 'shirube_catalog_services 64\n' },
      }),
      ...failures('forbidden', 'not_found'),
    },
  }),
  create:
    ({ directory, meter, probing, webhooks, buying, metricsReaders }) =>
    async exchange => {
      if (metricsReaders === 'off') throw new DirectoryError('not_found', say('metrics_off'))
      if (metricsReaders === 'local' && !isLocal(exchange)) {
        throw new DirectoryError('forbidden', say('metrics_local'))
      }
      const metrics = toProbingText(probing) + (await toWebhooksText(webhooks)) + (await toBuyingText(buying))
      const text = toMetricsText(await directory.health(), directory.bytes, meter) + metrics
      return answerUncached(200, 'text/plain; version=0.0.4; charset=utf-8', text)
    },
}

export const HEALTH_ROUTES: readonly ApiRoute[] = [
  { path: '/healthz', isUnlimited: true, methods: { GET: health } },
  { path: '/readyz', isUnlimited: true, methods: { GET: readiness } },
  { path: '/metrics', isUnlimited: true, isPrivate: true, methods: { GET: metrics } },
]

function answerUncached(
  status: number,
  contentType: string,
  body: string,
  extra?: Readonly<Record<string, string>>,
): Answer {
  return { status, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store', ...extra }, body }
}
