// What is behind or fails while the directory serves, in sentences for its status.
import type { FollowedSource, Health } from '../directory/directory.ts'
import { endpointHost } from '../domain/endpoint.ts'
import { MAX_DUE } from '../domain/probes.ts'
import { toLatencyText } from './latency-scale.ts'
import type { View } from './view.ts'

const MAX_LAG_MS = 10_000
/** So many wait for a moment after an import, or when a directory starts. */
const USUALLY_DUE = 100
/** Fewer come and go. */
const MIN_FAILURES = 3

export function findTroubles(view: View, health: Health, sources: readonly FollowedSource[]): string[] {
  const { troubles } = view.words.status
  const failing = sources.filter(({ failures }) => failures >= MIN_FAILURES)
  return [
    health.lagMs > MAX_LAG_MS ? troubles.lag(toLatencyText(view, health.lagMs)) : undefined,
    health.probing ? toProbingTrouble(view, health.probing) : undefined,
    failing.length > 0 ? troubles.sources(failing.map(({ url }) => toSourceName(url))) : undefined,
  ].filter(trouble => trouble !== undefined)
}

function toProbingTrouble(view: View, { by, due, lastHour, lastProbeAt }: NonNullable<Health['probing']>) {
  const { troubles } = view.words.status
  if (by === 'nobody') return troubles.nobodyProbes
  const probed = Object.values(lastHour).reduce((sum, count) => sum + count, 0)
  // More than an hour of work, or none done where there was some before.
  const isIdle = probed === 0 && lastProbeAt !== null
  return due > (isIdle ? 0 : Math.max(probed, USUALLY_DUE))
    ? troubles.probes(toDueText(view, due), view.number(probed))
    : undefined
}

/** They are counted up to a limit. */
export const toDueText = ({ words, number }: View, due: number): string =>
  words.status.dueOf(number(due), due >= MAX_DUE)

export const toSourceName = (url: string): string => endpointHost(url) || url
