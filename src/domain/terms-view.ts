// The terms of a service as they are told: what its endpoint said, beside the listing as it is now, and what a payer should know of it.
import { type Message, say } from '../messages/message.ts'
import { tellInEnglish } from '../messages/tell-in-english.ts'
import { findAsset } from './assets.ts'
import { chainKey } from './chains.ts'
import { toDollarFields } from './dollar-fields.ts'
import { readMessageRecord, toMessageRecord } from './message-view.ts'
import { compareAtomic } from './money.ts'
import { dollarPriceOf, type Rates } from './rates.ts'
import { sameAddress } from './same-address.ts'
import type { Entry } from './service.ts'
import {
  comparePrice,
  type PaymentRequirements,
  type PriceSeen,
  type SeenTerms,
  type SignedOffer,
  type TermsAnswer,
} from './terms.ts'

/** The most that the official clients pay for one request unless they are told otherwise, in dollars. */
const MAX_BY_DEFAULT = '1'
/** Schemes by which money is handed over that is not spent yet. */
const DEPOSITS = ['batch-settlement', 'auth-capture']

export function toTermsAnswer(
  entry: Entry,
  { seenAt, x402Version, resources }: SeenTerms,
  rates: Rates,
): TermsAnswer {
  const { paymentAddress, network } = entry.x402Config
  const ways = resources[0]?.accepts ?? []
  const onNetwork = ways.filter(({ chain }) => chain === chainKey(network))
  const price = comparePrice(entry.seen?.asks ?? null, entry.pricing)
  const notes = [...priceNotes(entry, price), ...notesOf(ways), ...offerNotes(resources[0]?.signedOffers)]
  return {
    id: entry.id,
    seenAt,
    x402Version,
    asListed: {
      price,
      address:
        onNetwork.length > 0 &&
        onNetwork.every(requirements => sameAddress(requirements.payTo, paymentAddress, network)),
      network: onNetwork.length > 0,
    },
    ...toDollarFields(dollarPriceOf(entry, rates)),
    payableByDefaultClient: ways.some(isPaidByDefault),
    notes: notes.map(tellInEnglish),
    noteCodes: notes.map(toMessageRecord),
    resources: [...resources],
  }
}

/** An asset among its defaults, up to a dollar, by a flow that it knows. */
function isPaidByDefault({ chain, asset, amount, paymentFlow }: PaymentRequirements): boolean {
  const known = findAsset(chain, asset)
  const isKnownFlow =
    paymentFlow === undefined || ['authorization', 'upfront', 'escrow'].includes(paymentFlow)
  return (
    isKnownFlow &&
    known?.isDefault === true &&
    compareAtomic(BigInt(amount), known.decimals, MAX_BY_DEFAULT) <= 0
  )
}

function priceNotes({ seen, pricing }: Entry, price: PriceSeen): Message[] {
  if (!seen?.asks || (price !== 'higher' && price !== 'lower')) return []
  const listed = `${pricing.pricePerRequest} ${pricing.currency}`
  const { amount, currency } = seen.asks
  return [say('seen_asking', { price: `${amount} ${currency}`, listed, isMore: price === 'higher' })]
}

const offerNotes = (offers: readonly SignedOffer[] = []): Message[] =>
  offers.map(({ valid, count, code, values }) => {
    const told = readMessageRecord({ code, values }, code)
    return valid
      ? say('signed_offers', { count, signed: told })
      : say('signed_offers_invalid', { count, problem: told })
  })

function notesOf(ways: readonly PaymentRequirements[]): Message[] {
  const upfront = ways.filter(({ paymentFlow }) => paymentFlow === 'upfront')
  const deposits = [...new Set(ways.map(({ scheme }) => scheme))].filter(scheme => DEPOSITS.includes(scheme))
  return [
    ...(upfront.length > 0 ? [say('paid_upfront', { all: upfront.length === ways.length })] : []),
    ...deposits.map(scheme => say('paid_by_deposit', { scheme })),
    ...(ways.some(isPaidByDefault) ? [] : [say('not_by_default_client')]),
  ]
}
