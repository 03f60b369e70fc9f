// The request that the next probe sends first, from the responses of this one.
import type { Resource } from '../domain/standing/finding.ts'
import { type Harm, requestKey } from './find-harm.ts'
import type { Outcome, Target } from './outcome.ts'
import { type ProbeResponse, toProbeRequest } from './probe-response.ts'
import type { ProbeSession } from './probe-session.ts'

type Observed = {
  readonly response: ProbeResponse
  readonly session: Pick<ProbeSession, 'identity'>
}

/** What the next probe requests first, and under which identity. */
export function toNextResource(
  outcome: Outcome['outcome'],
  { response, session }: Observed,
  { endpoint, resource }: Target,
  { harm, unasked }: { readonly harm: Harm; readonly unasked: string | undefined },
): Resource | null {
  const known = resource ?? null
  // A host that is down for an hour, refuses, or hides its terms still has its resources where they were.
  const keepsBefore = outcome === 'unreachable' || outcome === 'refused' || !response.reading?.readable
  const before: Resource = outcome === 'unpayable' ? { url: endpoint } : (known ?? { url: endpoint })
  const next = keepsBefore ? toProbeRequest(before) : response.request
  const besides = toRepeat(response, harm) ?? (harm.isFixed ? undefined : known?.besides)
  // A provider that is bad to customers but good to us would be verified again by the next probe under our name.
  const isDoubtful =
    outcome === 'unreachable'
      ? known?.asCustomer === true
      : session.identity === 'customer' && (outcome !== 'payable' || besides !== undefined)
  // Another address of the host may respond differently.
  const address = outcome === 'payable' ? undefined : ((harm.bad ?? response).address ?? known?.address)
  const isNamed = address !== undefined && !URL.parse(endpoint)?.hostname.includes(address)
  const more = {
    ...(isDoubtful && { asCustomer: true as const }),
    ...(besides && { besides }),
    ...(isNamed && { address }),
    ...(unasked !== undefined && { unasked }),
  }
  const isBare =
    next.body === undefined && next.tool === undefined && next.method === 'GET' && next.url === endpoint
  return isBare && Object.keys(more).length === 0 ? null : { ...next, ...more }
}

/** A request that the next probe would not send by itself. */
function toRepeat(response: ProbeResponse, { bad, inconclusive }: Harm): Resource['besides'] {
  const found = bad ?? inconclusive
  if (!found || requestKey(found) === requestKey(response)) return undefined
  return { ...found.request, ...(!bad && { isOpen: true as const }) }
}
