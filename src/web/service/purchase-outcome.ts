// The outcome of a purchase in a word, marked by colour and shape.
import type { PurchaseOutcome } from '../../domain/purchases/purchases.ts'
import { isEmptyAnswer } from '../../messages/empty-answer.ts'
import { type Html, html } from '../html.ts'
import { OUTCOME_ICONS } from '../icons.ts'
import type { View } from '../view.ts'

/** An empty answer counts like one that is not as declared, and has a word of its own. A payer's report does not tell the two apart. */
export type ToldOutcome = PurchaseOutcome | 'empty' | 'empty_or_other'

/** @param reasons why it has this outcome */
export const toldOutcome = (
  outcome: PurchaseOutcome,
  reasons: readonly { readonly code: string }[],
): ToldOutcome => (isEmptyAnswer(outcome, reasons) ? 'empty' : outcome)

export const reportedOutcome = (outcome: PurchaseOutcome): ToldOutcome =>
  outcome === 'delivered_not_as_declared' ? 'empty_or_other' : outcome

/** @param counts false where the outcome says nothing of the service */
export function toOutcomeMark({ words }: View, outcome: ToldOutcome, counts = true): Html {
  const tone = !counts || outcome === 'not_settled' ? 'open' : outcome === 'delivered' ? 'good' : 'bad'
  return html`<strong class="outcome ${tone}">${OUTCOME_ICONS[tone]}${words.service.bought.outcomes[outcome]}</strong>`
}
