// The catalog page: how many services there are by level and network, and the most trusted of each category.
import type { LocalDirectory } from '../directory/directory.ts'
import { type FacetName, type Facets, facetOf } from '../domain/queries/filters.ts'
import { parseListQuery } from '../domain/queries/queries.ts'
import type { Level } from '../domain/standing/standing.ts'
import { toRefusal, toRefusalText } from './failure-page.ts'
import { type Html, html } from './html.ts'
import { toDocument, toNothingYet, toRows } from './layout.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { type Hit, toHit } from './search/find.ts'
import { toLine } from './service-card.ts'
import { verdictOf } from './verdict.ts'
import { createView, type View } from './view.ts'

/** In the order in which they build on each other, then what must not be paid. */
const PROVED: readonly Level[] = ['verified', 'paid', 'delivers', 'danger']
/** Further values of a filter are only counted. */
const MAX_VALUES = 40
/** Services shown of each category. */
const MAX_SHOWN = 3

export const createCatalogPage =
  (directory: LocalDirectory) =>
  (request: PageRequest): Rendered => {
    const view = createView(request)
    const { title } = view.words.catalog
    try {
      return toRendered(toDocument(view, { title, main: toMain(view, directory), place: 'catalog' }))
    } catch (error) {
      const refusal = toRefusal(error)
      const main = html`<h1>${title}</h1>${toRefusalText(view, '', refusal)}`
      return toRendered(toDocument(view, { title, main, place: 'catalog' }), { failed: refusal.code })
    }
  }

type Value = {
  readonly label: string
  readonly parameter: string
  readonly count: number
  readonly address: string
}

function toMain(view: View, directory: LocalDirectory): Html {
  const { words, number, href } = view
  const { catalog } = words
  const reads = directory.requireCatalog()
  const facets: Facets = reads.facets({})
  const all = reads.list(parseListQuery({ limit: 1 })).total ?? 0
  if (all === 0) return toNothingYet(view, html`<h1>${catalog.title}</h1>`)
  const valuesOf = (name: FacetName): Value[] =>
    facets[name]
      .map(({ id, count = 0 }) => {
        const parameter = facetOf(name).toParameter(id)
        const label = words.filters[name].value(id)
        return { label, parameter, count, address: href('/', { [name]: parameter }) }
      })
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
  const [categories, chains] = [valuesOf('category'), valuesOf('chain')]
  const levels = PROVED.flatMap(level => valuesOf('level').filter(({ parameter }) => parameter === level))
  return html`<div class="catalog"><h1>${catalog.title}</h1>
<p class="lead">${catalog.intro(words.search.found(number(all)), number(categories.length), number(chains.length))}</p>
<section><h2>${catalog.categories}</h2><div class="chips"><ul>${categories.slice(0, MAX_VALUES).map(category => html`<li>${toCount(view, { ...category, address: `#${toAnchor(category)}` })}</li>`)}</ul></div></section>
<section><h2>${catalog.levels}</h2>${toRows(levels.map(level => [toCount(view, level), catalog.levelNotes[level.parameter as Level]]))}</section>
${chains.length > 1 ? html`<section><h2>${catalog.chains}</h2><p class="note">${catalog.chainsNote}</p><div class="chips"><ul>${chains.slice(0, MAX_VALUES).map(chain => html`<li>${toCount(view, chain)}</li>`)}</ul></div></section>` : undefined}
<div class="parts">${categories.slice(0, MAX_VALUES).map(category => toCategory(view, directory, category))}</div>
${categories.length > MAX_VALUES ? html`<p class="note">${catalog.more(number(categories.length - MAX_VALUES))}</p>` : undefined}
</div>`
}

const toCount = ({ words, number }: View, { label, count, address }: Value): Html =>
  html`<a href="${address}">${label} <b>${words.items(number(count))}</b></a>`

const toAnchor = ({ parameter }: Value): string => `in-${encodeURIComponent(parameter)}`

function toCategory(view: View, directory: LocalDirectory, category: Value): Html {
  const { label, parameter, count, address } = category
  const { words, number } = view
  const query = parseListQuery({ category: parameter, sortBy: 'trustScore', limit: 2 * MAX_SHOWN })
  const services = directory.requireCatalog().list(query).services.decode()
  const hits = services.map(service => toHit(directory, service))
  // Among samples, which nobody trusts either, what must not or cannot be paid would be shown first.
  const isStopped = ({ service, figures, backing }: Hit) =>
    Number(verdictOf(view, service, figures, backing).tone === 'stop')
  const shown = hits.toSorted((a, b) => isStopped(a) - isStopped(b)).slice(0, MAX_SHOWN)
  return html`<section id="${toAnchor(category)}"><h2><a href="${address}">${label}</a> <span class="note">${words.items(number(count))}</span></h2>
<ul class="lines">${shown.map(
    hit => html`<li>${toLine(view, hit)}</li>
`,
  )}</ul>${count > shown.length ? html`<p><a href="${address}">${words.catalog.all(number(count))}</a></p>` : undefined}</section>
`
}
