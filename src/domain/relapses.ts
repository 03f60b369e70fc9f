// Who was verified, answered otherwise and answers well again is verified at once, the first times. Whoever does so again and again may be
// honest whenever its owner has it probed, and rob its customers until the next probe that nobody foresees: it waits, twice as long each
// time.
import { isFailed, type ProbeRecord } from './probes.ts'
import type { Status } from './standing.ts'

const HOUR_MS = 3_600_000
/** What lies further back is forgotten. */
const COUNTED_MS = 30 * 24 * HOUR_MS
/** Mistakes happen: a price is raised at the endpoint before it is in the listing. */
const FREE_RELAPSES = 2
/** The last of these waits for 128 hours. */
const MAX_RELAPSES = 10

export type Relapses = {
  /** When it was found to answer otherwise while it was verified, ascending: ISO 8601 UTC. */
  readonly at: readonly string[]
  /** Since when every answer has been as listed; absent where the last was not. */
  readonly goodSince?: string
}

const NO_RELAPSES: Relapses = { at: [] }

/** With what a newer probe found. */
export function withAnswer(before: Relapses = NO_RELAPSES, probe: ProbeRecord): Relapses {
  const at = before.at.filter(each => Date.parse(probe.at) - Date.parse(each) < COUNTED_MS)
  const { goodSince } = before
  // Who does not answer, or refuses, has not answered otherwise.
  if (isFailed(probe) || probe.outcome === 'refused') return { at, ...(goodSince && { goodSince }) }
  return { at, ...(probe.outcome === 'payable' && { goodSince: goodSince ?? probe.at }) }
}

/** With a relapse, where the probe took `verified` away. */
export function withRelapse(relapses: Relapses, probe: ProbeRecord, before: Status, after: Status): Relapses {
  const isRelapse = before === 'verified' && after === 'unverified' && probe.outcome !== 'payable'
  return isRelapse ? { at: [...relapses.at, probe.at].slice(-MAX_RELAPSES) } : relapses
}

/** Until when it is not verified, however well it answers; undefined where it need not wait. */
export function waitsUntil({ at, goodSince }: Relapses): string | undefined {
  const counted = at.length - FREE_RELAPSES
  if (counted <= 0 || goodSince === undefined) return undefined
  return new Date(Date.parse(goodSince) + 2 ** (counted - 1) * HOUR_MS).toISOString()
}
