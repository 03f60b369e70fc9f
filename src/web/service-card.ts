// The card of a service in a list.

import { chainLabel } from '../domain/chains/chains.ts'
import { endpointHost } from '../domain/hosts/endpoint.ts'
import { categoryLabels } from '../domain/listing/categories.ts'
import type { Service } from '../domain/listing/service.ts'
import type { Status } from '../domain/standing/standing.ts'
import { SAMPLE_ICON, STATUS_ICONS, toMeter } from './assets.ts'
import { findWarnings, toWarning } from './bands.ts'
import { type Html, html } from './html.ts'
import { toForeign, toMarkedText } from './provider-text.ts'
import type { Hit } from './search/find.ts'
import { type Figures, findBackers, toMeasured, toOtherMeasure } from './service/service-reads.ts'
import type { View } from './view.ts'

const MAX_TEXT = 220
const MAX_NAME = 80
const MAX_CHAINS = 3

export const toStatus = ({ words }: View, status: Status, word = words.statuses[status]): Html =>
  html`<span class="status ${status}">${STATUS_ICONS[status]}${word}</span>`

/** A sample has no standing, and what was taken out of service is more than inactive: these are shown in place of the status. */
export const toStanding = (
  view: View,
  status: Status,
  { isSample, isRetired }: Pick<Figures, 'isSample' | 'isRetired'>,
): Html =>
  isSample
    ? html`<span class="status invented">${SAMPLE_ICON}${view.words.proof.invented}</span>`
    : isRetired
      ? html`<span class="status inactive">${STATUS_ICONS.inactive}${view.words.retired}</span>`
      : toStatus(view, status)

/** Marks that warn or confirm; most services have none. */
function toMarks(view: View, { service, backing, figures }: Hit): Html {
  const { words } = view
  const { wallet, domain } = findBackers(backing, figures)
  const by = [
    ...(wallet ? [words.service.claimedByWallet] : []),
    ...(domain ? [words.search.domainProved] : []),
  ]
  const warnings = findWarnings(figures, backing).map(name => toWarning(view, name, service, figures))
  return html`${[...warnings, ...by].map(mark => html`<li>${mark}</li>`)}`
}

export function toCard(view: View, hit: Hit): Html {
  const { service, figures, reason, matchedTokens } = hit
  const { words, href, language, number } = view
  const { id, name, description, pricing, trustScore, status, category, endpoint } = service
  const dollars = toOtherMeasure(view, service, figures)
  return html`<li class="card">
<div class="what">
<h3><a href="${href(`/services/${id}`)}"${toForeign(view, name)}>${toMarkedText(name, matchedTokens, MAX_NAME)}</a></h3>
<p class="host">${endpointHost(endpoint)}</p>
<p${toForeign(view, description)}>${toMarkedText(description.replace(/\s+/g, ' '), matchedTokens, MAX_TEXT)}</p>
${reason ? html`<p class="why"><span>${words.search.why}${words.colon.trim()}</span> ${reason}</p>` : undefined}
<ul class="tags"><li>${toStanding(view, status, figures)}</li>${toMarks(view, hit)}<li>${categoryLabels(category)[language]}</li>${toChains(view, service)}</ul>
</div>
<div class="terms">
<p class="price"><strong>${pricing.pricePerRequest}</strong> ${pricing.currency} <small>${words.perRequest}</small></p>
${figures.asks === undefined ? undefined : html`<p><b class="wrong">${words.proof.asks(`${figures.asks} ${pricing.currency}`)}</b></p>`}
${dollars ? html`<p class="free">${dollars}</p>` : undefined}
${pricing.freeQuota > 0 ? html`<p class="free">${words.free(number(pricing.freeQuota))}</p>` : undefined}
${toMeasured(view, figures)}
${figures.isSample ? undefined : html`<p class="trust">${words.trust} <span><strong>${trustScore}</strong> / 100</span>${toMeter(trustScore)}</p>`}
</div>
</li>
`
}

function toChains({ words, number }: View, { supportedChains }: Service): Html {
  const further = supportedChains.length - MAX_CHAINS
  return html`${supportedChains.slice(0, MAX_CHAINS).map(chain => html`<li>${chainLabel(chain)}</li>`)}${
    further > 0 ? html`<li>${words.furtherChains(number(further))}</li>` : undefined
  }`
}
