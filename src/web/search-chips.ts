// What narrows the results, each with a way to take it away: what the sentence was understood to ask for, and the filters that are set.
import type { Constraints } from '../domain/answers.ts'
import { categoryLabels } from '../domain/categories.ts'
import type { ConstraintName, Filters } from '../domain/queries.ts'
import type { Found } from './find.ts'
import { type Html, html } from './html.ts'
import { type FilterName, type Search, toQuery } from './search-query.ts'
import { chainLabel } from './service-card.ts'
import type { View } from './view.ts'

type Chip = { readonly text: string; readonly names: readonly ConstraintName[] }

export function toChips(view: View, search: Search, { answer }: Found): Html | undefined {
  const { words, href } = view
  const link = (change: Partial<Search>) => href('/', toQuery(search, change))
  const understood = answer ? chipsOf(view, answer.constraints) : []
  const set = chipsOf(view, search.filters)
  const chips = [
    ...understood.map(({ text, names }) =>
      toChip(words.search.remove(text), text, link({ without: [...search.without, ...names] })),
    ),
    ...set.map(({ text, names }) =>
      toChip(
        words.search.remove(text),
        text,
        link({ filters: without(search.filters, names as FilterName[]) }),
      ),
    ),
    ...(answer ? search.without : []).map(name => {
      const text = words.search.constraints[name]
      const rest = search.without.filter(other => other !== name)
      return html`<li class="gone"><a href="${link({ without: rest })}" aria-label="${words.search.restore(text)}"><s>${text}</s> <b aria-hidden="true">+</b></a></li>`
    }),
    ...(answer?.constraints.unapplied ?? []).map(
      ({ text, why }) => html`<li class="gone"><span>${text}: ${words.search.unapplied} (${why})</span></li>`,
    ),
  ]
  if (chips.length === 0) return undefined
  const clear =
    set.length > 0
      ? html`<li><a class="clear" href="${link({ filters: {} })}">${words.search.clear}</a></li>`
      : undefined
  return html`<div class="chips"><h3 id="understood">${answer ? words.search.understood : words.search.narrowed}</h3><ul aria-labelledby="understood">${chips}${clear}</ul></div>`
}

const toChip = (label: string, text: string, address: string): Html =>
  html`<li><a href="${address}" aria-label="${label}">${text} <b aria-hidden="true">×</b></a></li>`

const without = (filters: Filters, names: readonly FilterName[]): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name as FilterName)))

function chipsOf({ words, language }: View, asked: Filters | Constraints): Chip[] {
  const { maxPricePerRequest, currency, chain, status, category } = asked
  const chips: Chip[] = []
  if (maxPricePerRequest !== undefined) {
    const price =
      currency === undefined ? maxPricePerRequest : `${maxPricePerRequest} ${currency.toUpperCase()}`
    chips.push({
      text: words.search.upTo(price),
      names: currency === undefined ? ['maxPricePerRequest'] : ['maxPricePerRequest', 'currency'],
    })
  } else if (currency !== undefined) chips.push({ text: currency.toUpperCase(), names: ['currency'] })
  if (chain !== undefined) chips.push({ text: chainLabel(chain), names: ['chain'] })
  if (status !== undefined) chips.push({ text: words.statuses[status], names: ['status'] })
  if (category !== undefined) chips.push({ text: categoryLabels(category)[language], names: ['category'] })
  if ('freeQuota' in asked && asked.freeQuota)
    chips.push({ text: words.search.freeOnly, names: ['freeQuota'] })
  return chips
}
