// What payers say of a service, apart from what the directory bought itself. Nothing where nobody said anything.
import { chainLabel } from '../domain/chains.ts'
import type { OutcomesAnswer, OutcomeView } from '../domain/outcomes-view.ts'
import { type Html, html } from './html.ts'
import { toTime } from './layout.ts'
import type { View } from './view.ts'

export const MAX_OUTCOMES = 10

/** @param told undefined where the store cannot be asked */
export function toOutcomes(view: View, told: OutcomesAnswer | undefined): Html | undefined {
  if (!told || told.outcomes.length === 0) return undefined
  const { words, number } = view
  const { title, note, ...sums } = words.service.told
  const lines = (['settlement', 'receipt'] as const).filter(proof => told.payers[proof].payers > 0)
  return html`<h3>${title}</h3>${lines.map(proof => {
    const { delivered, payers } = told.payers[proof]
    return html`<p>${sums[proof](number(delivered), number(payers))}</p>`
  })}<p class="note">${note}</p>
<ol class="events purchases">${told.outcomes.map(outcome => toOutcome(view, outcome))}</ol>`
}

function toOutcome(view: View, { at, outcome, proof, amount, currency, chain }: OutcomeView): Html {
  const { bought, told } = view.words.service
  const paid = amount === null ? chainLabel(chain) : bought.paid(`${amount} ${currency}`, chainLabel(chain))
  return html`<li>${toTime(view, at)} <div><strong>${bought.outcomes[outcome]}</strong> <span>${paid} · ${told.proofs[proof]}</span></div></li>`
}
