// What is delayed or fails while the directory serves requests, in sentences for the status page.
import type { FollowedSource, Health } from '../directory/directory.ts'
import { endpointHost } from '../domain/hosts/endpoint.ts'
import { MAX_DUE } from '../domain/standing/probes.ts'
import { toLatencyText } from './charts/latency-scale.ts'
import type { View } from './view.ts'

export const MAX_LAG_MS = 10_000
/** This many may wait briefly after an import or a start. */
const USUALLY_DUE = 100
/** Fewer failures in a row are normal. */
export const MIN_FAILURES = 3

export function findTroubles(view: View, health: Health, sources: readonly FollowedSource[]): string[] {
  const { troubles } = view.words.status
  const failing = sources.filter(({ failures }) => failures >= MIN_FAILURES)
  const found = [
    health.lagMs > MAX_LAG_MS ? troubles.lag(toLatencyText(view, health.lagMs)) : undefined,
    health.probing ? toProbingTrouble(view, health.probing) : undefined,
    failing.length > 0 ? troubles.sources(failing.map(({ url }) => toSourceName(url))) : undefined,
  ].filter(trouble => trouble !== undefined)
  // No trouble by itself, because another server may probe; among others it must not be missing.
  return found.length > 0 && !health.probing ? [...found, troubles.probingOff] : found
}

function toProbingTrouble(view: View, { by, due, lastHour, lastProbeAt }: NonNullable<Health['probing']>) {
  const { troubles } = view.words.status
  if (by === 'nobody') return troubles.nobodyProbes
  const probed = Object.values(lastHour).reduce((sum, count) => sum + count, 0)
  // More than an hour of work is waiting, or probing has stopped.
  const isIdle = probed === 0 && lastProbeAt !== null
  return due > (isIdle ? 0 : Math.max(probed, USUALLY_DUE))
    ? troubles.probes(toDueText(view, due), view.number(probed))
    : undefined
}

/** Waiting services are counted up to a limit. */
export const toDueText = ({ words, number }: View, due: number): string =>
  words.status.dueOf(number(due), due >= MAX_DUE)

export const toSourceName = (url: string): string => endpointHost(url) || url
