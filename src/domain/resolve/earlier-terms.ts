// Compares a payment with what the endpoint asked for before. A seller could list a low price or an honest wallet, and change it while a
// customer waits for the terms: an edit, or a new listing, takes seconds.
import { type Message, say } from '../../messages/message.ts'
import { findAsset } from '../chains/assets.ts'
import { sameAddress } from '../chains/same-address.ts'
import { addDecimals } from '../money/decimal-sum.ts'
import { compareDecimals, DECIMAL, toBoundedDecimal, toDecimal } from '../money/money.ts'
import { isSurelyMore, NO_RATES } from '../money/rates.ts'
import { type Price, type PriceUntil, RAISED_FOR_MS, type SeenRequirements } from '../terms/terms.ts'
import { isSameFamily, type PaymentQuestion, theOne } from './judge-payment.ts'

/** What was seen for a listing that is not read: it was removed, retired or moved, is one of a crowd, or names other payees now. */
export type EarlierTerms = {
  /** When it was seen last. */
  readonly at: string
  /** The highest price; null if none can be compared. */
  readonly asks: Price | null
  readonly payees: readonly NamedPayee[]
  /** The sorted query of the endpoint; empty if it has none. */
  readonly query: string
  /** Whether anybody could have listed it. */
  readonly isByStrangerToEndpoint: boolean
}

export type NamedPayee = Pick<SeenRequirements, 'chain' | 'payTo' | 'since'>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** How long a payee that replaced another counts as new. A hijacked endpoint, or a stolen key, is noticed within it. */
export const REPLACED_FOR_MS = 7 * DAY_MS

export const daysSince = (at: string | number, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - new Date(at).getTime()) / DAY_MS))

/**
 * Whether the payment is for much more than a price of the last day.
 * @param code price_risen: the endpoint asked for these prices; price_raised: the service was listed at them
 */
export function judgeRise(
  payment: PaymentQuestion,
  code: 'price_risen' | 'price_raised',
  before: readonly PriceUntil[],
  now: Date,
): Message | undefined {
  for (const lower of before) {
    const ageMs = now.getTime() - Date.parse(lower.until)
    const asked = ageMs < RAISED_FOR_MS ? findRise(payment, lower) : undefined
    if (asked === undefined) continue
    const hours = Math.max(0, Math.floor(ageMs / HOUR_MS))
    return say(code, { asked, before: `${lower.amount} ${lower.currency}`, hours })
  }
  return undefined
}

/** The requested price, if it is so much higher that a payer who chose the service by the lower one is misled. */
function findRise({ query, chain, accepts }: PaymentQuestion, lower: Price): string | undefined {
  if (query.amount === undefined) return undefined
  const asset = query.asset ?? theOne(accepts.map(requirements => requirements.asset))
  const network = chain ?? theOne(accepts.map(requirements => requirements.chain))
  const known = asset !== undefined && network !== undefined ? findAsset(network, asset) : undefined
  if (!known) return undefined
  const amount = BigInt(query.amount)
  const price = toDecimal(amount, known.decimals)
  const isRisen = isSameFamily(lower.currency, [known.symbol, known.currency])
    ? !DECIMAL.test(price) || isMuchMore(price, lower.amount)
    : isSurelyMore(
        { amount: toBoundedDecimal(amount, known.decimals), currency: known.currency },
        lower,
        NO_RATES,
      )
  return isRisen ? `${price} ${known.symbol}` : undefined
}

/** More than one and a half times as much. */
const isMuchMore = (price: string, lower: string): boolean =>
  compareDecimals(addDecimals(price, price), addDecimals(addDecimals(lower, lower), lower)) > 0

/**
 * Whether the endpoint asked for other payees until recently, and names none of them any more. Where one was of the kind of chain that is
 * paid now, the others say nothing: a thief can leave the seller's wallet on another. @param named the payees that it names now, the listed
 * one first
 */
export function judgeChange(
  earlier: readonly Pick<EarlierTerms, 'at' | 'payees'>[],
  named: readonly [NamedPayee, ...NamedPayee[]],
  now: Date,
): Message | undefined {
  const [{ chain: paid }] = named
  const changed = earlier.find(({ at, payees }) => {
    if (now.getTime() - Date.parse(at) >= REPLACED_FOR_MS) return false
    const alike = payees.filter(({ chain }) => namespaceOf(chain) === namespaceOf(paid))
    const compared = alike.length > 0 ? alike : payees
    return compared.length > 0 && !compared.some(payee => isNamed(payee, named))
  })
  return changed && say('payee_changed', { days: daysSince(changed.at, now) })
}

/** As in CAIP-2: eip155 for all EVM chains. */
export const namespaceOf = (chain: string): string => chain.split(':', 1)[0]!

/** On any chain: one key holds an address on all chains of its family. */
export const isNamed = ({ payTo, chain }: NamedPayee, named: readonly NamedPayee[]): boolean =>
  named.some(other => sameAddress(payTo, other.payTo, chain))
