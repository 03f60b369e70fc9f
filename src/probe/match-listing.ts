/** Compares what an endpoint asks for with what its listing says: pure. */

import { addressProblem } from '../domain/addresses.ts'
import { chainKey, findChain } from '../domain/chains.ts'
import { CURRENCY_FAMILIES, compareDecimals, currencyKey, DECIMAL } from '../domain/money.ts'
import { sameAddress } from '../domain/same-address.ts'
import type { Part } from '../messages/kinds.ts'
import { type Message, say } from '../messages/message.ts'
import type { Payment } from './accepted-payment.ts'
import { shown } from './strangers-text.ts'

/** What a listing claims. Whatever is left out is not judged. */
export type Claims = {
  readonly paymentAddress?: string
  readonly network?: string
  readonly pricing?: { readonly currency: string; readonly pricePerRequest: string }
}

export type Check = {
  readonly check: Part<'check'>
  readonly passed: boolean
  readonly detail: Message
}

export type PriceDrift = {
  readonly listed: string
  readonly seen: string
  readonly currency: string
  /** What was seen is a maximum. */
  readonly upTo: boolean
}

export type Match = {
  readonly outcome: 'payable' | 'mismatched'
  readonly reasons: readonly Message[]
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

const MAX_SEEN = 4
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
    const { symbol: currency, upTo } = price
    const detail = priceDrift
      ? say('other_price', { price: priceDrift.seen, currency, upTo, listed: priceDrift.listed })
      : say('price_as_listed', { price: price.price, currency, upTo })
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
  const seen = firstFew(payments.map(payment => labelOf(payment.network)))
  return {
    check: 'network',
    passed,
    detail: passed
      ? say('network_as_registered', { network: labelOf(network) })
      : say('other_network', { ...seen, network: labelOf(network) }),
  }
}

function checkAddress(
  onNetwork: readonly Payment[],
  ours: readonly Payment[],
  { paymentAddress, network }: Claims,
): Check | undefined {
  if (paymentAddress === undefined || onNetwork.length === 0) return undefined
  const problem = network === undefined ? undefined : addressProblem(paymentAddress, network)
  if (problem) return { check: 'address', passed: false, detail: say('address_cannot_be_paid', { problem }) }
  const passed = ours.length > 0
  const seen = firstFew(onNetwork.map(({ payTo }) => shown(payTo)))
  return {
    check: 'address',
    passed,
    detail: passed
      ? say('address_as_registered', { address: shown(paymentAddress) })
      : say('other_address', { ...seen, address: shown(paymentAddress) }),
  }
}

/** A payer takes the first way that fits: a single one that pays somebody else leaves nothing proved. */
function checkOthers(undeclared: readonly string[], { paymentAddress, network }: Claims): Check | undefined {
  if (paymentAddress === undefined || network === undefined) return undefined
  const passed = undeclared.length === 0
  return {
    check: 'other_payees',
    passed,
    detail: passed ? say('no_other_payees') : say('other_payees', firstFew(undeclared.map(shown))),
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

/** Each once; of many the first few, and how many more there are. */
function firstFew(texts: readonly string[]): { seen: string[]; more: number } {
  const each = unique(texts)
  return { seen: each.slice(0, MAX_SEEN), more: Math.max(0, each.length - MAX_SEEN) }
}
