/**
 * Which purchases speak for or against a listing: pure. What was delivered counts for the listing that it was bought through, so that
 * nobody borrows it. What was not delivered counts for every listing of the same place and payee, also where the one that it was bought
 * through is gone: listing again, by whomever and with whatever query, washes nothing off.
 */
import { isByStranger } from './backing.ts'
import { isFailure, MAX_COUNTED, toDelivery } from './delivery.ts'
import { endpointKey } from './endpoint.ts'
import { payeeOf, toPurchasePlaces } from './purchase-places.ts'
import type { Purchase } from './purchases.ts'
import { placeOf, queryOf } from './resolve/place.ts'
import type { Entry } from './service.ts'

/** So many of the newest are looked at: some of them have no outcome yet, or count for nothing. */
export const MAX_EVIDENCE = 2 * MAX_COUNTED

/** Where to look for them. */
export type EvidenceSource = {
  readonly serviceId: string
  readonly payee: string
  readonly places: readonly string[]
}

type OwnSource = EvidenceSource & {
  /** The URLs of these places, as the listing and the endpoint write them. */
  readonly urls: readonly string[]
}

/** @param resourceUrl what was seen to be sold there just now, where the entry does not tell it yet */
export const toEvidenceSource = (
  { id, endpoint, x402Config, seen }: Pick<Entry, 'id' | 'endpoint' | 'x402Config' | 'seen'>,
  resourceUrl?: string,
): OwnSource => {
  const urls = [endpoint, seen?.resources[0]?.url, resourceUrl].filter(url => url !== undefined)
  return {
    serviceId: id,
    payee: payeeOf(x402Config.paymentAddress, x402Config.network),
    places: [...new Set(urls.map(placeOf))],
    urls,
  }
}

/**
 * What was delivered for the very same endpoint through another listing ends a row of failures there, and gives no points.
 * @param purchases of the source, newest first
 */
export function toEvidence(entry: Entry, purchases: readonly Purchase[], source: OwnSource): Purchase[] {
  const oldestAgainst = purchases.findLast(purchase => isAgainst(entry, purchase, source))?.id ?? '~'
  return purchases.flatMap(purchase => {
    if (isOwn(entry, purchase) || isAgainst(entry, purchase, source)) return [purchase]
    return purchase.id > oldestAgainst && isSameDelivered(entry, purchase, source)
      ? [{ ...purchase, charged: null }]
      : []
  })
}

const isSameDelivered = (
  { endpoint }: Entry,
  { outcome, payTo, chain, detail }: Purchase,
  { payee }: EvidenceSource,
): boolean =>
  outcome === 'delivered' &&
  payeeOf(payTo, chain) === payee &&
  endpointKey(detail.endpoint ?? '') === endpointKey(endpoint)

/** Bought through it since it is where it is. */
const isOwn = ({ id, movedAt = '' }: Entry, { serviceId, at }: Purchase): boolean =>
  serviceId === id && at >= movedAt

/**
 * What was bought at its place may have been bought before it was listed, or through another listing.
 * @param seen when, and what was seen to be sold there
 */
export function withDelivery(
  entry: Entry,
  purchases: readonly Purchase[],
  { at, resourceUrl }: { readonly at: string; readonly resourceUrl: string | undefined },
): Entry {
  const known = purchases.filter(({ outcome }) => outcome !== null)
  const evidence = toEvidence(entry, known, toEvidenceSource(entry, resourceUrl))
  if (entry.sample || evidence.length === 0) return entry
  return { ...entry, delivery: toDelivery(evidence, entry.delivery?.told ?? [], new Date(at)) }
}

export function isAgainst(entry: Entry, purchase: Purchase, source: OwnSource): boolean {
  if (!isFailure(purchase)) return false
  const { payee, places } = source
  const made = toPurchasePlaces(purchase)
  const isThere = places.includes(made.place) || places.includes(made.listedPlace)
  return isThere && made.payee === payee && isFairFor(entry, purchase, source)
}

/**
 * A stranger can list somebody's URL with a query that no seller would answer, or in a spelling that its server takes for another
 * path. What came of that speaks against that spelling, and against what other strangers list there, but not against the seller's own
 * listing.
 */
function isFairFor(entry: Entry, { detail }: Purchase, { urls }: OwnSource): boolean {
  if (!detail.isByStranger || isByStranger(entry)) return true
  const asked = detail.endpoint ?? detail.url
  const query = queryOf(asked)
  const isOwnQuery = query === '' || query === queryOf(entry.endpoint)
  return isOwnQuery && urls.some(url => withoutQuery(url) === withoutQuery(asked))
}

const withoutQuery = (url: string): string => {
  const parsed = URL.parse(url)
  return parsed ? parsed.origin + parsed.pathname : url
}
