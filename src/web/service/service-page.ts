// The page of one service: description, warnings, how to call it, and the evidence.
import type { LocalDirectory } from '../../directory/directory.ts'
import { categoryLabels } from '../../domain/listing/categories.ts'
import type { Message } from '../../messages/message.ts'
import { toBands } from '../bands.ts'
import { toRefusal, toRefusalText } from '../failure.ts'
import { type Html, html } from '../html.ts'
import { ARROW_ICON } from '../icons.ts'
import { toDocument } from '../layout.ts'
import { toMessageParagraph } from '../message-text.ts'
import { toOperatorContact } from '../operator-contact.ts'
import { toMark } from '../owner/session.ts'
import { type PageRequest, type Rendered, toRendered } from '../page.ts'
import { toRegistered } from '../register/registered-page.ts'
import { createView, type View } from '../view.ts'
import { findAlerts } from './service-alerts.ts'
import { toCallBlock } from './service-call.ts'
import { toBadge, toData, toFacts, toSampleFacts } from './service-facts.ts'
import { toHead, toLead, toTiles } from './service-head.ts'
import { canBePaid, toPayment } from './service-payment.ts'
import { toProof, toWhyPart } from './service-proof.ts'
import { type Found, readFound } from './service-reads.ts'

export const createServicePage =
  (directory: LocalDirectory, contact = '') =>
  async (request: PageRequest): Promise<Rendered> => {
    const view = createView(request)
    try {
      const found = await readFound(directory, request.id)
      const { registered } = request.parameters
      const isOwn = registered !== undefined && registered === toMark(request, request.id)
      const main = isOwn ? toRegistered(view, found) : toMain(view, found)
      return toRendered(toDocument(view, { ...aboutService(view, found), main }))
    } catch (error) {
      const refusal = toRefusal(error)
      if (refusal.code === 'hidden') return toHidden(view, refusal.said, contact)
      const main = refusal.code === 'not_found' ? toMissing(view) : toRefusalText(view, '', refusal)
      return toRendered(toDocument(view, { title: view.words.service.missing, main }), {
        failed: refusal.code,
      })
    }
  }

/** Only verified services are open to search engines, so that free listings are no way to be found there. */
function aboutService({ request }: View, { service, isSample }: Found) {
  const { id, name, description, status, pricing, updatedAt } = service
  const isListed = status === 'verified' && !isSample
  return {
    title: name,
    description,
    isUnlisted: !isListed,
    // Nobody offers a sample.
    ...(!isSample && {
      data: {
        '@type': 'WebAPI',
        name,
        description,
        dateModified: updatedAt,
        ...(request.publicUrl !== undefined && { url: `${request.publicUrl}/services/${id}` }),
        offers: { '@type': 'Offer', price: pricing.pricePerRequest, priceCurrency: pricing.currency },
      },
    }),
  }
}

const toMissing = ({ words, href }: View): Html =>
  html`<div class="empty"><h1>${words.service.missing}</h1><p>${words.service.missingHint}</p><p><a href="${href('/')}">${words.service.toSearch}</a></p></div>`

function toHidden(view: View, said: Message, contact: string): Rendered {
  const { words, href } = view
  const title = words.failures.hidden
  const advice = words.service.hiddenAdvice
  const main = html`<article class="service"><h1>${title}</h1>
${toBands(view, [{ level: 'stop', title: advice, text: html`${toMessageParagraph(view, said)}${toOperatorContact(view, contact)}` }])}
<p class="onwards">${words.service.id}${words.colon}<code>${view.request.id}</code></p>
<p class="onwards"><a href="${href('/')}">${words.service.toSearch}</a></p></article>`
  return toRendered(toDocument(view, { title, main }), { failed: 'hidden' })
}

const toCrumbs = ({ words, language, href }: View, { category }: Found['service']): Html =>
  html`<p class="crumbs"><a href="${href('/catalog')}">${words.nav.catalog}</a> ${ARROW_ICON} <a href="${href('/', { category })}">${categoryLabels(category)[language]}</a></p>`

/** Nothing of a sample can be called, paid or proved, so only what its listing says is shown. */
const toSample = (view: View, found: Found): Html =>
  html`<article class="service">
${toCrumbs(view, found.service)}
${toHead(view, found)}
${toBands(view, findAlerts(view, found))}
${toLead(view, found)}
${toSampleFacts(view, found)}
</article>`

function toMain(view: View, found: Found): Html {
  const { service, terms, isSample } = found
  if (isSample) return toSample(view, found)
  return html`<article class="service">
${toCrumbs(view, service)}
${toHead(view, found)}
${toBands(view, findAlerts(view, found))}
${toLead(view, found)}
${toTiles(view, found)}
<div class="columns">
<div class="main">
${canBePaid(found) ? toCallBlock(view, service, terms) : undefined}
${toPayment(view, found)}
${canBePaid(found) ? undefined : toWhyPart(view, found)}
</div>
<div class="more">${toFacts(view, found)}
<p class="note"><a rel="nofollow" href="${view.href(`/services/${service.id}/report`)}">${view.words.report.link}</a></p></div></div>
${toProof(view, found)}
<div class="parts">${toBadge(view, service)}
${toData(view, service.id)}</div>
</article>`
}
