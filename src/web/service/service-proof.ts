// The evidence about a service, in independent parts.
import { readMessageRecord, toReason } from '../../domain/message-view.ts'
import { isCounted } from '../../domain/standing/probes.ts'
import type { Trust } from '../../domain/standing/trust.ts'
import { type Message, say, together } from '../../messages/message.ts'
import { toDaysChart } from '../charts/days-chart.ts'
import { type Html, html } from '../html.ts'
import { toMeter } from '../icons.ts'
import { toMessageParagraph } from '../message-text.ts'
import type { View } from '../view.ts'
import { messageOf, toEvents, toProbes } from './service-events.ts'
import { toIncidents } from './service-incidents.ts'
import { toOutcomes } from './service-outcomes.ts'
import { canBePaid } from './service-payment.ts'
import { toPrices } from './service-prices.ts'
import { toPurchases } from './service-purchases.ts'
import type { EventItem, Found, Standing } from './service-reads.ts'

export function toProof(view: View, found: Found): Html {
  const { words } = view
  const { service, standing, payerReports } = found
  if (!standing)
    return html`<section id="proof"><h2>${words.proof.title}</h2><p class="note">${words.service.noHistory}</p></section>`
  const { history, events, probes, trust } = standing
  const seen: (Html | undefined)[] = [
    toPart(
      'days',
      html`<h3>${words.service.chart}</h3>${toDaysChart(view, history.days)}${toProbes(view, probes)}`,
    ),
    probes.length > 0 ? toPart('incidents', toIncidents(view, probes)) : undefined,
    toPart('prices', toPrices(view, service, events)),
    toPart('bought', toPurchases(view, found)),
    toPart('reports', toOutcomes(view, payerReports)),
  ]
  return html`<section id="proof"><h2>${words.proof.title}</h2><div class="parts">
${canBePaid(found) ? toWhyPart(view, found) : undefined}
${toPart('verified', service.status === 'verified' ? html`<h3>${words.service.proof}</h3><p>${words.service.proves}</p><p class="note">${words.service.provesNot}</p>` : undefined)}
${seen}
${toPart('points', html`<h3>${words.service.trustTitle}</h3>${toTrust(view, trust)}`)}
${toPart('events', toEvents(view, withoutQuote(trust, events), new Set(found.bought?.purchases.map(({ id }) => id))))}
</div></section>`
}

/** Beside the listing, where that has nothing to pay with and so leaves room; otherwise among the evidence. */
export function toWhyPart(view: View, { standing }: Found): Html | undefined {
  // The alert says it all.
  if (!standing || isRetired(standing.trust)) return undefined
  return toPart('why', html`<h3>${view.words.service.why}</h3>${toWhy(view, standing.trust, standing)}`)
}

const isRetired = ({ components }: Trust): boolean => components[0]?.code === 'retired'

/** The alert quotes the message with which it was taken out of service: once is enough. @param events newest first */
function withoutQuote(trust: Trust, events: readonly EventItem[]): readonly EventItem[] {
  const quoted = isRetired(trust) ? events.find(({ code }) => code === 'retired_by') : undefined
  return quoted
    ? events.map(event => (event === quoted ? { ...event, ...toReason(OUT_OF_SERVICE) } : event))
    : events
}

const OUT_OF_SERVICE = say('retired', { message: null })

/** Wide parts take a row, the others are side by side if there is room. */
const toPart = (id: string, content: Html | undefined): Html | undefined =>
  content && html`<div class="part" id="${id}">${content}</div>\n`

/** What the status means, where one status has one meaning, and what led to it. */
function toWhy(view: View, trust: Trust, standing: NonNullable<Standing>): Html {
  const { meanings } = view.words.service
  const reason = toStatusReason(trust, standing)
  const said = toMessageParagraph(view, reason)
  if (trust.status !== 'unverified')
    return html`<p>${meanings[trust.status]}</p><div class="note">${said}</div>`
  // A change of the listing says nothing about the endpoint.
  return EDITS.includes(reason.code) ? html`${said}<p>${meanings.unprobed}</p>` : said
}

const EDITS: readonly Message['code'][] = ['edited', 'restored_by']

/**
 * The reason of the last change of the status; without one, the reason of the verification points. What keeps a service unverified can
 * change without another change of the status, so the newest probe that found something wrong comes first.
 */
function toStatusReason({ components, status }: Trust, { events, probes }: NonNullable<Standing>): Message {
  const last = events.find(({ type, after }) => type === 'status' && after === status)
  const newest = probes.find(isCounted)
  if (status === 'unverified' && newest && newest.outcome !== 'payable' && newest.at >= (last?.at ?? '')) {
    const reasons = newest.reasons.map((reason, i) => readMessageRecord(newest.reasonCodes[i], reason))
    if (reasons.length > 0) return together(reasons)
  }
  return (last && messageOf(last)) ?? messageOf(components[0]!)!
}

function toTrust(view: View, { components }: Trust): Html {
  const { words, number } = view
  const reasons = components
    .map(component => messageOf(component)!)
    .map(reason => messagesOf(reason.code === 'retired' ? OUT_OF_SERVICE : reason))
  // Several components may count in part, all for the same reason, which is shown once.
  const inPart = reasons.flat().find(isInPart)
  return html`${inPart && html`<div class="note">${toMessageParagraph(view, inPart)}</div>`}<dl class="breakdown">${components.map(
    ({ name, points, most }, i) =>
      html`<div><dt>${words.service.components[name]}</dt><dd><span>${words.service.points(number(points), number(most))}</span>${toMeter(points, most)}<p>${words.service.componentNotes[name]}</p>${reasons[i]!.map(reason => (isInPart(reason) ? html`<p class="capped">${toCap(view, most, reason.values.percent)}</p>` : toMessageParagraph(view, reason)))}</dd></div>
`,
  )}</dl>`
}

/** How many of the points of a component can be had while it counts in part. */
function toCap({ words, number }: View, most: number, percent: number): string {
  return words.service.capped(number(Math.round((most * percent) / 100)))
}

const messagesOf = (message: Message): readonly Message[] =>
  message.code === 'several' ? message.values.messages : [message]

const isInPart = (
  message: Message,
): message is Extract<Message, { code: 'counts_in_part' | 'counts_in_part_unread' }> =>
  message.code === 'counts_in_part' || message.code === 'counts_in_part_unread'
