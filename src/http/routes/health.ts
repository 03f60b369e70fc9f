// For monitoring: liveness, readiness, and metrics as Prometheus text.
import type { Health } from '../../directory/directory.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { fromMicroDollars } from '../../domain/money/money.ts'
import type { PurchaseFigures, PurchaseMeter } from '../../domain/purchases/purchases.ts'
import type { ProbeMeter } from '../../domain/standing/standing.ts'
import type { WebhookCounts, WebhookMeter } from '../../domain/webhooks.ts'
import { say } from '../../messages/message.ts'
import { VERSION } from '../../package/version.ts'
import { failures, json, ok, schemaRef } from '../openapi/describe.ts'
import { JSON_TYPE } from '../pipeline/answer.ts'
import { isLocal } from '../pipeline/caller.ts'
import type { RequestMeter } from '../pipeline/pipeline.ts'
import type { Answer } from '../pipeline/route.ts'
import type { ApiRoute, Endpoint } from './api-route.ts'

type Sample = readonly [name: string, kind: 'gauge' | 'counter', help: string, value: number]

function toMetricsText(health: Health, catalogBytes: number, meter: RequestMeter): string {
  const memory = process.memoryUsage()
  const cpu = process.cpuUsage()
  const samples: Sample[] = [
    ['shirube_catalog_services', 'gauge', 'Services in the catalog.', health.services],
    ['shirube_catalog_bytes', 'gauge', 'Memory that the catalog holds for them.', catalogBytes],
    ['shirube_catalog_seq', 'gauge', 'Number of the last write in the catalog.', health.seq],
    [
      'shirube_catalog_ready',
      'gauge',
      '1 once the catalog has caught up.',
      health.state === 'starting' ? 0 : 1,
    ],
    [
      'shirube_follower_lag_seconds',
      'gauge',
      'How long the catalog has lagged behind the store.',
      health.lagMs / 1000,
    ],
    [
      'shirube_store_writable',
      'gauge',
      '0 while the store is unavailable or accepts no writes; /readyz has the reason.',
      health.reason === null ? 1 : 0,
    ],
    ['shirube_store_errors_total', 'counter', 'Failed calls to the store.', health.storeErrors],
    ['process_resident_memory_bytes', 'gauge', 'Memory of the process.', memory.rss],
    ['process_heap_used_bytes', 'gauge', 'Memory in use by objects.', memory.heapUsed],
    [
      'process_cpu_seconds_total',
      'counter',
      'Processor time of the process.',
      (cpu.user + cpu.system) / 1_000_000,
    ],
    [
      'process_start_time_seconds',
      'gauge',
      'When the process began, in seconds since 1970.',
      performance.timeOrigin / 1000,
    ],
    ['process_uptime_seconds', 'gauge', 'Age of the process.', process.uptime()],
  ]
  const lines = samples.flatMap(([name, kind, help, value]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${kind}`,
    `${name} ${value}`,
  ])
  return [
    ...meter.toLines(),
    ...lines,
    '# HELP shirube_build_info Version of the service and of its runtime.',
    '# TYPE shirube_build_info gauge',
    `shirube_build_info{version="${VERSION}",bun="${Bun.version}"} 1`,
    '',
  ].join('\n')
}

function toProbingText(probing: ProbeMeter | undefined): string {
  if (!probing) return ''
  const { by, due, lastHour, lastProbeAt } = probing.state()
  return [
    '# HELP shirube_probes_total Probes that this process made, by outcome.',
    '# TYPE shirube_probes_total counter',
    ...Object.entries(probing.outcomes).map(
      ([outcome, count]) => `shirube_probes_total{outcome="${outcome}"} ${count}`,
    ),
    '# HELP shirube_probes_last_hour Probes of the last hour by all processes, by outcome.',
    '# TYPE shirube_probes_last_hour gauge',
    ...Object.entries(lastHour).map(
      ([outcome, count]) => `shirube_probes_last_hour{outcome="${outcome}"} ${count}`,
    ),
    '# HELP shirube_probes_due Services that are due for a probe, counted every few seconds up to 10000.',
    '# TYPE shirube_probes_due gauge',
    `shirube_probes_due ${due}`,
    '# HELP shirube_probes_last_timestamp_seconds When the last probe was kept; 0 before the first.',
    '# TYPE shirube_probes_last_timestamp_seconds gauge',
    `shirube_probes_last_timestamp_seconds ${lastProbeAt ? Date.parse(lastProbeAt) / 1000 : 0}`,
    '# HELP shirube_probing 1 in the process that probes; one at a time does.',
    '# TYPE shirube_probing gauge',
    `shirube_probing ${by === 'this' ? 1 : 0}`,
    '',
  ].join('\n')
}

/** Counts webhooks when scraped; without the store they are left out. */
async function toWebhooksText(webhooks: WebhookMeter | undefined): Promise<string> {
  if (!webhooks) return ''
  const counts = await webhooks.count().catch(() => undefined)
  return [
    '# HELP shirube_webhook_messages_total Messages sent by this process; those that failed are tried again.',
    '# TYPE shirube_webhook_messages_total counter',
    ...Object.entries(webhooks.sent).map(
      ([result, count]) => `shirube_webhook_messages_total{result="${result}"} ${count}`,
    ),
    ...(counts === undefined ? [] : toCountLines(counts)),
    '',
  ].join('\n')
}

const toCountLines = ({
  unconfirmed,
  active,
  failing,
  disabled,
  pending,
  behind,
}: WebhookCounts): string[] => [
  '# HELP shirube_webhooks Webhooks by state, over all owners.',
  '# TYPE shirube_webhooks gauge',
  ...Object.entries({ unconfirmed, active, failing, disabled }).map(
    ([state, count]) => `shirube_webhooks{state="${state}"} ${count}`,
  ),
  '# HELP shirube_webhooks_pending Webhooks that are confirmed and on, and have events before them.',
  '# TYPE shirube_webhooks_pending gauge',
  `shirube_webhooks_pending ${pending}`,
  '# HELP shirube_webhooks_behind_events Events before the webhook that is furthest behind.',
  '# TYPE shirube_webhooks_behind_events gauge',
  `shirube_webhooks_behind_events ${behind}`,
]

// The directory's purchases, as Prometheus text.

/** Reads the ledger when scraped; without the store this part is left out. */
async function toBuyingText(buying: PurchaseMeter | undefined): Promise<string> {
  if (!buying) return ''
  const figures = await buying.figures().catch(() => undefined)
  return figures ? [...toLedgerLines(figures, buying.perDay), ''].join('\n') : ''
}

const toLedgerLines = ({ microUsd, outcomes, open }: PurchaseFigures, perDay: number): string[] => [
  '# HELP shirube_purchases_spent_dollars Spent or reserved in the last 24 hours, by all processes.',
  '# TYPE shirube_purchases_spent_dollars gauge',
  `shirube_purchases_spent_dollars ${fromMicroDollars(microUsd)}`,
  '# HELP shirube_purchases_left_dollars What the budget of 24 hours has left.',
  '# TYPE shirube_purchases_left_dollars gauge',
  `shirube_purchases_left_dollars ${fromMicroDollars(Math.max(0, perDay - microUsd))}`,
  '# HELP shirube_purchases_last_day Purchases of the last 24 hours, by outcome.',
  '# TYPE shirube_purchases_last_day gauge',
  ...Object.entries(outcomes).map(
    ([outcome, count]) => `shirube_purchases_last_day{outcome="${outcome}"} ${count}`,
  ),
  '# HELP shirube_purchases_open Purchases that are reserved or signed, and not known to be settled.',
  '# TYPE shirube_purchases_open gauge',
  `shirube_purchases_open ${open}`,
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
