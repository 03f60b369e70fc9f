// What this directory is, how it is doing, and how it is reached.
import type { Health, LocalDirectory } from '../directory/directory.ts'
import { MAX_DUE, PROBE_OUTCOMES } from '../domain/probes.ts'
import { type Html, html } from './html.ts'
import { toCopyable, toDocument } from './layout.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { createView, type View, versionOf } from './view.ts'

const ADDRESSES = {
  docs: '/docs',
  openapi: '/openapi.json',
  export: '/api/export',
  categories: '/api/categories',
  agents: '/llms.txt',
  discovery: '/discovery/resources',
  ready: '/readyz',
} as const

export const createAboutPage =
  (directory: LocalDirectory) =>
  async (request: PageRequest): Promise<Rendered> => {
    const view = createView(request)
    const main = toMain(view, await directory.health())
    return toRendered(toDocument(view, { title: view.words.about.title, main, place: 'about' }))
  }

type Fact = readonly [name: string, value: string | Html]

const toTiles = (facts: readonly Fact[]): Html =>
  html`<dl class="tiles">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

function toProbing({ words, number, time }: View, probing: Health['probing']): Html {
  const { about, service } = words
  if (!probing) return html`<p>${about.probingOff}</p>`
  const { by, due, lastHour, lastProbeAt } = probing
  return html`${toTiles([
    [about.probedBy, about.probers[by]],
    [about.due, due < MAX_DUE ? number(due) : about.dueAtLeast(number(due))],
    [
      about.lastProbe,
      lastProbeAt ? html`<time datetime="${lastProbeAt}">${time(lastProbeAt)}</time>` : about.noProbe,
    ],
  ])}
<h3>${about.lastHour}</h3>${toTiles(PROBE_OUTCOMES.map(outcome => [service.outcomes[outcome], number(lastHour[outcome])]))}`
}

function toMain(view: View, health: Health): Html {
  const { words, number } = view
  const { about } = words
  const facts = [
    [about.services, number(health.services)],
    [about.state, about.states[health.state]],
    [about.seq, number(health.seq)],
    [about.lag, about.lagMs(number(Math.round(health.lagMs)))],
    [about.storeErrors, number(health.storeErrors)],
    [about.version, versionOf(view)],
  ] as const
  return html`<article class="text">
<h1>${about.title}</h1>
<p class="lead">${about.intro}</p>
<section><h2>${about.now}</h2>${toTiles(facts)}</section>
<section id="probing"><h2>${about.probing}</h2><p>${about.probingText}</p>${toProbing(view, health.probing)}</section>
<section><h2>${about.use}</h2><ul class="doors">${(Object.keys(ADDRESSES) as (keyof typeof ADDRESSES)[]).map(
    name =>
      html`<li><a href="${ADDRESSES[name]}">${about.links[name][0]}</a> <span>${about.links[name][1]}</span></li>`,
  )}</ul>
<p class="curl"><span>${about.mcp}</span>${toCopyable(view, `${view.request.origin}/mcp`, about.mcp)}</p></section>
<section><h2>${about.x402}</h2>${about.x402Text.map(text => html`<p>${text}</p>`)}</section>
</article>`
}
