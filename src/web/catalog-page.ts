// The catalog page: counts by category, chain, status, trust and price.
import type { LocalDirectory } from '../directory/directory.ts'
import {
  type Distributions,
  type FacetName,
  type Facets,
  facetOf,
  PRICE_STEPS,
} from '../domain/queries/filters.ts'
import type { Status } from '../domain/standing/standing.ts'
import { toBands } from './bands.ts'
import { type Bar, toBars } from './charts.ts'
import { toRefusal, toRefusalText } from './failure-page.ts'
import { type Html, html } from './html.ts'
import { toDocument, toNothingYet } from './layout.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { toStatus } from './service-card.ts'
import { createView, type View } from './view.ts'

const MAX_BARS = 40

export const createCatalogPage =
  (directory: LocalDirectory) =>
  (request: PageRequest): Rendered => {
    const view = createView(request)
    const { title } = view.words.catalog
    try {
      const { reads } = directory
      const main = toMain(view, reads.facets({}), reads.distributions(), reads.countSamples({}))
      return toRendered(toDocument(view, { title, main, place: 'catalog' }))
    } catch (error) {
      const refusal = toRefusal(error)
      const main = html`<h1>${title}</h1>${toRefusalText(view, '', refusal)}`
      return toRendered(toDocument(view, { title, main, place: 'catalog' }), { failed: refusal.code })
    }
  }

function toMain(view: View, facets: Facets, distributions: Distributions, samples: number): Html {
  const { words, number, href } = view
  const { catalog } = words
  const total = distributions.trust.reduce((sum, count) => sum + count, 0)
  if (total === 0) return toNothingYet(view, html`<h1>${catalog.title}</h1>`)
  // A directory always counts its services; one that has only samples to show counts those, and says so.
  const isInvented = facets.category.every(({ count, samples }) => count === samples)
  const bars = (name: FacetName, toLabel: (id: string) => string | Html = words.filters[name].value): Bar[] =>
    facets[name]
      .map(({ id, count = 0, samples }) => ({
        label: toLabel(id),
        count: isInvented ? count : count - samples,
        address: href('/', { [name]: facetOf(name).toParameter(id) }),
      }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
  const categories = bars('category')
  const chains = bars('chain')
  const statuses = bars('status', id => toStatus(view, id as Status, words.filters.status.value(id)))
  const sampled = words.search.samples(number(samples))
  const counted = isInvented ? sampled : words.search.found(number(total))
  // Nothing invented has a status or trust.
  const standing = isInvented
    ? undefined
    : html`${toPanel(view, catalog.statuses, statuses)}${toPanel(view, catalog.trust, toTrustBars(view, distributions))}`
  return html`<div class="catalog"><h1>${catalog.title}</h1>
<p class="lead">${catalog.intro(counted, number(categories.length), number(chains.length))}</p>
${samples > 0 ? toBands(view, [{ level: 'note', title: isInvented ? catalog.samplesOnly : catalog.samples(sampled) }]) : undefined}
<div class="grid">
<div>${toPanel(view, catalog.categories, categories)}${toPanel(view, catalog.chains, chains, catalog.chainsNote)}</div>
<div>${standing}${toPanel(view, catalog.prices, toPriceBars(view, distributions), catalog.pricesNote)}</div>
</div></div>`
}

function toPanel(view: View, title: string, bars: readonly Bar[], note?: string): Html {
  const more = bars.length - MAX_BARS
  return html`<section class="panel"><h2>${title}</h2>${note ? html`<p class="note">${note}</p>` : undefined}${toBars(view, bars.slice(0, MAX_BARS))}${more > 0 ? html`<p class="note">${view.words.catalog.more(view.number(more))}</p>` : undefined}</section>`
}

/** From the highest down; neighbours without a service are one. */
function toTrustBars({ words }: View, { trust }: Distributions): Bar[] {
  const bands: { from: number; to: number; count: number }[] = []
  for (const [i, count] of trust.entries()) {
    const last = bands.at(-1)
    if (last && last.count === 0 && count === 0) last.to = i
    else bands.push({ from: i, to: i, count })
  }
  return bands
    .map(({ from, to, count }) => ({
      label: words.catalog.range(String(10 * from), to === 9 ? '100' : String(10 * to + 9)),
      count,
    }))
    .reverse()
}

function toPriceBars({ words }: View, { prices, otherCurrencies }: Distributions): Bar[] {
  const { free, upTo, above, otherCurrencies: other } = words.catalog
  const last = PRICE_STEPS.at(-1)!
  return [
    ...PRICE_STEPS.map((step, i) => ({
      label: step === '0' ? free : upTo(step),
      count: prices[i]!,
    })),
    { label: above(last), count: prices[PRICE_STEPS.length]! },
    { label: other, count: otherCurrencies },
  ]
}
