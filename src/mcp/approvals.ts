// Asks the user before a payment. An approval is valid for one call with the same arguments and the same offer.
import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import type { Approval, CalledService, OfferView } from '../domain/purchases/paid-calls.ts'
import type { Clock } from '../runtime/clock.ts'
import { ask, readAnswer } from './questions.ts'
import type { Arguments } from './schemas.ts'
import { quote } from './untrusted-text.ts'

type PendingQuestion = {
  readonly given: string
  readonly offer: string
  readonly serviceId: string
  readonly until: number
}

/** The user's decision on a question of this process; undefined if there was none, or it was about something else. */
export type Decision =
  | { readonly kind: 'yes'; readonly serviceId: string; readonly judge: (offer: OfferView) => Approval }
  | { readonly kind: 'no' }

/** Time for a person to decide; the quote is requested again anyway. */
const VALID_MS = 15 * 60_000
const MAX_PENDING = 100

export class Approvals {
  readonly #clock: Clock
  /** By unguessable tokens, held here so that no client can forge one. */
  readonly #pending = new Map<string, PendingQuestion>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  ask(given: Arguments, service: CalledService, offer: OfferView): InputRequiredResult {
    const token = crypto.randomUUID()
    const [oldest] = this.#pending.keys()
    if (this.#pending.size >= MAX_PENDING) this.#pending.delete(oldest!)
    this.#pending.set(token, {
      given: JSON.stringify(given),
      offer: offerKey(offer),
      serviceId: service.id,
      until: this.#clock.now().getTime() + VALID_MS,
    })
    return ask({
      state: token,
      message: toQuestion(service, offer),
      title: `Pay ${offer.amount} ${offer.currency} ($${offer.usd})`,
      description: `To ${offer.payTo} on ${offer.chain}, for a request to ${offer.host}`,
    })
  }

  /** Each token is valid once. */
  read(given: Arguments, context: ServerContext): Decision | undefined {
    const answer = readAnswer(context)
    const pending = answer && this.#pending.get(answer.state)
    if (!pending) return undefined
    this.#pending.delete(answer.state)
    if (!answer.isYes) return { kind: 'no' }
    if (pending.given !== JSON.stringify(given) || pending.until < this.#clock.now().getTime())
      return undefined
    const judge = (offer: OfferView): Approval => (offerKey(offer) === pending.offer ? 'yes' : 'changed')
    return { kind: 'yes', serviceId: pending.serviceId, judge }
  }
}

/** Everything that the user approves. */
const offerKey = (offer: OfferView): string => {
  const { atomic, asset, chain, payTo, payer, method, url, tool, verdict, reasons } = offer
  return JSON.stringify([atomic, asset, chain, payTo, payer, method, url, tool, verdict, reasons])
}

/** Names are untrusted: quoted, on one line, short. */
const toQuestion = ({ id, name }: CalledService, offer: OfferView): string =>
  [
    `Pay ${offer.amount} ${quote(offer.currency, 20)} ($${offer.usd}) for one request?`,
    `Payee: ${offer.payTo} on ${offer.chain}`,
    `Host: ${offer.host}${offer.tool === null ? '' : `, the tool ${quote(offer.tool, 128)}`}`,
    `Verdict of the directory: ${offer.verdict}`,
    ...offer.reasons.map(reason => `- ${quote(reason, 300)}`),
    `Service: ${quote(name, 80)}, ${quote(id, 64)}`,
    `Why you are asked: ${quote(offer.asks.join(' '), 500)}`,
  ].join('\n')
