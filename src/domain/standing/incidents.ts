// Incidents: periods between two probes in which a service did not respond, or requested another payment than listed.
import type { HistoryEntry } from './history.ts'
import { isCounted, isFailed } from './probes.ts'

type ProbeItem = Extract<HistoryEntry, { kind: 'probe' }>

export const INCIDENT_KINDS = ['silent', 'mismatched'] as const

export type Incident = {
  readonly kind: (typeof INCIDENT_KINDS)[number]
  /** The probe at which it started. */
  readonly first: ProbeItem
  /** The first probe after it; null while it lasts. */
  readonly until: string | null
  readonly probes: number
}

/** A single failed probe appears in the sums of its day; two in a row are an incident. */
const MIN_PROBES = 2

/** Returns incidents newest first; each starts within the given probes. @param items newest first */
export function findIncidents(items: readonly HistoryEntry[]): Incident[] {
  const incidents: Incident[] = []
  let open: { kind: Incident['kind']; first: ProbeItem; probes: number } | undefined
  const close = (until: string | null) => {
    if (open && open.probes >= MIN_PROBES) incidents.push({ ...open, until })
    open = undefined
  }
  for (const probe of items.filter(item => item.kind === 'probe').toReversed()) {
    if (!isCounted(probe)) continue
    const kind = kindOf(probe)
    if (open && open.kind === kind) open.probes++
    else {
      close(probe.at)
      if (kind) open = { kind, first: probe, probes: 1 }
    }
  }
  close(null)
  return incidents.reverse()
}

const kindOf = (probe: ProbeItem): Incident['kind'] | undefined =>
  isFailed(probe) ? 'silent' : probe.outcome === 'mismatched' ? 'mismatched' : undefined
