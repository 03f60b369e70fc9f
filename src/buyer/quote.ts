// Which of the ways to pay of a resource this buyer can pay: an exact amount of a known token, by an authorization that
// anybody can hand in and that ends by itself (EIP-3009). Nothing is signed here.
import { findAsset } from '../domain/assets.ts'
import { chooseWay, type Payee } from '../domain/call/choose-way.ts'
import { findChain } from '../domain/chains.ts'
import { toMicroDollars } from '../domain/micro-dollars.ts'
import { type Rates, toDollars } from '../domain/rates.ts'
import type { Way } from '../domain/terms.ts'
import { type Message, say } from '../messages/message.ts'
import { readEntry, toWay } from '../probe/accepted-payment.ts'

/** The 402 as the official client reads it. */
export type Required = {
  readonly x402Version: number
  readonly accepts: readonly Readonly<Record<string, unknown>>[]
  readonly [name: string]: unknown
}

export type Quote = {
  readonly way: Way
  readonly x402Version: 1 | 2
  readonly chainNumber: number
  /** In whole units of the asset. */
  readonly price: string
  readonly currency: string
  readonly microUsd: number
  /** With the one way that is to be paid. */
  readonly required: Required
}

/** An authorization is good for as long as the seller says; one that is good for longer can be kept and used much later. */
export const MAX_VALID_SECONDS = 3_600

/** Picks the way that is paid, and tells why there is none. */
export function toQuote(required: Required, payee: Payee, rates: Rates): Quote | Message {
  const version = required.x402Version === 1 ? 1 : 2
  const read = required.accepts.flatMap((raw, i) => {
    const entry = readEntry(raw, `accepts[${i}]`, version)
    return 'payment' in entry && isByAuthorization(raw) ? [{ raw, way: toWay(entry.payment) }] : []
  })
  const known = read.filter(({ way }) => findAsset(way.chain, way.asset))
  const way = chooseWay(
    known.map(each => each.way),
    version,
    payee,
  )
  const raw = known.find(each => each.way.network === way?.network && isSameWay(each.way, way))?.raw
  const chain = way && findChain(way.chain)
  if (!way || !raw || !chain || way.family !== 'evm' || way.price === undefined) return say('way_not_payable')
  const seconds = way.maxTimeoutSeconds ?? 0
  if (!(seconds > 0 && seconds <= MAX_VALID_SECONDS))
    return say('authorization_too_long', { seconds, most: MAX_VALID_SECONDS })
  const currency = way.currency ?? ''
  const dollars = toDollars(way.price, currency, rates)
  const microUsd = dollars && toMicroDollars(dollars.amount)
  if (microUsd === undefined) return say('price_not_in_dollars', { currency })
  return {
    way,
    x402Version: version,
    chainNumber: Number(chain.id.slice('eip155:'.length)),
    price: way.price,
    currency: way.assetName ?? currency,
    microUsd,
    required: { ...required, accepts: [raw] },
  }
}

/** Permit2 would need an allowance over everything the wallet has. */
const isByAuthorization = ({ scheme, extra }: Readonly<Record<string, unknown>>): boolean =>
  scheme === 'exact' &&
  ((extra as Readonly<Record<string, unknown>> | undefined)?.assetTransferMethod ?? 'eip3009') === 'eip3009'

const isSameWay = (a: Way, b: Way | undefined): boolean =>
  a.amount === b?.amount && a.payTo === b.payTo && a.asset === b.asset && a.extra === b.extra
