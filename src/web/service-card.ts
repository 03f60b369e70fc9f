// The card of a service in a list.

import { chainLabel } from '../domain/chains/chains.ts'
import { endpointHost } from '../domain/hosts/endpoint.ts'
import { categoryLabels } from '../domain/listing/categories.ts'
import type { Service } from '../domain/listing/service.ts'
import { type Html, html } from './html.ts'
import { toApproval } from './layout.ts'
import { toCutName, toForeign, toMarkedText } from './provider-text.ts'
import type { Hit } from './search/find.ts'
import { toBackerText, toMeasured, toOtherMeasure } from './service/service-reads.ts'
import { toVerdict, type Verdict, verdictOf } from './verdict.ts'
import type { View } from './view.ts'

const MAX_TEXT = 220
const MAX_NAME = 80
const MAX_CHAINS = 3

/** Further warnings, what the verdict leaves of the status that filters find it by, and who has confirmed it; most services have none. */
function toMarks(view: View, { service, backing, figures }: Hit, { others, tone, word }: Verdict): Html {
  const { levels, proof } = view.words
  const isUntold = service.status === 'verified' && tone !== 'fine' && word !== levels.verified
  const marks = [isUntold ? proof.termsVerified : undefined, toBackerText(view, backing, figures)]
  return html`${others.map(({ level, text }) => html`<li class="${level}">${text}</li>`)}${marks.map(mark => mark && html`<li>${mark}</li>`)}`
}

/** What a request costs: where the endpoint asks for more than listed, both. */
const toPrice = ({ pricing: { pricePerRequest } }: Service, { asks }: Hit['figures']): Html =>
  asks === undefined
    ? html`${pricePerRequest}`
    : html`<s>${pricePerRequest}</s> <span class="wrong">${asks}</span>`

export function toCard(view: View, hit: Hit): Html {
  const { service, figures, reason, matchedTokens } = hit
  const { words, href, language, number } = view
  const { id, name, description, pricing, category, endpoint } = service
  const dollars = toOtherMeasure(view, service, figures)
  const verdict = verdictOf(view, service, figures, hit.backing)
  return html`<li class="card">
<div class="what">
<p>${toVerdict(verdict)}</p>
<h3><a href="${href(`/services/${id}`)}"${toForeign(view, name)}>${toMarkedText(name, matchedTokens, MAX_NAME)}</a></h3>
<p class="host">${endpointHost(endpoint)}</p>
<p${toForeign(view, description)}>${toMarkedText(description.replace(/\s+/g, ' '), matchedTokens, MAX_TEXT)}</p>
${reason ? html`<p class="why">${words.search.why}${words.colon}${reason}</p>` : undefined}
<ul class="tags">${toMarks(view, hit, verdict)}<li>${categoryLabels(category)[language]}</li>${toChains(view, service)}</ul>
</div>
<div class="terms">
<p class="price"><strong>${toPrice(service, figures)}</strong> ${pricing.currency} <small>${words.perRequest}</small></p>
${dollars ? html`<p class="free">${dollars}</p>` : undefined}
${pricing.freeQuota > 0 ? html`<p class="free">${words.free(number(pricing.freeQuota))}</p>` : undefined}
${toMeasured(view, service, figures)}
${figures.isSample ? undefined : toApproval(view, id)}
</div>
</li>
`
}

/** A service in a line. */
export function toLine(view: View, { service, figures, backing }: Hit): Html {
  const { id, name, pricing } = service
  return html`<div class="entry"><a href="${view.href(`/services/${id}`)}"${toForeign(view, name)}>${toCutName(name)}</a> <span class="figure">${toPrice(service, figures)} ${pricing.currency}</span></div><p>${toVerdict(verdictOf(view, service, figures, backing))}</p>`
}

function toChains({ words, number }: View, { supportedChains }: Service): Html {
  const further = supportedChains.length - MAX_CHAINS
  return html`${supportedChains.slice(0, MAX_CHAINS).map(chain => html`<li>${chainLabel(chain)}</li>`)}${
    further > 0 ? html`<li>${words.furtherChains(number(further))}</li>` : undefined
  }`
}
