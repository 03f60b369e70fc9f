// Relapses: a verified service responded otherwise, and responds as listed again. The first times it is verified at once. A service that
// relapses repeatedly may behave only while its owner triggers probes, and defraud customers until the next unannounced one: it has to
// wait, twice as long each time.
import { isFailed, type ProbeRecord } from './probes.ts'
import type { Status } from './standing.ts'

const HOUR_MS = 3_600_000
/** Older relapses do not count. */
const COUNTED_MS = 30 * 24 * HOUR_MS
/** Mistakes happen: a price is raised at the endpoint before it is in the listing. */
const FREE_RELAPSES = 2
/** The tenth relapse waits for 128 hours. */
const MAX_RELAPSES = 10

export type Relapses = {
  /** When it responded otherwise while it was verified, ascending: ISO 8601 UTC. */
  readonly at: readonly string[]
  /** Since when every response has been as listed; absent if the last was not. */
  readonly goodSince?: string
}

const NO_RELAPSES: Relapses = { at: [] }

/** Returns the relapses after a newer probe. */
export function withProbe(before: Relapses = NO_RELAPSES, probe: ProbeRecord): Relapses {
  const at = before.at.filter(each => Date.parse(probe.at) - Date.parse(each) < COUNTED_MS)
  const { goodSince } = before
  // A failed or refused probe is not a different response.
  if (isFailed(probe) || probe.outcome === 'refused') return { at, ...(goodSince && { goodSince }) }
  return { at, ...(probe.outcome === 'payable' && { goodSince: goodSince ?? probe.at }) }
}

/** Adds a relapse where the probe ended the verification. */
export function withRelapse(relapses: Relapses, probe: ProbeRecord, before: Status, after: Status): Relapses {
  const isRelapse = before === 'verified' && after === 'unverified' && probe.outcome !== 'payable'
  return isRelapse ? { at: [...relapses.at, probe.at].slice(-MAX_RELAPSES) } : relapses
}

/** The time until which it is not verified, whatever it responds; undefined if it need not wait. */
export function waitsUntil({ at, goodSince }: Relapses): string | undefined {
  const counted = at.length - FREE_RELAPSES
  if (counted <= 0 || goodSince === undefined) return undefined
  return new Date(Date.parse(goodSince) + 2 ** (counted - 1) * HOUR_MS).toISOString()
}
