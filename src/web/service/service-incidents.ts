// Incidents: when a service did not answer or did not match its listing, with start and end.

import { readMessageRecord } from '../../domain/message-view.ts'
import { findIncidents, type Incident } from '../../domain/standing/incidents.ts'
import { dayOf } from '../../domain/standing/probes.ts'
import { type Html, html } from '../html.ts'
import { toTime } from '../layout.ts'
import { toMessageParagraph } from '../message-text.ts'
import type { View } from '../view.ts'
import type { ProbeItem } from './service-reads.ts'

const MAX_INCIDENTS = 10
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

export function toIncidents(view: View, probes: readonly ProbeItem[]): Html {
  const { proof } = view.words
  const incidents = findIncidents(probes).slice(0, MAX_INCIDENTS)
  const [newest, oldest] = [probes[0], probes.at(-1)]
  // By calendar day, as in the chart.
  const days =
    newest && oldest ? (Date.parse(dayOf(newest.at)) - Date.parse(dayOf(oldest.at))) / DAY_MS + 1 : 0
  return html`<h3>${proof.incidents}</h3>${
    incidents.length === 0
      ? html`<p>${proof.noIncidents(view.number(days))}</p>`
      : html`<ol class="incidents">${incidents.map(incident => toIncident(view, incident))}</ol>`
  }`
}

function toIncident(view: View, { kind, first, until, probes }: Incident): Html {
  const { proof } = view.words
  const lasted = until === null ? proof.lasting : proof.lasted(toDuration(view, first.at, until))
  const [reason] = first.reasons
  return html`<li class="${kind}${until === null ? ' open' : ''}"><p><strong>${proof.incidentKinds[kind]}</strong> <span>${lasted} · ${proof.ofProbes(view.number(probes))}</span></p><p>${until === null ? proof.since(view.time(first.at)) : html`${toTime(view, first.at)}${proof.until}${toTime(view, until)}`}</p>${reason === undefined ? undefined : toMessageParagraph(view, readMessageRecord(first.reasonCodes[0], reason))}</li>
`
}

/** In its two largest units. */
function toDuration({ words: { proof }, number }: View, from: string, to: string): string {
  const minutes = Math.round((Date.parse(to) - Date.parse(from)) / MINUTE_MS)
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60]
  const parts = [
    ...(days > 0 ? [proof.daysLong(number(days))] : []),
    ...(hours > 0 ? [proof.hours(number(hours))] : []),
    ...(days === 0 && (rest > 0 || hours === 0) ? [proof.minutes(number(rest))] : []),
  ]
  return parts.join(' ')
}
