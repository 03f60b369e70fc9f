/**
 * Buys one thing: asks what it costs, asks the guard, reserves durably, signs, pays, looks at what came and what was taken.
 * From the moment of signing nothing is tried twice, and only the chain can release what was reserved.
 */

import type { PayableRequirements, Payee } from '../domain/call/choose-requirements.ts'
import { type Caps, toCapMessage } from '../domain/caps.ts'
import { findChain } from '../domain/chains.ts'
import { createIdSource } from '../domain/ids.ts'
import { readMessageRecord } from '../domain/message-view.ts'
import { fromMicroDollars } from '../domain/micro-dollars.ts'
import { sellingDomain } from '../domain/purchase-places.ts'
import { type Purchase, toPurchaseId } from '../domain/purchases.ts'
import type { Rates } from '../domain/rates.ts'
import type { ResolveQuery } from '../domain/resolve/query.ts'
import type { Resolution } from '../domain/resolve/resolution.ts'
import { addressKey } from '../domain/same-address.ts'
import { type Message, say } from '../messages/message.ts'
import type { SafeFetch, SafeRequest } from '../probe/safe-fetch.ts'
import { createKeySource } from '../probe/signed/fetch-keys.ts'
import type { ReadTxt } from '../probe/txt-records.ts'
import type { Clock } from '../runtime/clock.ts'
import type { PurchaseTable, ReserveProblem } from '../store/purchases.ts'
import type { Declared } from './conformance.ts'
import { toEvidence } from './evidence.ts'
import { askOverHttp } from './over-http.ts'
import { askOverMcp } from './over-mcp.ts'
import { type Quote, toQuote } from './quote.ts'
import { checkReceipt, receiptIn } from './receipt.ts'
import { createReconcile } from './reconcile.ts'
import type { BuyRequest, PaidAnswer, Payable } from './seller.ts'
import { concludeFrom, lookFor, NO_READER, type Recent, type SettlementReader } from './settlements.ts'
import { signPurchase } from './sign.ts'
import { drawWallet, type Wallet } from './wallet.ts'

export type Order = Declared & {
  /** One payment for each purpose. */
  readonly purpose: string
  readonly serviceId: string | null
  readonly request: BuyRequest
  /** Whether values of the request were made up here. */
  readonly isMadeUp?: boolean
  /** The listing, where it is bought to tell whether it delivers. */
  readonly listed?: { readonly endpoint: string; readonly isByStranger: boolean }
  /** Who is listed to be paid. */
  readonly payee: Payee
  readonly guard: (query: ResolveQuery) => Promise<Resolution>
  /** Asked once, before anything is reserved. Without it, only what is clear is paid. A stop is never paid. */
  readonly approve?: (offer: Offer) => Promise<boolean>
  /** Ends the purchase while nothing is signed. */
  readonly signal?: AbortSignal
  /** Of the answer. */
  readonly maxBodyBytes?: number
}

export type Offer = Quote & {
  /** What it is for. */
  readonly request: BuyRequest
  /** In dollars. */
  readonly usd: string
  readonly resolution: Resolution
}

/** Nothing was signed, so nothing is paid: here, and only here, something else may be bought for the same purpose. */
export type Refused = { readonly kind: 'refused'; readonly reason: Message }
/** It gave its answer without asking for money. */
export type Unpaid = { readonly kind: 'unpaid'; readonly answer: PaidAnswer }
export type Bought = {
  readonly kind: 'bought'
  readonly purchase: Purchase
  /** undefined where none came, or it was too long. */
  readonly answer?: PaidAnswer
  /** What the answer says of the settlement, as it came. */
  readonly settlement?: Readonly<Record<string, unknown>>
  readonly offer: Offer
}

export type Quoted = { readonly kind: 'quoted'; readonly offer: Offer }

export interface Buyer {
  readonly addresses: readonly string[]
  /** Which of them pays an offer for a purpose. */
  payerFor(purpose: string, offer: Pick<Offer, 'family'>): string
  /** What would be signed. Nothing is reserved, signed or paid. */
  quote(order: Order): Promise<Quoted | Unpaid | Refused>
  buy(order: Order): Promise<Bought | Unpaid | Refused>
  /** Looks again at what is reserved or signed and was left: by a process that ended, or by an answer that did not tell. */
  reconcile(): Promise<readonly Purchase[]>
}

export type BuyerParts = {
  /** One is drawn for each purpose, so that no seller knows by which one it will be bought from. */
  readonly wallets: readonly Wallet[]
  readonly purchases: PurchaseTable
  readonly caps: Caps
  /** For quotes and for paid requests; see `BUYER_LIMITS`. */
  readonly fetch: SafeFetch
  readonly clock: Clock
  readonly rates: () => Rates
  readonly reader?: SettlementReader
  /** For keys that a name publishes. */
  readonly readTxt?: ReadTxt
  /** Manners towards the host, for the quote: what is signed is sent at once. */
  readonly enter?: SafeRequest['enter']
  /** Told of every purchase that has come to an end, once. */
  readonly onConcluded?: (purchase: Purchase) => Promise<void>
}

/** Sellers settle on a chain, and work, before they answer. */
export const BUYER_LIMITS = { firstByteMs: 60_000, totalMs: 90_000 }
const MAX_ANSWER_BYTES = 2 * 1024 * 1024

export function createBuyer(parts: BuyerParts): Buyer {
  const { wallets, purchases, caps, fetch, clock, rates, reader = NO_READER, enter } = parts
  const keys = createKeySource(fetch, parts.readTxt)
  const newId = createIdSource()
  const walletFor = (purpose: string, { family }: Pick<Offer, 'family'>): Wallet =>
    drawWallet(
      wallets.filter(each => each.family === family),
      purpose,
    )
  const manners = enter ? { enter } : {}

  async function ask(order: Order): Promise<(Quoted & Pick<Payable, 'pay'>) | Unpaid | Refused> {
    const { request, payee, guard, signal } = order
    const manner = { ...manners, ...(signal && { signal }) }
    const asked = request.tool
      ? await askOverMcp(fetch, request.url, { ...manner, tool: request.tool, isSample: !!order.listed })
      : await askOverHttp(fetch, request, manner)
    if (asked.kind !== 'quoted') return asked
    const found = toQuote(asked.required, payee, rates(), findObstacle)
    if ('code' in found) return refuse(found)
    const { requirements, microUsd } = found
    const resolution = await guard({
      url: request.url,
      method: request.method,
      payTo: requirements.payTo,
      amount: requirements.amount,
      asset: requirements.asset,
      network: requirements.network,
      scheme: requirements.scheme,
    })
    const offer = { ...found, request, usd: fromMicroDollars(microUsd), resolution }
    return { kind: 'quoted', offer, pay: asked.pay }
  }

  async function quote(order: Order): Promise<Quoted | Unpaid | Refused> {
    const asked = await ask(order)
    return asked.kind === 'quoted' ? { kind: 'quoted', offer: asked.offer } : asked
  }

  /** A transaction is made of what a node tells. */
  function findObstacle({ family, chain }: PayableRequirements): Message | undefined {
    if (!wallets.some(wallet => wallet.family === family))
      return say('key_missing', { chain: labelOf(chain) })
    return family === 'svm' && !reader.reads(chain)
      ? say('node_missing', { chain: labelOf(chain) })
      : undefined
  }

  async function approved(order: Order, offer: Offer): Promise<Message | undefined> {
    const { verdict, reasons } = offer.resolution
    const isAsked = verdict !== 'stop' && order.approve !== undefined
    if (!isAsked && verdict !== 'clear')
      return say('guard_stopped', {
        verdict,
        reasons: reasons.map(each => readMessageRecord(each, each.text)),
      })
    return !isAsked || (await order.approve?.(offer)) === true ? undefined : say('not_approved')
  }

  const toPurchase = (order: Order, offer: Offer, payer: string, recent: Recent | undefined): Purchase => {
    const { purpose, serviceId, request, isMadeUp, listed } = order
    const { requirements, microUsd, x402Version, price, currency } = offer
    const now = clock.now()
    return {
      id: toPurchaseId(newId(now)),
      purpose,
      serviceId,
      host: sellingDomain(request.url),
      at: now.toISOString(),
      state: 'reserved',
      microUsd,
      chain: requirements.chain,
      asset: addressKey(requirements.asset, requirements.chain),
      payTo: requirements.payTo,
      payer,
      amount: requirements.amount,
      nonce: null,
      validBefore: null,
      charged: null,
      transaction: null,
      outcome: null,
      detail: {
        url: request.url,
        method: request.method,
        ...(request.tool && { tool: request.tool.name }),
        x402Version,
        price,
        currency,
        ...(listed && { endpoint: listed.endpoint }),
        ...(listed?.isByStranger && { isByStranger: true }),
        ...(isMadeUp && { isMadeUp }),
        ...(recent && { lifetime: { slot: recent.slot, lastBlock: recent.lastBlock } }),
        reasons: [],
      },
    }
  }

  /** Asked for as late as can be: from now on it grows old. */
  const recentFor = async ({ family, requirements }: Offer): Promise<Recent | Message | undefined> =>
    family === 'svm'
      ? reader
          .recent(requirements.chain, requirements.asset)
          .catch(() => say('node_away', { chain: labelOf(requirements.chain) }))
      : undefined

  /** Its key may have to be asked for: until then, what was answered is kept. */
  async function withReceipt(purchase: Purchase, sent: unknown): Promise<Purchase> {
    if (sent === undefined) return purchase
    const { detail } = purchase
    await purchases.conclude(purchase.id, { ...NOT_CONCLUDED, detail })
    const receipt = await checkReceipt(sent, purchase, clock.now(), keys)
    return { ...purchase, detail: { ...detail, receipt } }
  }

  async function conclude(purchase: Purchase): Promise<Purchase> {
    const isRead = reader.reads(purchase.chain)
    const found = await lookFor(reader, purchase, clock)
    // Where nothing can be read, what the seller says is all that will ever be known.
    const conclusion = concludeFrom(purchase, { found, isRead, isLast: !isRead })
    await purchases.conclude(purchase.id, conclusion)
    const concluded = { ...purchase, ...conclusion }
    if (conclusion.state !== 'signed') await parts.onConcluded?.(concluded)
    return concluded
  }

  return {
    addresses: wallets.map(({ address }) => address),
    payerFor: (purpose, offer) => walletFor(purpose, offer).address,
    quote,
    async buy(order) {
      const quoted = await ask(order)
      if (quoted.kind !== 'quoted') return quoted
      const { offer, pay } = quoted
      const problem = await approved(order, offer)
      if (problem) return refuse(problem)
      const wallet = walletFor(order.purpose, offer)
      const recent = await recentFor(offer)
      if (recent && 'code' in recent) return refuse(recent)
      order.signal?.throwIfAborted()
      const reserved = toPurchase(order, offer, wallet.address, recent)
      const inTheWay = await purchases.reserve(reserved, caps)
      if (inTheWay) return refuse(toReason(inTheWay, offer))
      const signed = await signPurchase(reserved, offer, { wallet, recent }, { purchases, clock })
      if ('code' in signed) return refuse(signed)

      const maxBodyBytes = order.maxBodyBytes ?? MAX_ANSWER_BYTES
      const reply = await pay(signed.payment, maxBodyBytes)
      const { response, settleResponse } = reply
      const evidence = toEvidence(reply, reserved, order, maxBodyBytes)
      const answered = await withReceipt(
        { ...signed.purchase, detail: { ...signed.purchase.detail, answer: evidence } },
        receiptIn(settleResponse),
      )
      return {
        kind: 'bought',
        purchase: await conclude(answered),
        offer,
        ...(response.ok && { answer: response }),
        ...(settleResponse.kind === 'claimed' && { settlement: settleResponse.raw }),
      }
    },
    reconcile: createReconcile({ purchases, reader, clock, onConcluded: parts.onConcluded }),
  }
}

const NOT_CONCLUDED = { state: 'signed', charged: null, transaction: null, outcome: null } as const

const labelOf = (chain: string): string => findChain(chain)?.label ?? chain

const refuse = (reason: Message): Refused => ({ kind: 'refused', reason })

const toReason = (problem: ReserveProblem, { usd }: Offer): Message =>
  problem.kind === 'purpose' ? say('purpose_taken', { id: problem.id }) : toCapMessage(problem, usd)
