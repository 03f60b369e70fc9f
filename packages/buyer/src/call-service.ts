// Calls a service for a user: by id, or the first of those found for a sentence that can be paid.
import { resourceToCall } from 'shirube/domain/call/call.ts'
import { DirectoryError } from 'shirube/domain/errors.ts'
import type { Encoded } from 'shirube/domain/json.ts'
import { fromMicroDollars } from 'shirube/domain/money/money.ts'
import type { Caps } from 'shirube/domain/purchases/purchases.ts'
import { type Resolution, type ResolveQuery, resolutionSchema } from 'shirube/domain/resolve/resolution.ts'
import { digestOf, type ResourceTerms, resourceTermsSchema } from 'shirube/domain/terms/terms.ts'
import { type Message, say } from 'shirube/messages/message.ts'
import type { PurchaseTable } from 'shirube/store/purchases.ts'
import { z } from 'zod'
import type { Buyer, Offer, Order } from './buyer.ts'
import { buildInputRequest } from './input-request.ts'
import { toBuyRequest } from './order.ts'
import {
  type Approval,
  type CalledService,
  type CallOrder,
  type CallResult,
  type Candidate,
  findDoubts,
  listedSchema,
  type OfferView,
  type PaidBefore,
  type ServiceCaller,
  toOfferView,
  type UnpaidService,
} from './paid-calls.ts'
import type { PaidAnswer } from './seller.ts'

/**
 * The services that a call may go to, as a directory returns them. The directory may be another one, which is trusted only in part: each
 * of its responses is validated.
 */

/** The operations needed of a directory, local or remote. */
interface CallerDirectory {
  get(id: string): Promise<Encoded<unknown>>
  terms(id: string): Promise<Encoded<unknown>>
  resolve(query: ResolveQuery): Promise<Encoded<unknown>>
  /** Services for a sentence, best first. */
  find(sentence: string, limit: number): Promise<Encoded<unknown>>
}

/** Results that are looked at: those whose terms were never seen cannot be called, and do not count as tried. */
const MAX_FOUND = 25

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

/** The named service, or those that match the sentence, best first. */
async function findCandidates(
  directory: CallerDirectory,
  target: CallOrder['target'],
): Promise<readonly Candidate[]> {
  if (target.kind === 'id') {
    const service = read(listedSchema, await directory.get(target.id))
    return [{ ...service, id: target.id }]
  }
  const { results } = read(searchSchema, await directory.find(target.sentence, MAX_FOUND))
  // Weak matches are not paid for.
  const fitting = results.filter(({ weak }) => !weak).slice(0, MAX_FOUND)
  return fitting.map(({ service }) => service)
}

/** @returns why there is none, if so */
async function readResource(directory: CallerDirectory, id: string): Promise<ResourceTerms | Message> {
  try {
    return resourceToCall(read(termsSchema, await directory.terms(id))) ?? say('terms_never_seen')
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code !== 'no_terms') throw error
    return say(error.said.code === 'sample' ? 'sample' : 'terms_never_seen')
  }
}

const resolvePayment = async (directory: CallerDirectory, query: ResolveQuery): Promise<Resolution> =>
  read(resolutionSchema, await directory.resolve(query))

/**
 * Makes one call from an id or a sentence to a paid response, with a user's own key, caps and ledger. The directory is trusted only in
 * part: it names URL and payee, but the caps, the user's approval and the checks before signing hold whatever it returns. Another
 * service is tried only if nothing was signed for the one before.
 */

type CallerDeps = {
  readonly directory: CallerDirectory
  readonly purchases: PurchaseTable
  readonly createBuyer: (caps: Caps) => Buyer
  readonly caps: Caps
  /** In millionths of a dollar: above this price the user must approve. */
  readonly askAbove: number
}

/** Services of a search that are tried. */
const MAX_TRIED = 5

type Attempt =
  | {
      readonly kind: 'refused'
      readonly reason: Message
      readonly isFinal?: boolean
      readonly paidBefore?: PaidBefore | undefined
    }
  | (CallResult & { readonly kind: 'paid' | 'free' | 'would_pay' | 'ask' })

export function createServiceCaller(deps: CallerDeps): ServiceCaller {
  const { directory, purchases, caps, askAbove } = deps

  async function toOrder(candidate: Candidate, call: CallOrder, purpose: string): Promise<Order | Message> {
    const resource = await readResource(directory, candidate.id)
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
      guard: query => resolvePayment(directory, query),
      ...(call.signal && { signal: call.signal }),
      ...(call.maxBodyBytes !== undefined && { maxBodyBytes: call.maxBodyBytes }),
    }
  }

  const askForPrice = ({ microUsd, usd }: Offer, { asksAlways }: CallOrder): Message[] =>
    asksAlways || microUsd > askAbove
      ? [say('asks_for_price', { usd, most: fromMicroDollars(askAbove) })]
      : []

  async function attempt(candidate: Candidate, call: CallOrder, purpose: string): Promise<Attempt> {
    const service = { id: candidate.id, name: candidate.name }
    const order = await toOrder(candidate, call, purpose)
    if ('code' in order) return { kind: 'refused', reason: order }
    // Before the user is asked to approve it; the reservation checks again.
    const taken = await refusePaidBefore(order)
    if (taken) return taken
    const within = { ...caps, perCall: Math.min(caps.perCall, call.most ?? caps.perCall) }
    const buyer = deps.createBuyer(within)
    const view = async (offer: Offer) => {
      const [bought, exceededCap] = await Promise.all([
        purchases.list({ serviceId: candidate.id, limit: 10 }),
        buyer.findCap(offer, order),
      ])
      const doubts = findDoubts(offer, candidate, bought)
      const asks = [...doubts, ...askForPrice(offer, call)]
      const payer = buyer.payerFor(purpose, offer)
      return { offer: toOfferView(offer, order, { payer, doubts, asks, exceededCap }), exceededCap }
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
      await deps.createBuyer(caps).reconcile()
      const purpose = `call ${order.purpose ?? crypto.randomUUID()}`
      const tried: UnpaidService[] = []
      const unseen: UnpaidService[] = []
      for (const candidate of await findCandidates(directory, order.target)) {
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

const toFree = (service: CalledService, answer: PaidAnswer): Attempt => ({
  kind: 'free',
  service,
  answer: toAnswer(answer),
  tried: [],
})
