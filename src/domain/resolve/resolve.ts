// Whether a URL is safe to pay, judged by the listings that it is below; pure.
import { type Message, present, say } from '../../messages/message.ts'
import { isSameKeyspace } from '../accounts.ts'
import type { Speaker } from '../backing.ts'
import { chainKey } from '../chains.ts'
import { sameAddress } from '../same-address.ts'
import type { Entry, Service } from '../service.ts'
import type { SeenRequirements } from '../terms.ts'
import {
  type EarlierTerms,
  isAsSeen,
  judgeArrival,
  judgeEarlier,
  judgePayment,
  judgeRise,
  type PaymentQuestion,
  type SeenPlaces,
  toPaymentQuestion,
} from './judge-payment.ts'
import { isOddPath, isSameOrigin } from './place.ts'
import type { ResolveQuery } from './query.ts'
import type { Verdict } from './resolution.ts'

/** The fields of a service in a response. */
export type ListedService = Pick<
  Service,
  'id' | 'name' | 'status' | 'trustScore' | 'endpoint' | 'pricing' | 'x402Config'
>

/** A listing that a URL is below. */
export type Listing = {
  readonly service: ListedService
  readonly speaker: Omit<Speaker, 'id'>
  /** Number of path segments of the URL below its endpoint: the fewer, the closer it is. */
  readonly distance: number
  /** Whether the URL has the query of its endpoint, or the endpoint has none. */
  readonly isOfQuery: boolean
  readonly isRetired: boolean
  readonly isSample: boolean
  /** Whether it was paid repeatedly without delivering. */
  readonly isFailing: boolean
  /** Whether it was listed for a day or more before it came to its present endpoint and payee. */
  readonly isMoved: boolean
  readonly seen: SeenPlaces | undefined
}

/** Terms that were seen longer ago may have changed. */
const MAX_SEEN_AGE_MS = 7 * 24 * 3_600_000
const DAY_MS = 24 * 3_600_000

type JudgeContext = {
  /** Hidden entries that the URL is below. */
  readonly hidden: readonly Entry[]
  /** Whether a listing that it was below was removed here. */
  readonly wasRemoved: boolean
  /** Terms that were seen for listings of the URL itself which are no longer there. */
  readonly withdrawn?: readonly EarlierTerms[]
  readonly now: Date
}

export type UrlJudgement<L extends Listing = Listing> = {
  readonly verdict: Verdict
  readonly reasons: readonly Message[]
  /** The listing that speaks for the URL, and the payment with the terms that were seen. */
  readonly of?: { readonly listing: L; readonly payment: PaymentQuestion }
}

/** @param listings in the order of `compareStanding` */
export function judgeUrl<L extends Listing>(
  query: ResolveQuery,
  listings: readonly L[],
  { hidden, wasRemoved, withdrawn = [], now }: JudgeContext,
): UrlJudgement<L> {
  const first = speakerOf(listings)
  if (!first) return judgeGone(hidden, wasRemoved)
  const payment = toPaymentQuestion(query, first.seen)
  const money = judgePayment(payment, first.service)
  const isDoubtful = isUnproven(first, payment) || (first.service.status !== 'verified' && isAsSeen(payment))
  const isOver = first.isRetired && !isUnproven(first, payment) && mayRetire(first)
  const against = first.isRetired ? [say('retired'), ...money.stop] : money.stop
  const caution = present(
    ...judgeStanding(first, now),
    ...judgePlace(query, first),
    judgeArrival(payment, now),
    judgeRise(payment, risesOf(first, listings), now) ?? judgeEarlier(payment, withdrawn, now),
    judgeCheaper(query, first, listings),
    judgeReplaced(first, listings, now),
    judgeMove(first, now),
    ...money.caution,
  )
  const of = { listing: first, payment }
  if (isOver || (money.stop.length > 0 && !isDoubtful))
    return {
      verdict: 'stop',
      reasons: [
        ...against,
        ...judgeOthers(
          query,
          listings.filter(each => each !== first),
          hidden,
        ),
        ...caution,
      ],
      of,
    }
  if (against.length + caution.length > 0)
    return { verdict: 'caution', reasons: [...against, ...caution], of }
  return { verdict: 'clear', reasons: [say('as_listed_and_seen', { compared: comparedOf(query) })], of }
}

/** Of the listing, and of the others of the URL itself: whoever listed them, the endpoint itself has asked for less. */
const risesOf = (first: Listing, listings: readonly Listing[]): readonly SeenPlaces[] =>
  [first, ...listings.filter(each => each !== first && isAt(each))].flatMap(({ seen }) => seen ?? [])

/** A listing of the URL itself, verified for the same payee at a lower price: customers choose by it. */
function judgeCheaper(
  query: ResolveQuery,
  first: Listing,
  listings: readonly Listing[],
): Message | undefined {
  const payee = payeeOf(first)
  const cheaper = listings.find(
    each =>
      each !== first &&
      isAt(each) &&
      each.speaker.isVerified &&
      !each.isRetired &&
      isSamePayee(payeeOf(each), payee) &&
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

/** How long a payee that replaced another counts as new. A hijacked endpoint, or a stolen key, is noticed within it. */
const REPLACED_FOR_MS = 7 * DAY_MS

const daysSince = (sinceMs: number, now: Date): number => Math.floor((now.getTime() - sinceMs) / DAY_MS)

/** Another listing was verified here for another payee until recently. The domain can confirm the new one. */
function judgeReplaced(first: Listing, listings: readonly Listing[], now: Date): Message | undefined {
  if (first.speaker.isProved) return undefined
  const replaced = listings.find(
    each =>
      each !== first &&
      each.isOfQuery &&
      each.seen?.lostAt !== undefined &&
      now.getTime() - Date.parse(each.seen.lostAt) < REPLACED_FOR_MS &&
      !isSamePayee(payeeOf(each), payeeOf(first)),
  )
  if (!replaced) return undefined
  const { id, name } = replaced.service
  return say('payee_replaced', {
    id,
    name,
    days: Math.max(0, daysSince(Date.parse(replaced.seen!.lostAt!), now)),
  })
}

/** The listing itself was moved to another endpoint or payee recently, for example with a stolen key. */
const judgeMove = ({ speaker, isMoved }: Listing, now: Date): Message | undefined =>
  isMoved && !speaker.isProved && now.getTime() - speaker.sinceMs < REPLACED_FOR_MS
    ? say('listing_moved', { days: Math.max(0, daysSince(speaker.sinceMs, now)) })
    : undefined

/**
 * Anybody can list the URL of another provider with another payee or price, and retire it again. Such a listing is no evidence against a
 * payment that the endpoint itself requests, nor against anything that the endpoint was not probed for: another query, or a URL
 * below it, unless the payee has listed it.
 */
function isUnproven({ speaker, seen, distance, isOfQuery }: Listing, { own }: PaymentQuestion): boolean {
  if (!isOfQuery) return true
  if (!speaker.isByAnybody || speaker.isProved) return false
  const isOwn = distance === 0 || own.length > 0
  return speaker.isVerified ? !speaker.isClaimed && !isOwn : seen === undefined || !isOwn
}

/**
 * Whether the owner of the listing can declare the service retired: keys of the operator, the domain, and a wallet to which the endpoint
 * itself was seen to request payment. Anybody else could list a URL only to retire it.
 */
function mayRetire({ speaker, seen, service: { x402Config } }: Listing): boolean {
  if (!speaker.isByAnybody || speaker.isProved) return true
  const { paymentAddress, network } = x402Config
  const isPaid = ({ chain, payTo }: SeenRequirements) =>
    chain === chainKey(network) && sameAddress(payTo, paymentAddress, network)
  return speaker.isClaimed && seen?.resources.some(({ ways }) => ways.some(isPaid)) === true
}

function judgeGone([hidden]: readonly Entry[], wasRemoved: boolean): UrlJudgement<never> {
  if (hidden)
    return { verdict: 'stop', reasons: [say('hidden_by_operator', { why: hidden.hidden?.why ?? '' })] }
  return wasRemoved
    ? { verdict: 'stop', reasons: [say('removed')] }
    : { verdict: 'unknown', reasons: [say('not_listed')] }
}

const payeeOf = ({ service: { x402Config } }: Listing): Payee => ({
  address: x402Config.paymentAddress,
  network: x402Config.network,
})

type Payee = { readonly address: string; readonly network: string }

export type Ranked = Pick<Listing, 'speaker' | 'distance' | 'isOfQuery' | 'isRetired'>

/**
 * The listing that speaks for the URL sorts first, as for one endpoint; ties go to the oldest. The closer one wins only where the payee
 * itself has listed both: anybody can list a closer path with the wallet of another, at any price.
 */
export function compareStanding(a: Ranked, b: Ranked): number {
  const byDistance = a.distance - b.distance
  const byAge = a.speaker.sinceMs - b.speaker.sinceMs
  return rank(b) - rank(a) || (isOfPayee(a) ? byDistance || byAge : byAge || byDistance)
}

/**
 * A claim or a proof counts while it is verified. A retired listing ranks below all others of its query, and a listing with another
 * query ranks below everything else.
 */
const rank = ({ speaker, isOfQuery, isRetired }: Ranked): number => {
  const { isClaimed, isProved, isVerified, isByAnybody } = speaker
  const place = isOfQuery ? 10 : 0
  if (isRetired) return place
  if (!isVerified) return place + 1
  // A wallet that is not the payee could be anybody's.
  const isByStranger = isByAnybody && !isClaimed && !isProved
  return place + 2 + (isByStranger ? 0 : 1) + (isProved ? 1 : 0) + (isClaimed ? 2 : 0)
}

/**
 * The first listing, unless it is above the URL and the URL itself is listed for another payee and verified: on a host of many sellers,
 * no listing speaks for the path of another seller.
 */
function speakerOf<L extends Listing>(listings: readonly L[]): L | undefined {
  const [first] = listings
  if (!first || isAt(first)) return first
  const payee = payeeOf(first)
  const isOfOther = (each: L) => !isSamePayee(payee, payeeOf(each))
  return (
    listings.find(each => isAt(each) && each.speaker.isVerified && !each.isRetired && isOfOther(each)) ??
    first
  )
}

/** On one chain, or on two where one key holds the address on both. */
const isSamePayee = (a: Payee, b: Payee): boolean =>
  (chainKey(a.network) === chainKey(b.network) || isSameKeyspace(a, b)) &&
  sameAddress(a.address, b.address, a.network)

const isAt = ({ distance, isOfQuery }: Ranked): boolean => distance === 0 && isOfQuery

const isOfPayee = ({ speaker }: Ranked): boolean => speaker.isVerified && speaker.isClaimed

/** The other listing of the place that the payment would go to. */
function judgeOthers(
  { payTo }: ResolveQuery,
  others: readonly Listing[],
  hidden: readonly Entry[],
): Message[] {
  if (payTo === undefined) return []
  const isPaid = ({ x402Config }: Pick<Service, 'x402Config'>) =>
    sameAddress(payTo, x402Config.paymentAddress, x402Config.network)
  const other = others.find(({ service }) => isPaid(service))?.service
  const impostor = hidden.find(isPaid)
  return present(
    other && say('payee_of_other_listing', { id: other.id, name: other.name }),
    impostor && say('hidden_by_operator', { why: impostor.hidden?.why ?? '' }),
  )
}

const judgeStanding = ({ service, isSample, isFailing, seen }: Listing, now: Date): Message[] =>
  present(
    isSample ? say('sample') : undefined,
    service.status === 'unverified' ? say('listing_unverified') : undefined,
    isFailing ? say('listing_not_delivering') : undefined,
    service.status === 'inactive' ? say('listing_inactive') : undefined,
    judgeAge(seen, now),
  )

function judgeAge(seen: SeenPlaces | undefined, now: Date): Message | undefined {
  if (!seen) return say('terms_never_seen')
  const ageMs = now.getTime() - Date.parse(seen.at)
  return ageMs <= MAX_SEEN_AGE_MS
    ? undefined
    : say('terms_seen_long_ago', { days: Math.floor(ageMs / DAY_MS) })
}

const judgePlace = ({ url }: ResolveQuery, { service: { endpoint }, isOfQuery }: Listing): Message[] =>
  present(
    isOfQuery ? undefined : say('query_elsewhere', { listed: endpoint }),
    isSameOrigin(url, endpoint) ? undefined : say('origin_elsewhere', { listed: endpoint }),
    isOddPath(url) ? say('path_with_escapes') : undefined,
  )

const comparedOf = (query: ResolveQuery): string[] =>
  (['payTo', 'amount', 'asset', 'network', 'scheme', 'method'] as const).filter(
    name => query[name] !== undefined,
  )
