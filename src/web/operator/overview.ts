// How the directory is doing, what to do next, and what operators did last.
import { type Act, MIN_FAILURES, type Overview, type Source } from '../../domain/operating.ts'
import { LEVELS } from '../../domain/standing/standing.ts'
import { toLastProbe } from '../about-pages.ts'
import { LEVEL_ICONS } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { toTiles, toTime } from '../layout.ts'
import { toBreakable } from '../provider-text.ts'
import { toLatencyText, type View } from '../view.ts'
import { readNames, type Subject, toActor } from './room.ts'
import { toProblemNote } from './sources.ts'

export const OVERVIEW: Subject = {
  async show(visit) {
    const { view, directory, by } = visit
    const [overview, sources, { settings }] = await Promise.all([
      directory.overview(by),
      directory.followedSources(by),
      directory.settings(by),
    ])
    const isProbeOff = settings.some(({ name, value }) => name === 'PROBE' && value === 'off')
    const named = await readNames(visit)
    const failing = sources.filter(({ failures, pausedAt }) => failures >= MIN_FAILURES && pausedAt === null)
    return html`${toNext(view, overview, failing, isProbeOff)}
${toFigures(view, overview)}
<section><h2>${view.words.operator.log}</h2>${toActs(view, overview.acts, named)}</section>`
  },
}

const PLACES: Readonly<Record<Overview['next'][number], string>> = {
  store_failing: '/status',
  not_probing: '/operator/settings',
  create_key: '/operator/keys',
  add_source: '/operator/sources',
  sources_failing: '/operator/sources',
  settle_reports: '/operator/reports',
  back_up: '/operator/backups',
}

function toNext(view: View, overview: Overview, failing: readonly Source[], isProbeOff: boolean): Html {
  const { next, reason, reportsOpen, lastProbeAt } = overview
  const { operator, status } = view.words
  if (next.length === 0) return html`<p class="note">${operator.nothingNext}</p>`
  return html`<section><h2>${operator.next}</h2><div class="bands">${next.map(step => {
    const [title, usual, link] = operator.steps[step]
    const text = step === 'not_probing' && isProbeOff ? operator.probeOff : usual
    const many = view.number(step === 'sources_failing' ? failing.length : reportsOpen)
    const isCare = step === 'not_probing' || step === 'sources_failing'
    const level = step === 'store_failing' ? 'stop' : isCare ? 'care' : 'note'
    return html`<div class="band ${level}">${LEVEL_ICONS[level]}<div><p class="title"><strong>${title(many)}</strong></p>${step === 'not_probing' ? toLastProbe(view, lastProbeAt) : undefined}${step === 'sources_failing' ? failing.map(source => html`<p>${toBreakable(source.url)}<br>${toProblemNote(view, source)} ${source.succeededAt === null ? status.never : html`${status.succeeded}${toTime(view, source.succeededAt)}`}</p>`) : undefined}<p>${text}${step === 'store_failing' && reason !== null ? html` <code>${reason}</code>` : undefined}</p><p><a class="button small" href="${view.href(PLACES[step], { step })}">${link}</a></p></div></div>`
  })}</div></section>`
}

function toFigures(view: View, overview: Overview): Html {
  const { words, number, href } = view
  const { operator, status, filters } = words
  const { sources, spending, probesWaiting, lastBackup, levels } = overview
  const link = (path: string, text: string) => html`<a href="${href(path)}">${text}</a>`
  return html`<section><h2>${operator.now}</h2>${toTiles([
    [operator.state, operator.states[overview.state]],
    [status.lag, toLatencyText(view, overview.lagMs)],
    [status.due, probesWaiting === null ? words.proof.unknown : number(probesWaiting)],
    [
      operator.subjects.sources![0],
      link('/operator/sources', operator.sourcesOf(number(sources.followed), number(sources.failing))),
    ],
    [operator.reportsOpen, link('/operator/reports', number(overview.reportsOpen))],
    [operator.subjects.hidden![0], link('/operator/hidden', number(overview.hidden))],
    [
      operator.spentToday,
      link('/operator/purchases', operator.spentOf(String(spending.spent), String(spending.perDay))),
    ],
    [operator.lastBackup, lastBackup === null ? operator.nothing : toTime(view, lastBackup)],
    [status.version, overview.version],
  ])}</section>
<section><h2>${operator.levels}</h2>${toTiles([
    [status.services, number(overview.services)],
    // Whoever is not named here is only listed.
    ...LEVELS.filter(level => level !== 'listed').map(
      level => [filters.level.value(level), number(levels[level])] as const,
    ),
  ])}</section>`
}

function toActs(view: View, acts: readonly Act[], named: (text: string) => string): Html {
  const { operator } = view.words
  return html`<ol class="lines dated">${acts.map(
    ({ at, who, act, about }) =>
      html`<li>${toTime(view, at)} <div><b>${operator.actNames[act]}</b> ${named(about)} <span class="note">${toActor(view, named(who))}</span></div></li>`,
  )}</ol>`
}
