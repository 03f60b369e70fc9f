// The Prometheus text: requests, catalog, probes, process.
import type { Health } from '../../directory/directory.ts'
import type { ProbeMeter } from '../../domain/standing/probes.ts'
import type { WebhookCounts, WebhookMeter } from '../../domain/webhooks.ts'
import { VERSION } from '../../package/version.ts'
import type { RequestMeter } from '../pipeline/request-meter.ts'

type Sample = readonly [name: string, kind: 'gauge' | 'counter', help: string, value: number]

export function toMetricsText(health: Health, catalogBytes: number, meter: RequestMeter): string {
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

export function toProbingText(probing: ProbeMeter | undefined): string {
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
export async function toWebhooksText(webhooks: WebhookMeter | undefined): Promise<string> {
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
