/**
 * Makes one call from an id or a sentence to a paid response, with a user's own key, caps and ledger. The directory is trusted only in
 * part: it names URL and payee, but the caps, the user's approval and the checks before signing hold whatever it returns. Another
 * service is tried only if nothing was signed for the one before.
 */
import { z } from 'zod'
import { resourceToCall } from '../domain/call/call.ts'
import { buildInputRequest } from '../domain/call/input-request.ts'
import type { Caps } from '../domain/caps.ts'
import type { Encoded } from '../domain/encoded.ts'
import { DirectoryError } from '../domain/errors.ts'
import { readMessageRecord } from '../domain/message-view.ts'
import { fromMicroDollars } from '../domain/micro-dollars.ts'
import { DECIMAL } from '../domain/money.ts'
import type {
  Approval,
  CalledService,
  CallOrder,
  CallResult,
  OfferView,
  PaidBefore,
  ServiceCaller,
  UnpaidService,
} from '../domain/paid-calls.ts'
import type { Purchase } from '../domain/purchases.ts'
import { judgePayment, toPaymentQuestion } from '../domain/resolve/judge-payment.ts'
import type { ResolveQuery } from '../domain/resolve/query.ts'
import { resolutionSchema } from '../domain/resolve/resolution.ts'
import { digestOf, resourceTermsSchema } from '../domain/terms.ts'
import { type Message, say } from '../messages/message.ts'
import { tellInEnglish } from '../messages/tell-in-english.ts'
import type { PurchaseTable } from '../store/purchases.ts'
import type { Buyer, Offer, Order } from './buyer.ts'
import { findCap } from './find-cap.ts'
import { toBuyRequest } from './order.ts'
import { toSigned } from './quote.ts'
import type { PaidAnswer } from './seller.ts'

/** The operations needed of a directory, local or remote. */
export interface CallerDirectory {
  get(id: string): Promise<Encoded<unknown>>
  terms(id: string): Promise<Encoded<unknown>>
  resolve(query: ResolveQuery): Promise<Encoded<unknown>>
  /** Services for a sentence, best first. */
  find(sentence: string, limit: number): Promise<Encoded<unknown>>
}

export type CallerParts = {
  readonly directory: CallerDirectory
  readonly purchases: PurchaseTable
  /** The purchases that count against the caps now. */
  readonly recent: () => Promise<readonly Purchase[]>
  readonly createBuyer: (caps: Caps) => Buyer
  readonly caps: Caps
  /** In millionths of a dollar: above this price the user must approve. */
  readonly askAbove: number
}

/** Services of a search that are tried. */
const MAX_TRIED = 5
/** Results that are looked at: those whose terms were never seen cannot be called, and do not count as tried. */
const MAX_FOUND = 25

const payeeSchema = z.object({ paymentAddress: z.string().max(256), network: z.string().max(128) })
const listedSchema = z.object({
  id: z.string().max(64),
  name: z.string().max(1_000),
  pricing: z.object({
    currency: z.string().max(64),
    pricePerRequest: z.string().max(256).regex(DECIMAL),
    freeQuota: z.number(),
  }),
  x402Config: payeeSchema,
})
const searchSchema = z.object({
  results: z.array(z.object({ service: listedSchema, weak: z.literal(true).optional() })),
})
const termsSchema = z.object({ resources: z.array(resourceTermsSchema).max(64) })

/** @throws DirectoryError if the response is not that of a directory */
function read<S extends z.ZodType>(schema: S, answer: Encoded<unknown>): z.output<S> {
  const parsed = schema.safeParse(answer.decode())
  if (!parsed.success)
    throw new DirectoryError('internal', say('directory_answer_odd'), [], { cause: parsed.error })
  return parsed.data
}

type Candidate = z.output<typeof listedSchema>
type Attempt =
  | {
      readonly kind: 'refused'
      readonly reason: Message
      readonly isFinal?: boolean
      readonly paidBefore?: PaidBefore | undefined
    }
  | (CallResult & { readonly kind: 'paid' | 'free' | 'would_pay' | 'ask' })

export function createServiceCaller(parts: CallerParts): ServiceCaller {
  const { directory, purchases, caps, askAbove } = parts

  async function findCandidates({ target }: CallOrder): Promise<readonly Candidate[]> {
    if (target.kind === 'id') {
      const service = read(listedSchema, await directory.get(target.id))
      return [{ ...service, id: target.id }]
    }
    const { results } = read(searchSchema, await directory.find(target.sentence, MAX_FOUND))
    // Weak matches are not paid for.
    const fitting = results.filter(({ weak }) => !weak).slice(0, MAX_FOUND)
    return fitting.map(({ service }) => service)
  }

  async function toOrder(candidate: Candidate, call: CallOrder, purpose: string): Promise<Order | Message> {
    const resource = await readResource(candidate.id)
    if ('code' in resource) return resource
    const given = buildInputRequest(resource, call.input)
    if (given.kind === 'problems') return say('input_not_as_declared', { problems: given.problems })
    return {
      purpose,
      serviceId: candidate.id,
      request: toBuyRequest(given.request),
      payee: candidate.x402Config,
      output: resource.output,
      mimeType: resource.mimeType,
      guard: async query => read(resolutionSchema, await directory.resolve(query)),
      ...(call.signal && { signal: call.signal }),
      ...(call.maxBodyBytes !== undefined && { maxBodyBytes: call.maxBodyBytes }),
    }
  }

  /** @returns why there is none, if so */
  async function readResource(id: string) {
    try {
      return resourceToCall(read(termsSchema, await directory.terms(id))) ?? say('terms_never_seen')
    } catch (error) {
      if (!(error instanceof DirectoryError) || error.code !== 'no_terms') throw error
      return say(error.said.code === 'sample' ? 'sample' : 'terms_never_seen')
    }
  }

  /** Reasons to require the user's approval, whatever the price. */
  async function findDoubts(offer: Offer, called: Candidate): Promise<Message[]> {
    const { resolution, requirements } = offer
    const { verdict } = resolution
    const before = (await purchases.list({ serviceId: called.id, limit: 10 })).find(
      ({ state, chain }) => state !== 'released' && chain === requirements.chain,
    )
    const isOther = before && before.payTo.toLowerCase() !== requirements.payTo.toLowerCase()
    return [
      ...(verdict === 'clear' ? [] : [say('asks_for_verdict', { verdict })]),
      ...(isOther ? [say('asks_for_payee', { before: before.payTo })] : []),
      ...moreThanListed(offer, called),
    ]
  }

  const isAboveThreshold = ({ microUsd }: Offer, { asksAlways }: CallOrder) =>
    asksAlways || microUsd > askAbove
  const aboveThreshold = ({ usd }: Offer) => say('asks_for_price', { usd, most: fromMicroDollars(askAbove) })

  async function attempt(candidate: Candidate, call: CallOrder, purpose: string): Promise<Attempt> {
    const service = { id: candidate.id, name: candidate.name }
    const order = await toOrder(candidate, call, purpose)
    if ('code' in order) return { kind: 'refused', reason: order }
    // Before the user is asked to approve it; the reservation checks again.
    const taken = await refusePaidBefore(order)
    if (taken) return taken
    const within = { ...caps, perCall: Math.min(caps.perCall, call.most ?? caps.perCall) }
    const buyer = parts.createBuyer(within)
    const view = async (offer: Offer) => {
      const [doubts, recent] = await Promise.all([findDoubts(offer, candidate), parts.recent()])
      const exceededCap = findCap(offer, order, recent, within)
      const asks = [...doubts, ...(isAboveThreshold(offer, call) ? [aboveThreshold(offer)] : [])]
      return {
        offer: toOfferView(offer, order, {
          payer: buyer.payerFor(purpose, offer),
          doubts,
          asks,
          exceededCap,
        }),
        exceededCap,
      }
    }
    if (call.dryRun) {
      const quoted = await buyer.quote(order)
      if (quoted.kind === 'unpaid') return toFree(service, quoted.answer)
      if (quoted.kind === 'refused') return quoted
      return { kind: 'would_pay', service, offer: (await view(quoted.offer)).offer, tried: [] }
    }

    const decision: { offer?: OfferView; approval?: Approval; cap?: Message | undefined } = {}
    const result = await buyer.buy({
      ...order,
      async approve(offer) {
        const { offer: shown, exceededCap } = await view(offer)
        Object.assign(decision, { offer: shown, cap: exceededCap })
        // The user is not asked to approve what the caps forbid; the ledger checks them again.
        if (exceededCap) return false
        decision.approval = shown.asks.length === 0 ? 'yes' : await call.approve(shown)
        return decision.approval === 'yes'
      },
    })
    if (result.kind === 'unpaid') return toFree(service, result.answer)
    if (result.kind === 'bought') {
      const { purchase, answer } = result
      return { kind: 'paid', service, purchase, tried: [], ...(answer && { answer: toAnswer(answer) }) }
    }
    const { offer, approval, cap } = decision
    if (cap) return { kind: 'refused', reason: cap }
    if (offer && approval === 'later') return { kind: 'ask', service, offer, tried: [] }
    if (offer && approval === 'cannot')
      return { kind: 'refused', reason: say('approval_impossible', { asks: offer.asks }) }
    if (approval === 'changed') return { kind: 'refused', reason: say('offer_changed'), isFinal: true }
    if (result.reason.code === 'purpose_taken') return (await refusePaidBefore(order)) ?? result
    // After a refusal by the user no other service is offered.
    return { ...result, isFinal: approval === 'no' }
  }

  async function refusePaidBefore({ purpose, request }: Order): Promise<Attempt | undefined> {
    const purchase = await purchases.findForPurpose(purpose)
    if (!purchase) return undefined
    const { requestDigest } = purchase.detail
    const isOtherRequest = requestDigest !== undefined && requestDigest !== digestOf(request)
    const reason = say('purpose_taken', { id: purchase.id })
    return { kind: 'refused', reason, isFinal: true, paidBefore: { purchase, isOtherRequest } }
  }

  return {
    async call(order) {
      await parts.createBuyer(caps).reconcile()
      const purpose = `call ${order.purpose ?? crypto.randomUUID()}`
      const tried: UnpaidService[] = []
      const unseen: UnpaidService[] = []
      for (const candidate of await findCandidates(order)) {
        order.signal?.throwIfAborted()
        const attempted = await attempt(candidate, order, purpose)
        if (attempted.kind !== 'refused') return { ...attempted, tried }
        const { reason, paidBefore } = attempted
        const refused = { service: { id: candidate.id, name: candidate.name }, reason }
        if (reason.code === 'terms_never_seen' || reason.code === 'sample') unseen.push(refused)
        else tried.push(refused)
        if (paidBefore) return { kind: 'refused', tried, paidBefore }
        if (attempted.isFinal || tried.length >= MAX_TRIED) break
      }
      return { kind: 'refused', tried: tried.length > 0 ? tried : unseen.slice(0, MAX_TRIED) }
    },
  }
}

const toAnswer = ({ status, headers, body }: PaidAnswer) => ({
  status,
  contentType: headers.get('content-type') ?? null,
  body,
})

/** Another listing may represent the URL at a higher price; the caller has chosen by this one. */
const moreThanListed = ({ request: { url }, requirements }: Offer, listed: Candidate): Message[] => {
  const { amount, asset, chain: network } = requirements
  const question = toPaymentQuestion({ url, amount, asset, network }, undefined)
  return judgePayment(question, listed).stop.filter(({ code }) => code === 'more_than_listed')
}

const toFree = (service: CalledService, answer: PaidAnswer): Attempt => ({
  kind: 'free',
  service,
  answer: toAnswer(answer),
  tried: [],
})

const toOfferView = (
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
