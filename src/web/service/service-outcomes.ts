// The outcomes that payers reported for a service. Empty without reports.
import { chainLabel } from '../../domain/chains/chains.ts'
import type { OutcomesAnswer, OutcomeView } from '../../domain/purchases/outcomes-view.ts'
import { type Html, html } from '../html.ts'
import { toTime } from '../layout.ts'
import type { View } from '../view.ts'
import { reportedOutcome, toOutcomeMark } from './purchase-outcome.ts'

export const MAX_OUTCOMES = 10

/** @param reported undefined if the store is unavailable */
export function toOutcomes(view: View, reported: OutcomesAnswer | undefined): Html | undefined {
  if (!reported || reported.outcomes.length === 0) return undefined
  const { words, number } = view
  const { title, note, settlement } = words.service.payerReports
  const { delivered, payers } = reported.payers.settlement
  return html`<h3>${title}</h3><p>${settlement(number(delivered), number(payers))}</p><p class="note">${note}</p>
<ol class="events">${reported.outcomes.map(outcome => toOutcome(view, outcome))}</ol>`
}

function toOutcome(view: View, { at, outcome, proof, amount, currency, chain }: OutcomeView): Html {
  const { bought, payerReports } = view.words.service
  const paid = amount === null ? chainLabel(chain) : bought.paid(`${amount} ${currency}`, chainLabel(chain))
  return html`<li>${toTime(view, at)} <div>${toOutcomeMark(view, reportedOutcome(outcome))} <span>${paid} ·\u00a0${payerReports.proofs[proof]}</span></div></li>`
}
