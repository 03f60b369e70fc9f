/** Compares what an endpoint asks for with what its listing says: pure. */

import { addressProblem } from '../domain/addresses.ts'
import { chainKey, findChain } from '../domain/chains.ts'
import { CURRENCY_FAMILIES, compareDecimals, currencyKey, DECIMAL } from '../domain/money.ts'
import { sameAddress } from '../domain/same-address.ts'
import type { Payment } from './accepted-payment.ts'
import { shown } from './strangers-text.ts'

/** What a listing claims. Whatever is left out is not judged. */
export type Claims = {
  readonly paymentAddress?: string
  readonly network?: string
  readonly pricing?: { readonly currency: string; readonly pricePerRequest: string }
}

export type Check = { readonly check: string; readonly passed: boolean; readonly detail: string }

export type PriceDrift = {
  readonly listed: string
  readonly seen: string
  readonly currency: string
  /** What was seen is a maximum. */
  readonly upTo: boolean
}

export type Match = {
  readonly outcome: 'payable' | 'mismatched'
  readonly reasons: readonly string[]
  readonly checks: readonly Check[]
  /** Exact decimal in units of `currencySeen`; null where the asset is unknown. */
  readonly priceSeen: string | null
  readonly currencySeen: string | null
  readonly priceDrift: PriceDrift | null
  /** Chains besides the registered one, each once, by name where known. */
  readonly furtherChains: readonly string[]
  /** Addresses besides the registered one that are paid on the registered network. */
  readonly undeclaredAddresses: readonly string[]
}

/** More would be decoration, and is kept with every entry. */
const MAX_FURTHER_CHAINS = 16

/** @param payments at least one */
export function matchListing(payments: readonly Payment[], claims: Claims): Match {
  const { paymentAddress, network } = claims
  const onNetwork =
    network === undefined ? payments : payments.filter(({ chain }) => chain === chainKey(network))
  const isOurs = (payment: Payment) =>
    paymentAddress === undefined || sameAddress(payment.payTo, paymentAddress, payment.network)
  const ours = onNetwork.filter(isOurs)
  const undeclaredAddresses = unique(onNetwork.filter(payment => !isOurs(payment)).map(({ payTo }) => payTo))

  const named = [checkNetwork(payments, onNetwork, network), checkAddress(onNetwork, ours, claims)].filter(
    check => check !== undefined,
  )
  const isNamed = named.every(check => check.passed)
  const others = isNamed ? checkOthers(undeclaredAddresses, claims) : undefined
  const isPayable = isNamed && (others?.passed ?? true)
  const checks = [...named, ...(others ? [others] : [])]
  const price = isNamed ? choosePrice(ours, claims.pricing) : undefined
  const priceDrift = price ? toDrift(price, claims.pricing) : null
  if (price && claims.pricing) {
    const detail = priceDrift ? driftSentence(priceDrift) : `It asks ${priceText(price)}, as listed.`
    if (isComparable(price, claims.pricing)) checks.push({ check: 'price', passed: !priceDrift, detail })
  }
  return {
    outcome: isPayable ? 'payable' : 'mismatched',
    reasons: [
      ...checks.filter(check => check !== others && (isNamed || !check.passed)),
      ...(others && !others.passed ? [others] : []),
    ].map(({ detail }) => detail),
    checks,
    priceSeen: price?.price ?? null,
    currencySeen: price?.symbol ?? null,
    priceDrift,
    furtherChains: furtherChains(payments, network),
    undeclaredAddresses,
  }
}

function checkNetwork(
  payments: readonly Payment[],
  onNetwork: readonly Payment[],
  network: string | undefined,
): Check | undefined {
  if (network === undefined) return undefined
  const passed = onNetwork.length > 0
  const seen = list(unique(payments.map(payment => labelOf(payment.network))))
  return {
    check: 'network',
    passed,
    detail: passed
      ? `It takes payment on ${labelOf(network)}, the registered network.`
      : `It takes payment on ${seen}, not on ${labelOf(network)}, the registered network.`,
  }
}

function checkAddress(
  onNetwork: readonly Payment[],
  ours: readonly Payment[],
  { paymentAddress, network }: Claims,
): Check | undefined {
  if (paymentAddress === undefined || onNetwork.length === 0) return undefined
  const problem = network === undefined ? undefined : addressProblem(paymentAddress, network)
  if (problem)
    return { check: 'address', passed: false, detail: `The registered address cannot be paid. ${problem}` }
  const passed = ours.length > 0
  const seen = list(unique(onNetwork.map(({ payTo }) => shown(payTo))))
  return {
    check: 'address',
    passed,
    detail: passed
      ? `It asks to pay ${shown(paymentAddress)}, the registered address.`
      : `It asks to pay ${seen}, not ${shown(paymentAddress)}, the registered address.`,
  }
}

/** A payer takes the first way that fits: a single one that pays somebody else leaves nothing proved. */
function checkOthers(undeclared: readonly string[], { paymentAddress, network }: Claims): Check | undefined {
  if (paymentAddress === undefined || network === undefined) return undefined
  const passed = undeclared.length === 0
  return {
    check: 'other_payees',
    passed,
    detail: passed
      ? 'On the same network it asks to pay nobody else.'
      : `On the same network it also asks to pay ${list(undeclared.map(shown))}.`,
  }
}

type Priced = Payment & { readonly price: string; readonly symbol: string; readonly currency: string }
type Pricing = Claims['pricing']

/** The lowest price in the listing's currency, else the lowest at all. */
function choosePrice(payments: readonly Payment[], pricing: Pricing): Priced | undefined {
  const priced = payments.filter((payment): payment is Priced => DECIMAL.test(payment.price ?? ''))
  const comparable = priced.filter(payment => isComparable(payment, pricing))
  const candidates = comparable.length > 0 ? comparable : priced
  return candidates.toSorted((a, b) => compareDecimals(a.price, b.price))[0]
}

function isComparable(payment: Priced, pricing: Pricing): boolean {
  if (!pricing || !DECIMAL.test(pricing.pricePerRequest)) return false
  const listed = currencyKey(pricing.currency)
  const paid = [currencyKey(payment.symbol), currencyKey(payment.currency)]
  return (
    paid.includes(listed) ||
    Object.values(CURRENCY_FAMILIES).some(
      (family: readonly string[]) =>
        family.includes(listed) && paid.some(currency => family.includes(currency)),
    )
  )
}

function toDrift(payment: Priced, pricing: Pricing): PriceDrift | null {
  if (!pricing || !isComparable(payment, pricing)) return null
  const difference = compareDecimals(pricing.pricePerRequest, payment.price)
  // Below a maximum every price is as announced.
  if (difference === 0 || (payment.upTo && difference < 0)) return null
  return {
    listed: pricing.pricePerRequest,
    seen: payment.price,
    currency: payment.symbol,
    upTo: payment.upTo,
  }
}

const priceText = ({ price, symbol, upTo }: Priced) => `${upTo ? 'up to ' : ''}${price} ${symbol} a request`

const driftSentence = ({ listed, seen, currency, upTo }: PriceDrift) =>
  `It asks ${upTo ? 'up to ' : ''}${seen} ${currency} a request; the listing says ${listed}.`

function furtherChains(payments: readonly Payment[], network: string | undefined): string[] {
  const own = network === undefined ? undefined : chainKey(network)
  const byChain = new Map(payments.map(payment => [payment.chain, payment.network]))
  return [...byChain]
    .filter(([chain, spelling]) => chain !== own && /^[\x21-\x7e]{1,64}$/.test(spelling))
    .map(([, spelling]) => findChain(spelling)?.name ?? spelling)
    .slice(0, MAX_FURTHER_CHAINS)
}

const labelOf = (network: string) => findChain(network)?.label ?? shown(network)

const unique = (texts: readonly string[]) => [...new Set(texts)]

const list = (texts: readonly string[]) =>
  texts.length > 4 ? `${texts.slice(0, 4).join(', ')} and ${texts.length - 4} more` : texts.join(' and ')
