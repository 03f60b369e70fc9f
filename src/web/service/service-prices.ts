// The price history: listed prices, and prices that were seen at the endpoint.
import type { Service } from '../../domain/listing/service.ts'
import { type Html, html } from '../html.ts'
import { toTime } from '../layout.ts'
import type { View } from '../view.ts'
import type { EventItem } from './service-reads.ts'

const MAX_CHANGES = 20

export function toPrices(view: View, { pricing, createdAt }: Service, events: readonly EventItem[]): Html {
  const { proof } = view.words
  const changes = events.filter(({ type }) => type === 'price').slice(0, MAX_CHANGES)
  const price = `${pricing.pricePerRequest} ${pricing.currency}`
  if (changes.length === 0)
    return html`<h3>${proof.prices}</h3><p>${proof.priceSame(price, view.day(createdAt))}</p>`
  const { when, before, after, by } = proof.priceHeads
  return html`<h3>${proof.prices}</h3><div class="scroll" tabindex="0" role="group" aria-label="${proof.prices}"><table><thead><tr>${[when, before, after, by].map(head => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${changes.map(
  change =>
    html`<tr><th scope="row">${toTime(view, change.at)}</th><td>${toPrice(change.before)}</td><td><strong>${toPrice(change.after)}</strong></td><td>${change.code === 'edited' ? proof.priceListed : proof.priceSeen}</td></tr>
`,
)}</tbody></table></div>`
}

/** Reads a price from an event, whichever version wrote it. */
function toPrice(value: unknown): string {
  const { amount, currency } = (value ?? {}) as { amount?: unknown; currency?: unknown }
  return typeof amount === 'string' && typeof currency === 'string' ? `${amount} ${currency}` : '–'
}
