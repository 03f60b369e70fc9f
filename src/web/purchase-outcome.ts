// The outcome of a purchase in a word, marked by colour and shape.
import type { PurchaseOutcome } from '../domain/purchases.ts'
import { type Html, html } from './html.ts'
import { OUTCOME_ICONS } from './icons.ts'
import type { View } from './view.ts'

/** @param counts false where the outcome says nothing of the service */
export function toOutcomeMark({ words }: View, outcome: PurchaseOutcome, counts = true): Html {
  const tone = !counts || outcome === 'not_settled' ? 'open' : outcome === 'delivered' ? 'good' : 'bad'
  return html`<strong class="outcome ${tone}">${OUTCOME_ICONS[tone]}${words.service.bought.outcomes[outcome]}</strong>`
}
