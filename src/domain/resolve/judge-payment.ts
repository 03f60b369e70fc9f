// Compares requested payment requirements with the listing and with the terms that were seen; pure. Reports every reason against it.
import { type Message, present, say } from '../../messages/message.ts'
import { isSameKeyspace } from '../chains/accounts.ts'
import { findAsset } from '../chains/assets.ts'
import { chainKey } from '../chains/chains.ts'
import { sameAddress } from '../chains/same-address.ts'
import type { Entry, Service } from '../listing/service.ts'
import {
  CURRENCY_FAMILIES,
  compareDecimals,
  currencyKey,
  DECIMAL,
  toBoundedDecimal,
  toDecimal,
} from '../money/money.ts'
import { isPerRequest } from '../money/money-in-extra.ts'
import { isSurelyMore, NO_RATES } from '../money/rates.ts'
import type { Seen, SeenRequirements } from '../terms/terms.ts'
import { placeOf } from './place.ts'
import type { ResolveQuery } from './query.ts'

type Listed = Pick<Service, 'pricing' | 'x402Config'>

export type Reasons = {
  /** Against paying at all. */
  readonly stop: readonly Message[]
  readonly caution: readonly Message[]
}

/** The terms that were seen for a listing, with the prices that it was listed at before. */
export type KnownTerms = Seen & Pick<Entry, 'raised'>

/** Returns undefined if no terms were seen: that alone is a caution. */
export const knownTermsOf = ({ seen, raised }: Pick<Entry, 'seen' | 'raised'>): KnownTerms | undefined =>
  seen && raised ? { ...seen, raised } : seen

/** The same by the place of each resource. */
export type SeenPlaces = Pick<KnownTerms, 'at' | 'price' | 'asks' | 'lower' | 'lostAt' | 'raised'> & {
  readonly resources: readonly SeenResource[]
}

type SeenResource = {
  readonly place: string
  readonly method: string
  readonly accepts: readonly SeenRequirements[]
}

export const toSeenPlaces = ({
  at,
  price,
  asks,
  lower,
  lostAt,
  raised,
  resources,
}: KnownTerms): SeenPlaces => ({
  at,
  price,
  asks,
  ...(lower && { lower }),
  ...(lostAt !== undefined && { lostAt }),
  ...(raised && { raised }),
  resources: resources.map(({ url, method, ways }) => ({ place: placeOf(url), method, accepts: ways })),
})

/** The requested payment, with the terms that were seen for it. */
export type PaymentQuestion = {
  readonly query: ResolveQuery
  /** The chain of the requested network. */
  readonly chain: string | undefined
  /** The resource of the URL itself, once per method with which it was seen. */
  readonly own: readonly SeenResource[]
  /** The payment requirements of that resource where it was seen, else those of all resources. */
  readonly accepts: readonly SeenRequirements[]
}

export function toPaymentQuestion(query: ResolveQuery, seen: SeenPlaces | undefined): PaymentQuestion {
  const { url, network, method } = query
  const resources = seen?.resources ?? []
  const place = resources.length === 0 ? '' : placeOf(url)
  const own = resources.filter(resource => resource.place === place)
  const byMethod = method ? own.filter(resource => resource.method === method.toUpperCase()) : own
  const chosen = byMethod.length > 0 ? byMethod : own.length > 0 ? own : resources
  return {
    query,
    chain: network === undefined ? undefined : chainKey(network),
    own,
    accepts: chosen.length === 1 ? chosen[0]!.accepts : chosen.flatMap(({ accepts }) => accepts),
  }
}

/** Returns whether the endpoint itself was seen to request this payment, whatever is listed. */
export function isAsSeen({ query, chain, accepts }: PaymentQuestion): boolean {
  const { payTo, asset, amount } = query
  if (payTo === undefined) return false
  return accepts.some(
    requirements =>
      sameAddress(payTo, requirements.payTo, requirements.chain) &&
      (chain === undefined || chain === requirements.chain) &&
      (asset === undefined || sameAddress(asset, requirements.asset, requirements.chain)) &&
      (amount === undefined || BigInt(amount) <= BigInt(requirements.amount)),
  )
}

export function judgePayment(payment: PaymentQuestion, listed: Listed): Reasons {
  const { query, chain, accepts } = payment
  const network = judgeNetwork(payment, listed)
  const stop = present(
    network,
    network && isListedAddress(query, listed) ? undefined : judgePayee(payment, listed),
  )
  const onChain = chain === undefined ? accepts : accepts.filter(requirements => requirements.chain === chain)
  if (isOnlyPayee(query)) return { stop, caution: present(judgeHandedOver(query, onChain)) }
  const { asset = theOne(onChain.map(requirements => requirements.asset)) } = query
  const inAsset = onChain.filter(
    requirements => asset !== undefined && sameAddress(requirements.asset, asset, requirements.chain),
  )
  const money = judgeAmount(query, { listed, asset, inAsset, chain: chain ?? inAsset[0]?.chain })
  return {
    stop: [...stop, ...money.stop],
    caution: present(
      ...money.caution,
      judgeScheme(query, inAsset),
      judgeHandedOver(query, inAsset.length > 0 ? inAsset : onChain),
      judgeMethod(payment),
    ),
  }
}

/** Where the network is wrong, naming the same address twice would only confuse. */
export const isListedAddress = (
  { payTo }: ResolveQuery,
  { x402Config: { paymentAddress, network } }: Listed,
): boolean => payTo !== undefined && sameAddress(payTo, paymentAddress, network)

/** All other fields are compared by asset, or by method. */
const isOnlyPayee = ({ amount, asset, scheme, method }: ResolveQuery): boolean =>
  (amount ?? asset ?? scheme ?? method) === undefined

function judgeNetwork(
  { query, chain, accepts }: PaymentQuestion,
  { x402Config }: Listed,
): Message | undefined {
  if (query.network === undefined) return undefined
  const isKnown =
    chain === chainKey(x402Config.network) || accepts.some(requirements => requirements.chain === chain)
  return isKnown ? undefined : say('network_elsewhere', { asked: query.network, listed: x402Config.network })
}

/**
 * On the listed network, and wherever the same key holds the address, only the listed payee is accepted; elsewhere the payee that the
 * endpoint was seen to name there.
 */
function judgePayee({ query, chain, accepts }: PaymentQuestion, { x402Config }: Listed): Message | undefined {
  const { payTo } = query
  if (payTo === undefined) return undefined
  const listedChain = chainKey(x402Config.network)
  const isListed =
    (chain === undefined || chain === listedChain) &&
    sameAddress(payTo, x402Config.paymentAddress, x402Config.network)
  if (isListed) return undefined
  const listed = { address: x402Config.paymentAddress, network: x402Config.network }
  const isSeen = accepts.some(
    requirements =>
      requirements.chain !== listedChain &&
      (chain ?? requirements.chain) === requirements.chain &&
      sameAddress(payTo, requirements.payTo, requirements.chain) &&
      (!isSameKeyspace(listed, { address: payTo, network: requirements.chain }) ||
        sameAddress(payTo, listed.address, requirements.chain)),
  )
  return isSeen ? undefined : say('payee_elsewhere', { asked: payTo, listed: x402Config.paymentAddress })
}

/** A payee that appears on another chain later is not part of the listing: for this long there is a caution before any payment. */
const DAY_MS = 24 * 3_600_000
const NEW_FOR_MS = 30 * DAY_MS

/** Whether the payee appeared on another chain only recently. */
export function judgeArrival(
  { query: { payTo }, chain }: Pick<PaymentQuestion, 'query' | 'chain'>,
  accepts: readonly Pick<SeenRequirements, 'chain' | 'payTo' | 'since'>[],
  now: Date,
): Message | undefined {
  const arrived = accepts.find(
    requirements =>
      requirements.since !== undefined &&
      (chain ?? requirements.chain) === requirements.chain &&
      (payTo === undefined || sameAddress(payTo, requirements.payTo, requirements.chain)) &&
      !(now.getTime() - Date.parse(requirements.since) > NEW_FOR_MS),
  )
  if (arrived?.since === undefined) return undefined
  const days = Math.floor((now.getTime() - Date.parse(arrived.since)) / DAY_MS)
  return say('payee_new', { asked: arrived.payTo, days: Math.max(0, days) })
}

type Comparison = {
  readonly listed: Listed
  readonly asset: string | undefined
  /** The payment requirements that were seen in this asset. */
  readonly inAsset: readonly SeenRequirements[]
  readonly chain: string | undefined
}

function judgeAmount(query: ResolveQuery, { listed, asset, inAsset, chain }: Comparison): Reasons {
  const stop: Message[] = []
  const caution: Message[] = []
  if (query.asset !== undefined && inAsset.length === 0)
    caution.push(say('asset_unseen', { asked: query.asset }))
  if (query.amount === undefined) return { stop, caution }
  if (asset === undefined) return { stop, caution: [...caution, say('amount_without_asset')] }
  const amount = BigInt(query.amount)
  const highest = inAsset.reduce<bigint | undefined>(
    (max, requirements) => larger(max, BigInt(requirements.amount)),
    undefined,
  )
  if (highest !== undefined && amount > highest)
    stop.push(say('more_than_seen', { asked: query.amount, seen: highest.toString() }))
  const { pricing, x402Config } = listed
  const knownAsset = findAsset(chain ?? x402Config.network, asset)
  if (!knownAsset) return { stop, caution: [...caution, say('asset_not_comparable', { asset })] }
  const price = toDecimal(amount, knownAsset.decimals)
  const moreThanListed = say('more_than_listed', {
    asked: `${price} ${knownAsset.symbol}`,
    listed: `${pricing.pricePerRequest} ${pricing.currency}`,
  })
  if (!isSameFamily(pricing.currency, [knownAsset.symbol, knownAsset.currency])) {
    const bounded = { amount: toBoundedDecimal(amount, knownAsset.decimals), currency: knownAsset.currency }
    const listedPrice = { amount: pricing.pricePerRequest, currency: pricing.currency }
    if (isSurelyMore(bounded, listedPrice, NO_RATES)) stop.push(moreThanListed)
    return { stop, caution: [...caution, say('asset_not_comparable', { asset })] }
  }
  // An amount with more digits than any price is more than any price.
  if (!DECIMAL.test(price) || compareDecimals(price, pricing.pricePerRequest) > 0) stop.push(moreThanListed)
  return { stop, caution }
}

const larger = (a: bigint | undefined, b: bigint): bigint => (a === undefined || b > a ? b : a)

function judgeScheme({ scheme }: ResolveQuery, accepts: readonly SeenRequirements[]): Message | undefined {
  if (scheme === undefined || accepts.length === 0) return undefined
  const seen = [...new Set(accepts.map(requirements => requirements.scheme))]
  return seen.includes(scheme) ? undefined : say('scheme_unseen', { asked: scheme, seen })
}

/** Only in a few schemes the price bounds the payment. Where the query names none, any scheme that was seen may be meant. */
function judgeHandedOver(
  { scheme }: ResolveQuery,
  accepts: readonly SeenRequirements[],
): Message | undefined {
  const other = scheme ?? accepts.find(requirements => !isPerRequest(requirements.scheme))?.scheme
  if (other === undefined || isPerRequest(other)) return undefined
  const risks = accepts
    .filter(requirements => requirements.scheme === other)
    .flatMap(requirements => requirements.risks ?? [])
  return say('scheme_holds_money', { scheme: other, risks: [...new Set(risks)] })
}

/** Only where the resource itself was seen: another one below the endpoint may take other methods. */
function judgeMethod({ query: { method }, own }: PaymentQuestion): Message | undefined {
  if (method === undefined) return undefined
  const methods = own.map(resource => resource.method)
  const isSeen = methods.length === 0 || methods.includes(method.toUpperCase())
  return isSeen
    ? undefined
    : say('method_unseen', { asked: method.toUpperCase(), seen: [...new Set(methods)] })
}

export function isSameFamily(currency: string, others: readonly string[]): boolean {
  const key = currencyKey(currency)
  const keys = others.map(currencyKey)
  return (
    keys.includes(key) ||
    Object.values(CURRENCY_FAMILIES).some(
      (family: readonly string[]) => family.includes(key) && keys.some(other => family.includes(other)),
    )
  )
}

export const theOne = (values: readonly string[]): string | undefined => {
  const different = new Set(values)
  return different.size === 1 ? values[0] : undefined
}
