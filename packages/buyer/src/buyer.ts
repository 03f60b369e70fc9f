// Buys one response: quote, guard, caps, reserve, sign, pay, inspect. Nothing is signed before it is reserved in the ledger.
import type { PayableRequirements, Payee } from 'shirube/domain/call/request.ts'
import { addressKey } from 'shirube/domain/chains/addresses.ts'
import { findChain } from 'shirube/domain/chains/chains.ts'
import { createIdSource, idTimeMs } from 'shirube/domain/ids.ts'
import { fromMicroDollars } from 'shirube/domain/money/money.ts'
import type { Rates } from 'shirube/domain/money/rates.ts'
import { readMessageRecord } from 'shirube/domain/problems.ts'
import {
  type Caps,
  type Purchase,
  sellingDomain,
  toCapMessage,
  toPurchaseId,
} from 'shirube/domain/purchases/purchases.ts'
import type { Resolution, ResolveQuery } from 'shirube/domain/resolve/resolution.ts'
import { digestOf } from 'shirube/domain/terms/terms.ts'
import { type Message, say } from 'shirube/messages/message.ts'
import type { SafeFetch } from 'shirube/probe/requests/safe-fetch.ts'
import type { Clock } from 'shirube/runtime/clock.ts'
import type { PurchaseTable, ReserveProblem } from 'shirube/store/purchases.ts'
import { type Account, reportTo } from './account.ts'
import { type Declared, toEvidence } from './evidence.ts'
import { type Quote, toQuote, toSigned } from './quote.ts'
import { type BuyRequest, type PaidAnswer, type Payable, quoteOverHttp, quoteOverMcp } from './seller.ts'
import {
  concludeFrom,
  createReconcile,
  lookUpUse,
  type RecentChainState,
  type SettlementReader,
  toReleased,
} from './settlements.ts'
import { signPurchase } from './sign.ts'
import { drawWallet, type Wallet } from './wallet.ts'

/**
 * Buys one thing: gets a quote, checks the guard, reserves durably, signs, pays, and examines the response and the settlement. After
 * signing nothing is retried, and only the chain can release the reservation.
 */

export type Order = Declared & {
  /** At most one payment per purpose. */
  readonly purpose: string
  readonly serviceId: string | null
  readonly request: BuyRequest
  /** Whether values of the request are invented samples. */
  readonly isMadeUp?: boolean
  /** The listing, if the purchase tests whether it delivers. */
  readonly listed?: { readonly endpoint: string }
  /** The listed payee. */
  readonly payee: Payee
  readonly guard: (query: ResolveQuery) => Promise<Resolution>
  /** Called once, before the reservation. Without it only the verdict `clear` is paid. The verdict `stop` is never paid. */
  readonly approve?: (offer: Offer) => Promise<boolean>
  /** Ends the purchase before signing. */
  readonly signal?: AbortSignal
  /** Limit of the response body. */
  readonly maxBodyBytes?: number
}

export type Offer = Quote & {
  readonly request: BuyRequest
  readonly usd: string
  readonly resolution: Resolution
}

/** Nothing was signed, so nothing is paid: only then may something else be bought for the same purpose. */
export type Refused = { readonly kind: 'refused'; readonly reason: Message }
/** Delivered without a payment. */
export type Unpaid = { readonly kind: 'unpaid'; readonly answer: PaidAnswer }
export type Bought = {
  readonly kind: 'bought'
  readonly purchase: Purchase
  /** undefined without a response, or if it was too long. */
  readonly answer?: PaidAnswer
  /** The settle response as received. */
  readonly settlement?: Readonly<Record<string, unknown>>
  readonly offer: Offer
}

export type Quoted = { readonly kind: 'quoted'; readonly offer: Offer }

export interface Buyer {
  readonly addresses: readonly string[]
  /** The cap that an offer would exceed; the reservation looks again. */
  findCap(offer: Offer, order: Pick<Order, 'serviceId'>): Promise<Message | undefined>
  /** The wallet that pays an offer for a purpose. */
  payerFor(purpose: string, offer: Pick<Offer, 'family'>): string
  /** What would be signed. Nothing is reserved, signed or paid. */
  quote(order: Order): Promise<Quoted | Unpaid | Refused>
  buy(order: Order): Promise<Bought | Unpaid | Refused>
  /** Checks again what is still reserved or signed: after a process ended, or a response without a clear result. */
  reconcile(): Promise<readonly Purchase[]>
}

type BuyerDeps = {
  /** One is drawn per purpose, so that a seller cannot predict the payer. */
  readonly wallets: readonly Wallet[]
  readonly purchases: PurchaseTable
  readonly caps: Caps
  /** For quotes and paid requests; see `BUYER_LIMITS`. */
  readonly fetch: SafeFetch
  readonly clock: Clock
  readonly rates: () => Rates
  readonly reader: SettlementReader
  /** The directory that keeps the budget of the user's API key. */
  readonly account?: Account | undefined
  /** Called once for every concluded purchase. */
  readonly onConcluded?: (purchase: Purchase) => Promise<void>
}

/** Sellers settle on a chain, and work, before they respond. */
export const BUYER_LIMITS = { firstByteMs: 60_000, totalMs: 90_000 }
const MAX_ANSWER_BYTES = 2 * 1024 * 1024

export function createBuyer(deps: BuyerDeps): Buyer {
  const { wallets, purchases, caps, fetch, clock, rates, reader, account } = deps
  let newId: ReturnType<typeof createIdSource> | undefined
  /** Followers read purchases by their ids: the next one comes after those of earlier processes, also after the clock was set back. */
  const createId = async (): Promise<string> => {
    const [last] = newId ? [] : await purchases.list({ limit: 1 })
    newId ??= createIdSource(undefined, last && idTimeMs(last.id) + 1)
    return toPurchaseId(newId(clock.now()))
  }
  const walletFor = (purpose: string, { family }: Pick<Offer, 'family'>): Wallet =>
    drawWallet(
      wallets.filter(each => each.family === family),
      purpose,
    )

  async function requestQuote(order: Order): Promise<(Quoted & Pick<Payable, 'pay'>) | Unpaid | Refused> {
    const { request, payee, guard, signal } = order
    const options = signal ? { signal } : {}
    const result = request.tool
      ? await quoteOverMcp(fetch, request.url, { ...options, tool: request.tool, isSample: !!order.listed })
      : await quoteOverHttp(fetch, request, options)
    if (result.kind !== 'quoted') return result
    const chosen = toQuote(result.required, payee, rates(), findObstacle)
    if ('code' in chosen) return refuse(chosen)
    const { requirements, microUsd } = chosen
    const resolution = await guard({
      url: request.url,
      method: request.method,
      payTo: requirements.payTo,
      amount: requirements.amount,
      asset: requirements.asset,
      network: requirements.network,
      scheme: requirements.scheme,
    })
    const offer = { ...chosen, request, usd: fromMicroDollars(microUsd), resolution }
    return { kind: 'quoted', offer, pay: result.pay }
  }

  async function quote(order: Order): Promise<Quoted | Unpaid | Refused> {
    const result = await requestQuote(order)
    return result.kind === 'quoted' ? { kind: 'quoted', offer: result.offer } : result
  }

  /** A Solana transaction needs data from a node. */
  function findObstacle({ family, chain }: PayableRequirements): Message | undefined {
    if (!wallets.some(wallet => wallet.family === family))
      return say('key_missing', { chain: labelOf(chain) })
    return family === 'svm' && !reader.reads(chain)
      ? say('node_missing', { chain: labelOf(chain) })
      : undefined
  }

  async function findRefusal(order: Order, offer: Offer): Promise<Message | undefined> {
    const { verdict, reasons } = offer.resolution
    const needsApproval = verdict !== 'stop' && order.approve !== undefined
    if (!needsApproval && verdict !== 'clear')
      return say('guard_stopped', {
        verdict,
        reasons: reasons.map(each => readMessageRecord(each, each.text)),
      })
    return !needsApproval || (await order.approve?.(offer)) === true ? undefined : say('payment_not_approved')
  }

  const toPurchase = (
    id: string,
    order: Order,
    offer: Offer,
    payer: string,
    recent: RecentChainState | undefined,
  ): Purchase => {
    const { purpose, serviceId, request, isMadeUp, listed } = order
    const { requirements, microUsd, x402Version, price, currency } = offer
    const now = clock.now()
    return {
      id,
      source: 'operator',
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
        requestDigest: digestOf(request),
        x402Version,
        price,
        currency,
        ...(listed && { endpoint: listed.endpoint }),
        ...(isMadeUp && { isMadeUp }),
        ...(recent && { lifetime: { slot: recent.slot, lastBlock: recent.lastBlock } }),
        reasons: [],
      },
    }
  }

  /** Requested as late as possible, because the blockhash expires. */
  const recentFor = async ({
    family,
    requirements,
  }: Offer): Promise<RecentChainState | Message | undefined> =>
    family === 'svm'
      ? reader
          .recent(requirements.chain, requirements.asset)
          .catch(() => say('node_away', { chain: labelOf(requirements.chain) }))
      : undefined

  async function conclude(purchase: Purchase): Promise<Purchase> {
    const isRead = reader.reads(purchase.chain)
    const use = await lookUpUse(reader, purchase, clock)
    // Without a node the seller's claim is all that will ever be known.
    const conclusion = await reportTo(
      account,
      purchase,
      concludeFrom(purchase, { use, isRead, isLast: !isRead }),
    )
    await purchases.conclude(purchase.id, conclusion)
    const concluded = { ...purchase, ...conclusion }
    if (conclusion.state !== 'signed') await deps.onConcluded?.(concluded)
    return concluded
  }

  return {
    addresses: wallets.map(({ address }) => address),
    async findCap({ microUsd, usd, request, requirements: { chain, payTo } }, { serviceId }) {
      const payment = {
        ...{ at: clock.now().toISOString(), host: sellingDomain(request.url) },
        ...{ serviceId, microUsd, chain, payTo },
      }
      const exceeded = await purchases.findExceeded(payment, caps)
      return exceeded && toCapMessage(exceeded, usd)
    },
    payerFor: (purpose, offer) => walletFor(purpose, offer).address,
    quote,
    async buy(order) {
      const quoted = await requestQuote(order)
      if (quoted.kind !== 'quoted') return quoted
      const { offer, pay } = quoted
      const problem = await findRefusal(order, offer)
      if (problem) return refuse(problem)
      const wallet = walletFor(order.purpose, offer)
      const recent = await recentFor(offer)
      if (recent && 'code' in recent) return refuse(recent)
      order.signal?.throwIfAborted()
      const reserved = toPurchase(await createId(), order, offer, wallet.address, recent)
      const conflict = await purchases.reserve(reserved, caps)
      if (conflict) return refuse(toReason(conflict, offer))
      const refused = await account?.reserve(reserved, toSigned(offer).validForSeconds)
      if (refused) {
        await purchases.conclude(reserved.id, toReleased(reserved, refused))
        return refuse(refused)
      }
      const signed = await signPurchase(reserved, offer, { wallet, recent }, { purchases, clock })
      if ('code' in signed) {
        const left = await purchases.find(reserved.id)
        if (left?.state === 'released') await account?.report(left)
        return refuse(signed)
      }

      const maxBodyBytes = order.maxBodyBytes ?? MAX_ANSWER_BYTES
      const reply = await pay(signed.payment, maxBodyBytes)
      const { response, settleResponse } = reply
      const evidence = toEvidence(reply, reserved, order, maxBodyBytes)
      const answered = { ...signed.purchase, detail: { ...signed.purchase.detail, answer: evidence } }
      return {
        kind: 'bought',
        purchase: await conclude(answered),
        offer,
        ...(response.ok && { answer: response }),
        ...(settleResponse.kind === 'claimed' && { settlement: settleResponse.raw }),
      }
    },
    reconcile: createReconcile({ purchases, reader, clock, account, onConcluded: deps.onConcluded }),
  }
}

const labelOf = (chain: string): string => findChain(chain)?.label ?? chain

const refuse = (reason: Message): Refused => ({ kind: 'refused', reason })

const toReason = (problem: ReserveProblem, { usd }: Offer): Message =>
  problem.kind === 'purpose' ? say('purpose_taken', { id: problem.id }) : toCapMessage(problem, usd)
