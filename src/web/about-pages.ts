// What this directory is and how programs use it (/about), how it probes (/probing), and how it is doing (/status).

import type { Health, LocalDirectory, PublicSource } from '../directory/directory.ts'
import type { LastProbe } from '../directory/operator.ts'
import { MIN_FAILURES } from '../domain/operating.ts'
import type { CatalogFigures } from '../domain/standing/history.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time.ts'
import { systemClock } from '../runtime/clock.ts'
import { LEVEL_ICONS, STATUS_ICONS } from './assets.ts'
import { unlessAway } from './failure-page.ts'
import { type Html, html } from './html.ts'
import { toCopyable, toDocument, toRows, toTiles, toTime } from './layout.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { toBreakable } from './provider-text.ts'
import { createView, type View, versionOf } from './view.ts'

const ADDRESSES = {
  docs: '/docs',
  openapi: '/openapi.json',
  export: '/api/export',
  agents: '/llms.txt',
  discovery: '/discovery/resources',
} as const

const PROVED = ['verified', 'paid', 'delivers'] as const

/** Groups of readers, each with the page for them. */
const READERS = { buyers: '/', sellers: '/register', everybody: '/status' } as const

export const renderAbout = (request: PageRequest): Rendered => {
  const view = createView(request)
  const { title, intro } = view.words.about
  return toRendered(toDocument(view, { title, description: intro, main: toAboutMain(view), place: 'about' }))
}

const namesOf = <T extends object>(table: T) => Object.keys(table) as (keyof T)[]

function toAboutMain(view: View): Html {
  const { words, href } = view
  const { about } = words
  return html`<article class="text">
<h1>${about.title}</h1>
<p class="lead">${about.intro}</p>
<section><h2>${about.x402}</h2>${about.x402Text.map(text => html`<p>${text}</p>`)}</section>
<section><h2>${about.readers}</h2><ul class="lines">${namesOf(READERS).map(name => {
    const { title, text, link } = about.readerTexts[name]
    return html`<li><h3>${title}</h3><p>${text} <a href="${href(READERS[name])}">${link}</a></p></li>`
  })}</ul></section>
<section id="trust"><h2>${about.trusted}</h2>${about.trustedText.map(text => html`<p>${text}</p>`)}${toRows([...PROVED.map(level => [words.filters.level.value(level), words.catalog.levelNotes[level]] as const), [about.trust.name, about.trust.text]])}<p><a href="${href('/probing')}">${words.probing.title}</a></p></section>
<section><h2>${about.use}</h2><ul class="lines">${namesOf(ADDRESSES).map(
    name =>
      html`<li><a href="${ADDRESSES[name]}">${about.links[name][0]}</a> <span>${about.links[name][1]}</span></li>`,
  )}</ul>
<p class="curl"><span>${about.mcp}</span>${toCopyable(view, `${view.request.origin}/mcp`, about.mcp)}</p></section>
</article>`
}

// The page for whoever finds our requests in a log.

export const createProbingPage =
  (directory: LocalDirectory) =>
  async (request: PageRequest): Promise<Rendered> => {
    const view = createView(request)
    const { title, intro } = view.words.probing
    const probed = await unlessAway(() => directory.lastProbe())
    return toRendered(toDocument(view, { title, description: intro, main: toProbingMain(view, probed) }))
  }

function toProbingMain(view: View, probed: LastProbe | undefined): Html {
  const { words, href } = view
  const { title, intro, rows, optOut, more } = words.probing
  return html`<article class="text">
<h1>${title}</h1>
<p class="lead">${intro} <a href="#opt-out">${optOut.title}</a></p>
${probed?.isProbing === false ? html`<p><a href="${href('/status')}">${words.status.states.unprobed}</a></p>` : undefined}
${toRows(rows.map(([name, text]) => [name, html`<ul class="points">${text.split(/(?<=\.) |(?<=。)/).map(each => html`<li>${toPaths(each)}</li>`)}</ul>`]))}
<section id="opt-out"><h2>${optOut.title}</h2><p>${toPaths(optOut.publish)}</p>
<p class="curl">${toCopyable(view, OPT_OUT, optOut.title)}</p>
${optOut.texts.map(text => html`<p>${text}</p>`)}</section>
<p class="note"><a href="${href('/check')}">${words.check.title}</a> · <a href="${href('/status')}">${more}</a></p>
</article>`
}

/** Paths are code. */
const toPaths = (text: string): Html =>
  html`${text.split(/(\/(?:\.well-known|openapi)[\w./-]*\w)/).map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`

const OPT_OUT = JSON.stringify({ probe: false })

// The status page: whether the directory works, how often it was wrong, and the sources that it follows.

export const createStatusPage =
  (directory: LocalDirectory) =>
  async (request: PageRequest): Promise<Rendered> => {
    const view = createView(request)
    const [health, probed, sources, figures] = await Promise.all([
      directory.health(),
      unlessAway(() => directory.lastProbe()),
      unlessAway(() => directory.sources()),
      unlessAway(async () => (await directory.catalog()).decode()),
    ])
    const { title } = view.words.status
    const main = toStatusMain(view, health, probed, sources, figures)
    return toRendered(toDocument(view, { title, isUnlisted: true, main }))
  }

/** Each state with its icon and the look of its band. */
const STATES = {
  ready: { icon: STATUS_ICONS.verified, level: 'fine' },
  unprobed: { icon: LEVEL_ICONS.care, level: 'care' },
  starting: { icon: LEVEL_ICONS.note, level: 'note' },
  degraded: { icon: LEVEL_ICONS.care, level: 'care' },
}

const UNITS = { day: DAY_MS, hour: HOUR_MS, minute: MINUTE_MS }
const ageOf = (iso: string): number => Math.max(0, systemClock.now().getTime() - Date.parse(iso))

/** In the largest unit that fits, with the time itself. */
function toAge(view: View, iso: string): Html {
  const age = ageOf(iso)
  const unit = namesOf(UNITS).find(unit => age >= UNITS[unit]) ?? 'minute'
  const relative = new Intl.RelativeTimeFormat(view.language, { numeric: 'auto' })
  return html`${relative.format(-Math.floor(age / UNITS[unit]), unit)} · ${toTime(view, iso)}`
}

export function toLastProbe(view: View, at: string | null): Html {
  const { status, colon } = view.words
  return html`<p>${at === null ? status.noProbe : html`${status.lastProbe}${colon}${toAge(view, at)}`}</p>`
}

function toStatusMain(
  view: View,
  health: Health,
  probed: LastProbe | undefined,
  sources: PublicSource[] | undefined,
  figures: CatalogFigures | undefined,
): Html {
  const { words, number } = view
  const { status } = words
  const state = health.state === 'ready' && probed?.isProbing === false ? 'unprobed' : health.state
  const { icon, level } = STATES[state]
  return html`<article class="text">
<h1>${status.title}</h1>
<div class="bands"><div class="band ${level}">${icon}<div><p class="title"><strong>${status.states[state]}</strong></p>${probed && toLastProbe(view, probed.at)}</div></div></div>
${toTiles([
  [status.services, words.items(number(health.services))],
  [status.version, versionOf(view)],
])}
${figures && toAccuracy(view, figures)}
<section id="sources"><h2>${status.sources}</h2>${toSources(view, sources)}</section>
<p class="note"><a href="/readyz">${status.forPrograms}</a></p>
</article>`
}

/** A share of a few says nothing: both numbers are shown. */
function toAccuracy({ words, number, day }: View, { accuracy }: CatalogFigures): Html {
  const { status } = words
  const { since, until, purchases, failed, verified, withdrawn } = accuracy
  return html`<section id="accuracy"><h2>${status.accuracy}</h2><p class="note">${status.accuracyPeriod(day(since), day(until))}</p>
<p>${purchases === 0 ? status.nothingBought : status.failedPurchases(number(failed), number(purchases))}</p>
<p>${verified === 0 ? status.nothingVerified : status.withdrawn(number(withdrawn), number(verified))}</p></section>`
}

export const toFailures = ({ words, number }: View, failures: number): Html =>
  html`<b${failures < MIN_FAILURES ? undefined : html` class="wrong"`}>${words.status.failing(number(failures))}</b>`

function toSources(view: View, sources: PublicSource[] | undefined): Html {
  const { status } = view.words
  if (!sources) return html`<p>${status.sourcesAway}</p>`
  if (sources.length === 0) return html`<p>${status.noSources}</p>`
  return html`<ul class="lines">${sources.map(
    ({ url, kind, succeededAt, failures }) =>
      html`<li><b>${toBreakable(url.replace(/^https?:\/\/(?:[^/]*@)?|[?#].*$/g, ''))}</b>${kind === null ? undefined : html` <span>${status.sourceKinds[kind] ?? kind}</span>`}<br>${
        failures > 0 ? html`${toFailures(view, failures)} · ` : undefined
      }${succeededAt ? html`${status.succeeded}${toTime(view, succeededAt)}` : status.never}</li>`,
  )}</ul>`
}
