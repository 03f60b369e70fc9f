// The history of a service and its latest probes, each with its reason.

import { readMessageRecord } from '../../domain/message-view.ts'
import { PURCHASE_OUTCOMES } from '../../domain/purchases/purchases.ts'
import { STATUSES } from '../../domain/standing/standing.ts'
import type { Message } from '../../messages/message.ts'
import { rawCodesOf } from '../../messages/raw-codes.ts'
import { toLatencyText } from '../charts/latency-scale.ts'
import { type Html, html } from '../html.ts'
import { toTime } from '../layout.ts'
import { toMessageParagraph } from '../message-text.ts'
import type { View } from '../view.ts'
import { reportedOutcome, type ToldOutcome, toldOutcome, toOutcomeMark } from './purchase-outcome.ts'
import { toPurchaseAnchor } from './service-purchases.ts'
import type { EventItem, ProbeItem } from './service-reads.ts'

const MAX_EVENTS = 20
const MAX_PROBES = 10

/** undefined for an event without a reason. */
export const messageOf = (record: Pick<EventItem, 'reason' | 'code' | 'values'>): Message | undefined =>
  record.reason === null ? undefined : readMessageRecord(record, record.reason)

/** When the listing last changed; undefined for one that is still as it was registered. @param events newest first */
export const findListingChange = (events: readonly EventItem[]): string | undefined =>
  events.find(event => event.type === 'updated' || messageOf(event)?.code === 'edited')?.at

/** @param shown ids of the purchases that the page tells of already */
export function toEvents(
  view: View,
  events: readonly EventItem[],
  shown: ReadonlySet<string> = new Set(),
): Html | undefined {
  const { events: title, olderEvents } = view.words.service
  const list = (some: readonly EventItem[]) =>
    html`<ol class="events">${some.map(event => toEvent(view, event, shown))}</ol>`
  const older = events.slice(MAX_EVENTS)
  return events.length === 0
    ? undefined
    : html`<h3>${title}</h3>${list(events.slice(0, MAX_EVENTS))}${
        older.length > 0
          ? html`<details><summary>${olderEvents}</summary>${list(older)}</details>`
          : undefined
      }`
}

function toEvent(
  view: View,
  { type, at, before, after, ...record }: EventItem,
  shown: ReadonlySet<string>,
): Html {
  const { words } = view
  const reason = messageOf(record)
  const bought = type === 'purchase' || type === 'outcome' ? readBought(type, after, reason) : undefined
  // The outcome alone; what there is to say of it stands in the list of purchases.
  if (bought && (type === 'outcome' || shown.has(bought.id))) {
    const mark = toOutcomeMark(view, bought.outcome)
    return html`<li>${toTime(view, at)} <div>${type === 'outcome' ? words.service.eventTypes.outcome : html`<a href="#${toPurchaseAnchor(bought.id)}">${words.service.eventTypes.purchase}</a>`}${words.colon}${mark}</div></li>`
  }
  const change =
    type === 'status'
      ? words.service.from(
          statusWord(view, before, reason?.code === 'restored_by'),
          statusWord(view, after, reason !== undefined && RETIRING.includes(reason.code)),
        )
      : undefined
  return html`<li>${toTime(view, at)} <div><strong>${words.service.eventTypes[type]}</strong>${change ? html` <span>${change}</span>` : undefined}${reason ? toMessageParagraph(view, reason) : undefined}</div></li>`
}

/** Reads the outcome of a purchase from an event; undefined for one that is told otherwise. */
function readBought(
  type: 'purchase' | 'outcome',
  after: unknown,
  reason: Message | undefined,
): { readonly id: string; readonly outcome: ToldOutcome } | undefined {
  const { id, outcome } = (after ?? {}) as { id?: unknown; outcome?: unknown }
  const known = PURCHASE_OUTCOMES.find(each => each === outcome)
  if (typeof id !== 'string' || !known) return undefined
  const reasons = reason?.code === 'bought' ? reason.values.reasons : []
  return { id, outcome: type === 'outcome' ? reportedOutcome(known) : toldOutcome(known, reasons) }
}

/** Reasons of an event after which a service is out of service, which has the status `inactive` as well. */
const RETIRING: readonly Message['code'][] = ['retired_by', 'unlisted_by_source', 'retired']

function statusWord({ words }: View, status: unknown, isRetired: boolean): string {
  if (isRetired) return words.retired
  const known = STATUSES.find(each => each === status)
  return known ? words.statuses[known] : String(status)
}

export function toProbes(view: View, probes: readonly ProbeItem[]): Html | undefined {
  const { words } = view
  return probes.length === 0
    ? undefined
    : html`<details><summary>${words.service.lastProbes}</summary><ol class="events">${probes
        .slice(0, MAX_PROBES)
        .map(probe => toProbe(view, probe))}</ol></details>`
}

function toProbe(view: View, probe: ProbeItem): Html {
  const { words } = view
  const { at, outcome, httpStatus, latencyMs, reasonCodes } = probe
  const reasons = probe.reasons.map((reason, i) => readMessageRecord(reasonCodes[i], reason))
  const facts = [
    ...(httpStatus === null ? [] : [html`HTTP\u00a0${httpStatus}`]),
    ...(latencyMs === null ? [] : [html`${toLatencyText(view, latencyMs)}`]),
    ...reasons.flatMap(rawCodesOf).map(code => html`<code>${code}</code>`),
  ]
  return html`<li>${toTime(view, at)} <div><strong>${words.service.outcomes[outcome]}</strong> <span>${facts.map((fact, i) => html`${i > 0 ? ' ·\u00a0' : ''}${fact}`)}</span>${reasons.map(reason => toMessageParagraph(view, reason))}</div></li>`
}
