// The search page: the search box, the results with the reason for each, and the filters.
import type { Health, LocalDirectory } from '../../directory/directory.ts'
import { toShell } from '../../domain/call/payer.ts'
import { addDecimals } from '../../domain/money/money.ts'
import { CONSTRAINT_NAMES, type Count } from '../../domain/queries/filters.ts'
import { parseListQuery } from '../../domain/queries/queries.ts'
import type { Level } from '../../domain/standing/standing.ts'
import { toRefusal, toRefusalText } from '../failure-page.ts'
import { type Html, html } from '../html.ts'
import {
  lastOffset,
  toCopyable,
  toDocument,
  toInvitation,
  toPageLinks,
  toPlace,
  toSearchBox,
  toTime,
} from '../layout.ts'
import { type PageRequest, type Rendered, toRendered } from '../page.ts'
import { toCutName, toForeign } from '../provider-text.ts'
import { toCard, toLine } from '../service-card.ts'
import { createView, type Query, toAddress, type View } from '../view.ts'
import { type Found, find, type Hit, type Step } from './find.ts'
import { FORM, toChips, toConditionText, toFilters, toKept, toSort } from './search-filters.ts'
import { isByRelevance, readSearch, type Search, toQuery } from './search-query.ts'

/** Characters of the question that the heading of the results quotes. */
const MAX_QUOTED = 80
/** Names of services in the preview of a link to a search. */
const MAX_PREVIEWED = 3
/** Characters of a description in a line. */
const MAX_SHORT = 120

export const createSearchPage =
  (directory: LocalDirectory) =>
  async (request: PageRequest): Promise<Rendered> => {
    const view = createView(request)
    const question = (request.parameters.q ?? '').trim()
    try {
      const search = readSearch(request.parameters)
      if (!isPlain(view, search)) return toAddressOf(view, search)
      const found = find(directory, search, view.language)
      const last = lastOffset(found.total, found.size)
      if (search.offset > last) return toAddressOf(view, { ...search, offset: last })
      const proof = isOpening(view) ? toProof(view, found, await directory.health()) : undefined
      const about = { ...toPreview(view, search, found), query: toQuery(search, search) }
      const examples = isOpening(view) || found.total === 0 ? toExamples(view, directory) : undefined
      return toRendered(
        toPage(view, question, toFound(view, search, found, examples), { about, proof, examples }),
      )
    } catch (error) {
      const refusal = toRefusal(error)
      const others = Object.entries(request.parameters).filter(([name]) =>
        refusal.problems.every(({ path }) => path !== name),
      )
      const isValid = refusal.problems.length > 0 && others.some(([name]) => name !== 'lang')
      const back = html`<p><a href="${view.href('/', isValid ? Object.fromEntries(others) : {})}">${isValid ? view.words.search.withoutInvalid : view.words.service.toSearch}</a></p>`
      const main = html`<div id="found">${toRefusalText(view, view.words.search.invalid, refusal)}${back}</div>`
      return toRendered(toPage(view, question, main, {}), { failed: refusal.code })
    }
  }

/** A form without a script sends empty fields, and other sites add parameters of their own; bookmarks and links need neither. */
const isPlain = ({ request, href }: View, search: Search): boolean => {
  const { parameters, home } = request
  const known = new URL(href('/', toQuery(search, search)), home).searchParams
  // One control has the order and its direction; a URL has them apart.
  const isOneChoice = parameters.sortBy !== undefined && parameters.sortBy !== known.get('sortBy')
  return !isOneChoice && Object.keys(parameters).every(name => known.has(name))
}

const toAddressOf = ({ href }: View, search: Search): Rendered => ({
  text: '',
  location: href('/', toQuery(search, search)),
})

/** Whether nothing is asked for yet. */
const isOpening = ({ request: { parameters } }: View): boolean =>
  Object.keys(parameters).every(name => name === 'lang')

type Hero = {
  readonly about?: { readonly title: string; readonly description?: string; readonly query: Query }
  readonly proof?: Html | undefined
  readonly examples?: Html | undefined
}

function toPage(view: View, question: string, found: Html, { about, proof, examples }: Hero): Html {
  const { words } = view
  const isOpen = isOpening(view)
  const main = html`<div class="ask${isOpen ? ' opening' : ''}">
<h1>${words.search.title}</h1>
<p class="intro">${words.search.intro}</p>
${toSearchBox(view, question, FORM)}
${examples}${proof}${isOpen ? html`<p class="note">${words.check.lead} <a href="${view.href('/check')}">${words.check.title}</a></p>` : undefined}
</div>
<p id="said" class="unseen" role="status"></p>
${found}`
  return toDocument(view, { title: question, ...about, isUnlisted: !isOpen, main, place: 'search' })
}

/** What the directory has and when it last looked, in one line. */
function toProof(view: View, found: Found, { probing }: Health): Html | undefined {
  const { words, number } = view
  const all = found.all()
  const count = (counts: readonly Count[], wanted?: Level) =>
    counts
      .filter(({ id }) => wanted === undefined || id === wanted)
      .reduce((sum, { count = 0 }) => sum + count, 0)
  const services = count(all.status)
  if (services === 0) return undefined
  const [verified, paid] = [count(all.level, 'verified'), count(all.level, 'paid')]
  const last = probing?.lastProbeAt ?? null
  return html`<p class="proof note">${words.search.proof(number(services), number(verified), number(paid))}${last === null ? undefined : html` · ${words.search.lastProbe}${words.colon}${toTime(view, last)}`}</p>`
}

/** A link to a search is previewed as that search. */
function toPreview(view: View, search: Search, found: Found): { title: string; description?: string } {
  if (isOpening(view)) return { title: '' }
  const names = found.hits.slice(0, MAX_PREVIEWED).map(({ service }) => toCutName(service.name))
  const heading = toHeading(view, search, found)
  return {
    title: search.q || heading,
    description: names.length > 0 ? `${heading}${view.words.colon}${names.join(', ')}` : heading,
  }
}

/** Only questions that this catalog has something for. */
function toExamples(view: View, directory: LocalDirectory): Html | undefined {
  const { words, href } = view
  const catalog = directory.requireCatalog()
  const questions = words.search.exampleQuestions.filter(
    ({ wanted }) => catalog.list(parseListQuery({ ...wanted, limit: 1 })).total !== 0,
  )
  return questions.length === 0
    ? undefined
    : html`<p class="examples">${isOpening(view) ? words.search.examples : words.search.orTry}${words.colon}${questions.map(({ q }) => html`<a href="${href('/', { q })}">${q}</a> `)}</p>`
}

function toFound(view: View, search: Search, found: Found, examples: Html | undefined): Html {
  const { words } = view
  const steps = search.offset === 0 ? found.steps : []
  const sort = found.total === 0 ? undefined : toSort(view, search)
  const isOnePage = steps.length > 0 || found.total <= found.size
  const place = isOnePage
    ? undefined
    : html` <span class="note">${toPlace(view, { ...found, ...search })}</span>`
  const list = html`${found.total === 0 ? toNothing(view, search, found, examples) : toCards(view, found.hits)}
${toPages(view, search, found)}`
  return html`<div id="found" class="found">
${toKept(search)}${isNarrowable(found) ? html`<aside aria-label="${words.search.filters}">${toFilters(view, search, found)}</aside>` : undefined}
<section aria-labelledby="results">
<div class="heading"><h2 id="results" tabindex="-1">${toHeading(view, search, found)}${place}</h2>${steps.length > 0 ? undefined : sort}</div>
${toChips(view, search, found)}
${steps.length > 0 ? html`<ol class="lines plan">${steps.map(step => toStep(view, step))}</ol>${toTotal(view, steps)}` : undefined}
${steps.length > 0 && found.total > 0 ? toWhole(view, search, found, html`${sort}${list}`) : list}
${search.offset === 0 ? toWeak(view, found.weak) : undefined}
${found.nearest ? toNearest(view, found, found.nearest) : undefined}
${
  // The API ranks a sentence, and sorts it in no other order.
  found.isVacant || (search.q !== '' && !isByRelevance(search))
    ? undefined
    : html`<p class="curl"><span>${words.search.curl}</span>${toCopyable(view, toCurl(view, search), 'curl')}</p>`
}
</section>
</div>`
}

/** Where nothing is found, no further condition helps. */
const isNarrowable = ({ total, nearest }: Found): boolean => total > 0 || nearest !== undefined

function toHeading(
  view: View,
  { q, filters, offset }: Search,
  { total, answer, isVacant, isCut, steps }: Found,
): string {
  const { words } = view
  if (isVacant) return words.search.noneYet
  // Each step has services of its own; the number is that of the whole sentence.
  if (steps.length > 0 && offset === 0) return words.search.inSteps(toShort(q))
  const found = words.search.found(`${view.number(total)}${isCut ? '+' : ''}`)
  // The reason of the answer names its words as they were analysed; a heading shows them as they were typed.
  if (answer) return total === 0 ? words.search.noneFor(toShort(q)) : words.search.foundFor(found, toShort(q))
  if (total === 0) return words.search.none
  return q !== '' || Object.keys(filters).length > 0 ? found : words.search.all(found)
}

const toShort = (question: string): string =>
  question.length > MAX_QUOTED ? `${question.slice(0, MAX_QUOTED).trimEnd()}…` : question

/** What is near follows the hint; where nothing is, it says where else to look. */
function toNothing(view: View, search: Search, found: Found, examples: Html | undefined): Html {
  const { q, filters } = search
  const { words, href, hrefForPrograms } = view
  const { isVacant, nearest, steps, answer } = found
  if (isVacant) return html`<div class="empty">${toInvitation(view)}</div>`
  const isNarrowed =
    Object.keys(filters).length > 0 || CONSTRAINT_NAMES.some(name => answer?.constraints[name] !== undefined)
  // What is nearest already has other words or fewer conditions.
  if (nearest) return html``
  const unmet = found
    .unmet()
    .map(name =>
      words.search.noneWith(words.filters[name].name, words.filters[name].value(String(filters[name]))),
    )
  const hint =
    unmet.length > 0
      ? unmet.map(text => html`<p>${text}</p>`)
      : html`<p>${words.search.noneHints[q === '' ? 'conditions' : isNarrowed ? 'both' : 'words']}</p>`
  if (steps.length > 0) return html`<div class="empty">${hint}</div>`
  return html`<div class="empty">${hint}${examples}
<ul class="elsewhere"><li><a href="${href('/catalog')}">${words.search.browse}</a></li>${
    q === ''
      ? undefined
      : html`<li><a href="${hrefForPrograms('/feeds/search.atom', { q })}">${words.search.follow}</a>${words.colon}${words.search.followNote}</li>`
  }</ul></div>`
}

const toCards = (view: View, hits: readonly Hit[]): Html =>
  html`<ol class="cards">${hits.map(hit => toCard(view, hit))}</ol>`

/** In lines, so that they cannot be taken for results. */
const toWeak = (view: View, hits: readonly Hit[]): Html | undefined =>
  hits.length === 0
    ? undefined
    : html`<div class="weak"><h2>${view.words.search.weak}</h2><p class="note">${view.words.search.weakNote}</p>
<ul class="lines">${hits.map(hit => html`<li>${toLine(view, hit)}<p${toForeign(view, hit.service.description)}>${toCutName(hit.service.description.replace(/\s+/g, ' '), MAX_SHORT)}</p></li>`)}</ul></div>`

/** One step of a plan: the first service for it, and a link to the others. */
function toStep(view: View, { text, first }: Step): Html {
  const { words, href } = view
  const more = html`<a href="${href('/', { q: text })}">${words.search.moreFor}<span class="unseen">${words.colon}${text}</span></a>`
  return html`<li><div class="entry"><h3>${text}</h3>${more}</div>${first ? toLine(view, first) : html`<p>${words.search.none}</p>`}</li>
`
}

/** What the services shown cost together; undefined for what cannot be added. */
function toTotal({ words }: View, steps: readonly Step[]): Html | undefined {
  const firsts = steps.flatMap(({ first }) => first ?? [])
  const [currency, ...others] = new Set(firsts.map(({ service }) => service.pricing.currency))
  if (firsts.length < steps.length || others.length > 0) return undefined
  const prices = firsts.map(({ figures, service }) => figures.asks ?? service.pricing.pricePerRequest)
  return html`<p class="entry"><b>${words.search.total}</b> <b class="figure">${prices.reduce(addDecimals)} ${currency}</b></p>`
}

/** Closed, because most of it stands under the steps; open for whoever sorts it. */
const toWhole = (view: View, { sortBy, sortOrder }: Search, { total }: Found, list: Html): Html =>
  html`<details class="whole"${sortBy === undefined && sortOrder === undefined ? undefined : html` open`}><summary><h2>${view.words.search.allSteps(view.words.search.found(view.number(total)))}</h2></summary>${list}</details>`

const toNearest = (view: View, found: Found, { relaxed, hits }: NonNullable<Found['nearest']>): Html =>
  html`<h2>${view.words.search.nearest(toConditionText(view, found, relaxed))}</h2>${toCards(view, hits)}`

function toPages(view: View, search: Search, { total, size, isCut }: Found): Html {
  const isLast = isCut && search.offset + size >= total
  const links = toPageLinks(view, { total, offset: search.offset, size }, offset =>
    view.href('/', toQuery(search, { offset })),
  )
  return html`${links}${isLast ? html`<p class="note">${view.words.search.cut(view.number(total))}</p>` : undefined}`
}

/** A sentence is sent to the intent search with the filters that were changed; filters alone become parameters of the list. */
function toCurl({ request: { origin } }: View, search: Search): string {
  const { q, filters, without, sortBy, sortOrder, offset } = search
  if (q !== '') {
    const address = toAddress('/api/services/search/intent', {
      ...filters,
      without: without.join() || undefined,
    })
    return `curl -G ${toShell(origin + address)} \\\n  --data-urlencode ${toShell(`q=${q}`)}`
  }
  const address = toAddress('/api/services', {
    ...filters,
    sortBy: sortBy === 'newest' ? undefined : (sortBy ?? 'trustScore'),
    sortOrder,
    offset: offset === 0 ? undefined : offset,
  })
  return `curl ${toShell(origin + address)}`
}
