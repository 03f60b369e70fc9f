// Compares the payment requirements of an endpoint with its listing: payee, network and price. Pure.
import { addressProblem, familyOf, isSameKeyspace, sameAddress } from '../../domain/chains/addresses.ts'
import { isSameMoney } from '../../domain/chains/assets.ts'
import { chainKey, findChain } from '../../domain/chains/chains.ts'
import { compareAtomic, toBoundedDecimal } from '../../domain/money/money.ts'
import { isSurelyMore, NO_RATES, type Rates } from '../../domain/money/rates.ts'
import { comparePrice, type Price, type PriceSeen } from '../../domain/terms/terms.ts'
import type { Word } from '../../messages/kinds.ts'
import { type Message, say } from '../../messages/message.ts'
import { fewOf, firstFew, shown } from '../untrusted.ts'
import { type ParsedRequirements, splitPayees, type UnreadRequirements } from './payment-requirements.ts'

/** What terms are compared with: what a listing states, and exchange rates. Absent fields are not checked. */
export type ExpectedTerms = {
  readonly paymentAddress?: string
  readonly network?: string
  readonly pricing?: Pricing
  /** Exchange rates for requirements in other currencies than the listed price. */
  readonly rates?: Rates
}

type Read = {
  readonly payments: readonly ParsedRequirements[]
  readonly unread: readonly UnreadRequirements[]
}

export type Match = Omit<Prices, 'check'> & {
  /** `unpayable`: requirements that a client may pick cannot be read. */
  readonly outcome: 'payable' | 'mismatched' | 'unpayable'
  readonly reasons: readonly Message[]
  readonly checks: readonly Check[]
  /** Chains in addition to the registered one, without duplicates, by name if known. */
  readonly furtherChains: readonly string[]
  /** Payees other than the registered address, where that could be paid. */
  readonly undeclaredAddresses: readonly string[]
}

/** Stored with every entry. */
const MAX_FURTHER_CHAINS = 16

/** @returns unreadable requirements that a client may be able to pay: on the listed network, or on another known one */
export function unreadableOptions(
  unread: readonly UnreadRequirements[],
  { network }: ExpectedTerms,
): readonly UnreadRequirements[] {
  const own = network === undefined ? undefined : chainKey(network)
  return unread.filter(
    ({ chain, isComplete }) =>
      own === undefined ||
      chain === null ||
      chain === own ||
      (isComplete && familyOf(chain) !== undefined && !isPlayMoney(chain, own)),
  )
}

/** Payments on a test network cost nothing. */
const isPlayMoney = (chain: string, own: string): boolean =>
  findChain(chain)?.testnet === true && findChain(own)?.testnet !== true

/** @param read at least one entry, and those that could not be read */
export function matchListing({ payments, unread }: Read, listed: ExpectedTerms): Match {
  const { paymentAddress, network } = listed
  const own = network === undefined ? undefined : chainKey(network)
  const onNetwork = own === undefined ? payments : payments.filter(({ chain }) => chain === own)
  const isPaid = (payTo: string, chain: string) =>
    paymentAddress === undefined || sameAddress(payTo, paymentAddress, chain)
  const ours = onNetwork.filter(({ payTo, chain }) => isPaid(payTo, chain))
  // A client picks the first entry it can pay, on whichever chain it has money.
  const inMoney =
    own === undefined ? payments : payments.filter(({ chain }) => chain === own || !isPlayMoney(chain, own))
  const undeclaredAddresses = unique(
    inMoney
      .filter(requirements => isWhereListedCanBePaid(requirements, listed))
      .flatMap(requirements => payeesOf(requirements, isPaid)),
  )
  const { check: price, ...prices } = judgePrices(inMoney, onNetwork, listed)

  const unreadable = checkReadable(unreadableOptions(unread, listed))
  const named = [checkNetwork(payments, onNetwork, network), checkAddress(onNetwork, ours, listed)]
  const isNamed = named.every(check => check?.passed ?? true)
  const others = isNamed ? checkOthers(undeclaredAddresses, listed) : undefined
  const checks = [unreadable, ...named, others, isNamed ? price : undefined].filter(
    check => check !== undefined,
  )
  const failed = checks.filter(check => !check.passed)
  return {
    outcome: unreadable ? 'unpayable' : failed.length > 0 ? 'mismatched' : 'payable',
    reasons: (failed.length > 0 ? failed : checks.filter(check => check !== others)).map(
      ({ detail }) => detail,
    ),
    checks,
    ...prices,
    furtherChains: furtherChains(payments, own),
    undeclaredAddresses,
  }
}

/** Those who receive a part of the payment that counts, without the listed payee. */
function payeesOf(
  requirements: ParsedRequirements,
  isPaid: (payTo: string, chain: string) => boolean,
): string[] {
  const { payTo, feePayee, chain } = requirements
  const shares = splitPayees(requirements, split => isPaid(split, chain))
  return [payTo, ...(feePayee === undefined ? [] : [feePayee]), ...shares].filter(
    payee => !isPaid(payee, chain),
  )
}

/** On another chain another payee is normal, unless the listed address exists there too. */
function isWhereListedCanBePaid(
  { chain, payTo }: ParsedRequirements,
  { network, paymentAddress }: ExpectedTerms,
): boolean {
  if (network === undefined || chain === chainKey(network)) return true
  if (paymentAddress === undefined) return false
  return isSameKeyspace({ address: paymentAddress, network }, { address: payTo, network: chain })
}

/** A client that can read the entry may pay it. */
function checkReadable(hidden: readonly UnreadRequirements[]): Check | undefined {
  if (hidden.length === 0) return undefined
  const problems = firstFew(hidden.flatMap(({ problems }) => problems))
  return toCheck('readable_terms', false, say('way_unreadable', { problems }))
}

function checkNetwork(
  payments: readonly ParsedRequirements[],
  onNetwork: readonly ParsedRequirements[],
  network: string | undefined,
): Check | undefined {
  if (network === undefined) return undefined
  if (!findChain(network)) return toCheck('network', false, say('chain_unknown', { network: shown(network) }))
  const passed = onNetwork.length > 0
  const seen = fewOf(payments.map(payment => labelOf(payment.chain)))
  return toCheck(
    'network',
    passed,
    passed
      ? say('network_as_registered', { network: labelOf(network) })
      : say('other_network', { ...seen, network: labelOf(network) }),
  )
}

function checkAddress(
  onNetwork: readonly ParsedRequirements[],
  ours: readonly ParsedRequirements[],
  { paymentAddress, network }: ExpectedTerms,
): Check | undefined {
  if (paymentAddress === undefined || onNetwork.length === 0) return undefined
  const problem = network === undefined ? undefined : addressProblem(paymentAddress, network)
  if (problem) return toCheck('address', false, say('address_cannot_be_paid', { problem }))
  const passed = ours.length > 0
  const seen = fewOf(onNetwork.map(({ payTo }) => shown(payTo)))
  const address = shown(paymentAddress)
  return toCheck(
    'address',
    passed,
    passed ? say('address_as_registered', { address }) : say('other_address', { ...seen, address }),
  )
}

/** A client picks the first entry it can pay, so a single entry with another payee leaves nothing verified. */
function checkOthers(
  undeclared: readonly string[],
  { paymentAddress, network }: ExpectedTerms,
): Check | undefined {
  if (paymentAddress === undefined || network === undefined) return undefined
  const passed = undeclared.length === 0
  return toCheck(
    'other_payees',
    passed,
    passed ? say('no_other_payees') : say('other_payees', fewOf(undeclared.map(shown))),
  )
}

/** CAIP-2. Any other spelling is free text of the provider, and would be shown in every list. */
const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/

function furtherChains(payments: readonly ParsedRequirements[], own: string | undefined): string[] {
  const byChain = new Map(payments.map(payment => [payment.chain, payment.network]))
  return [...byChain]
    .filter(([chain]) => chain !== own)
    .flatMap(([, spelling]) => findChain(spelling)?.name ?? (CAIP2.test(spelling) ? spelling : []))
    .slice(0, MAX_FURTHER_CHAINS)
}

const labelOf = (network: string) => findChain(network)?.label ?? shown(network)

const unique = (texts: readonly string[]) => [...new Set(texts)]

// Compares the prices of the payment requirements with the listed price.

type Pricing = { readonly currency: string; readonly pricePerRequest: string }

export type Check = {
  readonly check: Word<'check'>
  readonly passed: boolean
  readonly detail: Message
}

export const toCheck = (check: Check['check'], passed: boolean, detail: Message): Check => ({
  check,
  passed,
  detail,
})

/** Requirements in a known asset, whose price can be computed. */
type Priced = ParsedRequirements & {
  readonly symbol: string
  readonly currency: string
  readonly decimals: number
}

type Prices = {
  /** Exact decimal in `currencySeen`: the highest price comparable with the listing, else the highest; null if no asset is known. */
  readonly priceSeen: string | null
  readonly currencySeen: string | null
  /** The highest price in the listed currency. */
  readonly asks: Price | null
  readonly price: PriceSeen
  /** undefined if no price is listed. */
  readonly check: Check | undefined
}

/**
 * A client may pick any of the requirements, so the highest price decides, on whichever chain; a maximum counts in full.
 * @param options all that a client may pay
 * @param onNetwork those on the listed network: one of these must have a price
 */
function judgePrices(
  options: readonly ParsedRequirements[],
  onNetwork: readonly ParsedRequirements[],
  { pricing, rates = NO_RATES }: { readonly pricing?: Pricing; readonly rates?: Rates },
): Prices {
  const priced = options.filter(isPriced)
  const comparable = pricing ? priced.filter(requirements => isComparable(requirements, pricing)) : []
  const highest = comparable.toSorted(byPrice).at(-1)
  const shownOption = highest ?? onNetwork.filter(isPriced).toSorted(byPrice).at(-1)
  const asks = highest ? toPrice(highest) : null
  const prices = {
    priceSeen: shownOption ? toPrice(shownOption).amount : null,
    currencySeen: shownOption?.symbol ?? null,
    asks,
    price: pricing ? comparePrice(asks, pricing) : ('unknown' as const),
  }
  if (!pricing) return { ...prices, check: undefined }
  if (!highest || !comparable.some(requirements => onNetwork.includes(requirements))) {
    const taken = fewOf(onNetwork.map(({ symbol, asset }) => symbol ?? shown(asset)))
    const detail = say('no_comparable_price', { ...taken, currency: shown(pricing.currency) })
    return { ...prices, check: toCheck('price', false, detail) }
  }
  const inOther = priced
    .filter(requirements => !comparable.includes(requirements))
    .find(requirements => isDearer(requirements, pricing, rates))
  return { ...prices, check: checkHighest(highest, pricing, inOther) }
}

function checkHighest(highest: Priced, pricing: Pricing, inOther: Priced | undefined): Check {
  const { upTo, decimals, amount, symbol: currency } = highest
  const price = toBoundedDecimal(amount, decimals)
  const listed = `${pricing.pricePerRequest} ${shown(pricing.currency)}`
  const difference = compareAtomic(amount, decimals, pricing.pricePerRequest)
  if (difference > 0) return toCheck('price', false, say('asks_more', { price, currency, upTo, listed }))
  if (inOther) {
    const { amount: price, currency } = toPrice(inOther)
    return toCheck('price', false, say('asks_more_by_rates', { price, currency, upTo: inOther.upTo, listed }))
  }
  return difference === 0
    ? toCheck('price', true, say('price_as_listed', { price, currency, upTo }))
    : toCheck('price', true, say('other_price', { price, currency, upTo, listed }))
}

const isPriced = (payment: ParsedRequirements): payment is Priced => payment.decimals !== undefined

const isComparable = ({ symbol, currency }: Priced, pricing: Pricing): boolean =>
  isSameMoney(symbol, pricing.currency) || isSameMoney(currency, pricing.currency)

const isDearer = (requirements: Priced, { currency, pricePerRequest }: Pricing, rates: Rates): boolean =>
  isSurelyMore(
    { amount: toPrice(requirements).amount, currency: requirements.currency },
    { amount: pricePerRequest, currency },
    rates,
  )

/** Ascending. Compares big integers, so an overlong price is the highest. */
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
