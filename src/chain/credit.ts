// Which of the services at an address a settlement counts for.
import { type Asset, findAsset } from '../domain/assets.ts'
import { isClaimed, toSpeaker } from '../domain/backing.ts'
import { chainKey } from '../domain/chains.ts'
import { CURRENCY_FAMILIES, currencyKey, toDecimal } from '../domain/money.ts'
import { isSinceMove } from '../domain/own-payment.ts'
import { sameAddress } from '../domain/same-address.ts'
import type { Entry } from '../domain/service.ts'
import type { SeenRequirements } from '../domain/terms.ts'
import type { SettlementRecord } from '../store/payments.ts'

/**
 * By what a service is credited, the best first: its wallet has claimed it; its terms are as listed, now or when it last answered;
 * its endpoint asks payment to the wallet, though not as listed.
 */
const RIGHTS = ['claimed', 'verified', 'asking'] as const
type Right = (typeof RIGHTS)[number]

/** A service that a payment to its address can count for. */
export type Candidate = {
  readonly serviceId: string
  readonly currency: string
  readonly right: Right
  /** Milliseconds since 1970 at which it came to where it is. */
  readonly sinceMs: number
  /** Who listed it: two of one hand are told apart by their price. */
  readonly hand: string
  /** What it was last seen asking, in units of its currency; the listed price where it was never read. */
  readonly prices: readonly string[]
  /** What was paid before is not its own. */
  readonly movedAt?: string
}

/** Returns undefined for an entry that an operator hid, or that has neither been claimed by the wallet nor been seen to ask payment to it. */
export function toCandidate(entry: Entry): Candidate | undefined {
  const { id, owner, pricing, provenance, movedAt, endpoint } = entry
  const ways = waysHere(entry)
  const right = rightOf(entry, ways.length > 0)
  // What the operator has hidden is taken for nothing, an impostor's listing above all.
  if (!right || entry.hidden) return undefined
  const asked = ways.flatMap(({ chain, asset, amount }) => {
    const known = findAsset(chain, asset)
    const isComparable = known && isSameMoney(pricing.currency, known)
    return isComparable ? [toDecimal(BigInt(amount), known.decimals)] : []
  })
  return {
    serviceId: id,
    currency: pricing.currency,
    right,
    sinceMs: toSpeaker(entry).sinceMs,
    hand: owner ?? `${provenance.sourceUrl ?? ''} ${new URL(endpoint).origin}`,
    prices: asked.length > 0 ? [...new Set(asked)].sort() : [pricing.pricePerRequest],
    ...(movedAt !== undefined && { movedAt }),
  }
}

/** The ways to pay that were last seen at its endpoint and pay the listed address on the listed network. */
function waysHere({ seen, x402Config: { network, paymentAddress } }: Entry): SeenRequirements[] {
  const chain = chainKey(network)
  const isHere = (requirements: SeenRequirements) =>
    requirements.chain === chain && sameAddress(requirements.payTo, paymentAddress, chain)
  return (seen?.resources ?? []).flatMap(({ ways }) => ways.filter(isHere))
}

/** What has failed since it was last read keeps what it had: a copy that still answers does not take it over meanwhile. */
function rightOf(entry: Entry, isSeenHere: boolean): Right | undefined {
  if (isClaimed(entry)) return 'claimed'
  const { status } = entry.standing
  if (status === 'verified' || (status === 'inactive' && isSeenHere)) return 'verified'
  return isSeenHere ? 'asking' : undefined
}

/** By their right, then by age. */
export const compareCandidates = (a: Candidate, b: Candidate): number =>
  RIGHTS.indexOf(a.right) - RIGHTS.indexOf(b.right) ||
  a.sinceMs - b.sinceMs ||
  (a.serviceId < b.serviceId ? -1 : 1)

/**
 * The first candidate that sells for this money and whose price fits. Its own hand may have several services at the address: of
 * those the one whose price was paid. A stranger's copy comes later, or without a claim, and takes nothing away.
 * @param candidates in the order of `compareCandidates`
 */
export function creditTo(
  payment: SettlementRecord,
  candidates: readonly Candidate[],
  now: Date,
): string | null {
  const asset = findAsset(payment.chain, payment.asset)
  if (!asset) return null
  const fitting = candidates.filter(
    ({ serviceId, currency, prices, movedAt }) =>
      isSameMoney(currency, asset) &&
      isSinceMove(payment.at, movedAt, now) &&
      // What was enough when it was read stays enough: a service that raises its price loses nothing of its past.
      (serviceId === payment.serviceId || prices.some(price => isAtLeastTenth(payment.amount, price))),
  )
  const [first] = fitting
  if (!first) return null
  const isClaimedHere = first.right === 'claimed'
  const ofOneHand = fitting.filter(({ right, hand }) =>
    isClaimedHere ? right === 'claimed' : hand === first.hand,
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

/** Returns whether the service asks for this very amount, or for no more than ten times as much. */
export function priceFit({ prices }: Candidate, amount: string): 'exact' | 'near' | 'dust' {
  if (prices.some(price => toUnits(price) === toUnits(amount))) return 'exact'
  return prices.some(price => isAtLeastTenth(amount, price)) ? 'near' : 'dust'
}

/** Less than a tenth of a price buys nothing: it is dust, sent to make a service look used. */
const isAtLeastTenth = (amount: string, price: string): boolean => toUnits(amount) * 10n >= toUnits(price)

/** In billionths of billionths: no known asset has smaller units. */
function toUnits(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(18, '0'))
}
