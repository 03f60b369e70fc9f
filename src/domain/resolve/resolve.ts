// Whether a URL is safe to pay, from the listings that it lies below: pure.
import { type Message, say } from '../../messages/message.ts'
import type { Speaker } from '../backing.ts'
import { sameAddress } from '../same-address.ts'
import type { Entry, Service } from '../service.ts'
import {
  isAsSeen,
  judgeArrival,
  judgePayment,
  type Payment,
  type SeenPlaces,
  toPayment,
} from './judge-payment.ts'
import { isOddPath, isSameOrigin } from './place.ts'
import type { ResolveQuery } from './query.ts'
import type { Verdict } from './resolution.ts'

/** What of a service an answer tells. */
export type ListedService = Pick<
  Service,
  'id' | 'name' | 'status' | 'trustScore' | 'endpoint' | 'pricing' | 'x402Config'
>

/** A listing that a URL lies below. */
export type Listing = {
  readonly service: ListedService
  readonly speaker: Omit<Speaker, 'id'>
  /** How many places of the URL lie below its endpoint: the fewer, the closer it is. */
  readonly distance: number
  readonly isRetired: boolean
  readonly isSample: boolean
  readonly seen: SeenPlaces | undefined
}

/** What was seen longer ago than this may have changed. */
const MAX_SEEN_AGE_MS = 7 * 24 * 3_600_000
const DAY_MS = 24 * 3_600_000

type Gone = {
  /** Those that the URL lies below and that an operator took out of sight. */
  readonly hidden: readonly Entry[]
  /** Whether a listing that it lay below was removed here. */
  readonly wasRemoved: boolean
  readonly now: Date
}

export type Judged = {
  readonly verdict: Verdict
  readonly reasons: readonly Message[]
  /** The listing that speaks, and the payment beside what was seen of it. */
  readonly of?: { readonly listing: Listing; readonly payment: Payment }
}

/** @param listings the one that speaks comes first */
export function judgeUrl(
  given: ResolveQuery,
  listings: readonly Listing[],
  { hidden, wasRemoved, now }: Gone,
): Judged {
  const first = listings[0]
  if (!first) return judgeGone(hidden, wasRemoved)
  const payment = toPayment(given, first.seen)
  const money = judgePayment(payment, first.service)
  const word = [...(first.isRetired ? [say('retired')] : []), ...money.stop]
  const isDoubtful = isAnybodys(first) || (first.service.status === 'unverified' && isAsSeen(payment))
  const against = isDoubtful ? [] : word
  const stop = [...against, ...(against.length > 0 ? judgeOthers(given, listings.slice(1), hidden) : [])]
  const caution = [
    ...(isDoubtful ? word : []),
    ...judgeStanding(first, now),
    ...judgePlace(given, first),
    ...judgeArrival(payment, now),
    ...money.caution,
  ]
  const of = { listing: first, payment }
  if (stop.length > 0) return { verdict: 'stop', reasons: [...stop, ...caution], of }
  if (caution.length > 0) return { verdict: 'caution', reasons: caution, of }
  return { verdict: 'clear', reasons: [say('as_listed_and_seen', { compared: comparedOf(given) })], of }
}

/**
 * Anybody can list somebody's URL, with another payee or at another price, and retire it again. That is no word against what the
 * endpoint itself asks for, nor against anything where the endpoint has never answered for the listing.
 */
const isAnybodys = ({ speaker, seen }: Listing): boolean =>
  speaker.isByWallet && !speaker.isProved && !speaker.isVerified && seen === undefined

function judgeGone([hidden]: readonly Entry[], wasRemoved: boolean): Judged {
  if (hidden)
    return { verdict: 'stop', reasons: [say('hidden_by_operator', { why: hidden.hidden?.why ?? '' })] }
  return wasRemoved
    ? { verdict: 'stop', reasons: [say('removed')] }
    : { verdict: 'unknown', reasons: [say('not_listed')] }
}

export type Ranked = Pick<Listing, 'speaker' | 'distance' | 'isRetired'>

/**
 * Who speaks comes first, as for one endpoint; of equals the oldest. Only where the payee itself has listed both the closer one
 * speaks: anybody can list a closer path with somebody's wallet, at any price.
 */
export function compareStanding(a: Ranked, b: Ranked): number {
  const byDistance = a.distance - b.distance
  const byAge = a.speaker.sinceMs - b.speaker.sinceMs
  return rank(b) - rank(a) || (isOfPayee(a) ? byDistance || byAge : byAge || byDistance)
}

/** A claim or a proof counts while it is verified, and what is retired is not: it speaks where nothing else is listed. */
const rank = ({ speaker, isRetired }: Ranked): number => {
  const { isClaimed, isProved, isVerified } = speaker
  if (isRetired) return 0
  return isVerified ? 2 + (isClaimed ? 2 : 0) + (isProved ? 1 : 0) : 1
}

const isOfPayee = ({ speaker }: Ranked): boolean => speaker.isVerified && speaker.isClaimed

/** Whom the payment would go to, where that is another listing of the place. */
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
  return [
    ...(other ? [say('payee_of_other_listing', { id: other.id, name: other.name })] : []),
    ...(impostor ? [say('hidden_by_operator', { why: impostor.hidden?.why ?? '' })] : []),
  ]
}

function judgeStanding({ service, isSample, seen }: Listing, now: Date): Message[] {
  const reasons: Message[] = []
  if (isSample) reasons.push(say('sample'))
  if (service.status === 'unverified') reasons.push(say('listing_unverified'))
  if (service.status === 'inactive') reasons.push(say('listing_inactive'))
  if (!seen) return [...reasons, say('terms_never_seen')]
  const ageMs = now.getTime() - Date.parse(seen.at)
  if (!(ageMs <= MAX_SEEN_AGE_MS))
    reasons.push(say('terms_seen_long_ago', { days: Math.floor(ageMs / DAY_MS) }))
  return reasons
}

function judgePlace({ url }: ResolveQuery, { service }: Listing): Message[] {
  return [
    ...(isSameOrigin(url, service.endpoint) ? [] : [say('origin_elsewhere', { listed: service.endpoint })]),
    ...(isOddPath(url) ? [say('path_with_escapes')] : []),
  ]
}

const comparedOf = (given: ResolveQuery): string[] =>
  (['payTo', 'amount', 'asset', 'network', 'scheme', 'method'] as const).filter(
    name => given[name] !== undefined,
  )
