// Compares a requested payment with the listing and with the terms that were seen at its endpoint; pure.
import { compact, type Message, say } from '../../messages/message.ts'
import { isSameKeyspace, sameAddress } from '../chains/addresses.ts'
import { type Asset, findAsset, isSameMoney } from '../chains/assets.ts'
import { chainKey } from '../chains/chains.ts'
import { placeOf } from '../hosts/endpoint.ts'
import type { Service } from '../listing/service.ts'
import { compareDecimals, DECIMAL, toBoundedDecimal, toDecimal } from '../money/money.ts'
import { isSurelyMore, NO_RATES } from '../money/rates.ts'
import { isPerRequest } from '../money/scheme-fields.ts'
import type { Seen, SeenRequirements } from '../terms/terms.ts'
import type { ResolveQuery } from './resolution.ts'

type ListedPayment = Pick<Service, 'pricing' | 'x402Config'>

type SeenResource = Seen['resources'][number]

/** Reasons by what they advise. */
type PaymentReasons = {
  /** Against paying at all. */
  readonly stop: readonly Message[]
  readonly caution: readonly Message[]
}

/** A requested payment, with the terms that were seen for it. */
export type Payment = {
  readonly query: ResolveQuery
  /** The chain of the requested network. */
  readonly chain: string | undefined
  /** The resource of the URL itself, once per method with which it was seen. */
  readonly own: readonly SeenResource[]
  /** The payment requirements of that resource where it was seen, else those of all resources. */
  readonly accepts: readonly SeenRequirements[]
}

export function toPayment(query: ResolveQuery, seen: Seen | undefined): Payment {
  const { url, network, method } = query
  const resources = seen?.resources ?? []
  const place = placeOf(url)
  const own = resources.filter(resource => placeOf(resource.url) === place)
  const byMethod = method ? own.filter(resource => resource.method === method.toUpperCase()) : []
  const chosen = [byMethod, own, resources].find(each => each.length > 0) ?? []
  return {
    query,
    chain: network === undefined ? undefined : chainKey(network),
    own,
    accepts: chosen.flatMap(({ ways }) => ways),
  }
}

/** Returns whether the endpoint itself was seen to request this payment, whatever is listed. */
export function isAsSeen({ query, chain, accepts }: Payment): boolean {
  const { payTo, asset, amount } = query
  if (payTo === undefined) return false
  return accepts.some(
    requirements =>
      sameAddress(payTo, requirements.payTo, requirements.chain) &&
      (chain ?? requirements.chain) === requirements.chain &&
      (asset === undefined || sameAddress(asset, requirements.asset, requirements.chain)) &&
      (amount === undefined || BigInt(amount) <= BigInt(requirements.amount)),
  )
}

/** Payee and network as listed or seen, amount at most as listed and seen, and what else was seen. */
export function judgePayment(payment: Payment, listed: ListedPayment): PaymentReasons {
  const { query, chain, accepts } = payment
  const network = judgeNetwork(payment, listed)
  const onChain = chain === undefined ? accepts : accepts.filter(requirements => requirements.chain === chain)
  const { asset = onlyOf(onChain.map(requirements => requirements.asset)) } = query
  const inAsset = onChain.filter(
    requirements => asset !== undefined && sameAddress(requirements.asset, asset, requirements.chain),
  )
  const options = inAsset.length > 0 ? inAsset : onChain
  const meant = optionsMeantBy(query, options)
  const money = judgeAmount(query, { listed, asset, inAsset, chain: chain ?? inAsset[0]?.chain })
  return {
    // On a wrong network, naming the same address twice would only confuse.
    stop: compact(
      network && isListedPayee(payment, listed) ? undefined : judgePayee(payment, listed),
      network,
      judgeSplits(meant, listed),
      ...money.stop,
    ),
    caution: compact(
      judgeHeldMoney(query, options),
      judgeDeposit(meant, options),
      ...money.caution,
      judgeScheme(query, inAsset),
      judgeMethod(payment),
    ),
  }
}

const isListedPayee = ({ query: { payTo } }: Payment, { x402Config }: ListedPayment): boolean =>
  payTo !== undefined && sameAddress(payTo, x402Config.paymentAddress, x402Config.network)

function judgeNetwork(
  { query, chain, accepts }: Payment,
  { x402Config }: ListedPayment,
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
function judgePayee(payment: Payment, listed: ListedPayment): Message | undefined {
  const { query, chain, accepts } = payment
  const { payTo } = query
  const { paymentAddress: address, network } = listed.x402Config
  const listedChain = chainKey(network)
  if (payTo === undefined) return undefined
  if ((chain ?? listedChain) === listedChain && isListedPayee(payment, listed)) return undefined
  const isSeen = accepts.some(
    requirements =>
      requirements.chain !== listedChain &&
      (chain ?? requirements.chain) === requirements.chain &&
      sameAddress(payTo, requirements.payTo, requirements.chain) &&
      (!isSameKeyspace({ address, network }, { address: payTo, network: requirements.chain }) ||
        sameAddress(payTo, address, requirements.chain)),
  )
  return isSeen ? undefined : say('payee_elsewhere', { asked: payTo, listed: address })
}

type Comparison = {
  readonly listed: ListedPayment
  readonly asset: string | undefined
  /** The payment requirements that were seen in this asset. */
  readonly inAsset: readonly SeenRequirements[]
  readonly chain: string | undefined
}

function judgeAmount(query: ResolveQuery, { listed, asset, inAsset, chain }: Comparison): PaymentReasons {
  const unseen =
    query.asset !== undefined && inAsset.length === 0
      ? say('asset_unseen', { asked: query.asset })
      : undefined
  if (query.amount === undefined) return { stop: [], caution: compact(unseen) }
  if (asset === undefined) return { stop: [], caution: compact(unseen, say('amount_without_asset')) }
  const amount = BigInt(query.amount)
  const [highest] = inAsset
    .map(requirements => BigInt(requirements.amount))
    .toSorted((a, b) => (a < b ? 1 : -1))
  const { pricing, x402Config } = listed
  const known = findAsset(chain ?? x402Config.network, asset)
  const isComparable =
    known && [known.symbol, known.currency].some(each => isSameMoney(each, pricing.currency))
  return {
    stop: compact(
      known && isMoreThanListed(amount, known, pricing)
        ? say('more_than_listed', {
            asked: `${toDecimal(amount, known.decimals)} ${known.symbol}`,
            listed: `${pricing.pricePerRequest} ${pricing.currency}`,
          })
        : undefined,
      highest !== undefined && amount > highest
        ? say('more_than_seen', { asked: query.amount, seen: highest.toString() })
        : undefined,
    ),
    caution: compact(isComparable ? undefined : say('asset_not_comparable', { asset }), unseen),
  }
}

/** In another currency, if it is more by any rate. */
function isMoreThanListed(
  amount: bigint,
  asset: Asset,
  { pricePerRequest, currency }: ListedPayment['pricing'],
): boolean {
  const price = toDecimal(amount, asset.decimals)
  if ([asset.symbol, asset.currency].some(each => isSameMoney(each, currency)))
    // An amount with more digits than any price is more than any price.
    return !DECIMAL.test(price) || compareDecimals(price, pricePerRequest) > 0
  const bounded = { amount: toBoundedDecimal(amount, asset.decimals), currency: asset.currency }
  return isSurelyMore(bounded, { amount: pricePerRequest, currency }, NO_RATES)
}

function judgeScheme({ scheme }: ResolveQuery, accepts: readonly SeenRequirements[]): Message | undefined {
  if (scheme === undefined || accepts.length === 0) return undefined
  const seen = [...new Set(accepts.map(requirements => requirements.scheme))]
  return seen.includes(scheme) ? undefined : say('scheme_unseen', { asked: scheme, seen })
}

/** Only in a few schemes the price bounds the payment. Where the query names none, any scheme that was seen may be meant. */
function judgeHeldMoney({ scheme }: ResolveQuery, accepts: readonly SeenRequirements[]): Message | undefined {
  const other = scheme ?? accepts.find(requirements => !isPerRequest(requirements.scheme))?.scheme
  if (other === undefined || isPerRequest(other)) return undefined
  const risks = accepts
    .filter(requirements => requirements.scheme === other)
    .flatMap(requirements => requirements.risks ?? [])
  return say('scheme_holds_money', { scheme: other, risks: [...new Set(risks)] })
}

/** The options that were seen and that the payment may be. */
const optionsMeantBy = ({ payTo, amount, scheme }: ResolveQuery, accepts: readonly SeenRequirements[]) =>
  accepts.filter(
    way =>
      (payTo === undefined || sameAddress(payTo, way.payTo, way.chain)) &&
      (amount === undefined || amount === way.amount) &&
      (scheme === undefined || scheme === way.scheme),
  )

/** Paid from a deposit, for which plain clients would sign for another contract. */
function judgeDeposit(
  meant: readonly SeenRequirements[],
  accepts: readonly SeenRequirements[],
): Message | undefined {
  if (meant.length === 0 || !meant.every(({ needsDeposit }) => needsDeposit)) return undefined
  return say('needs_deposit', { all: accepts.every(({ needsDeposit }) => needsDeposit) })
}

/** Somebody else than the listed payee receives a part that counts. */
function judgeSplits(meant: readonly SeenRequirements[], { x402Config }: ListedPayment): Message | undefined {
  const { paymentAddress: listed } = x402Config
  const others = meant.map(({ splitTo = [], chain }) => splitTo.find(to => !sameAddress(to, listed, chain)))
  const [asked] = others
  return asked === undefined || others.includes(undefined)
    ? undefined
    : say('payee_elsewhere', { asked, listed })
}

/** Only where the resource itself was seen: another one below the endpoint may take other methods. */
function judgeMethod({ query: { method }, own }: Payment): Message | undefined {
  if (method === undefined) return undefined
  const seen = [...new Set(own.map(resource => resource.method))]
  const asked = method.toUpperCase()
  return seen.length === 0 || seen.includes(asked) ? undefined : say('method_unseen', { asked, seen })
}

const onlyOf = (values: readonly string[]): string | undefined =>
  new Set(values).size === 1 ? values[0] : undefined
