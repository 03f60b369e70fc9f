// The sources that are followed: what each brings, what is wrong with it, and how far its reading has come.
import { KNOWN_SOURCES, type Source, type SourcePreview } from '../../domain/operating.ts'
import { readMessageRecord } from '../../domain/problems.ts'
import { MAX_DUE } from '../../domain/standing/standing.ts'
import { systemClock } from '../../runtime/clock.ts'
import { toFailures } from '../about-pages.ts'
import { type Html, html } from '../html.ts'
import { toResultNote, toTime, toWaitingPart } from '../layout.ts'
import { toMessageText } from '../message-text.ts'
import { toBreakable } from '../provider-text.ts'
import type { View } from '../view.ts'
import { type Item, type Subject, toAsked, toForm, toItems, toNews, type Visit } from './room.ts'

export const SOURCES: Subject = {
  async show(visit) {
    const { directory, view, by } = visit
    const { operator } = view.words
    const [sources, overview] = await Promise.all([directory.followedSources(by), directory.overview(by)])
    const offered = Object.entries(KNOWN_SOURCES).filter(([, url]) => !sources.some(each => each.url === url))
    const { services, levels, probesWaiting } = overview
    const isWaiting = sources.some(isBusy) || (probesWaiting ?? 0) > 0
    const waiting =
      probesWaiting === null
        ? undefined
        : view.words.status.dueOf(view.number(probesWaiting), probesWaiting >= MAX_DUE)
    const state = html`<p>${operator.progress(view.number(services), view.number(levels.verified), waiting)}</p>
${isWaiting ? html`<p class="note">${toResultNote(view)}</p>` : undefined}
${toItems(
  visit,
  sources.map(source => toItem(view, source)),
  operator.noneHidden,
)}`
    return html`${toWaitingPart(state, isWaiting)}
${offered.length === 0 ? undefined : html`<section><h2>${operator.publicLists}</h2><p class="note">${operator.publicListsNote}</p>${toItems(visit, offered.map(toOffer), '')}</section>`}
<section><h2>${operator.another}</h2>${toForm(visit, {
      fields: [{ name: 'url' }],
      buttons: [{ action: 'preview' }, { action: 'add' }],
    })}</section>`
  },

  acts: {
    async preview(visit, { url }) {
      return toPreview(visit, await visit.directory.addSource({ url, preview: true }, visit.by))
    },
    async add({ directory, by }, { url }) {
      await directory.addSource({ url }, by)
    },
    pause: (visit, form) => change(visit, form.id, true),
    resume: (visit, form) => change(visit, form.id, false),
    read: (visit, form) => change(visit, form.id, false),
    async remove({ directory, by }, { id = '' }) {
      await directory.removeSource(id, { entries: 'keep' }, by)
    },
    async removeAll({ directory, view, by }, { id = '' }) {
      const { removed } = await directory.removeSource(id, { entries: 'remove' }, by)
      return toNews(view.words.operator.removedWith(view.number(removed)))
    },
  },
}

async function change({ directory, by }: Visit, id = '', paused: boolean): Promise<undefined> {
  await directory.changeSource(id, { paused }, by)
}

/** The probes of what it brought are counted every five seconds. */
const COUNTED_MS = 10_000

/** It is being read, or will be within seconds, or was a moment ago. */
const isBusy = ({ read, checkedAt, pausedAt }: Source): boolean => {
  const sinceMs = checkedAt === null ? 0 : systemClock.now().getTime() - Date.parse(checkedAt)
  return read !== null || (pausedAt === null && sinceMs < COUNTED_MS)
}

const toOffer = ([name, url]: readonly [string, string]): Item => ({
  name,
  title: html`<b>${name}</b>`,
  notes: [html`<code>${toBreakable(url)}</code>`],
  sent: { url: name },
  buttons: [{ action: 'preview' }, { action: 'add' }],
})

export function toProblemNote(view: View, { failures, problem, cause }: Source): Html {
  const { text, mark } = toMessageText(view, readMessageRecord(cause ?? undefined, problem ?? ''))
  return html`${toFailures(view, failures)} <span${mark}>${text}</span>`
}

function toItem(view: View, source: Source): Item {
  const { words, number } = view
  const { operator, status, colon } = words
  const { id, url, kind, entries, dropped, read, checkedAt, succeededAt, dueAt, pausedAt } = source
  const time = (label: string, at: string | null) =>
    at !== null && html` · ${label}${colon}${toTime(view, at)}`
  const reading =
    read === null ? (checkedAt === null ? operator.readSoon : undefined) : operator.reading(number(read))
  const acts = pausedAt !== null ? ['resume'] : reading === undefined ? ['read', 'pause'] : ['pause']
  return {
    name: url,
    title: html`<b>${toBreakable(url)}</b>`,
    notes: [
      html`${kind === null ? undefined : html`${status.sourceKinds[kind] ?? kind} · `}${operator.entriesOf(number(entries))}${dropped > 0 ? html` · ${operator.droppedOf(number(dropped))}` : undefined}`,
      pausedAt === null && reading !== undefined
        ? html`<b>${reading}</b>`
        : html`${succeededAt === null ? status.never : html`${status.succeeded}${toTime(view, succeededAt)}`}${(pausedAt === null ? time(operator.dueAt, dueAt) : time(operator.pausedAt, pausedAt)) || undefined}`,
      ...(source.failures > 0 ? [toProblemNote(view, source)] : []),
    ],
    sent: { id },
    buttons: [...acts, 'remove'].map(action => ({ action })),
    further: [
      { ...toAsked(view, 'removeAll', operator.removeAllSure(number(entries))), title: operator.removeAll },
    ],
  }
}

function toPreview(visit: Visit, { url, kind, count, names }: SourcePreview): Html {
  const { view } = visit
  const { operator, status } = view.words
  const item = { name: url, notes: [], sent: { url }, buttons: [{ action: 'add' }] }
  return toNews(
    operator.wouldBring(status.sourceKinds[kind] ?? kind, count === null ? undefined : view.number(count)),
    html`${names.length > 0 ? html`<ul>${names.map(name => html`<li>${name}</li>`)}</ul>` : undefined}${toItems(visit, [item], '')}`,
  )
}
