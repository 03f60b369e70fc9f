// How to pay a service, also for readers who are new to x402.

import { resourceToCall } from '../domain/call/call.ts'
import { toShell } from '../domain/call/literals.ts'
import { findChain } from '../domain/chains.ts'
import type { Service } from '../domain/service.ts'
import type { TermsAnswer } from '../domain/terms.ts'
import { type Html, html } from './html.ts'
import { toCopyable } from './layout.ts'
import { findSeenPrice, toAsks } from './service-figures.ts'
import type { View } from './view.ts'

/** The request for the terms is shown only if no code to call the service precedes it: a bare request may not ask for payment. */
export function toPayment(
  view: View,
  { x402Config, pricing, endpoint }: Service,
  terms: TermsAnswer | undefined,
): Html {
  const { words } = view
  const { paymentAddress, network } = x402Config
  const chain = findChain(network)
  const asked = findSeenPrice(terms)
  const rows = [
    [
      words.service.address,
      html`${toCopyable(view, paymentAddress, words.service.address)}<br><a href="${view.href(`/sellers/${encodeURIComponent(paymentAddress)}`)}">${words.seller.more}</a>`,
    ],
    [
      words.service.network,
      html`${chain?.label ?? network} ${toCopyable(view, chain?.id ?? network, words.service.network)}`,
    ],
    [
      words.service.price,
      html`${pricing.pricePerRequest} ${pricing.currency} ${words.perRequest}${asked && html`<br>${toAsks(view, asked)}`}`,
    ],
    [words.service.endpoint, toCopyable(view, endpoint, words.service.endpoint)],
  ] as const
  return html`<section><h2>${words.service.pay}</h2>
<dl class="rows">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${terms && resourceToCall(terms) ? undefined : html`<p class="curl"><span>${words.service.curl}</span>${toCopyable(view, `curl -i ${toShell(endpoint)}`, 'curl')}</p>`}
<p class="note">${words.service.payCheck}</p>
<details><summary>${words.service.payNew}</summary><ol class="steps">${words.service.paySteps.map(step => html`<li>${step}</li>`)}</ol></details>
</section>`
}
