// The purchases that this directory made from a service, and their outcomes.

import { chainLabel } from '../../domain/chains/chains.ts'
import { readMessageRecord } from '../../domain/message-view.ts'
import type { PurchasesAnswer, PurchaseView } from '../../domain/purchases/purchases-view.ts'
import { type Html, html } from '../html.ts'
import { toCopyButton, toTime } from '../layout.ts'
import { toMessageParagraph } from '../message-text.ts'
import { toCutName } from '../provider-text.ts'
import type { View } from '../view.ts'
import { toldOutcome, toOutcomeMark } from './purchase-outcome.ts'

export const MAX_PURCHASES = 10

export const toPurchaseAnchor = (id: string): string => `purchase-${id}`

type Bought = {
  /** undefined if the store is unavailable. */
  readonly bought: PurchasesAnswer | undefined
  /** Names of the other listings through which purchases were made, by id; those that are gone are missing. */
  readonly listingNames: ReadonlyMap<string, string>
}

/** The sentence counts what trust counts; purchases that do not count are marked as such in the list. */
export function toPurchases(view: View, { bought, listingNames }: Bought): Html | undefined {
  if (!bought) return undefined
  const { delivery, purchases } = bought
  const { title, none } = view.words.service.bought
  if (purchases.length === 0) return html`<h3>${title}</h3><p class="note">${none}</p>`
  return html`<h3>${title}</h3>${delivery.purchases > 0 ? html`<p>${toSum(view, bought)}</p>` : undefined}${toNotes(view, bought)}
<ol class="events">${purchases.map(purchase => toPurchase(view, purchase, listingNames))}</ol>`
}

function toSum({ words, number }: View, { delivery, purchases }: PurchasesAnswer): string {
  const { sum, sumCounted } = words.service.bought
  const isAllCounted = purchases.every(({ counts }) => counts)
  return (isAllCounted ? sum : sumCounted)(number(delivery.delivered), number(delivery.purchases))
}

/** What the list leaves out, and why some of it is not counted. */
function toNotes({ words, number }: View, { purchases, next }: PurchasesAnswer): Html[] {
  const { newest, uncountedNote } = words.service.bought
  const notes = [
    ...(next === null ? [] : [newest(number(purchases.length))]),
    ...(purchases.every(({ counts }) => counts) ? [] : [uncountedNote]),
  ]
  return notes.map(note => html`<p class="note">${note}</p>`)
}

function toPurchase(view: View, purchase: PurchaseView, listingNames: Bought['listingNames']): Html {
  const { id, at, outcome, counts, through, quoted, chain, answer, transaction, reasons, reasonCodes } =
    purchase
  const { paid, through: throughOther, uncounted, transaction: what } = view.words.service.bought
  const facts = [
    paid(`${quoted.price} ${quoted.currency}`, chainLabel(chain)),
    ...(answer?.status ? [`HTTP\u00a0${answer.status}`] : []),
    ...(counts ? [] : [uncounted]),
  ]
  const name = through === null ? undefined : listingNames.get(through)
  const origin =
    through === null
      ? undefined
      : html`<p>${throughOther}${name === undefined ? undefined : html`${view.words.colon}<a href="${view.href(`/services/${through}`)}">${toCutName(name)}</a>`}</p>`
  return html`<li id="${toPurchaseAnchor(id)}">${toTime(view, at)} <div>${toOutcomeMark(view, toldOutcome(outcome, reasonCodes), counts)} <span>${facts.join(' ·\u00a0')}</span>${origin}${reasons.map((reason, i) => toMessageParagraph(view, readMessageRecord(reasonCodes[i], reason)))}${transaction === null ? undefined : toCopyButton(view, transaction, what, view.words.copyWhat(what))}</div></li>`
}
