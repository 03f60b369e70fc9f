// Terms as public responses have them, with the payees that were seen and how they compare with the listing.

import { type Message, say, tellInEnglish } from '../../messages/message.ts'
import { sameAddress } from '../chains/addresses.ts'
import { chainKey } from '../chains/chains.ts'
import type { ServiceEvent } from '../feed.ts'
import type { Entry, Service } from '../listing/service.ts'
import { dollarPriceOf, type Rates } from '../money/rates.ts'
import { toMessageRecord } from '../problems.ts'
import {
  comparePrice,
  mppOffers,
  type PaymentRequirements,
  type PriceSeen,
  type Refusal,
  type ResourceTerms,
  refusalOf,
  type Seen,
  type StoredTerms,
  signingObstacle,
  type TermsAnswer,
  toDollarFields,
} from './terms.ts'

export type PayeeSeen = {
  /** Whether all payment requirements on the registered network name the registered address. */
  readonly address: boolean
  /** Whether there are payment requirements on the registered network. */
  readonly network: boolean
}

type Paying = Pick<PaymentRequirements, 'chain' | 'payTo'> & {
  readonly splitTo?: readonly string[] | undefined
}

/** The payee, and who else receives more than a tenth. */
export const payeesOf = ({ payTo, splitTo = [] }: Paying): readonly string[] => [payTo, ...splitTo]

export function comparePayee(
  accepts: readonly Paying[],
  { paymentAddress, network }: Service['x402Config'],
): PayeeSeen {
  const onNetwork = accepts.filter(({ chain }) => chain === chainKey(network))
  const payees = onNetwork.flatMap(payeesOf)
  return {
    address: payees.length > 0 && payees.every(payee => sameAddress(payee, paymentAddress, network)),
    network: onNetwork.length > 0,
  }
}

/** Whether the terms that were seen last name the registered address on the registered network, at any resource. */
export const namesPayee = (
  seen: Pick<Seen, 'resources'> | undefined,
  { network, paymentAddress }: Service['x402Config'],
): boolean =>
  seen?.resources.some(({ ways }) =>
    ways.some(
      ({ chain, payTo }) => chain === chainKey(network) && sameAddress(payTo, paymentAddress, network),
    ),
  ) === true

// Payees on chains other than the registered one. The listing names no payee there, so a new one is reported and distrusted for a
// while: it could belong to an attacker who has taken over the endpoint.

export type FurtherPayee = {
  readonly chain: string
  readonly payTo: string
  /** When it first appeared, if other payees were seen before it. ISO 8601 UTC. */
  readonly since?: string
}

/** Payees stored per service that its endpoint no longer names. */
const MAX_STORED = 32
/** Payees on a chain after which new ones are no longer reported: an endpoint may name another one each time. */
const MAX_REPORTED = 8

const isSame = (a: FurtherPayee, b: FurtherPayee): boolean =>
  a.chain === b.chain && sameAddress(a.payTo, b.payTo, a.chain)

/** @param before undefined if no terms were seen yet: then no payee is new */
export function withArrivals(
  before: readonly FurtherPayee[] | undefined,
  seen: readonly FurtherPayee[],
  at: string,
): FurtherPayee[] {
  const previous = before ?? []
  const now = seen.map(
    payee => previous.find(other => isSame(other, payee)) ?? { ...payee, ...(before && { since: at }) },
  )
  const gone = previous.filter(payee => !now.some(other => isSame(other, payee)))
  return [...now, ...gone.slice(0, MAX_STORED)]
}

/** As in CAIP-10: the chain, then the address. */
const toText = ({ chain, payTo }: FurtherPayee): string => `${chain}:${payTo}`

export function arrivalEvents(
  before: readonly FurtherPayee[] | undefined,
  after: readonly FurtherPayee[],
  at: string,
): ServiceEvent[] {
  if (!before) return []
  const arrived = after.filter(payee => !before.some(other => isSame(other, payee)))
  const reported = arrived.filter(
    ({ chain }) => before.filter(payee => payee.chain === chain).length < MAX_REPORTED,
  )
  if (reported.length === 0) return []
  const chains = new Set(reported.map(({ chain }) => chain))
  const from = before.filter(({ chain }) => chains.has(chain)).map(toText)
  const to = reported.map(toText)
  const reason = say('further_payee', { before: from, after: to })
  return [{ type: 'pay_to', at, reason, before: from, after: to }]
}

/** When the payee of payment requirements first appeared; undefined if it was there from the start, or is on the registered network. */
export const arrivedAt = (payees: readonly FurtherPayee[], requirements: FurtherPayee): string | undefined =>
  payees.find(payee => isSame(payee, requirements))?.since

// The terms of a service as responses have them: what its endpoint declares, the comparison with the present listing, and notes for payers.

/** Schemes that transfer money before it is spent. */
const DEPOSITS = ['batch-settlement', 'auth-capture']

export function toTermsAnswer(
  entry: Entry,
  { seenAt, x402Version, resources }: StoredTerms,
  rates: Rates,
): TermsAnswer {
  const accepts = resources[0]?.accepts ?? []
  const price = comparePrice(entry.seen?.asks ?? null, entry.pricing)
  const payee = comparePayee(accepts, entry.x402Config)
  const notes = [...payeeNotes(entry, accepts, payee), ...priceNotes(entry, price), ...notesOf(resources[0])]
  return {
    id: entry.id,
    seenAt,
    x402Version,
    asListed: { price, ...payee },
    ...toDollarFields(dollarPriceOf(entry, rates)),
    payableByDefaultClient: byX402(accepts).some(option => refusalOf(option) === undefined),
    notes: notes.map(tellInEnglish),
    noteCodes: notes.map(toMessageRecord),
    resources: [...resources],
  }
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
  const others = accepts
    .filter(({ chain }) => chain === chainKey(network))
    .flatMap(payeesOf)
    .filter(payee => !sameAddress(payee, paymentAddress, network))
  return [say('asks_other_wallet', { payTo: few(others), listed: paymentAddress })]
}

function priceNotes({ seen, pricing }: Entry, price: PriceSeen): Message[] {
  if (!seen?.asks || (price !== 'higher' && price !== 'lower')) return []
  const listed = `${pricing.pricePerRequest} ${pricing.currency}`
  const { amount, currency } = seen.asks
  return [say('seen_asking', { price: `${amount} ${currency}`, listed, isMore: price === 'higher' })]
}

const byX402 = (accepts: readonly PaymentRequirements[]): PaymentRequirements[] =>
  accepts.filter(({ protocol }) => protocol === 'x402')

/** Which of the options no official client signs, whether it would pay none of them, and why. */
export function clientNotes({
  accepts,
  extensions,
}: Pick<ResourceTerms, 'accepts' | 'extensions'>): Message[] {
  const offers = mppOffers(extensions)
  const deposits = [...new Set(accepts.map(({ scheme }) => scheme))].filter(scheme =>
    DEPOSITS.includes(scheme),
  )
  return [
    ...deposits.map(scheme => say('paid_by_deposit', { scheme })),
    ...refusalNotes(accepts),
    ...(offers.length > 0 ? [say('mpp_offers', { offers })] : []),
  ]
}

function refusalNotes(accepts: readonly PaymentRequirements[]): Message[] {
  const options = byX402(accepts)
  if (options.length === 0) return accepts.length > 0 ? [say('mpp_only')] : []
  const obstacles = options.map(signingObstacle)
  const deposits = obstacles.filter(obstacle => obstacle === 'deposit').length
  const why = commonRefusal(options)
  const unsignable = obstacles.filter(each => each !== undefined && each !== 'deposit' && each !== why)
  return [
    ...(deposits > 0 ? [say('needs_deposit', { all: deposits === accepts.length })] : []),
    ...new Set(unsignable).values().map(obstacle => say('way_unsignable', { why: obstacle! })),
    ...(why === undefined || why === 'deposit' ? [] : [say('not_by_default_client', { why })]),
  ]
}

function notesOf(resource: ResourceTerms | undefined): Message[] {
  if (!resource) return []
  const { accepts } = resource
  const upfront = accepts.filter(({ paymentFlow }) => paymentFlow === 'upfront')
  return [
    ...(upfront.length > 0 ? [say('paid_upfront', { all: upfront.length === accepts.length })] : []),
    ...clientNotes(resource),
  ]
}
