// The page of a service: its verdict with the facts behind it, then what it rests on in four rows that open: how to call it, the
// evidence, its prices, and who stands behind it.

import type { LocalDirectory } from '../../directory/directory.ts'
import { CALL_LANGUAGES, isPaidByCall, toCall } from '../../domain/call/call.ts'
import { isNeverProbed } from '../../domain/hosts/endpoint.ts'
import { toMarks } from '../../domain/listing/backing.ts'
import { categoryLabels } from '../../domain/listing/categories.ts'
import type { Service } from '../../domain/listing/service.ts'
import type { Message } from '../../messages/message.ts'
import { ARROW_ICON } from '../assets.ts'
import { type Band, toBands } from '../bands.ts'
import { toRefusal, toRefusalText } from '../failure-page.ts'
import { type Html, html } from '../html.ts'
import {
  toApproval,
  toCopyButton,
  toDocument,
  toOperatorContact,
  toRows,
  toSearchBox,
  toTime,
} from '../layout.ts'
import { toMessageParagraph } from '../message-text.ts'
import { toMark } from '../owner/session.ts'
import { type PageRequest, type Rendered, toRendered } from '../page.ts'
import { toCutName, toForeign, toHost, toHostLink, toNameHeading, toProviderText } from '../provider-text.ts'
import { toRegistered } from '../register/register-page.ts'
import { toVerdict, toVerdictText, type Verdict, verdictOf } from '../verdict.ts'
import { createView, toLatencyText, type View } from '../view.ts'
import { findAlerts } from './service-alerts.ts'
import { toCallFold, toProviderFold, toSampleFacts } from './service-call.ts'
import { toPriceFold, toProofFold } from './service-proof.ts'
import {
  canBePaid,
  type Found,
  findSeenPrice,
  readFound,
  toBackerText,
  toShortAmount,
  wasProbed,
} from './service-reads.ts'

/** What it does, in two or three lines of a telephone. */
const MAX_SUMMARY = 140
const toSummary = ({ description }: Service): string =>
  toCutName(description.replace(/\s+/g, ' ').trim(), MAX_SUMMARY)

/** All words of the provider, closed: however long they are, the warnings are read first. Undefined if the summary has them. */
function toWhole(view: View, service: Service): Html | undefined {
  const { description } = service
  if (description.trim().length <= toSummary(service).length) return undefined
  return html`<details><summary>${view.words.service.readOn}</summary><p class="lead"${toForeign(view, description)}>${toProviderText(description)}</p></details>`
}

const toHead = (view: View, { service, isSample }: Found): Html =>
  html`${toNameHeading(service.name, toForeign(view, service.name))}
<p class="host">${isSample ? toHost(service.endpoint) : toHostLink(service.endpoint)}</p>
<p${toForeign(view, service.description)}>${toSummary(service)}</p>
${toWhole(view, service)}`

// The verdict: the word for it, what to be warned of, and the facts that it rests on, in one card.

/** The sentence of the status, where no warning takes its place. */
function toMeaning({ words: { service } }: View, found: Found, bands: readonly Band[]): Html | undefined {
  if (found.isSample || !canBePaid(found)) return undefined
  if (bands.some(({ id, level }) => level !== 'note' || id === 'waiting')) return undefined
  return found.service.status === 'verified'
    ? html`<p>${service.meanings.verified}</p><p class="note">${service.provesNot}</p>`
    : html`<p>${service.meanings.unverified}</p>`
}

function toVerdictCard(view: View, found: Found): Html {
  const { service, backing, terms, isSample } = found
  const { words } = view
  const verdict = verdictOf(view, service, found, toMarks(backing))
  const alerts = findAlerts(view, found).filter(({ isForOwner }) => !isForOwner)
  // Of what does not answer, the first band says since when.
  const { word, line = service.status === 'inactive' ? alerts[0]?.title : undefined } = verdict
  // What the heading of the card says already is not said again.
  const bands = alerts.map(band =>
    band.title === word || band.title === line ? { ...band, title: undefined } : band,
  )
  const isPaid = canBePaid(found) && terms && isPaidByCall(service, terms)
  const code = isPaid ? toCall(service, terms, CALL_LANGUAGES[0]) : undefined
  const kind = verdict.tone === 'fine' ? 'main' : 'small'
  const buttons = [
    code &&
      html`${toCopyButton(view, code, words.service.callCode, words.service.copyCode, kind)}<a href="#call">${words.service.callMore}</a>`,
    isSample || backing.representative || verdict.tone === 'fine' ? undefined : toOthers(view, service),
    isSample ? undefined : toApproval(view, service.id),
  ].filter(button => button !== undefined)
  return html`<section class="panel judged ${verdict.tone}" aria-label="${words.proof.tiles}">
<p class="title">${toVerdict({ ...verdict, line: word === line ? undefined : line })}</p>
${toMeaning(view, found, bands)}${toBands(view, bands)}
${isSample ? undefined : toRows(toFactsAtAGlance(view, found, verdict))}
${buttons.length > 0 ? html`<p class="buttons">${buttons}</p>` : undefined}
</section>`
}

/** Where to look for another one that does the same. */
const toOthers = ({ words, language, href }: View, { category }: Service): Html =>
  html`<a href="${href('/', { category })}">${words.service.others(categoryLabels(category)[language])}</a>`

type Fact = readonly [name: string, value: Html | string]

const toFactsAtAGlance = (view: View, found: Found, { word, tone }: Verdict): Fact[] => [
  [
    view.words.service.lastChecked,
    joined([
      tone === 'care' && word !== view.words.statuses[found.service.status]
        ? view.words.statuses[found.service.status]
        : undefined,
      toSeen(view, found),
    ]),
  ],
  [isAskingKnown(found) ? view.words.proof.asksFor : view.words.service.price, toPrice(view, found)],
  ...toPayable(view, found),
  [view.words.proof.bought, toBought(view, found)],
  ...toBackers(view, found),
]

const toBackers = (view: View, { backing, ...figures }: Found): Fact[] =>
  backing.representative
    ? []
    : [[view.words.service.backing, toBackerText(view, toMarks(backing), figures) ?? view.words.proof.nobody]]

/** What it asked for before it became silent is outdated; what was bought without terms was not seen to ask for nothing. */
const isAskingKnown = ({ service, terms, bought }: Found): boolean =>
  service.status !== 'inactive' && (terms !== undefined || !bought?.delivery.purchases)

const joined = (parts: readonly (Html | string | undefined)[]): Html =>
  html`${parts.filter(part => part !== undefined).map((part, i) => html`${i > 0 ? ' · ' : ''}${part}`)}`

/** When it was last seen, and how it answered until then. */
function toSeen(view: View, found: Found): Html {
  const { service, status, standing } = found
  const { words, number } = view
  const { proof } = words
  if (!wasProbed(service, status, found.isRetired))
    return html`${isNeverProbed(service.endpoint) ? words.service.neverProbed : words.service.neverChecked}`
  const days = standing?.history.days ?? []
  const up = days.reduce((sum, day) => sum + day.up, 0)
  const all = days.reduce((sum, day) => sum + day.up + day.failed, 0)
  const latency = standing?.latency
  return joined([
    toTime(view, status.lastChecked),
    all > 0
      ? proof.answeredOf(number(up), number(all), number(days.length))
      : // Services whose history cannot be read have a figure without probes.
        status.uptimeScore > 0
        ? words.search.up(proof.percent(number(status.uptimeScore)))
        : undefined,
    latency === undefined ? undefined : toLatencyText(view, latency),
  ])
}

/** What it asks for, and whether that is as listed. */
function toPrice(view: View, found: Found): Html {
  const { service, terms, dollars } = found
  const { words, number } = view
  const { pricePerRequest, currency, freeQuota } = service.pricing
  const listed = `${pricePerRequest} ${currency}`
  if (!isAskingKnown(found)) return html`<b>${listed}</b> ${words.perRequest}`
  const asked = findSeenPrice(terms)
  const isAsListed = terms?.asListed.price === 'same'
  const price = asked
    ? words.proof.asksOther(asked.price, listed)
    : isAsListed
      ? words.proof.asksListed(listed)
      : words.proof.unseenPrice(listed)
  return joined([
    asked?.isMore ? html`<b class="wrong">${price}</b>` : html`<b>${price}</b>`,
    // What a request costs at the listed price is not what it costs where the endpoint asks another.
    asked ? undefined : toDollars(view, dollars),
    freeQuota > 0 ? words.free(number(freeQuota)) : undefined,
  ])
}

/** Who can pay it, and why not. Nothing is said of what must not be paid, or was not seen asking. */
function toPayable({ words }: View, found: Found): Fact[] {
  const { service, terms } = found
  if (!canBePaid(found) || !terms || found.isMppOnly) return []
  const { payable } = words.proof
  const answer = terms.payableByDefaultClient
    ? payable.anyone
    : isPaidByCall(service, terms)
      ? payable.configured(`${service.pricing.pricePerRequest} ${service.pricing.currency}`)
      : payable.nobody
  return [[payable.title, answer]]
}

/** Whether it was ever bought: by this directory, and by others as far as the chain is read. */
function toBought(view: View, { service, status, standing, readsPayments, bought }: Found): Html {
  const { number } = view
  const { proof } = view.words
  const { currency } = service.pricing
  const tests =
    bought && bought.delivery.purchases > 0
      ? proof.boughtHere(number(bought.delivery.purchases), number(bought.delivery.delivered))
      : proof.notBought
  const onChain =
    !readsPayments && status.txCount === 0
      ? proof.chainUnread
      : status.txCount === 0
        ? proof.noPayments
        : proof.paidBy(
            number(status.txCount),
            standing?.trust.payers == null ? undefined : number(standing.trust.payers),
            `${number(status.totalRevenue)} ${currency}`,
          )
  return joined([tests, onChain])
}

/** undefined if the price is in dollars anyway. */
function toDollars({ words: { proof }, day }: View, dollars: Found['dollars']): string | undefined {
  if (!dollars) return proof.noDollars
  const { amount, rateDate } = dollars
  return rateDate === null ? undefined : proof.dollarsAt(toShortAmount(amount), day(rateDate))
}

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
function aboutService(view: View, found: Found) {
  const { service, isSample, backing } = found
  const { id, name, description, status, pricing, updatedAt } = service
  const { publicUrl } = view.request
  const isListed = status === 'verified' && !isSample
  const verdict = verdictOf(view, service, found, toMarks(backing))
  return {
    title: name,
    description: `${toVerdictText(verdict)} · ${found.asks ?? pricing.pricePerRequest} ${pricing.currency} · ${description}`,
    isUnlisted: !isListed,
    // Nobody offers a sample.
    ...(!isSample && {
      data: {
        '@type': 'WebAPI',
        name,
        description,
        dateModified: updatedAt,
        ...(publicUrl !== undefined && { url: `${publicUrl}/services/${id}` }),
        offers: { '@type': 'Offer', price: pricing.pricePerRequest, priceCurrency: pricing.currency },
      },
    }),
  }
}

const toMissing = (view: View): Html =>
  html`<div class="empty"><h1>${view.words.service.missing}</h1><p>${view.words.service.missingHint}</p>${toSearchBox(view)}<p><a href="${view.href('/catalog')}">${view.words.search.browse}</a></p></div>`

function toHidden(view: View, said: Message, contact: string): Rendered {
  const { words, href } = view
  const title = words.failures.hidden
  const advice = words.service.hiddenAdvice
  const main = html`<article class="service"><h1>${title}</h1>
${toBands(view, [{ level: 'stop', title: advice, text: html`${toMessageParagraph(view, said)}${toOperatorContact(view, contact)}` }])}
<p>${words.service.id}${words.colon}<code>${view.request.id}</code></p>
<p><a href="${href('/')}">${words.service.toSearch}</a></p></article>`
  return toRendered(toDocument(view, { title, main }), { failed: 'hidden' })
}

const toCrumbs = ({ words, language, href }: View, { category }: Found['service']): Html =>
  html`<p class="crumbs"><a href="${href('/catalog')}">${words.nav.catalog}</a> ${ARROW_ICON} <a href="${href('/', { category })}">${categoryLabels(category)[language]}</a></p>`

function toMain(view: View, found: Found): Html {
  const { service, isSample } = found
  const { words } = view
  return html`<article class="service">
${toCrumbs(view, service)}
${toHead(view, found)}
${toVerdictCard(view, found)}
${
  // Nothing of a sample can be called, paid or proved, so only what its listing says is shown.
  isSample
    ? toRows(toSampleFacts(view, found))
    : html`<div class="folds">${toCallFold(view, found)}${toProofFold(view, found)}${toPriceFold(view, found)}${toProviderFold(view, found)}</div>
<p class="note"><a rel="nofollow" href="${view.href(`/services/${service.id}/report`)}">${words.report.link}</a></p>`
}
</article>`
}
