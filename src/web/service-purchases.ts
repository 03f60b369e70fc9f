// The purchases that this directory made from a service, and their outcomes.
import { chainLabel } from '../domain/chains.ts'
import { readMessageRecord } from '../domain/message-view.ts'
import type { PurchasesAnswer, PurchaseView } from '../domain/purchases-view.ts'
import { type Html, html } from './html.ts'
import { toTime } from './layout.ts'
import { toMessageParagraph } from './message-text.ts'
import type { View } from './view.ts'

export const MAX_PURCHASES = 10

/** @param bought undefined if the store is unavailable */
export function toPurchases(view: View, bought: PurchasesAnswer | undefined): Html | undefined {
  if (!bought) return undefined
  const { words, number } = view
  const { delivery, purchases } = bought
  const { title, none, sum } = words.service.bought
  if (purchases.length === 0) return html`<h3>${title}</h3><p class="note">${none}</p>`
  return html`<h3>${title}</h3>${delivery.purchases > 0 ? html`<p>${sum(number(delivery.delivered), number(delivery.purchases))}</p>` : undefined}
<ol class="events">${purchases.map(purchase => toPurchase(view, purchase))}</ol>`
}

function toPurchase(view: View, purchase: PurchaseView): Html {
  const { at, outcome, through, quoted, chain, answer, reasons, reasonCodes } = purchase
  const { outcomes, paid, through: throughOther } = view.words.service.bought
  const facts = [
    paid(`${quoted.price} ${quoted.currency}`, chainLabel(chain)),
    ...(answer?.status ? [`HTTP\u00a0${answer.status}`] : []),
    ...(through ? [throughOther] : []),
  ]
  return html`<li>${toTime(view, at)} <div><strong>${outcomes[outcome]}</strong> <span>${facts.join('\u00a0· ')}</span>${reasons.map((reason, i) => toMessageParagraph(view, readMessageRecord(reasonCodes[i], reason)))}</div></li>`
}
