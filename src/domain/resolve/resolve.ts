// Whether a URL is safe to pay: a function of the stored entries that it is below, and of the time; pure. So every process that has the
// same entries gives the same answer.

import type { Word } from '../../messages/kinds.ts'
import { compact, type Message, say } from '../../messages/message.ts'
import { isSameKeyspace, sameAddress } from '../chains/addresses.ts'
import { chainKey, findChain } from '../chains/chains.ts'
import { isSameOrigin, isWholeQuery, placeOf, queryOf, readQueryValues } from '../hosts/endpoint.ts'
import {
  type BackingFacts,
  isByAnybody,
  isByStranger,
  isClaimed,
  toBackingFacts,
} from '../listing/backing.ts'
import type { Entry, Service } from '../listing/service.ts'
import { toSaid } from '../problems.ts'
import type { Level } from '../standing/standing.ts'
import type { Seen, SeenRequirements } from '../terms/terms.ts'
import { comparePayee } from '../terms/terms-view.ts'
import { DAY_MS } from '../time.ts'
import { isAsSeen, judgePayment, type Payment, toPayment } from './judge-payment.ts'
import type { Resolution, ResolveQuery, Verdict } from './resolution.ts'

/** The fields of a service in a response. */
type ListedService = Pick<
  Service,
  'id' | 'name' | 'status' | 'trustScore' | 'endpoint' | 'pricing' | 'x402Config'
>

/** A listing that a URL is below. */
export type Listing = {
  readonly service: ListedService
  readonly level: Level
  readonly backing: Omit<BackingFacts, 'id'>
  /** Number of path segments of the URL below its endpoint: the fewer, the closer it is. */
  readonly distance: number
  /** Whether the URL has the query of its endpoint, or the endpoint has none. */
  readonly isOfQuery: boolean
  readonly isRetired: boolean
  /** The message with which it was retired; absent if there is none. */
  readonly retirement?: string | undefined
  readonly isSample: boolean
  /** Whether it was paid repeatedly without delivering. */
  readonly isFailing: boolean
  /** Whether its origin asked not to be probed. */
  readonly isDeclined: boolean
  /** Whether it was listed for a day or more before it came to its present endpoint and payee. */
  readonly wasMoved: boolean
  readonly seen: Seen | undefined
}

/** What tells whether a stranger listed an endpoint: of a listing, or of a hidden entry. */
type Provenance = Pick<Listing, 'backing' | 'seen'> & {
  readonly service: Pick<Service, 'endpoint' | 'x402Config'>
}

export type Ranked = Pick<Listing, 'backing' | 'distance' | 'isOfQuery' | 'isRetired'>

type JudgeContext = {
  /** Hidden entries that the URL is below. */
  readonly hidden: readonly Entry[]
  /** Whether a verified listing that it was below was removed here. */
  readonly wasRemoved: boolean
  readonly now: Date
}

type UrlJudgement = {
  readonly verdict: Verdict
  readonly reasons: readonly Message[]
  /** The listing that represents the URL, and the payment with the terms that were seen. */
  readonly of?: { readonly listing: Listing; readonly payment: Payment }
}

/** Terms that were seen longer ago may have changed. A payee or a place that is younger counts as new: a theft is noticed within it. */
const WEEK_MS = 7 * DAY_MS
/** More reasons would hide the first. */
const MAX_REASONS = 3

/** @param listings in the order of `compareStanding` */
export function judgeUrl(
  query: ResolveQuery,
  listings: readonly Listing[],
  { hidden, wasRemoved, now }: JudgeContext,
): UrlJudgement {
  const first = representativeOf(listings)
  if (!first) return judgeUnlisted(query.url, hidden, wasRemoved)
  const payment = toPayment(query, first.seen)
  const money = judgePayment(payment, first.service)
  const impostor = hidden.find(
    entry => (isClaimed(entry) || !isByAnybody(entry)) && isSamePayee(entry, first.service),
  )
  const retired = retiredBehind(first, listings)
  const isOver = retired !== undefined && !isByStrangerToEndpoint(retired)
  const mayStop = maySpeak(first, payment)
  const stops = compact(
    impostor && toHiddenReason(impostor),
    // The words of a stranger, who may have listed it only to retire it, are passed on to nobody.
    retired && say('retired', { message: isOver ? (retired.retirement ?? null) : null }),
    ...money.stop,
  )
  const isStopped = impostor !== undefined || isOver || (mayStop && money.stop.length > 0)
  const doubts = compact(
    ...judgeChanges(payment, first, listings, now),
    ...judgeStanding(first, now),
    ...judgePlace(query, first),
    isByStranger(first.backing) && wasRemoved ? say('removed') : undefined,
    ...money.caution,
  )
  const reasons = [...stops, ...doubts].slice(0, MAX_REASONS)
  const of = { listing: first, payment }
  if (isStopped) return { verdict: 'stop', reasons, of }
  if (reasons.length > 0) return { verdict: 'caution', reasons, of }
  return { verdict: 'clear', reasons: [say('as_listed_and_seen', { compared: comparedOf(query) })], of }
}

/**
 * Whether the listing can stop a payment. Anybody can list the URL of another provider with another payee or price: such a listing is no
 * evidence against what the endpoint itself requests, nor against anything that it was not probed for. Neither is one that was never
 * right against a payment that its own endpoint was seen to ask for.
 */
function maySpeak(listing: Listing, payment: Payment): boolean {
  if (!listing.isOfQuery) return false
  const isStranger = isByStrangerToEndpoint(listing)
  const isProbed = listing.seen !== undefined && (listing.distance === 0 || payment.own.length > 0)
  if (isStranger && !isProbed) return false
  return listing.service.status === 'verified' || (!isStranger && wasNamed(listing)) || !isAsSeen(payment)
}

/**
 * Whether a stranger to the endpoint may have listed it: anybody could, its domain does not name it, and its owner is no wallet that the
 * endpoint itself ever named. More than `isByStranger`, which spares every claimed listing: anybody can list a URL for a wallet of their
 * own, and claim it. On a host of many sellers it can even be verified, by a resource of their own below the URL.
 */
function isByStrangerToEndpoint(listing: Provenance): boolean {
  const { backing, service, seen } = listing
  if (!backing.isByAnybody || backing.isNamedByDomain) return false
  const place = placeOf(service.endpoint)
  const isProbedItself = seen?.resources.some(({ url }) => placeOf(url) === place) === true
  return !(backing.isClaimed && isProbedItself && wasNamed(listing))
}

/** The same of an entry. */
export const isListedByStranger = (entry: Entry): boolean =>
  isByStrangerToEndpoint({ service: entry, backing: toBackingFacts(entry), seen: entry.seen })

/** Whether the endpoint itself names the listed payee, or did when the listing was verified. */
const wasNamed = (listing: Provenance): boolean =>
  listing.seen?.lostAt !== undefined || namesPayeeOf(listing, listing.service)

/** Whether its endpoint was seen to name the payee of a listing, on any chain: one key holds an address on all chains of its family. */
const namesPayeeOf = (
  { seen }: Pick<Listing, 'seen'>,
  { x402Config }: Pick<Service, 'x402Config'>,
): boolean => acceptsOf(seen).some(({ payTo, chain }) => sameAddress(x402Config.paymentAddress, payTo, chain))

const acceptsOf = (seen: Seen | undefined): readonly SeenRequirements[] =>
  seen?.resources.flatMap(({ ways }) => ways) ?? []

/** On one chain, or on two where one key holds the address on both. */
function isSamePayee(a: Pick<Service, 'x402Config'>, b: Pick<Service, 'x402Config'>): boolean {
  const [one, two] = [a, b].map(({ x402Config: { paymentAddress: address, network } }) => ({
    address,
    network,
  }))
  return (
    (chainKey(one!.network) === chainKey(two!.network) || isSameKeyspace(one!, two!)) &&
    sameAddress(one!.address, two!.address, one!.network)
  )
}

/** The listing if it is retired; where a stranger lists again what its payee has retired, that one. */
function retiredBehind(first: Listing, listings: readonly Listing[]): Listing | undefined {
  if (first.isRetired) return first
  if (!isByStranger(first.backing)) return undefined
  return listings.find(
    each =>
      each.isRetired &&
      each.isOfQuery &&
      !isByStrangerToEndpoint(each) &&
      isSamePayee(each.service, first.service),
  )
}

/** What a stranger listed above the URL, and the operator hid, says nothing about it: others sell on the same host. */
function judgeUnlisted(url: string, all: readonly Entry[], wasRemoved: boolean): UrlJudgement {
  const hidden = all.find(entry => placeOf(entry.endpoint) === placeOf(url) || !isListedByStranger(entry))
  if (hidden) return { verdict: 'stop', reasons: [toHiddenReason(hidden)] }
  return wasRemoved
    ? { verdict: 'stop', reasons: [say('removed')] }
    : { verdict: 'unknown', reasons: [say('not_listed')] }
}

/**
 * The listing that represents the URL sorts first, as for one endpoint; ties go to the oldest. The closer one wins only where the payee
 * itself has listed both: anybody can list a closer path with the wallet of another, at any price.
 */
export function compareStanding(a: Ranked, b: Ranked): number {
  const byDistance = a.distance - b.distance
  const byAge = a.backing.sinceMs - b.backing.sinceMs
  const isOfPayee = a.backing.isVerified && a.backing.isClaimed
  return rankOf(b) - rankOf(a) || (isOfPayee ? byDistance || byAge : byAge || byDistance)
}

/** What the policy of the caller does not allow is not paid, whatever else is known of it. */
export const refuseUnapproved = (judged: UrlJudgement): UrlJudgement => ({
  ...judged,
  verdict: 'stop',
  reasons: [
    say('not_approved'),
    ...(judged.verdict === 'clear' ? [] : judged.reasons).slice(0, MAX_REASONS - 1),
  ],
})

/**
 * A claim or a proof counts while it is verified. A retired listing ranks below all others of its query, and a listing with another
 * query ranks below everything else.
 */
export const rankOf = ({ backing, isOfQuery, isRetired }: Omit<Ranked, 'distance'>): number => {
  const { isClaimed, hasDomainProof, isVerified } = backing
  const lowest = isOfQuery ? 10 : 0
  if (isRetired) return lowest
  if (!isVerified) return lowest + 1
  return lowest + 2 + (isByStranger(backing) ? 0 : 1) + (hasDomainProof ? 2 : 0) + (isClaimed ? 4 : 0)
}

/**
 * The first listing, unless a closer one is verified for another payee: on a host of many sellers, no listing represents the path of
 * another seller. A stranger's listing whose endpoint also pays the first payee is of the same seller.
 */
function representativeOf(listings: readonly Listing[]): Listing | undefined {
  const [first] = listings
  if (!first) return undefined
  const others = listings.filter(
    each =>
      each.distance < first.distance &&
      each.isOfQuery &&
      each.backing.isVerified &&
      !each.isRetired &&
      !isSamePayee(first.service, each.service) &&
      !namesPayeeOf(first, each.service) &&
      !(isByStrangerToEndpoint(each) && namesPayeeOf(each, first.service)),
  )
  return others.toSorted((a, b) => a.distance - b.distance)[0] ?? first
}

const toHiddenReason = ({ hidden }: Entry): Message => say('hidden_by_operator', { why: hidden?.why ?? '' })

/** A payee or a place that changed within a week, unless the domain confirms it. */
function judgeChanges(payment: Payment, first: Listing, all: readonly Listing[], now: Date): Message[] {
  const { query, chain, accepts } = payment
  const isConfirmed = first.backing.hasDomainProof
  const others = isConfirmed
    ? []
    : all.filter(each => each !== first && isEvidence(query.url, each, first, now))
  const arrived = [...accepts, ...others.flatMap(({ seen }) => acceptsOf(seen))].find(
    requirements =>
      requirements.since !== undefined &&
      (chain ?? requirements.chain) === requirements.chain &&
      (query.payTo === undefined || sameAddress(query.payTo, requirements.payTo, requirements.chain)) &&
      isNew(requirements.since, now),
  )
  const replaced = others.find(each => isReplacedBy(each, first, now))
  return compact(
    replaced && toReplaced(replaced, now),
    arrived && say('payee_new', { asked: arrived.payTo, days: daysSince(arrived.since!, now) }),
    first.wasMoved && !isConfirmed && isNew(first.backing.sinceMs, now)
      ? say('listing_moved', { days: daysSince(first.backing.sinceMs, now) })
      : undefined,
  )
}

/**
 * Whether another listing says something about who is paid at a URL: one as close to it as the first, of the whole query or none; of a
 * stranger's only an older one. One above it says something about a new listing alone, and only if no stranger made it: others may sell
 * below it.
 */
function isEvidence(url: string, other: Listing, first: Listing, now: Date): boolean {
  const isStranger = isByStrangerToEndpoint(other)
  const isOlder = other.backing.sinceMs <= first.backing.sinceMs
  const query = queryOf(other.service.endpoint)
  const isWhole = query === '' || isWholeQuery(readQueryValues(url), query)
  if (other.isRetired || !other.isOfQuery || !(isOlder || !isStranger)) return false
  return other.distance <= first.distance && isWhole
    ? true
    : isOlder && !isStranger && isNew(first.backing.sinceMs, now)
}

/** Whether its endpoint was right within a week, for a payee that the endpoint of the first does not name any more. */
function isReplacedBy(other: Listing, first: Listing, now: Date): boolean {
  const { seen, service, backing } = other
  if (!seen || !wasNamed(other) || !isNew(seen.lostAt ?? seen.at, now)) return false
  if (isSamePayee(service, first.service) || namesForMoney(first, other)) return false
  return seen.lostAt !== undefined || (backing.isVerified && !namesPayeeOf(other, first.service))
}

/** As `namesPayeeOf`, but a thief can leave the payee on a test network. */
const namesForMoney = ({ seen, service }: Listing, other: Listing): boolean =>
  acceptsOf(seen).some(
    ({ payTo, chain }) =>
      (isTestNetwork(service.x402Config.network) || !isTestNetwork(chain)) &&
      sameAddress(other.service.x402Config.paymentAddress, payTo, chain),
  )

const isTestNetwork = (network: string): boolean => findChain(network)?.testnet === true

function toReplaced({ service: { id, name }, seen }: Listing, now: Date): Message {
  return say('payee_replaced', { id, name, days: daysSince(seen!.lostAt ?? seen!.at, now) })
}

const isNew = (at: string | number, now: Date): boolean => now.getTime() - new Date(at).getTime() < WEEK_MS

const daysSince = (at: string | number, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - new Date(at).getTime()) / DAY_MS))

function judgeStanding(listing: Listing, now: Date): Message[] {
  const { service, isSample, isFailing, isRetired, seen } = listing
  return compact(
    isSample ? say('sample') : undefined,
    isFailing ? say('listing_not_delivering') : undefined,
    service.status === 'unverified' ? say('listing_unverified', { why: whyUnverified(listing) }) : undefined,
    service.status === 'inactive' && !isRetired ? say('listing_inactive') : undefined,
    judgeAge(seen, now),
  )
}

/** What keeps it from being verified, as far as it is in the entry. */
function whyUnverified({ service, seen, isFailing, isDeclined }: Listing): Word<'unverified_cause'> {
  const [requested] = seen?.resources ?? []
  if (!seen || !requested) return isDeclined ? 'declined' : 'unseen'
  const payee = comparePayee(requested.ways, service.x402Config)
  if (!payee.network) return 'network'
  if (!payee.address) return 'payee'
  if (seen.price === 'higher') return 'price'
  if (isFailing) return 'delivery'
  return isDeclined ? 'declined' : 'probes'
}

function judgeAge(seen: Seen | undefined, now: Date): Message | undefined {
  if (!seen) return say('terms_never_seen')
  const ageMs = now.getTime() - Date.parse(seen.at)
  return ageMs <= WEEK_MS ? undefined : say('terms_seen_long_ago', { days: Math.floor(ageMs / DAY_MS) })
}

const judgePlace = ({ url }: ResolveQuery, { service: { endpoint }, isOfQuery }: Listing): Message[] =>
  compact(
    isOfQuery ? undefined : say('query_elsewhere', { listed: endpoint }),
    isSameOrigin(url, endpoint) ? undefined : say('origin_elsewhere', { listed: endpoint }),
  )

const comparedOf = (query: ResolveQuery): string[] =>
  (['payTo', 'amount', 'asset', 'network', 'scheme', 'method'] as const).filter(
    name => query[name] !== undefined,
  )

/** Payment requirements in a response. */
const MAX_SHOWN_REQUIREMENTS = 16

export function toResolution({ url }: ResolveQuery, { verdict, reasons, of }: UrlJudgement): Resolution {
  const head = {
    url,
    verdict,
    reasons: reasons.map(toSaid),
  }
  if (!of) return head
  const { listing, payment } = of
  const { id, name, status, trustScore, endpoint, pricing, x402Config } = listing.service
  return {
    ...head,
    service: { id, name, status, level: listing.level, trustScore },
    listed: {
      endpoint,
      paymentAddress: x402Config.paymentAddress,
      network: x402Config.network,
      currency: pricing.currency,
      pricePerRequest: pricing.pricePerRequest,
    },
    ...(listing.seen && {
      seen: {
        price: listing.seen.price,
        accepts: payment.accepts.slice(0, MAX_SHOWN_REQUIREMENTS),
      },
      seenAt: listing.seen.at,
    }),
  }
}
