// How to pay a service, also for readers who are new to x402; of one that must not be paid, what its listing says.

import { resourceToCall } from '../../domain/call/call.ts'
import { toShell } from '../../domain/call/literals.ts'
import { findChain } from '../../domain/chains/chains.ts'
import { type Html, html } from '../html.ts'
import { toCopyable } from '../layout.ts'
import { toBreakable, toShortUrl } from '../provider-text.ts'
import type { View } from '../view.ts'
import { findPayees, networksOf } from './seen-payees.ts'
import { findSeenPrice, toAsks } from './service-figures.ts'
import type { Found } from './service-reads.ts'

type Payable = Pick<Found, 'service' | 'terms' | 'backing' | 'isRetired'>

/** The request for the terms is shown only if no code to call the service precedes it: a bare request may not ask for payment. */
export function toPayment(view: View, found: Payable): Html {
  const { words } = view
  const { service, terms } = found
  const { x402Config, pricing, endpoint } = service
  const isPayable = canBePaid(found)
  // What must not be paid has no button that copies it.
  const toValue = (text: string, what: string, shown = toBreakable(text)) =>
    isPayable ? toCopyable(view, text, what, shown) : html`<code>${shown}</code>`
  const { paymentAddress, network } = x402Config
  const chain = findChain(network)
  const asked = findSeenPrice(terms)
  const rows = [
    [
      words.service.address,
      // The link is about the listed address, so it stands before the others.
      html`${toValue(paymentAddress, words.service.address)}<br><a href="${view.href(`/sellers/${encodeURIComponent(paymentAddress)}`)}">${words.seller.more}</a>${toOtherPayees(view, found)}`,
    ],
    [
      words.service.network,
      html`${chain?.label ?? network} ${toValue(chain?.id ?? network, words.service.network)}${toOtherNetworks(view, found)}`,
    ],
    [
      words.service.price,
      html`${pricing.pricePerRequest} ${pricing.currency} ${words.perRequest}${asked && html`<br>${toAsks(view, asked)}`}`,
    ],
    [words.service.endpoint, toValue(endpoint, words.service.endpoint, toShortUrl(endpoint))],
  ] as const
  const list = html`<dl class="rows">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
  if (!isPayable) return html`<section><h2>${words.service.listing}</h2>${list}</section>`
  return html`<section><h2>${words.service.pay}</h2>
${list}
${terms && resourceToCall(terms) ? undefined : html`<p class="curl"><span>${words.service.curl}</span>${toCopyable(view, `curl -i ${toShell(endpoint)}`, 'curl')}</p>`}
<p class="note">${words.service.payCheck}</p>
<details><summary>${words.service.payNew}</summary><ol class="steps">${words.service.paySteps.map(step => html`<li>${step}</li>`)}</ol></details>
</section>`
}

/** The wallets that the endpoint asks to pay on the listed network in place of the listed one, whole: only so can they be compared. */
function toOtherPayees({ words }: View, { service, terms }: Payable): Html | undefined {
  if (!terms || service.status === 'inactive' || !terms.asListed.network || terms.asListed.address)
    return undefined
  const { others } = findPayees(service.x402Config, terms)
  return html`<br><b class="wrong">${words.proof.asksToPay}${words.colon}${others.map((payTo, i) => html`${i > 0 ? ', ' : ''}<code>${toBreakable(payTo)}</code>`)}</b>`
}

function toOtherNetworks({ words }: View, { service, terms }: Payable): Html | undefined {
  if (!terms || service.status === 'inactive' || terms.asListed.network) return undefined
  return html`<br><b class="wrong">${words.alerts.otherNetwork.text(networksOf(terms).join(', '))}</b>`
}

/**
 * What a page warns against does not invite a payment: a service that is retired or does not answer, one that another entry
 * represents, and one that asks for more than listed or for another payee.
 */
export function canBePaid({ isRetired, service, backing, terms }: Payable): boolean {
  if (isRetired || service.status === 'inactive' || backing.representative) return false
  return !terms || (terms.asListed.address && terms.asListed.network && terms.asListed.price !== 'higher')
}
