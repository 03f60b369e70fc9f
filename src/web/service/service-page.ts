// The page of a service: name, status, provider, four figures, alerts, how to call it, and the evidence.

import type { LocalDirectory } from '../../directory/directory.ts'
import { chainLabel } from '../../domain/chains/chains.ts'
import { endpointHost } from '../../domain/hosts/endpoint.ts'
import { toMarks } from '../../domain/listing/backing.ts'
import { categoryLabels } from '../../domain/listing/categories.ts'
import type { Service } from '../../domain/listing/service.ts'
import { isInDollars } from '../../domain/money/rates.ts'
import type { Message } from '../../messages/message.ts'
import { ARROW_ICON, CLAIM_ICON, DOMAIN_ICON, NOBODY_ICON } from '../assets.ts'
import { toBands, toWarning } from '../bands.ts'
import { toLatencyText } from '../charts.ts'
import { toRefusal, toRefusalText } from '../failure-page.ts'
import { type Html, html } from '../html.ts'
import { toDocument, toOperatorContact } from '../layout.ts'
import { toMessageParagraph } from '../message-text.ts'
import { toMark } from '../owner/session.ts'
import { type PageRequest, type Rendered, toRendered } from '../page.ts'
import { toCutName, toForeign, toHost, toHostLink, toNameHeading, toProviderText } from '../provider-text.ts'
import { toRegistered } from '../register/register-page.ts'
import { toStanding } from '../service-card.ts'
import { createView, type View } from '../view.ts'
import { findAlerts } from './service-alerts.ts'
import { toBadge, toCallBlock, toData, toFacts, toPayment, toSampleFacts } from './service-call.ts'
import { toProof, toWhyPart } from './service-proof.ts'
import {
  canBePaid,
  type Found,
  findBackers,
  findSeenPrice,
  readFound,
  toAsks,
  toShortAmount,
} from './service-reads.ts'

const toHead = (view: View, found: Found): Html =>
  html`${toNameHeading(found.service.name, toForeign(view, found.service.name))}
<ul class="marks"><li>${toStanding(view, found.service.status, found)}</li>${found.isSample ? undefined : toBackers(view, found)}<li>${found.isSample ? toHost(found.service.endpoint) : toHostLink(found.service.endpoint)}</li></ul>`

/** Longer texts are folded. */
const MAX_LEAD = 600

/** The words of the provider, below the warnings: however long they are, those are read first. */
function toLead(view: View, { service: { description } }: Found): Html {
  const mark = toForeign(view, description)
  const part = (text: string) => html`<p class="lead"${mark}>${toProviderText(text)}</p>`
  const start = toCutName(description, MAX_LEAD)
  if (start === description) return part(description)
  const rest = description.slice(start.length - '…'.length).trimStart()
  return html`${part(start)}<details><summary>${view.words.service.readOn}</summary>${part(rest)}</details>`
}

function toBackers(view: View, found: Found): Html {
  const { backing, service: listed } = found
  const { service, proof, search } = view.words
  if (backing.representative) return html`<li>${toWarning(view, 'stranger', listed)}</li>`
  const { domain } = backing
  const by = findBackers(toMarks(backing), found)
  if (!by.wallet && !domain) return html`<li class="nobody">${NOBODY_ICON}${proof.nobody}</li>`
  // Its host is shown beside it.
  return html`${by.wallet ? html`<li class="backed">${CLAIM_ICON}${service.claimedByWallet}</li>` : undefined}${domain ? html`<li class="backed">${DOMAIN_ICON}${domain.host === endpointHost(listed.endpoint) ? search.domainProved : service.provedBy(domain.host)}</li>` : undefined}`
}

type Tile = {
  readonly name: string
  readonly value: Html | string
  readonly unit?: string | undefined
  readonly notes: readonly (Html | string | undefined)[]
  readonly isUnknown?: boolean
}

function toTiles(view: View, found: Found): Html {
  const tiles = [toPrice(view, found), toUptime(view, found), toLatency(view, found), toPayments(view, found)]
  return html`<dl class="tiles four" aria-label="${view.words.proof.tiles}">${tiles.map(
    ({ name, value, unit, notes, isUnknown }) =>
      html`<div${isUnknown ? html` class="unknown"` : undefined}><dt>${name}</dt><dd><strong class="figure">${value}${unit ? html` <small>${unit}</small>` : undefined}</strong>${notes.filter(note => note !== undefined).map(note => html`<span class="sub">${note}</span>`)}</dd></div>
`,
  )}</dl>`
}

function toPrice(view: View, found: Found): Tile {
  const { service, terms, dollars } = found
  const { words, number } = view
  const { pricePerRequest, currency, freeQuota } = service.pricing
  const asked = findSeenPrice(terms)
  const isMore = asked?.isMore === true
  return {
    name: asked ? words.proof.listed : words.service.price,
    value: pricePerRequest,
    unit: currency,
    notes: [
      // This is the cost of a request, which differs from the listed price if the endpoint asks more.
      isMore ? undefined : toDollars(view, service, dollars),
      asked && toAsks(view, asked),
      // The same for the number of requests per unit, which also invites to pay.
      asked || !canBePaid(found) ? undefined : toWorth(view, service),
      freeQuota > 0 ? words.free(number(freeQuota)) : undefined,
    ],
  }
}

/** undefined if the price is in US dollars anyway. */
function toDollars(
  view: View,
  { pricing: { currency } }: Service,
  dollars: Found['dollars'],
): string | undefined {
  const { proof } = view.words
  if (!dollars) return proof.noDollars
  const amount = toShortAmount(dollars.amount)
  if (dollars.rateDate !== null) return proof.dollarsAt(amount, view.day(dollars.rateDate))
  return isInDollars(currency) && currency.toUpperCase() === 'USD' ? undefined : proof.dollars(amount)
}

/** Number of requests per unit of the currency, which is easier to grasp than 0.002. */
function toWorth({ words, number }: View, { pricing: { pricePerRequest, currency } }: Service): string {
  const price = Number(pricePerRequest)
  if (price === 0) return words.service.costsNothing
  const unit = 10 ** Math.max(0, Math.ceil(Math.log10(price)))
  return words.service.buys(number(unit), currency, number(Math.floor(unit / price)))
}

const unknown = (name: string, text: string, note?: string): Tile => ({
  name,
  value: text,
  notes: [note],
  isUnknown: true,
})

/** Percentage with two decimals; 100 only if nothing is missing. */
const toPercent = (part: number, whole: number): number =>
  part === whole ? 100 : Math.min(Math.round((part / whole) * 10_000) / 100, 99.99)

function toUptime({ words, number }: View, { standing, status }: Found): Tile {
  const { proof, service } = words
  const days = standing?.history.days ?? []
  const up = days.reduce((sum, day) => sum + day.up, 0)
  const all = days.reduce((sum, day) => sum + day.up + day.failed, 0)
  if (all > 0)
    return {
      name: proof.uptimeOver(number(days.length)),
      value: proof.percent(number(toPercent(up, all))),
      notes: [proof.answeredOf(number(up), number(all))],
    }
  // Services whose history cannot be read have a figure without probes.
  return status.uptimeScore > 0
    ? { name: service.uptime, value: proof.percent(number(status.uptimeScore)), notes: [] }
    : unknown(service.uptime, service.notMeasured)
}

/** Of fewer answers the slowest twentieth is none. */
const MIN_ANSWERS = 20

function toLatency(view: View, { standing }: Found): Tile {
  const { words, number } = view
  const { proof, service } = words
  const latency = standing?.latency
  if (!latency) return unknown(proof.latencyOver, service.notMeasured)
  return {
    name: proof.latencyOver,
    value: toLatencyText(view, latency.p50),
    unit: proof.p50,
    notes: [
      latency.answers < MIN_ANSWERS ? undefined : proof.p95(toLatencyText(view, latency.p95)),
      proof.lastAnswers(number(latency.answers)),
    ],
  }
}

function toPayments({ words, number }: View, { service, status, standing, readsPayments }: Found): Tile {
  const { proof } = words
  const { currency } = service.pricing
  if (!readsPayments && status.txCount === 0)
    return unknown(proof.payments, proof.unknown, proof.chainUnread(chainLabel(service.x402Config.network)))
  return {
    name: proof.payments,
    value: number(status.txCount),
    notes: [
      standing?.trust.payers == null ? undefined : proof.paidBy(number(standing.trust.payers)),
      status.totalRevenue > 0 ? proof.inAll(`${number(status.totalRevenue)} ${currency}`) : undefined,
    ],
  }
}

// The page of one service: description, warnings, how to call it, and the evidence.

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
