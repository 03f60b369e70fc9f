// What a user is asked before a payment, and what the answer is good for: one call, with these arguments, for this very offer.
import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import type { Approval, CalledService, OfferView } from '../domain/paid-calls.ts'
import type { Clock } from '../runtime/clock.ts'
import { ask, readAnswer } from './questions.ts'
import type { Arguments } from './schemas.ts'
import { quote } from './untrusted-text.ts'

type Asked = {
  readonly given: string
  readonly offer: string
  readonly serviceId: string
  readonly until: number
}

/** What the user has said to a question of this process; undefined where there was none, or it was about something else. */
export type Said =
  | { readonly kind: 'yes'; readonly serviceId: string; readonly judge: (offer: OfferView) => Approval }
  | { readonly kind: 'no' }

/** A person reads and thinks; the quote is asked for once more then anyway. */
const GOOD_FOR_MS = 15 * 60_000
const MAX_ASKED = 100

export class Approvals {
  readonly #clock: Clock
  /** By tokens that nobody can guess. They are kept here, so that no client can make one up. */
  readonly #asked = new Map<string, Asked>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  ask(given: Arguments, service: CalledService, offer: OfferView): InputRequiredResult {
    const token = crypto.randomUUID()
    const [oldest] = this.#asked.keys()
    if (this.#asked.size >= MAX_ASKED) this.#asked.delete(oldest!)
    this.#asked.set(token, {
      given: JSON.stringify(given),
      offer: keyOf(offer),
      serviceId: service.id,
      until: this.#clock.now().getTime() + GOOD_FOR_MS,
    })
    return ask({
      state: token,
      message: toQuestion(service, offer),
      title: `Pay ${offer.amount} ${offer.currency} ($${offer.usd})`,
      description: `To ${offer.payTo} on ${offer.chain}, for a request to ${offer.host}`,
    })
  }

  /** Each question is answered once. */
  read(given: Arguments, context: ServerContext): Said | undefined {
    const answer = readAnswer(context)
    const asked = answer && this.#asked.get(answer.state)
    if (!asked) return undefined
    this.#asked.delete(answer.state)
    if (!answer.isYes) return { kind: 'no' }
    if (asked.given !== JSON.stringify(given) || asked.until < this.#clock.now().getTime()) return undefined
    const judge = (offer: OfferView): Approval => (keyOf(offer) === asked.offer ? 'yes' : 'changed')
    return { kind: 'yes', serviceId: asked.serviceId, judge }
  }
}

/** All that is agreed to. */
const keyOf = (offer: OfferView): string => {
  const { atomic, asset, chain, payTo, payer, method, url, tool, verdict, reasons } = offer
  return JSON.stringify([atomic, asset, chain, payTo, payer, method, url, tool, verdict, reasons])
}

/** Names are a stranger's words: in quotes, on one line, short. */
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
