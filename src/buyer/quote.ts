// What a resource asks for, and which of its ways this buyer can pay: an exact amount of a known token, by an authorization that
// anybody can hand in and that ends by itself (EIP-3009). Nothing is signed here.
import { findAsset } from '../domain/assets.ts'
import { chooseWay, type Payee } from '../domain/call/choose-way.ts'
import { findChain } from '../domain/chains.ts'
import { toMicroDollars } from '../domain/micro-dollars.ts'
import { type Rates, toDollars } from '../domain/rates.ts'
import type { Way } from '../domain/terms.ts'
import { type Message, say } from '../messages/message.ts'
import { readEntry, toWay } from '../probe/accepted-payment.ts'
import { NODE, toHeaders } from '../probe/clients.ts'
import type { SafeFetch, SafeResponse } from '../probe/safe-fetch.ts'
import { readTerms } from '../probe/x402.ts'

export type BuyRequest = {
  readonly method: string
  readonly url: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | undefined
  readonly contentType?: string | undefined
}

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

/** As whoever pays sends it: with the headers of the official client's own fetch, so that a buyer is not told from a customer. */
export function toSafeRequest({ method, headers = [], body, contentType }: BuyRequest) {
  const own = Object.fromEntries([
    ...headers.map(([name, value]) => [name.toLowerCase(), value] as const),
    ...(body !== undefined && contentType ? [['content-type', contentType] as const] : []),
  ])
  return {
    method,
    headers: toHeaders(NODE, own),
    ...(body !== undefined && { body }),
    // A quote of another place is not this one's, and a payment is not carried elsewhere.
    mayFollow: () => false,
  }
}

export type Asked =
  | { readonly kind: 'quoted'; readonly required: Required }
  | { readonly kind: 'unpaid'; readonly response: SafeResponse & { readonly ok: true } }
  | { readonly kind: 'refused'; readonly reason: Message }

export async function askForQuote(
  fetch: SafeFetch,
  request: BuyRequest,
  send: { readonly signal?: AbortSignal; readonly enter?: never } | object,
): Promise<Asked> {
  const response = await fetch(request.url, { ...toSafeRequest(request), ...send })
  if (!response.ok) return refuse([response.message])
  const { status, headers, body } = response
  if (status >= 200 && status < 300) return { kind: 'unpaid', response }
  const reading = readTerms({ status, headers, body })
  if (!reading.readable) return refuse(reading.problems)
  const { x402HTTPClient, x402Client } = await import('@x402/core/client')
  try {
    const required = new x402HTTPClient(new x402Client()).getPaymentRequiredResponse(
      name => headers.get(name.toLowerCase()),
      parse(body),
    ) as unknown as Required
    return Array.isArray(required.accepts) ? { kind: 'quoted', required } : refuse([])
  } catch {
    // The official client cannot read it, whatever a lenient one can.
    return refuse([])
  }
}

const refuse = (problems: readonly Message[]): Asked => ({
  kind: 'refused',
  reason: say('not_quoted', { problems }),
})

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

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
