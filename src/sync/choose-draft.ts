// Which version of a merged service its entry follows. Lists take items from anybody, and those of one origin and payee are one service:
// only probes tell the items of the seller from others.
import { placedSinceMs } from '../domain/listing/backing.ts'
import type { Entry, ServiceDraft } from '../domain/listing/service.ts'
import { placeOf, placesOf } from '../domain/resolve/place.ts'
import { comparePrice } from '../domain/terms/terms.ts'
import { joinDescriptions, type Listing, merge } from './group-resources.ts'

/** How long other endpoints are tried: each one is an event. */
const TRIED_FOR_MS = 2 * 86_400_000

export function chooseDraft(entry: Entry, { draft, items }: Listing, now: Date): ServiceDraft {
  if (!items) return draft
  if (entry.standing.status === 'verified') return describeVerified(entry.endpoint, draft, items)
  const candidates = toCandidates(draft, items)
  const at = candidates.findIndex(({ endpoint }) => endpoint === entry.endpoint)
  if (entry.seen) return withAskedPrice(candidates[at] ?? draft, entry.seen, items)
  if (now.getTime() - Date.parse(entry.provenance.firstSeen) > TRIED_FOR_MS) return draft
  const next = hasAnswered(entry) ? (at + 1) % candidates.length : at
  return candidates[next] ?? draft
}

/** The common folder of all items may answer nothing, and items that lead nowhere would keep it from ever being verified. */
const toCandidates = (draft: ServiceDraft, items: readonly ServiceDraft[]): readonly ServiceDraft[] => {
  const each = items.map(({ endpoint, pricing }) => ({ ...draft, endpoint, pricing }))
  return [...new Map([draft, ...each].map(candidate => [candidate.endpoint, candidate])).values()]
}

/** Whether a probe was answered at its present endpoint, without terms. A host that is down is not asked for more. */
const hasAnswered = (entry: Entry): boolean =>
  entry.standing.uptimeScore > 0 && Date.parse(entry.standing.lastChecked) > placedSinceMs(entry)

/** Of the prices in the list, the one that the endpoint asks for. */
function withAskedPrice(
  draft: ServiceDraft,
  { asks }: NonNullable<Entry['seen']>,
  items: readonly ServiceDraft[],
): ServiceDraft {
  const asked = items.find(({ pricing }) => comparePrice(asks, pricing) === 'same')
  return asked ? { ...draft, pricing: asked.pricing } : draft
}

/** What is confirmed is its endpoint: items elsewhere neither name nor price it, and describe it last. */
function describeVerified(
  endpoint: string,
  draft: ServiceDraft,
  items: readonly ServiceDraft[],
): ServiceDraft {
  const place = placeOf(endpoint)
  const { own = [], others = [] } = Object.groupBy(items, item =>
    placesOf(item.endpoint).includes(place) ? 'own' : 'others',
  )
  return own.length === 0 ? draft : { ...merge(own), description: joinDescriptions([...own, ...others]) }
}
