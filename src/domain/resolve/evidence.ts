// What else is known about a URL than the listing that represents it: other listings, and what was seen for those that are not read.
import { type Message, say } from '../../messages/message.ts'
import { chainKey, findChain } from '../chains/chains.ts'
import { lowerPrices, type PriceUntil } from '../terms/terms.ts'
import {
  daysSince,
  type EarlierTerms,
  isNamed,
  judgeChange,
  type NamedPayee,
  namespaceOf,
  REPLACED_FOR_MS,
} from './earlier-terms.ts'
import {
  isListedAddress,
  judgeArrival,
  judgePayment,
  type PaymentQuestion,
  toPaymentQuestion,
} from './judge-payment.ts'
import { type Listing, payeeOf } from './listing.ts'
import { isWholeQuery, placeOf, queryOf, readQueryValues, sortedQuery } from './place.ts'
import type { ResolveQuery } from './query.ts'

/** What was seen for a listing, or for one that is not read. */
type Seen = {
  readonly distance: number
  readonly isByStrangerToEndpoint: boolean
  readonly query: string
  /** Whether it is no longer listed: what its price was, no listing says any more. */
  readonly isWithdrawn: boolean
}

/**
 * Returns the test whether something that was seen says anything about a URL that `first` represents: it is at least as close, by path and
 * by query. What a stranger listed says something about that very URL alone: other paths and queries may have other prices and payees.
 */
export function evidenceFor(url: string, first: Listing): (seen: Seen) => boolean {
  const asked = readQueryValues(url)
  const own = sortedQuery(queryOf(first.service.endpoint))
  return ({ distance, isByStrangerToEndpoint, query, isWithdrawn }) =>
    distance <= first.distance &&
    (query !== '' || own === '' || (isWithdrawn && distance === 0)) &&
    (!isByStrangerToEndpoint || (distance === 0 && (query === own || isWholeQuery(asked, query))))
}

/** The listing itself, and others that say something about the URL. */
export function evidenceIn(url: string, first: Listing, listings: readonly Listing[]): readonly Listing[] {
  const place = placeOf(url)
  const isEvidence = evidenceFor(url, first)
  return listings.filter(each => {
    const { isOfQuery, service, seen } = each
    // A listing above the URL is as close as one at the URL if the URL is what its probes request.
    const distance = seen?.resources.some(resource => resource.place === place) ? 0 : each.distance
    const terms = {
      distance,
      isByStrangerToEndpoint: each.isByStrangerToEndpoint,
      query: sortedQuery(queryOf(service.endpoint)),
      isWithdrawn: each.isRetired,
    }
    return each === first || (isOfQuery && isEvidence(terms))
  })
}

/** The prices that were seen before, and those that were seen last for other listings. */
export const pricesBefore = (
  first: Listing,
  evidence: readonly Listing[],
  earlier: readonly EarlierTerms[],
): readonly PriceUntil[] => [
  ...evidence.flatMap(({ seen }) => (seen ? lowerPrices(seen) : [])),
  ...evidence.flatMap(({ seen }) =>
    seen?.asks && seen !== first.seen ? [{ ...seen.asks, until: seen.at }] : [],
  ),
  ...earlier.flatMap(({ asks, at }) => (asks ? [{ ...asks, until: at }] : [])),
]

/** Another listing that is verified at a lower price: customers choose by it, and the endpoint asks for no more when it is probed. */
export function judgeCheaper(
  query: ResolveQuery,
  first: Listing,
  evidence: readonly Listing[],
): Message | undefined {
  const cheaper = evidence.find(
    each =>
      each !== first &&
      each.backing.isVerified &&
      !each.isRetired &&
      judgePayment(toPaymentQuestion(query, each.seen), each.service).stop.some(
        ({ code }) => code === 'more_than_listed',
      ),
  )?.service
  if (!cheaper) return undefined
  const { id, name, pricing } = cheaper
  return say('more_than_other_listing', {
    id,
    name,
    listed: `${pricing.pricePerRequest} ${pricing.currency}`,
  })
}

/**
 * How long a listing is compared with older ones of the URL or above it that name other payees. Within it, these are probed again. On a
 * host of many sellers, a new one is cautioned for as long.
 */
const NEW_FOR_MS = 2 * 24 * 3_600_000

/** What else is known about the URL. */
type Others = {
  readonly evidence: readonly Listing[]
  /** See `olderIn`. */
  readonly older: readonly Listing[]
  /** Evidence of listings that are not read. */
  readonly unread: readonly EarlierTerms[]
}

/** The payees that were seen last for each listing. */
const termsOf = (
  query: ResolveQuery,
  listings: readonly Listing[],
): readonly Pick<EarlierTerms, 'at' | 'payees'>[] =>
  listings.flatMap(({ seen }) =>
    seen ? [{ at: seen.at, payees: toPaymentQuestion(query, seen).accepts }] : [],
  )

/** Older listings of the URL, and those above it whose payee is known: a thief can list a path or query that nobody had listed. */
export const olderIn = (url: string, first: Listing, listings: readonly Listing[]): readonly Listing[] =>
  listings.filter(
    each =>
      each !== first &&
      each.backing.sinceMs <= first.backing.sinceMs &&
      (isPayeeKnown(each) || isAt(url, each)),
  )

/** Whether more than a stranger's word says that its payee is paid at its endpoint, or below it. */
function isPayeeKnown({ backing, seen, service: { x402Config } }: Listing): boolean {
  if (!backing.isByAnybody || backing.hasDomainProof) return true
  if (!backing.isClaimed || !seen) return false
  const payee = { payTo: x402Config.paymentAddress, chain: chainKey(x402Config.network) }
  return seen.lostAt !== undefined || seen.resources.some(({ accepts }) => isNamed(payee, accepts))
}

/**
 * The payee replaced another: of an older listing whose endpoint asked for it, of one that is not read, or of one that was not probed since.
 * The domain can confirm it.
 */
export function judgeReplaced(
  query: ResolveQuery,
  first: Listing,
  { evidence, older, unread }: Others,
  earlier: readonly (EarlierTerms & { readonly distance: number })[],
  now: Date,
): Message | undefined {
  if (first.backing.hasDomainProof) return undefined
  const { sinceMs } = first.backing
  const { address: payTo, network } = payeeOf(first)
  const seen = (first.seen?.resources.flatMap(({ accepts }) => accepts) ?? []).filter(
    ({ chain }) => isTestNetwork(network) || !isTestNetwork(chain),
  )
  const named = [{ payTo, chain: chainKey(network) }, ...seen] as const
  const replaced = older.find(
    each =>
      each.seen?.lostAt !== undefined &&
      now.getTime() - Date.parse(each.seen.lostAt) < REPLACED_FOR_MS &&
      !isNamed({ payTo: payeeOf(each).address, chain: chainKey(payeeOf(each).network) }, named),
  )
  if (!replaced?.seen?.lostAt) {
    const above = earlier.filter(terms => !terms.isByStrangerToEndpoint && Date.parse(terms.at) < sinceMs)
    // The older ones may not have been probed since, or not answered.
    const before = now.getTime() - sinceMs < NEW_FOR_MS ? older : []
    const read = termsOf(
      query,
      [...evidence, ...before].filter(each => each !== first),
    )
    return judgeChange([...unread, ...above, ...read], named, now)
  }
  const { id, name } = replaced.service
  return say('payee_replaced', { id, name, days: daysSince(replaced.seen.lostAt, now) })
}

/** Whether it lists the URL itself, or its bare path. */
function isAt(url: string, { distance, isOfQuery, service }: Listing): boolean {
  const query = queryOf(service.endpoint)
  return distance === 0 && isOfQuery && (query === '' || isWholeQuery(readQueryValues(url), query))
}

/** A hijacker can leave the seller's wallet on a test network. */
const isTestNetwork = (network: string): boolean => findChain(network)?.testnet === true

/**
 * Whether the payee appeared on another chain only recently. A listing made after that does not know it, so other evidence and older
 * listings above the URL count too, unless the domain names the payee.
 */
export function judgeArrivals(
  payment: PaymentQuestion,
  first: Listing,
  { evidence, older, unread }: Others,
  now: Date,
): Message | undefined {
  const { query, chain } = payment
  if (first.backing.hasDomainProof && isListedAddress(query, first.service))
    return judgeArrival(payment, payment.accepts, now)
  const { address, network } = payeeOf(first)
  const payee = { payTo: query.payTo ?? address, chain: chain ?? chainKey(network) }
  const terms = [...termsOf(query, evidence), ...unread]
  // It was not there when another listing was seen, before this one.
  const arrived = terms
    .filter(({ at, payees }) => at <= (first.seen?.at ?? '') && isWithout(payees, payee.chain))
    .map(({ at }) => ({ ...payee, since: at }))
  const payees = [...terms, ...termsOf(query, older)].flatMap(each => each.payees)
  return judgeArrival(payment, [...payees, ...arrived], now)
}

/** Whether there are payees, but none on a chain of this kind. */
const isWithout = (payees: readonly NamedPayee[], chain: string): boolean =>
  payees.length > 0 && !payees.some(payee => namespaceOf(payee.chain) === namespaceOf(chain))

/** The listing itself was moved to another endpoint or payee recently, for example with a stolen key. */
export const judgeMove = ({ backing, isMoved }: Listing, now: Date): Message | undefined =>
  isMoved && !backing.hasDomainProof && now.getTime() - backing.sinceMs < REPLACED_FOR_MS
    ? say('listing_moved', { days: daysSince(backing.sinceMs, now) })
    : undefined
