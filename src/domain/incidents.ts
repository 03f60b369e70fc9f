// When a service did not answer, or asked for something else than listed, from one probe to another.
import type { HistoryEntry } from './history.ts'
import { isCounted, isFailed } from './probes.ts'

type ProbeItem = Extract<HistoryEntry, { kind: 'probe' }>

export const INCIDENT_KINDS = ['silent', 'mismatched'] as const

export type Incident = {
  readonly kind: (typeof INCIDENT_KINDS)[number]
  /** The first probe of it. */
  readonly first: ProbeItem
  /** When it was over: the first probe that found nothing of it any more; null while it lasts. */
  readonly until: string | null
  readonly probes: number
}

/** One probe that fails is told by its day; two in a row are an incident. */
const MIN_PROBES = 2

/** Returns the newest first, each with its beginning among the probes that are given. @param items newest first */
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
