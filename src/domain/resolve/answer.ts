// The encoded response. The part that only depends on the listing is the same in every response, and is encoded once.

import type { Message } from '../../messages/message.ts'
import { tellInEnglish } from '../../messages/tell-in-english.ts'
import { Encoded } from '../json/encoded.ts'
import type { SeenRequirements } from '../terms/terms.ts'
import type { SeenPlaces } from './judge-payment.ts'
import type { ListedService } from './listing.ts'
import type { ResolveQuery } from './query.ts'
import type { Resolution } from './resolution.ts'
import type { UrlJudgement } from './resolve.ts'

/** Payment requirements in a response. */
const MAX_SHOWN_REQUIREMENTS = 16

/** The end of a response in JSON, after the reasons. */
export type EncodedListing = {
  readonly listing: string
  /** The complete end including what was seen, where that does not depend on the query: one resource, or none. */
  readonly whole?: string
}

export function encodeListing(service: ListedService, seen: SeenPlaces | undefined): EncodedListing {
  const { id, name, status, trustScore, endpoint, pricing, x402Config } = service
  const fields: Pick<Resolution, 'service' | 'listed'> = {
    service: { id, name, status, trustScore },
    listed: {
      endpoint,
      paymentAddress: x402Config.paymentAddress,
      network: x402Config.network,
      currency: pricing.currency,
      pricePerRequest: pricing.pricePerRequest,
    },
  }
  const listing = toFields(fields)
  if (!seen) return { listing, whole: `${listing}}` }
  const [first, ...others] = seen.resources
  if (!first || others.length > 0) return { listing }
  return { listing, whole: `${listing}${toShownSeen(seen, first.accepts)}}` }
}

const toShownRequirements = ({ risks, ...requirements }: SeenRequirements) => ({
  ...requirements,
  ...(risks && { risks: [...risks] }),
})

function toShownSeen({ at, price }: SeenPlaces, accepts: readonly SeenRequirements[]): string {
  const fields: Pick<Resolution, 'seen' | 'seenAt'> = {
    seen: { price, accepts: accepts.slice(0, MAX_SHOWN_REQUIREMENTS).map(toShownRequirements) },
    seenAt: at,
  }
  return toFields(fields)
}

/** @param shown of the listing that represents the URL */
export function encodeResolution(
  { url }: ResolveQuery,
  { verdict, reasons, of }: UrlJudgement,
  shown?: EncodedListing,
): Encoded<Resolution> {
  const head: Pick<Resolution, 'url' | 'verdict' | 'reasons'> = {
    url,
    verdict,
    reasons: reasons.map(toReason),
  }
  if (!of || !shown) return Encoded.of<Resolution>(head)
  const { listing, payment } = of
  const seen = listing.seen && !shown.whole ? toShownSeen(listing.seen, payment.accepts) : ''
  const tail = shown.whole ?? `${shown.listing}${seen}}`
  return Encoded.ofText(JSON.stringify(head).slice(0, -'}'.length) + tail)
}

const toReason = (reason: Message): Resolution['reasons'][number] => ({
  code: reason.code,
  text: tellInEnglish(reason),
  values: reason.values,
})

const toFields = (fields: object): string => `,${JSON.stringify(fields).slice(1, -1)}`
