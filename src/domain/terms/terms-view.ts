// The terms of a service as responses have them: what its endpoint declares, the comparison with the present listing, and notes for payers.
import type { Part } from '../../messages/kinds.ts'
import { type Message, say } from '../../messages/message.ts'
import { tellInEnglish } from '../../messages/tell-in-english.ts'
import { findAsset } from '../chains/assets.ts'
import { chainKey } from '../chains/chains.ts'
import { sameAddress } from '../chains/same-address.ts'
import { asRecord } from '../json/json-record.ts'
import type { Entry } from '../listing/service.ts'
import { toMessageRecord } from '../message-view.ts'
import { toDollarFields } from '../money/dollar-fields.ts'
import { compareAtomic } from '../money/money.ts'
import { dollarPriceOf, type Rates } from '../money/rates.ts'
import { comparePayee, type PayeeSeen } from './payee-seen.ts'
import {
  comparePrice,
  type PaymentRequirements,
  type PriceSeen,
  type SeenTerms,
  type TermsAnswer,
} from './terms.ts'

/** Highest price per request that the official clients pay without configuration, in dollars. */
const MAX_DEFAULT_PRICE = '1'
type Refusal = Part<'client_refusal'>
/** Schemes that transfer money before it is spent. */
const DEPOSITS = ['batch-settlement', 'auth-capture']

export function toTermsAnswer(
  entry: Entry,
  { seenAt, x402Version, resources }: SeenTerms,
  rates: Rates,
): TermsAnswer {
  const accepts = resources[0]?.accepts ?? []
  const price = comparePrice(entry.seen?.asks ?? null, entry.pricing)
  const payee = comparePayee(accepts, entry.x402Config)
  const notes = [...payeeNotes(entry, accepts, payee), ...priceNotes(entry, price), ...notesOf(accepts)]
  return {
    id: entry.id,
    seenAt,
    x402Version,
    asListed: { price, ...payee },
    ...toDollarFields(dollarPriceOf(entry, rates)),
    payableByDefaultClient: accepts.some(option => refusalOf(option) === undefined),
    notes: notes.map(tellInEnglish),
    noteCodes: notes.map(toMessageRecord),
    resources: [...resources],
  }
}

/** Why the official clients refuse a payment option; undefined for a default asset, up to a dollar, by a payment flow that they support. */
function refusalOf(option: PaymentRequirements): Refusal | undefined {
  const { chain, asset, amount, paymentFlow } = option
  if (paymentFlow !== undefined && !['authorization', 'upfront', 'escrow'].includes(paymentFlow))
    return 'flow'
  const knownAsset = findAsset(chain, asset)
  if (!knownAsset?.isDefault) return 'asset'
  if (lacksDomain(option)) return 'domain'
  return compareAtomic(BigInt(amount), knownAsset.decimals, MAX_DEFAULT_PRICE) > 0 ? 'price' : undefined
}

/** Whether an authorization cannot be signed: it needs the EIP-712 domain of the token, which clients take from the 402. */
function lacksDomain({ scheme, chain, extra }: PaymentRequirements): boolean {
  if (scheme !== 'exact' || !chain.startsWith('eip155:')) return false
  const { name, version, assetTransferMethod } = asRecord(extra)
  if (assetTransferMethod !== undefined && assetTransferMethod !== 'eip3009') return false
  return typeof name !== 'string' || name === '' || typeof version !== 'string' || version === ''
}

/** Why the official clients refuse all payment options; undefined if they pay one, or there is none. */
function commonRefusal(accepts: readonly PaymentRequirements[]): Refusal | undefined {
  const [first, ...others] = new Set(accepts.map(refusalOf))
  return first === undefined || others.includes(undefined) ? undefined : others.length > 0 ? 'several' : first
}

/** Values of a list in a note. */
const MAX_NAMED = 5

function payeeNotes(
  { x402Config: { paymentAddress, network } }: Entry,
  accepts: readonly PaymentRequirements[],
  { address, network: isOnNetwork }: PayeeSeen,
): Message[] {
  const few = (texts: readonly string[]) => [...new Set(texts)].slice(0, MAX_NAMED)
  if (accepts.length === 0 || address) return []
  if (!isOnNetwork)
    return [say('asks_other_network', { networks: few(accepts.map(({ chain }) => chain)), listed: network })]
  const others = accepts.filter(
    ({ chain, payTo }) => chain === chainKey(network) && !sameAddress(payTo, paymentAddress, network),
  )
  return [say('asks_other_wallet', { payTo: few(others.map(({ payTo }) => payTo)), listed: paymentAddress })]
}

function priceNotes({ seen, pricing }: Entry, price: PriceSeen): Message[] {
  if (!seen?.asks || (price !== 'higher' && price !== 'lower')) return []
  const listed = `${pricing.pricePerRequest} ${pricing.currency}`
  const { amount, currency } = seen.asks
  return [say('seen_asking', { price: `${amount} ${currency}`, listed, isMore: price === 'higher' })]
}

/** Whether an official client would pay none of the options, and why. */
export function clientNotes(accepts: readonly PaymentRequirements[]): Message[] {
  const why = commonRefusal(accepts)
  return why === undefined ? [] : [say('not_by_default_client', { why })]
}

function notesOf(accepts: readonly PaymentRequirements[]): Message[] {
  const upfront = accepts.filter(({ paymentFlow }) => paymentFlow === 'upfront')
  const deposits = [...new Set(accepts.map(({ scheme }) => scheme))].filter(scheme =>
    DEPOSITS.includes(scheme),
  )
  return [
    ...(upfront.length > 0 ? [say('paid_upfront', { all: upfront.length === accepts.length })] : []),
    ...deposits.map(scheme => say('paid_by_deposit', { scheme })),
    ...clientNotes(accepts),
  ]
}
