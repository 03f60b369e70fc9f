// What the directory found out about a service: why it has its status, how it answered, what its trust is made of, what happened.
import type { History, HistoryEntry } from '../domain/history.ts'
import type { ProvenanceRecord } from '../domain/provenance.ts'
import { STATUSES } from '../domain/standing.ts'
import { readTold } from '../domain/told.ts'
import type { Trust } from '../domain/trust.ts'
import type { Message } from '../messages/message.ts'
import { toHistoryChart } from './history-chart.ts'
import { type Html, html } from './html.ts'
import { toMeter } from './icons.ts'
import { toTime } from './layout.ts'
import { toMessageParagraph } from './said.ts'
import type { View } from './view.ts'

/** Undefined where the store is away: the rest of the page comes from memory. */
export type Standing =
  | { readonly history: History; readonly trust: Trust; readonly provenance: ProvenanceRecord }
  | undefined

type EventItem = Extract<HistoryEntry, { kind: 'event' }>
type ProbeItem = Extract<HistoryEntry, { kind: 'probe' }>

const MAX_EVENTS = 20
const MAX_PROBES = 10

export function toStanding(view: View, standing: Standing): Html {
  const { words } = view
  if (!standing)
    return html`<section><h2>${words.service.standing}</h2><p class="note">${words.service.noHistory}</p></section>`
  const { history, trust } = standing
  const events = history.items.filter(item => item.kind === 'event').slice(0, MAX_EVENTS)
  const probes = history.items.filter(item => item.kind === 'probe').slice(0, MAX_PROBES)
  const isSample = trust.components.some(({ name }) => name === 'sample')
  return html`<section><h2>${words.service.standing}</h2>
<h3>${words.service.why}</h3><p>${words.service.meanings[trust.status]}</p><div class="note">${toMessageParagraph(view, toReason(trust, events))}</div>
${isSample ? undefined : html`<h3>${words.service.chart}</h3>${toHistoryChart(view, history.days)}`}
${probes.length > 0 ? toProbes(view, probes) : undefined}
<h3>${words.service.trustTitle}</h3>${toTrust(view, trust)}
${events.length > 0 ? html`<h3>${words.service.events}</h3><ol class="events">${events.map(event => toEvent(view, event))}</ol>` : undefined}
</section>`
}

/** The last change of the status says it best; where there was none, what the points say about verification. */
function toReason({ components, status }: Trust, events: readonly EventItem[]): Message {
  const last = events.find(({ type, after }) => type === 'status' && after === status)
  return (last && messageOf(last)) ?? messageOf(components[0]!)!
}

/** undefined where there is nothing to say. */
const messageOf = (told: Pick<EventItem, 'reason' | 'code' | 'values'>): Message | undefined =>
  told.reason === null ? undefined : readTold(told, told.reason)

const toTrust = (view: View, { components }: Trust): Html => {
  const { words, number } = view
  return html`<dl class="breakdown">${components.map(
    ({ name, points, most, ...told }) =>
      html`<div><dt>${words.service.components[name]}</dt><dd><span>${words.service.points(number(points), number(most))}</span>${toMeter(points, most)}<p>${words.service.componentNotes[name]}</p>${toMessageParagraph(view, messageOf(told)!)}</dd></div>
`,
  )}</dl>`
}

function toEvent(view: View, { type, at, before, after, ...told }: EventItem): Html {
  const { words } = view
  const reason = messageOf(told)
  const change =
    type === 'status' ? words.service.from(statusWord(view, before), statusWord(view, after)) : undefined
  return html`<li>${toTime(view, at)} <strong>${words.service.eventTypes[type]}</strong>${change ? html` <span>${change}</span>` : undefined}${reason ? toMessageParagraph(view, reason) : undefined}</li>`
}

function statusWord({ words }: View, status: unknown): string {
  const known = STATUSES.find(each => each === status)
  return known ? words.statuses[known] : String(status)
}

function toProbes(view: View, probes: readonly ProbeItem[]): Html {
  const { words, number } = view
  return html`<details><summary>${words.service.lastProbes}</summary><ol class="events">${probes.map(
    ({ at, outcome, httpStatus, latencyMs, reasons, reasonCodes }) =>
      html`<li>${toTime(view, at)} <strong>${words.service.outcomes[outcome]}</strong>${httpStatus === null ? undefined : html` <span>HTTP ${httpStatus}</span>`}${latencyMs === null ? undefined : html` <span>${number(Math.round(latencyMs))} ms</span>`}${reasons.map((reason, i) => toMessageParagraph(view, readTold(reasonCodes[i], reason)))}</li>`,
  )}</ol></details>`
}
