// Everything about one service.
import type { LocalDirectory } from '../directory/directory.ts'
import { findTerms } from '../directory/terms.ts'
import { addressProblem } from '../domain/addresses.ts'
import type { Backing } from '../domain/backing.ts'
import { categoryLabels } from '../domain/categories.ts'
import { chainLabel } from '../domain/chains.ts'
import { endpointHost } from '../domain/endpoint.ts'
import type { History } from '../domain/history.ts'
import { parseHistoryQuery } from '../domain/queries.ts'
import type { Service } from '../domain/service.ts'
import type { TermsAnswer } from '../domain/terms.ts'
import { readTold } from '../domain/told.ts'
import type { StatusRecord } from '../domain/views.ts'
import type { Message } from '../messages/message.ts'
import { toRefusal, toRefusalText } from './failure.ts'
import { type Html, html } from './html.ts'
import { ARROW_ICON, toMeter } from './icons.ts'
import { toCopyable, toDocument, toTime } from './layout.ts'
import { toOuterLink } from './links.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { toMessageParagraph } from './said.ts'
import { toBackingNotices, toBackingText } from './service-backing.ts'
import { toCallBlock } from './service-call.ts'
import { toStatus } from './service-card.ts'
import { toPayment } from './service-payment.ts'
import { type Standing, toStanding } from './service-standing.ts'
import { createView, type View } from './view.ts'

const DAYS = 30
/** Changes lie between many probes, so that some pages are read to find them. */
const MAX_PAGES = 5

export const createServicePage =
  (directory: LocalDirectory) =>
  async (request: PageRequest): Promise<Rendered> => {
    const view = createView(request)
    try {
      const service = directory.reads.get(request.id).decode()
      const status = directory.reads.status(request.id).decode()
      const standing = await readStanding(directory, request.id)
      const backing = directory.reads.backing(request.id)
      const terms = await readTerms(directory, request.id)
      const main = toMain(view, service, { status, standing, backing, terms })
      return toRendered(toDocument(view, { title: service.name, main }))
    } catch (error) {
      const refusal = toRefusal(error)
      if (refusal.code === 'hidden') return toHidden(view, refusal.said)
      const main = refusal.code === 'not_found' ? toMissing(view) : toRefusalText(view, '', refusal)
      return toRendered(toDocument(view, { title: view.words.service.missing, main }), {
        failed: refusal.code,
      })
    }
  }

async function readStanding(directory: LocalDirectory, id: string): Promise<Standing> {
  try {
    const [history, trust, provenance] = await Promise.all([
      readHistory(directory, id),
      directory.trust(id),
      directory.provenance(id),
    ])
    return { history, trust: trust.decode(), provenance: provenance.decode() }
  } catch (error) {
    const refusal = toRefusal(error)
    if (refusal.code !== 'store_unavailable') throw refusal
    return undefined
  }
}

/** undefined where there are none yet, or the store cannot be asked. */
async function readTerms(directory: LocalDirectory, id: string): Promise<TermsAnswer | undefined> {
  try {
    return await findTerms(directory, id)
  } catch (error) {
    const refusal = toRefusal(error)
    if (refusal.code !== 'store_unavailable') throw refusal
    return undefined
  }
}

async function readHistory(directory: LocalDirectory, id: string): Promise<History> {
  let history = (await directory.history(id, parseHistoryQuery({ limit: 100, days: DAYS }))).decode()
  for (let page = 1; page < MAX_PAGES && history.next !== null; page++) {
    const query = parseHistoryQuery({ limit: 100, before: history.next, days: 0 })
    const { items, next } = (await directory.history(id, query)).decode()
    history = { ...history, items: [...history.items, ...items], next }
  }
  return history
}

const toMissing = ({ words, href }: View): Html =>
  html`<div class="empty"><h1>${words.service.missing}</h1><p>${words.service.missingHint}</p><p><a href="${href('/')}">${words.service.toSearch}</a></p></div>`

function toHidden(view: View, said: Message): Rendered {
  const { words, href } = view
  const title = words.failures.hidden
  const main = html`<div class="empty"><h1>${title}</h1>${toMessageParagraph(view, said)}<p>${words.service.hiddenAdvice}</p><p><a href="${href('/')}">${words.service.toSearch}</a></p></div>`
  return toRendered(toDocument(view, { title, main }), { failed: 'hidden' })
}

type Found = {
  readonly status: StatusRecord
  readonly standing: Standing
  readonly backing: Backing
  readonly terms: TermsAnswer | undefined
}

function toMain(view: View, service: Service, { status, standing, backing, terms }: Found): Html {
  const { words, language, href, request } = view
  return html`<article class="service">
${'registered' in request.parameters ? html`<div class="notice" role="status"><strong>${words.service.registered}</strong><p>${words.service.registeredNext}</p></div>` : undefined}
<p class="crumbs"><a href="${href('/catalog')}">${words.nav.catalog}</a> ${ARROW_ICON} <a href="${href('/', { category: service.category })}">${categoryLabels(service.category)[language]}</a></p>
<div class="headline"><h1>${service.name}</h1>${toStatus(view, service.status)}</div>
<p class="lead">${service.description}</p>
${toAddressNotice(view, service)}
${toBackingNotices(view, backing)}
${toTermsNotice(view, terms)}
<div class="columns">
${toFacts(view, service, { status, standing, backing })}
<div class="main">
${toPayment(view, service)}
${toCallBlock(view, service, terms)}
${toStanding(view, standing)}
<section><h2>${words.service.proof}</h2><p>${words.service.proves}</p><p>${words.service.provesNot}</p></section>
</div>
<div class="more">
${toBadge(view, service)}
${toData(view, service.id)}
</div></div>
</article>`
}

function toTermsNotice(view: View, terms: TermsAnswer | undefined): Html | undefined {
  const notes = (terms?.noteCodes ?? []).map((told, i) => readTold(told, terms?.notes[i] ?? ''))
  return notes.length === 0
    ? undefined
    : html`<div class="notice" role="note">${notes.map(note => toMessageParagraph(view, note))}</div>`
}

function toAddressNotice(view: View, { x402Config: { paymentAddress, network } }: Service): Html | undefined {
  const problem = addressProblem(paymentAddress, network)
  return problem === undefined
    ? undefined
    : html`<div class="notice">${toMessageParagraph(view, problem)}</div>`
}

function toFacts(view: View, service: Service, { status, standing, backing }: Omit<Found, 'terms'>): Html {
  const { words, number } = view
  const { pricing, endpoint, createdAt, updatedAt, id } = service
  // The registration counts as a check, so the two times part with the first probe.
  const isProbed = status.lastChecked !== createdAt || status.uptimeScore > 0
  const rows: readonly (readonly [string, Html | string | undefined])[] = [
    [
      words.service.price,
      html`<strong class="big">${pricing.pricePerRequest} ${pricing.currency}</strong> ${words.perRequest}<br><small>${toWorth(view, service)}</small>`,
    ],
    [words.service.freeQuota, pricing.freeQuota > 0 ? number(pricing.freeQuota) : words.service.freeNone],
    [
      words.trust,
      html`<strong class="big">${service.trustScore}</strong> / 100${toMeter(service.trustScore)}`,
    ],
    [words.service.uptime, isProbed ? `${number(status.uptimeScore)} %` : words.service.notMeasured],
    [words.service.lastChecked, toTime(view, status.lastChecked)],
    [
      words.service.chains,
      html`${service.supportedChains.map((chain, i) => html`${i > 0 ? ', ' : ''}${chainLabel(chain)}`)}`,
    ],
    [
      words.service.payments,
      status.txCount > 0
        ? html`${number(status.txCount)}<br><small>${words.service.revenue(`${number(status.totalRevenue)} ${pricing.currency}`)}</small>`
        : number(0),
    ],
    [words.service.endpoint, toEndpoint(endpoint)],
    [words.service.backing, toBackingText(view, backing)],
    [words.service.created, toTime(view, createdAt)],
    [words.service.updated, toTime(view, updatedAt)],
    ...toOrigin(view, standing),
    [words.service.id, html`<code>${id}</code>`],
  ]
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Only where it came from elsewhere: that it was registered here goes without saying. */
function toOrigin({ words }: View, standing: Standing): [string, Html | string][] {
  if (!standing) return []
  const { id, source, sourceUrl, follows, owned, origin, contestedBy } = standing.provenance
  const hosts = contestedBy.map(url => endpointHost(url) || url).join(', ')
  const contested: [string, string][] =
    contestedBy.length > 0 ? [[words.service.contested, words.service.contestedBy(hosts)]] : []
  if (source === 'registered') return contested
  const from = sourceUrl === null ? words.service.sources[source] : toEndpoint(sourceUrl)
  const note = follows ? words.service.followed : owned ? words.service.claimed : undefined
  const alias = origin?.home && origin.key !== id ? words.service.listedAs(origin.key) : undefined
  const notes = [note, alias].filter(text => text !== undefined)
  return [
    [words.service.source, html`${from}${notes.map(text => html`<br><small>${text}</small>`)}`],
    ...contested,
  ]
}

/** What a unit of the currency buys, for those to whom 0.002 says little. */
function toWorth({ words, number }: View, { pricing: { pricePerRequest, currency } }: Service): string {
  const price = Number(pricePerRequest)
  if (price === 0) return words.service.costsNothing
  const unit = 10 ** Math.max(0, Math.ceil(Math.log10(price)))
  return words.service.buys(number(unit), currency, number(Math.floor(unit / price)))
}

function toEndpoint(endpoint: string): Html {
  const address = toOuterLink(endpoint)
  const host = endpointHost(endpoint) || endpoint
  return address === undefined
    ? html`${host}`
    : html`<a href="${address}" rel="nofollow noopener noreferrer external">${host}</a>`
}

function toBadge(view: View, { id, name }: Service): Html {
  const { words, request } = view
  const path = `/services/${id}/badge.svg`
  const plain = name.replace(/[[\]\\`]/g, '')
  const code = `[![${words.service.badgeAlt(plain)}](${request.origin}${path})](${request.origin}/services/${id})`
  return html`<section><h2>${words.service.badge}</h2><p><img src="${path}" alt="${words.service.badgeAlt(name)}" height="24"></p><p class="note">${words.service.badgeNote}</p><p class="curl">${toCopyable(view, code, words.service.badgeCode)}</p></section>`
}

function toData({ words }: View, id: string): Html {
  const links = [
    ['', words.service.dataService],
    ['/status', words.service.dataStatus],
    ['/history', words.service.dataHistory],
    ['/trust', words.service.dataTrust],
    ['/terms', words.service.dataTerms],
    ['/call', words.service.dataCall],
    ['/provenance', words.service.dataProvenance],
    ['/backing', words.service.backing],
  ]
  return html`<section><h2>${words.service.data}</h2><ul class="plain">${links.map(([path, text]) => html`<li><a href="/api/services/${id}${path}">${text}</a></li>`)}</ul></section>`
}
