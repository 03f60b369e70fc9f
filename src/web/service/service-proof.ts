// The evidence about a service, in independent parts: days, incidents, prices, purchases, points, events.

import { chainLabel } from '../../domain/chains/chains.ts'
import { endpointHost } from '../../domain/hosts/endpoint.ts'
import { readMessageRecord } from '../../domain/problems.ts'
import type { PurchaseOutcome, PurchaseSource } from '../../domain/purchases/purchases.ts'
import type { PurchasesAnswer, PurchaseView } from '../../domain/purchases/purchases-view.ts'
import type { History } from '../../domain/standing/history.ts'
import { STATUSES } from '../../domain/standing/standing.ts'
import type { Trust } from '../../domain/standing/trust.ts'
import { DAY_MS } from '../../domain/time.ts'
import type { Message } from '../../messages/message.ts'
import { OUTCOME_ICONS } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { toCopyButton, toFold, toTable, toTime } from '../layout.ts'
import { toMessageParagraph } from '../message-text.ts'
import { toLatencyText, type View } from '../view.ts'
import { type EventItem, type Found, messageOf, type ProbeItem, toBoughtListing } from './service-reads.ts'

/** An empty answer counts like one that is not as declared, and has a word of its own. A payer's report does not tell the two apart. */
type ToldOutcome = PurchaseOutcome | 'empty' | 'empty_or_other'

/** @param reasons why it has this outcome */
export function toldOutcome(
  outcome: PurchaseOutcome,
  reasons: readonly { readonly code: string }[],
  source: PurchaseSource = 'operator',
): ToldOutcome {
  if (source !== 'operator') return outcome === 'delivered_not_as_declared' ? 'empty_or_other' : outcome
  const isEmpty = reasons.some(({ code }) => code === 'answer_empty')
  return outcome === 'delivered_not_as_declared' && isEmpty ? 'empty' : outcome
}

/** @param counts false where the outcome says nothing of the service */
export function toOutcomeMark({ words }: View, outcome: ToldOutcome, counts = true): Html {
  const tone = !counts || outcome === 'not_settled' ? 'open' : outcome === 'delivered' ? 'good' : 'bad'
  return html`<strong class="outcome ${tone}">${OUTCOME_ICONS[tone]}${words.service.bought.outcomes[outcome]}</strong>`
}

// The purchases from a service: who paid, and what came back.

/** The first sentence counts what trust counts; purchases that do not count are marked as such in the list. */
function toPurchases(view: View, found: Found): Html | undefined {
  const { bought } = found
  if (!bought) return undefined
  const { delivery, payers, peers, purchases } = bought
  const { title, none, sum, reported, byPeers } = view.words.service.bought
  const own = purchases.filter(({ source }) => source === 'operator')
  const isAllCounted = own.every(({ counts }) => counts)
  return html`<h3>${title}</h3>${own.length === 0 ? html`<p class="note">${none}</p>` : undefined}${delivery.purchases > 0 ? html`<p>${sum(view.number(delivery.delivered), view.number(delivery.purchases))}</p>` : undefined}${payers.payers > 0 ? html`<p>${reported(view.number(payers.delivered), view.number(payers.payers))}</p>` : undefined}${peers.purchases > 0 ? html`<p>${byPeers(view.number(peers.delivered), view.number(peers.purchases))}</p>` : undefined}${toNotes(view, bought, isAllCounted)}
${purchases.length === 0 ? undefined : html`<ol class="lines dated">${purchases.map(purchase => toPurchase(view, found, purchase))}</ol>`}`
}

/** What the list leaves out, and why some of it is not counted. */
function toNotes(
  { words, number }: View,
  { purchases, payers, next }: PurchasesAnswer,
  isAllCounted: boolean,
): Html[] {
  const { newest, uncountedNote, reportedNote } = words.service.bought
  const notes = [
    ...(next === null ? [] : [newest(number(purchases.length))]),
    ...(isAllCounted ? [] : [uncountedNote]),
    ...(payers.payers > 0 ? [reportedNote] : []),
  ]
  return notes.map(note => html`<p class="note">${note}</p>`)
}

function toPurchase(view: View, found: Found, purchase: PurchaseView): Html {
  const { at, from, source, outcome, counts, through, payment, chain, answer, transaction, reasons } =
    purchase
  const { paid, uncounted, byPayer, byPeer, transaction: what } = view.words.service.bought
  const isReported = source !== 'operator'
  const facts = [
    paid(`${payment.price} ${payment.currency}`, chainLabel(chain)),
    ...(answer?.status ? [`HTTP\u00a0${answer.status}`] : []),
    ...(from !== null ? [byPeer(endpointHost(from))] : isReported ? [byPayer] : counts ? [] : [uncounted]),
  ]
  const origin = through === null ? undefined : toBoughtListing(view, found, through)
  const mark = toOutcomeMark(view, toldOutcome(outcome, purchase.reasonCodes, source), counts || isReported)
  return html`<li>${toTime(view, at)} <div>${mark} <span>${facts.join(' ·\u00a0')}</span>${origin}${reasons.map((reason, i) => toMessageParagraph(view, readMessageRecord(purchase.reasonCodes[i], reason)))}${transaction === null ? undefined : toCopyButton(view, transaction, what, view.words.copyWhat(what))}</div></li>`
}

// The history of a service and its latest probes, each with its reason.

const MAX_EVENTS = 20
const MAX_PROBES = 10

function toEvents(view: View, events: readonly EventItem[]): Html | undefined {
  const { events: title, olderEvents } = view.words.service
  const list = (some: readonly EventItem[]) =>
    html`<ol class="lines dated">${some.map(event => toEvent(view, event))}</ol>`
  const older = events.slice(MAX_EVENTS)
  return events.length === 0
    ? undefined
    : html`<h3>${title}</h3>${list(events.slice(0, MAX_EVENTS))}${
        older.length > 0
          ? html`<details><summary>${olderEvents}</summary>${list(older)}</details>`
          : undefined
      }`
}

function toEvent(view: View, { type, at, before, after, ...record }: EventItem): Html {
  const { words } = view
  const reason = messageOf(record)
  const change =
    type === 'status'
      ? words.service.from(
          statusWord(view, before, reason?.code === 'restored_by'),
          statusWord(view, after, reason !== undefined && RETIRING.includes(reason.code)),
        )
      : undefined
  return html`<li>${toTime(view, at)} <div><strong>${words.service.eventTypes[type]}</strong>${change ? html` <span>${change}</span>` : undefined}${reason ? toMessageParagraph(view, reason) : undefined}</div></li>`
}

/** Reasons of an event after which a service is discontinued, which has the status `inactive` as well. */
const RETIRING: readonly Message['code'][] = ['retired_by', 'unlisted_by_source', 'retired']

function statusWord({ words }: View, status: unknown, isRetired: boolean): string {
  if (isRetired) return words.verdict.retired
  const known = STATUSES.find(each => each === status)
  return known ? words.statuses[known] : String(status)
}

function toProbes(view: View, probes: readonly ProbeItem[]): Html | undefined {
  const { words } = view
  return probes.length === 0
    ? undefined
    : html`<details><summary>${words.service.lastProbes}</summary><ol class="lines dated">${probes
        .slice(0, MAX_PROBES)
        .map((probe, i) => toProbe(view, probe, probes[i - 1]))}</ol></details>`
}

/** @param newer the one above it, whose reasons are not said again */
function toProbe(view: View, probe: ProbeItem, newer: ProbeItem | undefined): Html {
  const { words } = view
  const { at, outcome, httpStatus, latencyMs, reasonCodes } = probe
  const reasons = probe.reasons.map((reason, i) => readMessageRecord(reasonCodes[i], reason))
  const facts = [
    ...(httpStatus === null ? [] : [html`HTTP\u00a0${httpStatus}`]),
    ...(latencyMs === null ? [] : [html`${toLatencyText(view, latencyMs)}`]),
  ]
  return html`<li>${toTime(view, at)} <div><strong>${words.service.outcomes[outcome]}</strong> <span>${facts.map((fact, i) => html`${i > 0 ? ' ·\u00a0' : ''}${fact}`)}</span>${probe.reasons.join() === newer?.reasons.join() ? undefined : reasons.map(reason => toMessageParagraph(view, reason))}</div></li>`
}

// How many probes it answered, day by day. A table has all figures.

type Day = History['days'][number]
/** `tally` is undefined if nothing was probed. */
type Slot = { readonly at: string; readonly tally: Day | undefined }

/** Lengths of the axis in days; the shorter one is for young services. */
const SPANS = [30, 90] as const
const STEP = 8
/** Height of the strip in pixels. */
const STRIP = 40
/** One wrong answer among many is still seen. */
const MIN_PART = 4

const probesOf = ({ up, failed }: Day): number => up + failed
const meanOf = ({ up, latencyTotalMs }: Day): number => latencyTotalMs / up

/** @param days newest first */
function toDays(view: View, days: readonly Day[]): Html {
  const probed = days.filter(day => probesOf(day) > 0)
  const { words, number, day: toDay } = view
  const { day, failed, components, figures, chart } = words.service
  const slots = toSlots(probed)
  const [first, last] = [slots[0]!.at, slots.at(-1)!.at]
  const kinds = [
    'fine' as const,
    ...(probed.some(({ mismatched }) => mismatched > 0) ? ['care' as const] : []),
    ...(probed.some(({ failed }) => failed > 0) ? ['stop' as const] : []),
    ...(slots.length > probed.length ? ['none' as const] : []),
  ]
  return html`<h3>${chart}</h3><figure class="chart panel"><figcaption class="legend">${kinds.map(kind => html`<span class="${kind}">${words.proof.legend[kind]}</span> `)}</figcaption>
<svg viewBox="0 0 ${slots.length * STEP} ${STRIP}" preserveAspectRatio="none" aria-hidden="true">${slots.map(toBar)}</svg>
<p class="note"><span>${toDay(first)}</span><span>${toDay(last)}</span></p></figure>
<details><summary>${figures}</summary><div class="scroll scrolled" tabindex="0" role="group" aria-label="${figures}"><table><thead><tr>${[day, words.proof.legend.fine, failed, components.latency].map(head => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${probed.map(each => html`<tr><th scope="row">${toDay(each.day)}</th><td>${number(each.up)}</td><td>${number(each.failed)}</td><td>${each.up > 0 ? toLatencyText(view, meanOf(each)) : '–'}</td></tr>`)}
</tbody></table></div></details>`
}

/** One for each day up to the newest, probed or not. */
function toSlots(probed: readonly Day[]): Slot[] {
  const byDay = new Map(probed.map(day => [day.day, day]))
  const newest = Date.parse(probed[0]!.day)
  const age = Math.round((newest - Date.parse(probed.at(-1)!.day)) / DAY_MS) + 1
  const span = SPANS.find(each => age <= each) ?? SPANS.at(-1)!
  return Array.from({ length: span }, (_, i) => {
    const at = new Date(newest - (span - 1 - i) * DAY_MS).toISOString()
    return { at, tally: byDay.get(at.slice(0, 10)) }
  })
}

/** From the bottom: as listed, not as listed, no answer. */
function toBar({ tally }: Slot, i: number): Html {
  const rect = (kind: string, y: number, height: number) =>
    height > 0
      ? html`<rect class="${kind}" x="${i * STEP + 1}" y="${y}" width="${STEP - 2}" height="${height}"/>`
      : undefined
  if (!tally) return html`${rect('none', STRIP - 3, 3)}`
  const part = (count: number) =>
    count === 0 ? 0 : Math.max(MIN_PART, Math.round((STRIP * count) / Math.max(probesOf(tally), 1)))
  const lost = Math.min(STRIP, part(tally.failed))
  const off = Math.min(part(tally.mismatched), STRIP - lost)
  return html`${rect('stop', 0, lost)}${rect('care', lost, off)}${rect('fine', lost + off, STRIP - lost - off)}`
}

// The price history: listed prices, and prices that were seen at the endpoint.

const MAX_CHANGES = 20

export function toPriceFold(
  view: View,
  { service: { pricing, createdAt }, standing }: Found,
): Html | undefined {
  if (!standing) return undefined
  const { proof } = view.words
  const changes = standing.events.filter(({ type }) => type === 'price')
  const edits = changes.filter(({ code }) => code === 'edited')
  const { pricePerRequest: amount, currency } = pricing
  const price = `${amount} ${currency}`
  const first = edits.length > 0 ? toPrice(edits.at(-1)!.before) : price
  const { when, before, after, by } = proof.priceHeads
  return toFold(
    'prices',
    proof.prices,
    changes.length === 0
      ? proof.priceSame(price, view.day(createdAt))
      : proof.priceChanges(view.number(changes.length), view.day(changes[0]!.at)),
    toTable(
      [when, before, after, by],
      [
        ...changes
          .slice(0, MAX_CHANGES)
          .map(({ at, code, ...change }) => [
            toTime(view, at),
            toPrice(change.before),
            html`<strong>${toPrice(change.after)}</strong>`,
            code === 'edited' ? proof.priceListed : proof.priceSeen,
          ]),
        [toTime(view, createdAt), '–', html`<strong>${first}</strong>`, proof.priceFirst],
      ],
    ),
  )
}

/** Reads a price from an event, whichever version wrote it. */
function toPrice(value: unknown): string {
  const { amount, currency } = (value ?? {}) as { amount?: unknown; currency?: unknown }
  return typeof amount === 'string' && typeof currency === 'string' ? `${amount} ${currency}` : '–'
}

// The evidence about a service, in independent parts.

export function toProofFold(view: View, found: Found): Html {
  const { words, number } = view
  const { service, standing, bought } = found
  const title = words.proof.title
  if (!standing) return toFold('proof', title, words.service.noHistory, html``)
  const { history, events, probes, trust } = standing
  const isProbed = history.days.some(({ up, failed }) => up + failed > 0)
  const summary = [
    ...(isProbed ? [words.search.up(words.proof.percent(number(found.status.uptimeScore)))] : []),
    ...(bought && bought.delivery.purchases > 0
      ? [words.proof.deliveredOf(number(bought.delivery.delivered), number(bought.delivery.purchases))]
      : []),
    words.proof.trustOf(number(service.trustScore)),
  ]
  const parts = [
    isProbed ? toPart('days', html`${toDays(view, history.days)}${toProbes(view, probes)}`) : undefined,
    toPart('bought', toPurchases(view, found)),
    toPart('points', html`<h3>${words.service.trustTitle}</h3>${toTrust(view, trust)}`),
    toPart('claims', toClaims(view, trust)),
    // Purchases have a list of their own.
    toPart('events', toEvents(view, bought ? events.filter(({ type }) => type !== 'purchase') : events)),
  ]
  return toFold('proof', title, summary.join(' · '), html`<div class="parts">${parts}</div>`)
}

/** Wide parts take a row, the others are side by side if there is room. */
const toPart = (id: string, content: Html | undefined): Html | undefined =>
  content && html`<div class="part" id="${id}">${content}</div>\n`

/** What lists publish about it stands under their name, apart from what was seen here. */
function toClaims({ words, number, day }: View, { claims }: Trust): Html | undefined {
  const { claimTitle, listClaim, listDropped } = words.service
  const told = claims.flatMap(({ source, at, calls, payers, droppedAt }) => {
    const host = endpointHost(source)
    const count = (value: number | null) => (value === null ? null : number(value))
    return [
      ...(calls === null && payers === null ? [] : [listClaim(host, day(at), count(calls), count(payers))]),
      ...(droppedAt === null ? [] : [listDropped(host, day(droppedAt))]),
    ]
  })
  return told.length === 0 ? undefined : html`<h3>${claimTitle}</h3>${told.map(text => html`<p>${text}</p>`)}`
}

function toTrust(view: View, { components }: Trust): Html {
  const { words, number } = view
  return html`<table class="stacked"><tbody>${components.map(component => {
    const { name, points, most } = component
    const share = points === null ? words.proof.unknown : words.service.points(number(points), number(most))
    return html`<tr><th scope="row">${words.service.components[name]}</th><td class="figure">${share}</td><td>${toMessageParagraph(view, messageOf(component)!)}</td></tr>
`
  })}</tbody></table>`
}
