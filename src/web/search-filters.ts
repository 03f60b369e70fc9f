// The filters and the order beside the results: one form with the search box, so that they work without a script.
import { categoryLabels } from '../domain/categories.ts'
import { findChain } from '../domain/chains.ts'
import type { Count } from '../domain/facets.ts'
import { currencyKey } from '../domain/money.ts'
import { SORT_ORDERS } from '../domain/queries.ts'
import { STATUSES } from '../domain/standing.ts'
import type { Found } from './find.ts'
import { type Html, html } from './html.ts'
import { type Search, sortsOf } from './search-query.ts'
import { chainLabel } from './service-card.ts'
import type { View } from './view.ts'

/** The box and everything here belong to this form. */
export const FORM = 'ask'

const MOST_CHOICES = 40

type Choice = { readonly value: string; readonly label: string; readonly count: string }

export function toFilters(view: View, search: Search, { facets, isCut }: Found): Html {
  const { words, language } = view
  const { filters } = search
  const count = ({ count }: Count) => (count === undefined ? '' : `${view.number(count)}${isCut ? '+' : ''}`)
  const categories = facets.categories.map(each => ({
    value: each.id,
    label: categoryLabels(each.id)[language],
    count: count(each),
  }))
  const chains = facets.chains.map(each => ({
    value: findChain(each.id)?.name ?? each.id,
    label: chainLabel(each.id),
    count: count(each),
  }))
  const statuses = STATUSES.map(status => ({
    value: status,
    label: words.statuses[status],
    count: count(facets.statuses.find(({ id }) => id === status) ?? { id: status, count: 0 }),
  }))
  return html`<details class="filters"><summary>${words.search.filters}</summary>
<div class="panel">
${toChoices(view, 'status', words.search.status, statuses, filters.status)}
${toChoices(view, 'category', words.search.category, categories, filters.category?.toLowerCase())}
${toChoices(view, 'chain', words.search.chain, chains, filters.chain && (findChain(filters.chain)?.name ?? filters.chain.toLowerCase()))}
${toPrice(view, search, facets.currencies)}
${toOrder(view, search)}
<p class="buttons"><button form="${FORM}" class="quiet" data-auto>${words.search.apply}</button></p>
</div>
</details>`
}

function toChoices(
  { words }: View,
  name: string,
  title: string,
  choices: readonly Choice[],
  chosen: string | undefined,
): Html {
  const shown = choices.slice(0, MOST_CHOICES)
  // What is asked for stays visible when nothing has it.
  const missing = chosen !== undefined && !shown.some(({ value }) => value === chosen)
  const all: Choice[] = [
    { value: '', label: words.search.any, count: '' },
    ...shown,
    ...(missing
      ? [choices.find(({ value }) => value === chosen) ?? { value: chosen, label: chosen, count: '0' }]
      : []),
  ]
  return html`<fieldset><legend>${title}</legend><div class="choices">
${all.map(
  ({ value, label, count }) =>
    html`<label><input type="radio" form="${FORM}" name="${name}" value="${value}"${value === (chosen ?? '') ? html` checked` : undefined}><span>${label}</span>${count === '' ? undefined : html` <small>${count}</small>`}</label>
`,
)}</div></fieldset>`
}

function toPrice({ words }: View, { filters }: Search, currencies: readonly Count[]): Html {
  const chosen = filters.currency === undefined ? undefined : currencyKey(filters.currency)
  const ids = currencies.slice(0, MOST_CHOICES).map(({ id }) => id)
  if (chosen !== undefined && !ids.includes(chosen)) ids.push(chosen)
  return html`<fieldset><legend>${words.search.price}</legend>
<label class="field"><span>${words.search.maxPrice}</span><input form="${FORM}" name="maxPricePerRequest" inputmode="decimal" pattern="\\d{1,18}(\\.\\d{1,18})?" maxlength="37" autocomplete="off" placeholder="0.01" value="${filters.maxPricePerRequest ?? ''}"></label>
<label class="field"><span>${words.search.currency}</span><select form="${FORM}" name="currency">${toOption('', words.search.anyCurrency, chosen ?? '')}${ids.map(id => toOption(id, id.toUpperCase(), chosen))}</select></label>
</fieldset>`
}

function toOrder({ words }: View, search: Search): Html {
  const { sorts, directions } = words.search
  const standard = search.q === '' ? 'trustScore' : 'best'
  return html`<fieldset><legend>${words.search.sort}</legend>
<label class="field"><span>${words.search.sortBy}</span><select form="${FORM}" name="sortBy">${toOption('', sorts[standard], search.sortBy ?? '')}${sortsOf(
    search,
  )
    .filter(sort => sort !== standard)
    .map(sort => toOption(sort, sorts[sort], search.sortBy))}</select></label>
<label class="field"><span>${words.search.direction}</span><select form="${FORM}" name="sortOrder">${toOption('', directions.usual, search.sortOrder ?? '')}${SORT_ORDERS.map(order => toOption(order, directions[order], search.sortOrder))}</select></label>
</fieldset>`
}

const toOption = (value: string, label: string, chosen: string | undefined): Html =>
  html`<option value="${value}"${value === chosen ? html` selected` : undefined}>${label}</option>`
