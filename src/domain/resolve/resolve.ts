// Whether a URL is safe to pay, judged by the listings that it is below; pure.
import type { Part } from '../../messages/kinds.ts'
import { type Message, present, say } from '../../messages/message.ts'
import { chainKey } from '../chains/chains.ts'
import { sameAddress } from '../chains/same-address.ts'
import { isByAnybody, isClaimed } from '../listing/backing.ts'
import type { Entry, Service } from '../listing/service.ts'
import { comparePayee } from '../terms/payee-seen.ts'
import type { SeenRequirements } from '../terms/terms.ts'
import { readAsset } from './asset-symbol.ts'
import { type EarlierTerms, isNamed, judgeRise } from './earlier-terms.ts'
import {
  evidenceFor,
  evidenceIn,
  judgeArrivals,
  judgeCheaper,
  judgeMove,
  judgeReplaced,
  olderIn,
  pricesBefore,
} from './evidence.ts'
import {
  isAsSeen,
  judgePayment,
  type PaymentQuestion,
  type SeenPlaces,
  toPaymentQuestion,
} from './judge-payment.ts'
import {
  isByStrangerToEndpoint,
  isSamePayee,
  type Listing,
  type Payee,
  payeeOf,
  type Ranked,
  toPayee,
} from './listing.ts'
import { isOddPath, isSameOrigin, placeOf } from './place.ts'
import type { ResolveQuery } from './query.ts'
import type { Verdict } from './resolution.ts'

/** Terms that were seen longer ago may have changed. */
const MAX_SEEN_AGE_MS = 7 * 24 * 3_600_000
const DAY_MS = 24 * 3_600_000

type JudgeContext = {
  /** Hidden entries that the URL is below. */
  readonly hidden: readonly Entry[]
  /** Whether a listing that it was below was removed here. */
  readonly wasRemoved: boolean
  /** Of listings that the URL is or was below, and that are not read. */
  readonly earlier?: readonly (EarlierTerms & { readonly distance: number })[]
  readonly now: Date
}

export type UrlJudgement<L extends Listing = Listing> = {
  readonly verdict: Verdict
  readonly reasons: readonly Message[]
  /** The listing that represents the URL, and the payment with the terms that were seen. */
  readonly of?: { readonly listing: L; readonly payment: PaymentQuestion }
}

/** @param listings in the order of `compareStanding` */
export function judgeUrl<L extends Listing>(
  asked: ResolveQuery,
  listings: readonly L[],
  { hidden, wasRemoved, earlier = [], now }: JudgeContext,
): UrlJudgement<L> {
  const first = representativeOf(listings)
  if (!first) return judgeGone(asked.url, hidden, wasRemoved)
  const { query, note } = readAsset(asked, first)
  const payment = toPaymentQuestion(query, first.seen)
  const evidence = evidenceIn(query.url, first, listings)
  const older = olderIn(query.url, first, listings)
  const isEvidence = evidenceFor(query.url, first)
  const unread = earlier.filter(terms => isEvidence({ ...terms, isWithdrawn: true }))
  const others = { evidence, older, unread }
  const cheaper = judgeCheaper(query, first, evidence)
  const impostor = hidden.find(
    entry => isOfPayeeOrOperator(entry) && isSamePayee(toPayee(entry), payeeOf(first)),
  )
  const money = judgePayment(payment, first.service)
  const isDoubtful =
    isUnproven(first, payment) ||
    (first.service.status !== 'verified' && !wasProved(first) && isAsSeen(payment))
  const retired = retiredBehind(first, listings)
  const isOver = retired !== first || (first.isRetired && !isUnproven(first, payment) && mayRetire(first))
  // The words of a stranger, who may have listed it only to retire it, are passed on to nobody.
  const message = isOver ? (retired.retirement ?? null) : null
  const against = retired.isRetired ? [say('retired', { message }), ...money.stop] : money.stop
  const caution = present(
    ...judgeStanding(first, now),
    ...judgePlace(query, first),
    judgeArrivals(payment, first, others, now),
    cheaper ??
      judgeRise(payment, 'price_risen', pricesBefore(first, evidence, unread), now) ??
      judgeRise(payment, 'price_raised', first.seen?.raised ?? [], now),
    judgeReplaced(query, first, others, earlier, now),
    judgeMove(first, now),
    isByStranger(first.backing) && wasRemoved ? say('removed') : undefined,
    note,
    ...money.caution,
  )
  const of = { listing: first, payment }
  if (impostor) return { verdict: 'stop', reasons: [toHiddenReason(impostor), ...against, ...caution], of }
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

/**
 * Anybody can list the URL of another provider with another payee or price, and retire it again. Such a listing is no evidence against a
 * payment that the endpoint itself requests, nor against anything that the endpoint was not probed for: another query, or a URL
 * below it, unless the payee has listed it.
 */
function isUnproven(
  { backing, seen, distance, isOfQuery, isByStrangerToEndpoint }: Listing,
  { own }: PaymentQuestion,
): boolean {
  if (!isOfQuery) return true
  if (!backing.isByAnybody || backing.isNamedByDomain) return false
  if (!backing.isVerified && seen === undefined) return true
  const isOwn = distance === 0 || own.length > 0
  return !isOwn && (isByStrangerToEndpoint || !backing.isVerified)
}

/**
 * Whether the endpoint itself has named the listed payee, and no stranger listed it. What it asks for since then may be the work of a
 * thief, or a bait that was raised.
 */
const wasProved = (listing: Listing): boolean =>
  !listing.isByStrangerToEndpoint && (listing.seen?.lostAt !== undefined || names(listing, payeeOf(listing)))

/**
 * Whether the owner of the listing can declare the service retired: keys of the operator, whoever the domain names, and a wallet to which
 * the endpoint itself was seen to request payment. Anybody else could list a URL only to retire it.
 */
function mayRetire({ backing, seen, service: { x402Config } }: Listing): boolean {
  if (!backing.isByAnybody || backing.isNamedByDomain) return true
  const { paymentAddress, network } = x402Config
  const isPaid = ({ chain, payTo }: SeenRequirements) =>
    chain === chainKey(network) && sameAddress(payTo, paymentAddress, network)
  return backing.isClaimed && seen?.resources.some(({ accepts }) => accepts.some(isPaid)) === true
}

/** Whether the operator or the payee listed it. */
const isOfPayeeOrOperator = (entry: Entry): boolean => isClaimed(entry) || !isByAnybody(entry)

/** A stranger who lists again what its payee has retired does not bring it back. */
const retiredBehind = <L extends Listing>(first: L, listings: readonly L[]): L =>
  (isByStranger(first.backing) && !first.isRetired
    ? listings.find(
        each =>
          each.isRetired && each.isOfQuery && mayRetire(each) && isSamePayee(payeeOf(each), payeeOf(first)),
      )
    : undefined) ?? first

/** What a stranger listed above the URL, and the operator hid, says nothing about it: others sell on the same host. */
function judgeGone(url: string, all: readonly Entry[], wasRemoved: boolean): UrlJudgement<never> {
  const hidden = all.find(entry => !isByStrangerToEndpoint(entry) || placeOf(entry.endpoint) === placeOf(url))
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
  return rank(b) - rank(a) || (isOfPayee(a) ? byDistance || byAge : byAge || byDistance)
}

/**
 * A claim or a proof counts while it is verified. A retired listing ranks below all others of its query, and a listing with another
 * query ranks below everything else.
 */
const rank = ({ backing, isOfQuery, isRetired }: Ranked): number => {
  const { isClaimed, hasDomainProof, isVerified } = backing
  const place = isOfQuery ? 10 : 0
  if (isRetired) return place
  if (!isVerified) return place + 1
  return place + 2 + (isByStranger(backing) ? 0 : 1) + (hasDomainProof ? 2 : 0) + (isClaimed ? 4 : 0)
}

/** As `isByStranger` of an entry. */
const isByStranger = ({ isByAnybody, isClaimed, isNamedByDomain }: Ranked['backing']): boolean =>
  isByAnybody && !isClaimed && !isNamedByDomain

/**
 * The first listing, unless a closer one is verified for another payee: on a host of many sellers, no listing represents the path of
 * another seller. A stranger's listing whose endpoint also pays the first payee is of the same seller.
 */
function representativeOf<L extends Listing>(listings: readonly L[]): L | undefined {
  const [first] = listings
  if (!first) return undefined
  const isOfOther = (each: L) =>
    !isSamePayee(payeeOf(first), payeeOf(each)) &&
    !names(first, payeeOf(each)) &&
    !(each.isByStrangerToEndpoint && names(each, payeeOf(first)))
  const others = listings.filter(
    each =>
      each.distance < first.distance &&
      each.isOfQuery &&
      each.backing.isVerified &&
      !each.isRetired &&
      isOfOther(each),
  )
  return others.toSorted((a, b) => a.distance - b.distance)[0] ?? first
}

/** Whether its endpoint was seen to name a payee. */
const names = ({ seen }: Listing, { address, network }: Payee): boolean =>
  isNamed(
    { payTo: address, chain: chainKey(network) },
    seen?.resources.flatMap(({ accepts }) => accepts) ?? [],
  )

const isOfPayee = ({ backing }: Ranked): boolean => backing.isVerified && backing.isClaimed

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
    impostor && toHiddenReason(impostor),
  )
}

const toHiddenReason = ({ hidden }: Entry): Message => say('hidden_by_operator', { why: hidden?.why ?? '' })

function judgeStanding(listing: Listing, now: Date): Message[] {
  const { service, isSample, isFailing, isRetired, seen } = listing
  return present(
    isSample ? say('sample') : undefined,
    service.status === 'unverified' ? say('listing_unverified', { why: whyUnverified(listing) }) : undefined,
    isFailing ? say('listing_not_delivering') : undefined,
    service.status === 'inactive' && !isRetired ? say('listing_inactive') : undefined,
    judgeAge(seen, now),
  )
}

/** What keeps it from being verified, as far as it is in memory. */
function whyUnverified({ service, seen, isFailing }: Listing): Part<'unverified_cause'> {
  const [requested] = seen?.resources ?? []
  if (!seen || !requested) return 'unseen'
  const payee = comparePayee(requested.accepts, service.x402Config)
  if (!payee.network) return 'network'
  if (!payee.address) return 'payee'
  if (seen.price === 'higher') return 'price'
  return isFailing ? 'delivery' : 'probes'
}

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
