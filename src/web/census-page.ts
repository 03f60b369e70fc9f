// The census page: what the catalog contains, how that has changed, and searches without results.
import type { LocalDirectory } from '../directory/directory.ts'
import type { Census, CensusDay } from '../domain/census.ts'
import { toBands } from './bands.ts'
import { type Bar, toBars } from './charts/bars.ts'
import { toCensusTable, toCountsChart, toPricesChart } from './charts/census-charts.ts'
import { toRefusal, toRefusalText } from './failure.ts'
import { type Html, html } from './html.ts'
import { toDocument } from './layout.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { toNothingYet } from './search/nothing-yet.ts'
import { createView, type View } from './view.ts'

const DAYS = 90
const MAX_BARS = 12
const MAX_SEARCHES = 30

export const createCensusPage =
  (directory: LocalDirectory) =>
  async (request: PageRequest): Promise<Rendered> => {
    const view = createView(request)
    const { title, intro } = view.words.census
    try {
      const main = toMain(view, await readCensus(directory))
      return toRendered(toDocument(view, { title, description: intro, main }))
    } catch (error) {
      const refusal = toRefusal(error)
      const main = html`<h1>${title}</h1>${toRefusalText(view, '', refusal)}`
      return toRendered(toDocument(view, { title, main }), { failed: refusal.code })
    }
  }

type Read = { readonly days: readonly CensusDay[]; readonly unmet: Census['unmet'] | undefined }

/** If the store is unavailable, only today is shown, from memory. */
async function readCensus(directory: LocalDirectory): Promise<Read> {
  try {
    return (await directory.census({ days: DAYS })).decode()
  } catch (error) {
    if (toRefusal(error).code !== 'store_unavailable') throw error
    return { days: [directory.reads.census()], unmet: undefined }
  }
}

/** From the first day that had a service: before it there was nothing to count. @param days newest first */
function sinceFirstService(days: readonly CensusDay[]): readonly CensusDay[] {
  const first = days.findLastIndex(({ services }) => services > 0)
  return days.slice(0, Math.max(first, 0) + 1)
}

function toMain(view: View, { days: read, unmet }: Read): Html {
  const { words, number, href } = view
  const { census, catalog, filters } = words
  const days = sinceFirstService(read)
  const today = days[0]!
  const items = (value: number) => words.items(number(value))
  const samples =
    today.samples > 0 &&
    toBands(view, [{ level: 'note', title: census.samples(words.search.samples(number(today.samples))) }])
  const head = html`<h1>${census.title}</h1>
<p class="lead">${census.intro}</p>
${samples || undefined}`
  if (today.services === 0 && days.length === 1) return toNothingYet(view, head)
  const bars = (counts: CensusDay['chains'], toLabel: (id: string) => string): Bar[] =>
    counts.slice(0, MAX_BARS).map(({ id, count }) => ({ label: toLabel(id), count }))
  const noteOf = (counts: CensusDay['chains']) =>
    counts.length > MAX_BARS ? census.largest(number(MAX_BARS), number(counts.length)) : undefined
  return html`<div class="catalog census">${head}
<dl class="tiles four">${(
    [
      [census.services, items(today.services)],
      [census.alive, items(today.alive)],
      [census.verified, items(today.verified)],
      [census.p50, today.prices.p50 === null ? '–' : words.proof.dollars(today.prices.p50)],
    ] as const
  ).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<section><h2>${census.counts}</h2>${days.length === 1 ? html`<p class="note">${census.firstDay}</p>` : undefined}${toCountsChart(view, days)}</section>
<section><h2>${census.prices}</h2><p class="note">${census.pricesNote(number(today.prices.known), number(today.prices.free))}</p>${toPricesChart(view, days)}${toCensusTable(view, days)}</section>
<div class="grid">
<div>${toPanel(catalog.categories, toBars(view, bars(today.categories, filters.category.value)), noteOf(today.categories))}${toPanel(
    census.languages,
    toBars(
      view,
      bars(today.languages, id => toLanguageName(view, id)),
    ),
    census.languagesNote,
  )}</div>
<div>${toPanel(catalog.chains, toBars(view, bars(today.chains, filters.chain.value)), noteOf(today.chains) ?? catalog.chainsNote)}${unmet ? toUnmet(view, unmet) : undefined}</div>
</div>
<p class="note">${census.data} <a href="/api/census">JSON</a> · <a href="/api/export.ndjson">NDJSON</a> · <a href="${href('/catalog')}">${words.nav.catalog}</a></p>
</div>`
}

const toPanel = (title: string, content: Html, note?: string): Html =>
  html`<section class="panel"><h2>${title}</h2>${note === undefined ? undefined : html`<p class="note">${note}</p>`}${content}</section>`

function toUnmet(view: View, { minCallers, searches }: Census['unmet']): Html | undefined {
  const { census } = view.words
  if (minCallers === 0) return undefined
  const bars = searches.slice(0, MAX_SEARCHES).map(({ words, callers }) => ({
    label: words,
    count: callers,
    address: view.href('/', { q: words }),
  }))
  const content = bars.length === 0 ? html`<p>${census.noUnmet}</p>` : toBars(view, bars, census.callers)
  return toPanel(census.unmet, content, census.unmetNote(view.number(minCallers)))
}

/** Created on first use, because the tables of Intl take long to load. */
function toLanguageName({ language, words }: View, id: string): string {
  if (id === 'und') return words.census.undetermined
  return new Intl.DisplayNames([language], { type: 'language' }).of(id) ?? id
}
