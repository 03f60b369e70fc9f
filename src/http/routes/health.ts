// For those who watch the process: alive, ready, measured.
import type { LocalDirectory } from '../../directory/directory.ts'
import { DirectoryError } from '../../domain/errors.ts'
import type { ProbeMeter } from '../../domain/probes.ts'
import type { WebhookMeter } from '../../domain/webhooks.ts'
import { JSON_TYPE } from '../pipeline/answer.ts'
import { isLocal } from '../pipeline/caller.ts'
import type { RequestMeter } from '../pipeline/request-meter.ts'
import type { Answer, Route } from '../pipeline/route.ts'
import { toMetricsText, toProbingText, toWebhooksText } from './metrics.ts'

export type MetricsReaders = 'local' | 'open' | 'off'

export type HealthRouteParts = {
  readonly directory: LocalDirectory
  readonly meter: RequestMeter
  readonly probing: ProbeMeter | undefined
  readonly webhooks: WebhookMeter | undefined
  readonly readers: MetricsReaders
}

export function createHealthRoutes(parts: HealthRouteParts): Route[] {
  const { directory, meter, probing, webhooks, readers } = parts
  return [
    {
      path: '/healthz',
      isUnlimited: true,
      methods: { GET: () => answerUncached(200, JSON_TYPE, '{"state":"alive"}') },
    },
    {
      path: '/readyz',
      isUnlimited: true,
      methods: {
        GET: async () => {
          const health = await directory.health()
          const isStarting = health.state === 'starting'
          const retry = isStarting ? { 'Retry-After': '1' } : undefined
          return answerUncached(isStarting ? 503 : 200, JSON_TYPE, JSON.stringify(health), retry)
        },
      },
    },
    {
      path: '/metrics',
      isUnlimited: true,
      methods: {
        GET: async exchange => {
          if (readers === 'off') throw new DirectoryError('not_found', 'Metrics are switched off here.')
          if (readers === 'local' && !isLocal(exchange)) {
            throw new DirectoryError('forbidden', 'Metrics are readable from the machine itself only.')
          }
          const told = toProbingText(probing) + (await toWebhooksText(webhooks))
          const text = toMetricsText(await directory.health(), directory.bytes, meter) + told
          return answerUncached(200, 'text/plain; version=0.0.4; charset=utf-8', text)
        },
      },
    },
  ]
}

const answerUncached = (
  status: number,
  contentType: string,
  body: string,
  extra?: Readonly<Record<string, string>>,
): Answer => ({
  status,
  headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store', ...extra },
  body,
})
