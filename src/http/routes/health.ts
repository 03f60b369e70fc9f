// For monitoring: liveness, readiness, and metrics as Prometheus text.
import type { Health } from '../../directory/directory.ts'
import { DirectoryError } from '../../domain/errors.ts'
import type { ProbeMeter } from '../../domain/standing/standing.ts'
import type { WebhookMeter } from '../../domain/webhooks.ts'
import { say } from '../../messages/message.ts'
import { VERSION } from '../../package/version.ts'
import { failures, json, ok, schemaRef } from '../openapi/describe.ts'
import { JSON_TYPE } from '../pipeline/answer.ts'
import { isLocal } from '../pipeline/caller.ts'
import type { Answer } from '../pipeline/route.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

/** Its value, or a value for each value of a label. */
type Metric = readonly [
  name: string,
  help: string,
  value: number | string | { readonly label: string; readonly values: Readonly<Record<string, number>> },
]

const toLines = ([name, help, value]: Metric): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}`,
  ...(typeof value === 'object'
    ? Object.entries(value.values).map(([each, count]) => `${name}{${value.label}="${each}"} ${count}`)
    : [`${name} ${value}`]),
]

function processMetrics(health: Health, catalogBytes: number): Metric[] {
  const memory = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const { services, seq, state, lagMs, reason, storeErrors } = health
  return [
    ['shirube_catalog_services', 'Services in the catalog.', services],
    ['shirube_catalog_bytes', 'Memory that the catalog holds for them.', catalogBytes],
    ['shirube_catalog_seq', 'Number of the last write in the catalog.', seq],
    ['shirube_catalog_ready', '1 once the catalog has caught up.', state === 'starting' ? 0 : 1],
    ['shirube_follower_lag_seconds', 'How long the catalog has lagged behind the store.', lagMs / 1000],
    [
      'shirube_store_writable',
      '0 while the store is unavailable or accepts no writes; /readyz has the reason.',
      reason === null ? 1 : 0,
    ],
    ['shirube_store_errors_total', 'Failed calls to the store.', storeErrors],
    ['process_resident_memory_bytes', 'Memory of the process.', memory.rss],
    ['process_heap_used_bytes', 'Memory in use by objects.', memory.heapUsed],
    ['process_cpu_seconds_total', 'Processor time of the process.', (user + system) / 1e6],
    [
      'process_start_time_seconds',
      'When the process began, in seconds since 1970.',
      performance.timeOrigin / 1000,
    ],
    ['process_uptime_seconds', 'Age of the process.', process.uptime()],
  ]
}

function probingMetrics({ outcomes, state }: ProbeMeter): Metric[] {
  const { by, due, lastHour, lastProbeAt } = state()
  const byOutcome = (values: Readonly<Record<string, number>>) => ({ label: 'outcome', values })
  return [
    ['shirube_probes_total', 'Probes that this process made, by outcome.', byOutcome(outcomes)],
    [
      'shirube_probes_last_hour',
      'Probes of the last hour by all processes, by outcome.',
      byOutcome(lastHour),
    ],
    ['shirube_probes_due', 'Services that are due for a probe, counted every few seconds up to 10000.', due],
    [
      'shirube_probes_last_timestamp_seconds',
      'When the last probe was kept; 0 before the first.',
      lastProbeAt ? Date.parse(lastProbeAt) / 1000 : 0,
    ],
    ['shirube_probing', '1 in the process that probes; one at a time does.', by === 'this' ? 1 : 0],
  ]
}

const webhookMetrics = ({ sent }: WebhookMeter): Metric[] => [
  [
    'shirube_webhook_messages_total',
    'Messages sent by this process; those that failed are tried again.',
    { label: 'result', values: sent },
  ],
]

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
    ({ directory, meter, probing, webhooks, metrics: readers }) =>
    async exchange => {
      if (readers === 'off') throw new DirectoryError('not_found', say('metrics_off'))
      if (readers === 'local' && !isLocal(exchange)) {
        throw new DirectoryError('forbidden', say('metrics_local'))
      }
      const metrics = [
        ...processMetrics(await directory.health(), directory.catalogBytes()),
        ...(probing ? probingMetrics(probing) : []),
        ...(webhooks ? webhookMetrics(webhooks) : []),
      ]
      const text = [
        ...meter.toLines(),
        ...metrics.flatMap(toLines),
        '# HELP shirube_build_info Version of the service and of its runtime.',
        '# TYPE shirube_build_info gauge',
        `shirube_build_info{version="${VERSION}",bun="${Bun.version}"} 1`,
        '',
      ].join('\n')
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
