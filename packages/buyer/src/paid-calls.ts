// A call that a user pays for: order, offer, response and receipt. Shared by the command line and MCP.

import { DECIMAL, fromMicroDollars, toMicroDollars } from 'shirube/domain/money/money.ts'
import { readMessageRecord } from 'shirube/domain/problems.ts'
import { PURCHASE_OUTCOMES, PURCHASE_STATES, type Purchase } from 'shirube/domain/purchases/purchases.ts'
import { judgePayment, toPayment } from 'shirube/domain/resolve/judge-payment.ts'
import { VERDICTS } from 'shirube/domain/resolve/resolution.ts'
import { type Message, say, tellInEnglish } from 'shirube/messages/message.ts'
import { z } from 'zod'
import type { Offer, Order } from './buyer.ts'
import { toSigned } from './quote.ts'

export type CallOrder = {
  /** An id, or a sentence that finds services. */
  readonly target:
    | { readonly kind: 'id'; readonly id: string }
    | { readonly kind: 'sentence'; readonly sentence: string }
  /** A JSON value, as the service declares it. */
  readonly input?: unknown
  /** In micro-dollars; can only lower the cap of a call. */
  readonly most?: number | undefined
  readonly purpose?: string | undefined
  /** Returns what would be signed; nothing is reserved, signed or paid. */
  readonly dryRun: boolean
  /** Whether every payment needs approval, whatever it costs. */
  readonly asksAlways?: boolean
  /** Called where the user must approve. */
  readonly approve: (offer: OfferView) => Promise<Approval>
  readonly signal?: AbortSignal | undefined
  readonly maxBodyBytes?: number
}

/**
 * no: the user declines, and no other service is tried. later: the user is being asked, and the call is to be repeated. cannot: there is
 * no way to ask the user. changed: the user approved another offer.
 */
export type Approval = 'yes' | 'no' | 'later' | 'cannot' | 'changed'

export type CallAnswer = {
  readonly status: number
  readonly contentType: string | null
  readonly body: Uint8Array
}

/** A service that was not paid, and the reason. */
export type UnpaidService = { readonly service: CalledService; readonly reason: Message }
export type CalledService = { readonly id: string; readonly name: string }

export type CallResult = { readonly tried: readonly UnpaidService[] } & (
  | {
      readonly kind: 'paid'
      readonly service: CalledService
      readonly purchase: Purchase
      readonly answer?: CallAnswer
    }
  /** The service requested no payment. */
  | { readonly kind: 'free'; readonly service: CalledService; readonly answer: CallAnswer }
  /** A dry run. */
  | { readonly kind: 'would_pay'; readonly service: CalledService; readonly offer: OfferView }
  /** The user must approve it first. */
  | { readonly kind: 'ask'; readonly service: CalledService; readonly offer: OfferView }
  /** Nothing was signed and nothing was paid. */
  | { readonly kind: 'refused'; readonly paidBefore?: PaidBefore }
)

/** What was paid for the same purpose before. Its response is not kept. */
export type PaidBefore = {
  readonly purchase: Purchase
  /** Whether that was for another request: another service, or other input. */
  readonly isOtherRequest: boolean
}

export interface ServiceCaller {
  /** @throws DirectoryError if the directory does not respond; nothing was signed then */
  call(order: CallOrder): Promise<CallResult>
}

export const offerSchema = z.object({
  signs: z.string().describe('What would be signed'),
  amount: z.string().describe('In whole units of the currency'),
  currency: z.string(),
  usd: z.string(),
  atomic: z.string().describe("In the asset's smallest units"),
  asset: z.string(),
  chain: z.string().describe('CAIP-2'),
  payTo: z.string(),
  payer: z.string(),
  validForSeconds: z.number().nullable(),
  method: z.string(),
  url: z.string(),
  tool: z.string().nullable().describe('The tool that would be called, on an MCP server'),
  host: z.string(),
  verdict: z.enum(VERDICTS).describe('Verdict of the directory about this payment'),
  reasons: z.array(z.string()).describe('Reasons for the verdict'),
  doubts: z.array(z.string()).describe('The reasons that make it doubtful at any price'),
  asks: z.array(z.string()).describe('Why the user must approve it; empty if no approval is needed'),
  exceededCap: z.string().nullable().describe('The cap that it would exceed'),
})
export type OfferView = Readonly<z.output<typeof offerSchema>>

export const receiptSchema = z
  .object({
    purchaseId: z.string(),
    at: z.string(),
    outcome: z
      .enum(PURCHASE_OUTCOMES)
      .nullable()
      .describe('null if it is not known whether the payment was taken'),
    state: z
      .enum(PURCHASE_STATES)
      .describe('settled: paid; signed or unknown: it may have been taken; released: nothing was taken'),
    isClaim: z
      .boolean()
      .describe('Whether state and transaction are what the seller says, and were not checked on chain'),
    amount: z.string().describe('Signed, in whole units of the currency'),
    currency: z.string(),
    usd: z.string(),
    atomic: z.string(),
    charged: z.string().nullable().describe("Taken, in the asset's smallest units, if known"),
    asset: z.string(),
    chain: z.string().describe('CAIP-2'),
    transaction: z.string().nullable(),
    payTo: z.string(),
    payer: z.string(),
    serviceId: z.string().nullable(),
    host: z.string(),
    url: z.string(),
    tool: z.string().nullable().describe('The tool that was called, on an MCP server'),
    reasons: z.array(z.string()),
  })
  .describe("From the payer's own ledger")
export type Receipt = Readonly<z.output<typeof receiptSchema>>

/** Without a node, that a payment was settled is the seller's word. */
export const isClaim = ({ state, charged }: Pick<Purchase, 'state' | 'charged'>): boolean =>
  state === 'settled' && charged === null

export const toReceipt = (purchase: Purchase): Receipt => ({
  purchaseId: purchase.id,
  at: purchase.at,
  outcome: purchase.outcome,
  state: purchase.state,
  isClaim: isClaim(purchase),
  amount: purchase.detail.price,
  currency: purchase.detail.currency,
  usd: fromMicroDollars(purchase.microUsd),
  atomic: purchase.amount,
  charged: purchase.charged,
  asset: purchase.asset,
  chain: purchase.chain,
  transaction: purchase.transaction,
  payTo: purchase.payTo,
  payer: purchase.payer,
  serviceId: purchase.serviceId,
  host: new URL(purchase.detail.url).host,
  url: purchase.detail.url,
  tool: purchase.detail.tool ?? null,
  reasons: purchase.detail.reasons.map(tellInEnglish),
})

/** Of a purpose, in a sentence. Only a purchase that was seen on chain is known to have been paid. */
export const wasPaidFor = ({ state, isClaim }: Pick<Receipt, 'state' | 'isClaim'>): string =>
  state === 'settled' && !isClaim ? 'was paid for before' : 'was paid for before, or may have been'

/** In micro-dollars; undefined if the text is not an amount in dollars. */
export const readMaxAmount = (text: string): number | undefined =>
  DECIMAL.test(text) ? toMicroDollars(text) : undefined

/** The body of a response, as text if it is valid UTF-8. */
export function decodeAnswer({ body }: Pick<CallAnswer, 'body'>): {
  readonly encoding: 'text' | 'base64'
  readonly text: string
} {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body)
    if (!text.includes('\0')) return { encoding: 'text', text }
  } catch {
    // Not text.
  }
  return { encoding: 'base64', text: body.toBase64() }
}

/** The reason to show where nothing was paid. */
export const reasonOf = (tried: readonly UnpaidService[]): Message => tried[0]?.reason ?? say('nothing_found')

// What the user is shown of an offer before it is signed, and why the user must approve it.

/** A service as a directory returns it. */
const payeeSchema = z.object({ paymentAddress: z.string().max(256), network: z.string().max(128) })
export const listedSchema = z.object({
  id: z.string().max(64),
  name: z.string().max(1_000),
  pricing: z.object({
    currency: z.string().max(64),
    pricePerRequest: z.string().max(256).regex(DECIMAL),
    freeQuota: z.number(),
  }),
  x402Config: payeeSchema,
})

export type Candidate = z.output<typeof listedSchema>

/**
 * Reasons to require the user's approval, whatever the price.
 * @param bought earlier purchases of the service, the newest first
 */
export function findDoubts(offer: Offer, called: Candidate, bought: readonly Purchase[]): Message[] {
  const { resolution, requirements } = offer
  const { verdict } = resolution
  const before = bought.find(({ state, chain }) => state !== 'released' && chain === requirements.chain)
  const isOther = before && before.payTo.toLowerCase() !== requirements.payTo.toLowerCase()
  return [
    ...(verdict === 'clear' ? [] : [say('asks_for_verdict', { verdict })]),
    ...(isOther ? [say('asks_for_payee', { before: before.payTo })] : []),
    ...moreThanListed(offer, called),
  ]
}

/** Another listing may represent the URL at a higher price; the caller has chosen by this one. */
const moreThanListed = ({ request: { url }, requirements }: Offer, listed: Candidate): Message[] => {
  const { amount, asset, chain: network } = requirements
  const payment = toPayment({ url, amount, asset, network }, undefined)
  return judgePayment(payment, listed).stop.filter(({ code }) => code === 'more_than_listed')
}

export const toOfferView = (
  offer: Offer,
  { request }: Order,
  {
    payer,
    doubts,
    asks,
    exceededCap,
  }: {
    readonly payer: string
    readonly doubts: readonly Message[]
    readonly asks: readonly Message[]
    readonly exceededCap: Message | undefined
  },
): OfferView => ({
  ...toSigned(offer),
  amount: offer.price,
  currency: offer.currency,
  usd: offer.usd,
  atomic: offer.requirements.amount,
  asset: offer.requirements.asset,
  chain: offer.requirements.chain,
  payTo: offer.requirements.payTo,
  payer,
  method: request.method,
  url: request.url,
  tool: request.tool?.name ?? null,
  host: new URL(request.url).host,
  verdict: offer.resolution.verdict,
  reasons: offer.resolution.reasons.map(each => tellInEnglish(readMessageRecord(each, each.text))),
  doubts: doubts.map(tellInEnglish),
  asks: asks.map(tellInEnglish),
  exceededCap: exceededCap ? tellInEnglish(exceededCap) : null,
})
