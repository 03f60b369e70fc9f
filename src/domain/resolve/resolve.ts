// Whether a URL is safe to pay, from the listings that it lies below: pure.
import { type Message, say } from '../../messages/message.ts'
import { tellInEnglish } from '../../messages/tell.ts'
import { compareSpeakers, type Speaker } from '../backing.ts'
import { sameAddress } from '../same-address.ts'
import type { Service } from '../service.ts'
import type { Seen } from '../terms.ts'
import { toMessageRecord } from '../told.ts'
import { judgePayment, waysFor } from './judge-payment.ts'
import { isOddPath, isSameOrigin } from './place.ts'
import type { ResolveQuery } from './query.ts'
import type { Resolution, Verdict } from './resolution.ts'

/** A listing that a URL lies below. */
export type Listing = {
  readonly service: Service
  readonly speaker: Speaker
  /** How many places of the URL lie below its endpoint: the fewer, the closer it is. */
  readonly distance: number
  readonly isRetired: boolean
  readonly isSample: boolean
  readonly seen: Seen | undefined
}

/** What was seen longer ago than this may have changed. */
const MAX_SEEN_AGE_MS = 7 * 24 * 3_600_000
const DAY_MS = 24 * 3_600_000
const MAX_SHOWN_WAYS = 16

/** @param wasRemoved whether a listing that it lay below was removed here */
export function resolve(
  given: ResolveQuery,
  listings: readonly Listing[],
  { wasRemoved, now }: { readonly wasRemoved: boolean; readonly now: Date },
): Resolution {
  const [first, ...others] = listings.toSorted(compareListings)
  if (!first)
    return wasRemoved
      ? answer(given, 'stop', [say('removed')])
      : answer(given, 'unknown', [say('not_listed')])
  const payment = judgePayment(given, first.service, first.seen)
  const impostor = payment.stop.length > 0 ? findImpostor(given, others) : undefined
  const stop = [
    ...(first.isRetired ? [say('retired')] : []),
    ...payment.stop,
    ...(impostor ? [say('payee_of_other_listing', { id: impostor.id, name: impostor.name })] : []),
  ]
  const caution = [...judgeStanding(first, now), ...judgePlace(given, first), ...payment.caution]
  const verdict = stop.length > 0 ? 'stop' : caution.length > 0 ? 'caution' : 'clear'
  const reasons =
    verdict === 'clear' ? [say('as_listed_and_seen', { compared: comparedOf(given) })] : [...stop, ...caution]
  return answer(given, verdict, reasons, first)
}

/** Who speaks, as for one endpoint; of equals the one whose endpoint is closer. A stranger's closer listing counts for nothing. */
const compareListings = (a: Listing, b: Listing): number =>
  rank(b.speaker) - rank(a.speaker) || a.distance - b.distance || compareSpeakers(a.speaker, b.speaker)

const rank = ({ isClaimed, isVerified }: Speaker): number => (isVerified ? (isClaimed ? 2 : 1) : 0)

/** Another listing at the place of this one whom the payment would go to. */
const findImpostor = ({ payTo }: ResolveQuery, others: readonly Listing[]): Service | undefined =>
  payTo === undefined
    ? undefined
    : others.find(({ service: { x402Config } }) =>
        sameAddress(payTo, x402Config.paymentAddress, x402Config.network),
      )?.service

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

function answer(
  given: ResolveQuery,
  verdict: Verdict,
  reasons: readonly Message[],
  listing?: Listing,
): Resolution {
  return {
    url: given.url,
    verdict,
    reasons: reasons.map(reason => {
      const { code, values } = toMessageRecord(reason)
      return { code, text: tellInEnglish(reason), values }
    }),
    ...(listing && toShown(given, listing)),
  }
}

function toShown(given: ResolveQuery, { service, seen }: Listing) {
  const { id, name, status, trustScore, endpoint, pricing, x402Config } = service
  return {
    service: { id, name, status, trustScore },
    listed: {
      endpoint,
      paymentAddress: x402Config.paymentAddress,
      network: x402Config.network,
      currency: pricing.currency,
      pricePerRequest: pricing.pricePerRequest,
    },
    ...(seen && {
      seen: {
        price: seen.price,
        ways: waysFor(given, seen)
          .slice(0, MAX_SHOWN_WAYS)
          .map(way => ({ ...way })),
      },
      seenAt: seen.at,
    }),
  }
}
