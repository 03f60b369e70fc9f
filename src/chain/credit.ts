// Which of the services at an address a settlement counts for.
import { type Asset, findAsset } from '../domain/assets.ts'
import { isClaimed, toSpeaker } from '../domain/backing.ts'
import { CURRENCY_FAMILIES, currencyKey } from '../domain/money.ts'
import { isSinceMove } from '../domain/own-payment.ts'
import type { Entry } from '../domain/service.ts'
import type { Payment } from '../store/payments.ts'

/** A service that a payment to its address can count for. */
export type Candidate = {
  readonly serviceId: string
  readonly currency: string
  /** The wallet itself has claimed it. */
  readonly isClaimed: boolean
  /** Milliseconds since 1970 at which it came to where it is. */
  readonly sinceMs: number
  /** Who listed it: two of one hand are told apart by their price. */
  readonly hand: string
  /** What it asks for a request, in units of its currency. */
  readonly prices: readonly string[]
  /** What was paid before is not its own. */
  readonly movedAt?: string
}

/** Returns undefined for an entry that an operator hid, or that has neither been claimed by the wallet nor been seen to ask payment to it. */
export function toCandidate(entry: Entry): Candidate | undefined {
  const { id, owner, pricing, provenance, movedAt, endpoint } = entry
  const claimed = isClaimed(entry)
  if (entry.hidden || (!claimed && entry.standing.status !== 'verified')) return undefined
  return {
    serviceId: id,
    currency: pricing.currency,
    isClaimed: claimed,
    sinceMs: toSpeaker(entry).sinceMs,
    hand: owner ?? `${provenance.sourceUrl ?? ''} ${new URL(endpoint).origin}`,
    prices: [pricing.pricePerRequest],
    ...(movedAt !== undefined && { movedAt }),
  }
}

/** Claimed ones first, then by age. */
export const compareCandidates = (a: Candidate, b: Candidate): number =>
  Number(b.isClaimed) - Number(a.isClaimed) || a.sinceMs - b.sinceMs || (a.serviceId < b.serviceId ? -1 : 1)

/**
 * The first candidate that sells for this money and whose price fits. Its own hand may have several services at the address: of
 * those the one whose price was paid. A stranger's copy comes later, or without a claim, and takes nothing away.
 * @param candidates in the order of `compareCandidates`
 */
export function creditTo(payment: Payment, candidates: readonly Candidate[], now: Date): string | null {
  const asset = findAsset(payment.chain, payment.asset)
  if (!asset) return null
  const fitting = candidates.filter(
    ({ currency, prices, movedAt }) =>
      isSameMoney(currency, asset) &&
      isSinceMove(payment.at, movedAt, now) &&
      prices.some(price => isAtLeastTenth(payment.amount, price)),
  )
  const [first] = fitting
  if (!first) return null
  const ofOneHand = fitting.filter(each =>
    first.isClaimed ? each.isClaimed : !each.isClaimed && each.hand === first.hand,
  )
  const asked = ofOneHand.find(({ prices }) =>
    prices.some(price => toUnits(price) === toUnits(payment.amount)),
  )
  return (asked ?? first).serviceId
}

const FAMILIES: Readonly<Record<Asset['currency'], readonly string[]>> = {
  USD: CURRENCY_FAMILIES.dollar,
  EUR: CURRENCY_FAMILIES.euro,
  JPY: CURRENCY_FAMILIES.yen,
}

function isSameMoney(listed: string, { symbol, currency }: Asset): boolean {
  const key = currencyKey(listed)
  return key === currencyKey(symbol) || FAMILIES[currency].includes(key)
}

/** Less than a tenth of a price buys nothing: it is dust, sent to make a service look used. */
const isAtLeastTenth = (amount: string, price: string): boolean => toUnits(amount) * 10n >= toUnits(price)

/** In billionths of billionths: no known asset has smaller units. */
function toUnits(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(18, '0'))
}
