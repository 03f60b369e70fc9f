/** Compares what an endpoint asks for with what its listing says: pure. */

import { addressProblem } from '../domain/addresses.ts'
import { isSameMoney } from '../domain/assets.ts'
import { chainKey, findChain } from '../domain/chains.ts'
import { compareAtomic, toBoundedDecimal } from '../domain/money.ts'
import { sameAddress } from '../domain/same-address.ts'
import { comparePrice, type Price, type PriceSeen } from '../domain/terms.ts'
import type { Part } from '../messages/kinds.ts'
import { type Message, say } from '../messages/message.ts'
import type { Payment, UnreadWay } from './accepted-payment.ts'
import { firstFew as fewFaults, shown } from './strangers-text.ts'

/** What a listing claims. Whatever is left out is not judged. */
export type Claims = {
  readonly paymentAddress?: string
  readonly network?: string
  readonly pricing?: { readonly currency: string; readonly pricePerRequest: string }
}

export type Read = { readonly payments: readonly Payment[]; readonly unread: readonly UnreadWay[] }

export type Check = {
  readonly check: Part<'check'>
  readonly passed: boolean
  readonly detail: Message
}

export type Match = {
  /** Unpayable: a way that a client may take cannot be read. */
  readonly outcome: 'payable' | 'mismatched' | 'unpayable'
  readonly reasons: readonly Message[]
  readonly checks: readonly Check[]
  /** Exact decimal in units of `currencySeen`: the highest that can be compared with the listing, else the highest; null where no asset is known. */
  readonly priceSeen: string | null
  readonly currencySeen: string | null
  /** The highest price that can be compared with the listed one, by the way that asks it. */
  readonly asks: Price | null
  readonly price: PriceSeen
  /** Chains besides the registered one, each once, by name where known. */
  readonly furtherChains: readonly string[]
  /** Addresses besides the registered one that are paid on the registered network. */
  readonly undeclaredAddresses: readonly string[]
}

const MAX_SEEN = 4
/** More would be decoration, and is kept with every entry. */
const MAX_FURTHER_CHAINS = 16

/** Returns what cannot be read and may be a way to pay on the listed network. */
export function hiddenWays(unread: readonly UnreadWay[], { network }: Claims): readonly UnreadWay[] {
  const own = network === undefined ? undefined : chainKey(network)
  return unread.filter(({ chain }) => own === undefined || chain === null || chain === own)
}

/** @param read at least one way to pay, and what could not be read of others */
export function matchListing({ payments, unread }: Read, claims: Claims): Match {
  const { paymentAddress, network, pricing } = claims
  const own = network === undefined ? undefined : chainKey(network)
  const onNetwork = own === undefined ? payments : payments.filter(({ chain }) => chain === own)
  const isOurs = (payment: Payment) =>
    paymentAddress === undefined || sameAddress(payment.payTo, paymentAddress, payment.chain)
  const ours = onNetwork.filter(isOurs)
  const undeclaredAddresses = unique(onNetwork.filter(payment => !isOurs(payment)).map(({ payTo }) => payTo))
  const hidden = hiddenWays(unread, claims)

  const comparable = pricing ? onNetwork.filter(payment => isComparable(payment, pricing)) : []
  const highest = comparable.toSorted(byPrice).at(-1)
  const seen = highest ?? onNetwork.filter(isPriced).toSorted(byPrice).at(-1)
  const asks = highest ? toPrice(highest) : null

  const unreadable = checkReadable(hidden)
  const named = [checkNetwork(payments, onNetwork, network), checkAddress(onNetwork, ours, claims)]
  const isNamed = named.every(check => check?.passed ?? true)
  const others = isNamed ? checkOthers(undeclaredAddresses, claims) : undefined
  const price = isNamed ? checkPrice(highest, onNetwork, pricing) : undefined
  const checks = [unreadable, ...named, others, price].filter(check => check !== undefined)
  const failed = checks.filter(check => !check.passed)
  return {
    outcome: unreadable ? 'unpayable' : failed.length > 0 ? 'mismatched' : 'payable',
    reasons: (failed.length > 0 ? failed : checks.filter(check => check !== others)).map(
      ({ detail }) => detail,
    ),
    checks,
    priceSeen: seen ? toPrice(seen).amount : null,
    currencySeen: seen?.symbol ?? null,
    asks,
    price: pricing ? comparePrice(asks, pricing) : 'unknown',
    furtherChains: furtherChains(payments, own),
    undeclaredAddresses,
  }
}

/** Whoever can read it takes it for a way like the others. */
function checkReadable(hidden: readonly UnreadWay[]): Check | undefined {
  if (hidden.length === 0) return undefined
  const problems = fewFaults(hidden.flatMap(({ problems }) => problems))
  return { check: 'readable_terms', passed: false, detail: say('way_unreadable', { problems }) }
}

function checkNetwork(
  payments: readonly Payment[],
  onNetwork: readonly Payment[],
  network: string | undefined,
): Check | undefined {
  if (network === undefined) return undefined
  if (!findChain(network))
    return { check: 'network', passed: false, detail: say('chain_unknown', { network: shown(network) }) }
  const passed = onNetwork.length > 0
  const seen = firstFew(payments.map(payment => labelOf(payment.chain)))
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

type Priced = Payment & { readonly symbol: string; readonly currency: string; readonly decimals: number }
type Pricing = NonNullable<Claims['pricing']>

const isPriced = (payment: Payment): payment is Priced => payment.decimals !== undefined

const isComparable = (payment: Payment, { currency }: Pricing): payment is Priced =>
  isPriced(payment) && (isSameMoney(payment.symbol, currency) || isSameMoney(payment.currency, currency))

/** Ascending, of any size: a price that is too large to be written down is the highest. */
function byPrice(a: Priced, b: Priced): number {
  const scale = Math.max(a.decimals, b.decimals)
  const [left, right] = [a, b].map(({ amount, decimals }) => amount * 10n ** BigInt(scale - decimals)) as [
    bigint,
    bigint,
  ]
  return left < right ? -1 : left > right ? 1 : 0
}

const toPrice = ({ amount, decimals, symbol }: Priced): Price => ({
  amount: toBoundedDecimal(amount, decimals),
  currency: symbol,
})

/** A client takes any of the ways, so that the dearest decides; of a maximum nobody can say that less will be taken. */
function checkPrice(
  highest: Priced | undefined,
  onNetwork: readonly Payment[],
  pricing: Claims['pricing'],
): Check | undefined {
  if (!pricing) return undefined
  if (!highest) {
    const seen = firstFew(onNetwork.map(({ symbol, asset }) => symbol ?? shown(asset)))
    const detail = say('no_comparable_price', { ...seen, currency: shown(pricing.currency) })
    return { check: 'price', passed: false, detail }
  }
  const { upTo, decimals, amount, symbol: currency } = highest
  const price = toBoundedDecimal(amount, decimals)
  const listed = pricing.pricePerRequest
  const difference = compareAtomic(amount, decimals, listed)
  if (difference === 0)
    return { check: 'price', passed: true, detail: say('price_as_listed', { price, currency, upTo }) }
  const code = difference > 0 ? 'asks_more' : 'other_price'
  return { check: 'price', passed: difference < 0, detail: say(code, { price, currency, upTo, listed }) }
}

/** The form of a chain in CAIP-2. What a merchant writes elsewise is a text of its own choice, and would reach every reader of a list. */
const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/

function furtherChains(payments: readonly Payment[], own: string | undefined): string[] {
  const byChain = new Map(payments.map(payment => [payment.chain, payment.network]))
  return [...byChain]
    .filter(([chain]) => chain !== own)
    .flatMap(([, spelling]) => findChain(spelling)?.name ?? (CAIP2.test(spelling) ? spelling : []))
    .slice(0, MAX_FURTHER_CHAINS)
}

const labelOf = (network: string) => findChain(network)?.label ?? shown(network)

const unique = (texts: readonly string[]) => [...new Set(texts)]

/** Each once; of many the first few, and how many more there are. */
function firstFew(texts: readonly string[]): { seen: string[]; more: number } {
  const each = unique(texts)
  return { seen: each.slice(0, MAX_SEEN), more: Math.max(0, each.length - MAX_SEEN) }
}
