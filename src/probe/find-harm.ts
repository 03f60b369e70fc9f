// Finds a response that harms payers, even though the main response matches the listing.
import { placeOf } from '../domain/resolve/place.ts'
import { type DocumentedResource, fitsEndpoint, isSendable } from './documents/documented.ts'
import type { Target } from './outcome.ts'
import {
  isFinal,
  isInconclusive,
  leadsUnseen,
  type ProbeRequest,
  type ProbeResponse,
} from './probe-response.ts'
import { matchListing, unreadableOptions } from './terms/match-listing.ts'

export type Harm = {
  /** A response that contradicts the listing, and that a payer may get. */
  readonly bad?: ProbeResponse | undefined
  /** A response that has to be requested again before it counts. */
  readonly inconclusive?: ProbeResponse | undefined
  /** The earlier harmful or inconclusive request has a harmless response now. */
  readonly isFixed: boolean
}

/** @param repeated the response to a request that an earlier probe found harmful or inconclusive */
export function findHarm(
  {
    response,
    further,
    repeated,
  }: { response: ProbeResponse; further?: ProbeResponse | undefined; repeated?: ProbeResponse | undefined },
  terms: readonly ProbeResponse[],
  target: Target,
): Harm {
  const bad = terms.find(each => doesHarm(each, response, target))
  if (bad) return { bad, isFixed: false }
  const wasInconclusive = target.resource?.besides?.isOpen === true
  // A request with a harmful response is not fixed by silence; an inconclusive one is not fixed by another inconclusive response.
  if (repeated && (isInconclusive(repeated) || (isFinal(repeated) && !wasInconclusive)))
    return { bad: repeated, isFixed: false }
  const inconclusive = [...(further ? [further] : []), ...terms].find(
    each => isInconclusive(each) && isAtListing(each, response, target),
  )
  return { inconclusive, isFixed: repeated !== undefined }
}

/** Another resource may have its own price, but no other payee. */
function doesHarm(each: ProbeResponse, response: ProbeResponse, target: Target): boolean {
  const isAtListed = isAtListing(each, response, target)
  if (leadsUnseen(each)) return isAtListed && !isInconclusive(each)
  if (!each.reading?.readable) return unreadableOptions(each.reading?.unread ?? [], target).length > 0
  const { outcome, price, undeclaredAddresses, checks } = matchListing(each.reading, target)
  if (requestKey(each) === requestKey(response)) return outcome !== 'payable'
  const isDearer = price === 'higher' || checks.some(({ detail }) => detail.code === 'asks_more_by_rates')
  return undeclaredAddresses.length > 0 || (isAtListed && (isDearer || outcome === 'unpayable'))
}

/** At the URL of the main response, or at the listed URL. */
const isAtListing = ({ request }: ProbeResponse, response: ProbeResponse, { endpoint }: Target): boolean =>
  [placeOf(urlOf(response.request)), placeOf(endpoint)].includes(placeOf(urlOf(request)))

const urlOf = ({ url, place }: ProbeRequest): string => place?.url ?? url

export const requestKey = ({ request: { method, url, body, headers, tool } }: ProbeResponse): string =>
  JSON.stringify([method, url, body, headers, tool])

/** @returns a method that documents declare for the resource and that the prober never sends */
export function unsentMethod(
  { request }: ProbeResponse,
  documented: readonly DocumentedResource[],
): string | undefined {
  const own = documented.filter(each => each.tool === undefined && fitsEndpoint(each.url, urlOf(request)))
  const unsent = own.filter(({ method }) => !isSendable(method))
  // Next to a method that is sent, only a paid one counts.
  const counted = unsent.length < own.length ? unsent.filter(({ isPaid }) => isPaid) : unsent
  return counted[0]?.method
}
