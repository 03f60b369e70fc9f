// The filters and the sort order. They belong to the form of the search box, so that they work without a script.

import { chainLabel, findChain } from '../../domain/chains/chains.ts'
import {
  type AnyFilter,
  CONSTRAINT_NAMES,
  type Count,
  type FacetName,
  FILTER_NAMES,
  type FilterName,
  type Filters,
  facetOf,
  filterOf,
  type Revocable,
} from '../../domain/queries/filters.ts'
import type { Constraints } from '../../domain/queries/queries.ts'
import { LEVELS } from '../../domain/standing/standing.ts'
import { type Html, html } from '../html.ts'
import type { View } from '../view.ts'
import type { Found } from './find.ts'
import { ordersOf, type Search, toOrderValue, toQuery } from './search-query.ts'

/** Id of the form of the search box and of all controls here. */
export const FORM = 'ask'

const MAX_CHOICES = 40

type Choice = {
  readonly value: string
  readonly label: string
  /** Empty if it is not known. */
  readonly count: string
}

const namesWith = (isIn: (filter: AnyFilter) => boolean): FilterName[] =>
  FILTER_NAMES.filter(name => isIn(filterOf(name)))
const sectionOf = (filter: AnyFilter) => (filter.control === 'choice' ? undefined : filter.section)

/** The most used filters first, the others in the order of the table. */
const CHOICES = [
  ...new Set<FilterName>(['level', ...namesWith(({ control }) => control === 'choice')]),
] as FacetName[]
/** The limits first. */
const PRICE = namesWith(filter => sectionOf(filter) === 'price').toSorted(
  (a, b) => Number(filterOf(b).control === 'decimal') - Number(filterOf(a).control === 'decimal'),
)
const MORE = namesWith(filter => sectionOf(filter) === 'more')

/** Filters that are set are sent again with the next choice. */
export const toKept = ({ filters }: Search): Html =>
  html`${FILTER_NAMES.filter(name => filters[name] !== undefined).map(name => html`<input type="hidden" form="${FORM}" name="${name}" value="${String(filters[name])}">`)}`

/** A condition stands in one place: once it is set or read from the sentence it is a chip, and has no control here. */
export function toFilters(view: View, search: Search, found: Found): Html {
  const { words } = view
  const isOpen = (name: FilterName) => !isHeld(search, found, name)
  const fields = (title: string, names: readonly FilterName[]) =>
    names.length === 0
      ? undefined
      : html`<fieldset><legend>${title}</legend>
${names.map(name => toField(view, search, found, name))}</fieldset>
`
  return html`<details class="filters"><summary>${words.search.filters}</summary>
<div class="options">
${CHOICES.filter(name => isOpen(name) && choicesOf(view, found, name).length > 0).map(
  name => html`${toChoices(view, found, name)}
`,
)}${fields(words.search.price, priceFields(search, found).filter(isOpen))}${fields(words.search.more, MORE.filter(isOpen))}<p class="buttons"><button form="${FORM}" class="quiet" data-auto>${words.search.apply}</button></p>
</div>
</details>`
}

/** What is proved is proved of who is verified: either of the two says all that the other could. */
const VERIFYING: readonly FilterName[] = ['level', 'status']

const isHeld = (search: Search, found: Found, name: FilterName): boolean =>
  (VERIFYING.includes(name) ? VERIFYING : [name]).some(each => isSet(search, found, each))

/** By the reader or by the sentence. */
function isSet({ filters }: Search, { answer, isConverted }: Found, name: FilterName): boolean {
  if (filters[name] !== undefined) return true
  // A limit that is compared in dollars leaves every currency.
  if (isConverted && name === 'currency') return false
  const constraint = name === 'maxUsdPrice' ? 'maxPricePerRequest' : name
  const known = CONSTRAINT_NAMES.find(each => each === constraint)
  return known !== undefined && answer?.constraints[known] !== undefined
}

/** One field for the limit: in dollars, or in the currency that is chosen, whose amounts are not converted. */
function priceFields(search: Search, found: Found): readonly FilterName[] {
  const isIn = currencyOf(search, found) !== undefined
  const isLimited = PRICE.some(name => filterOf(name).control === 'decimal' && isHeld(search, found, name))
  return PRICE.filter(
    name => filterOf(name).control !== 'decimal' || (!isLimited && (name === 'maxPricePerRequest') === isIn),
  )
}

/** The currency that prices must have: chosen, or named in the sentence for more than its limit. */
const currencyOf = ({ filters }: Search, { answer, isConverted }: Found): string | undefined =>
  filters.currency ?? (isConverted ? undefined : answer?.constraints.currency)

/** Every service is at least listed, and nobody looks for what must not be paid. */
const OFFERED_LEVELS = LEVELS.filter(level => level !== 'danger' && level !== 'listed')

/** The values of a filter with the number of services for each. Every level is offered, also one without results. */
function choicesOf({ words, number }: View, { facets, answer }: Found, name: FacetName): Choice[] {
  const counts: readonly Count[] =
    name === 'level'
      ? OFFERED_LEVELS.map(level => facets.level.find(({ id }) => id === level) ?? { id: level, count: 0 })
      : facets[name]
  return counts.map(({ id, count }) => ({
    value: facetOf(name).toParameter(id),
    label: words.filters[name].value(id),
    // A sentence is read with every condition anew: what it finds with another one is not known.
    count: answer || count === undefined ? '' : number(count),
  }))
}

function toChoices(view: View, found: Found, name: FacetName): Html {
  const { words } = view
  const any: Choice = { value: '', label: words.search.any, count: '' }
  return html`<fieldset><legend>${words.filters[name].label}</legend><div class="choices">
${[any, ...choicesOf(view, found, name).slice(0, MAX_CHOICES)].map(
  ({ value, label, count }) =>
    html`<label><input type="radio" form="${FORM}" name="${name}" value="${value}"${value === '' ? html` checked` : undefined}><span>${label}</span>${count === '' ? undefined : html` <small>${count}</small>`}</label>
`,
)}</div>${name === 'category' ? html`<a href="${view.href('/catalog')}">${words.search.browse}</a>` : undefined}</fieldset>`
}

function toField(view: View, search: Search, found: Found, name: FilterName): Html {
  const { filters, search: words } = view.words
  const currency = name === 'maxPricePerRequest' ? currencyOf(search, found) : undefined
  const label = currency === undefined ? filters[name].label : words.maxIn(filters.currency.value(currency))
  const field = (control: Html) => html`<label class="field"><span>${label}</span>${control}</label>
`
  switch (filterOf(name).control) {
    case 'choice':
    case 'select':
      return field(toSelect(view, found, name as FacetName))
    case 'decimal':
      return field(
        html`<input form="${FORM}" name="${name}" inputmode="decimal" maxlength="37" autocomplete="off" placeholder="0.01">`,
      )
    case 'tick':
      return html`<div class="choices"><label><input type="checkbox" form="${FORM}" name="${name}" value="true"><span>${label}</span></label></div>
`
  }
}

function toSelect({ words }: View, { facets }: Found, name: FacetName): Html {
  // Who is verified is found by what is proved.
  const ids = facets[name]
    .slice(0, MAX_CHOICES)
    .map(({ id }) => id)
    .filter(id => id !== 'verified')
  return html`<select form="${FORM}" name="${name}">${toOption('', words.search.any, '')}${ids.map(id => toOption(id, words.filters[name].value(id), undefined))}</select>`
}

/** The sort control beside the heading of the results. Relevance is offered only if there is a question. */
export function toSort({ words, href }: View, search: Search): Html {
  const { choices, chosen } = ordersOf(search)
  const options = choices.map(choice =>
    toOption(
      toOrderValue(search, choice),
      words.search.sorts[choice.sort][choice.order],
      toOrderValue(search, chosen),
    ),
  )
  return html`<p class="sort"><label><span>${words.search.sortBy}</span><select form="${FORM}" name="sortBy">${options}</select></label><a href="${href('/about')}#trust">${words.search.whatIsTrust}</a><button form="${FORM}" class="quiet" data-auto>${words.search.apply}</button></p>`
}

const toOption = (value: string, label: string, chosen: string | undefined): Html =>
  html`<option value="${value}"${value === chosen ? html` selected` : undefined}>${label}</option>`

// Chips for everything that narrows the results, each with a link that removes it: conditions read from the sentence, and filters.

type Chip<Name> = { readonly text: string; readonly names: readonly Name[] }

export function toChips(view: View, search: Search, { answer, isBelow }: Found): Html | undefined {
  const { words, href } = view
  const link = (change: Partial<Search>) => href('/', toQuery(search, change))
  const understood = answer ? chipsOf(view, CONSTRAINT_NAMES, answer.constraints, isBelow) : []
  const set = chipsOf(view, CHIP_ORDER, search.filters)
  const chips = [
    ...understood.map(({ text, names }) =>
      toChip(words.search.remove(text), text, link({ without: [...search.without, ...names] })),
    ),
    ...toExcluded(view, answer, search.q).map(text =>
      toChip(words.search.remove(text), text, link({ without: [...search.without, 'excluded'] })),
    ),
    ...toWished(view, answer).map(text =>
      toChip(words.search.remove(text), text, link({ without: [...search.without, 'wishes'] })),
    ),
    ...set.map(({ text, names }) =>
      toChip(words.search.remove(text), text, link({ filters: without(search.filters, names) })),
    ),
    ...(answer ? search.without : []).map(name => {
      const text = nameOf(view, name)
      const rest = search.without.filter(other => other !== name)
      return html`<li class="gone"><a href="${link({ without: rest })}" aria-label="${words.search.restore(text)}"><s>${text}</s> <b aria-hidden="true">+</b></a></li>`
    }),
  ]
  const { absentTokens = [] } = answer ?? {}
  const notes = [
    ...(absentTokens.length > 0 ? [words.search.absent(absentTokens)] : []),
    ...(answer?.constraints.unapplied ?? []).map(({ text, why }) => words.search.unapplied(text, why)),
  ]
  const unapplied = notes.map(note => html`<p class="note">${note}</p>`)
  if (chips.length === 0) return html`${unapplied}`
  const clear =
    set.length > 0
      ? html`<li><a class="clear" href="${link({ filters: {} })}">${words.search.clear}</a></li>`
      : undefined
  return html`<div class="chips"><h3 id="understood">${answer ? words.search.understood : words.search.narrowed}</h3><ul aria-labelledby="understood">${chips}${clear}</ul>${unapplied}</div>`
}

const nameOf = ({ words }: View, name: Revocable): string =>
  name === 'excluded'
    ? words.search.excluded
    : name === 'wishes'
      ? words.search.wished
      : words.filters[name].name

/** A condition of the sentence as its chip shows it. */
export function toConditionText(view: View, { answer, isBelow }: Found, name: string): string {
  const known = CONSTRAINT_NAMES.find(each => each === name)
  const [chip] = known && answer ? chipsOf(view, [known], answer.constraints, isBelow) : []
  return chip?.text ?? (known ? view.words.filters[known].name : name)
}

/** One chip for all wishes, because they are removed together. */
const toWished = ({ words }: View, answer: Found['answer']): string[] =>
  answer && answer.wishes.length > 0 ? [answer.wishes.map(wish => words.search.wishes[wish]).join(' / ')] : []

/** One chip for all exclusions, because they are removed together. */
function toExcluded({ words }: View, answer: Found['answer'], question: string): string[] {
  const { excluded = [] } = answer?.constraints ?? {}
  if (excluded.length === 0) return []
  const names = excluded.map(name => (findChain(name) ? chainLabel(name) : asWritten(question, name)))
  return [words.search.excludedChains(names.join(', '))]
}

/** A word of the question in the case in which it stands there. */
function asWritten(question: string, word: string): string {
  const folded = question.toLowerCase()
  const at = folded.length === question.length ? folded.indexOf(word.toLowerCase()) : -1
  return at === -1 ? word : question.slice(at, at + word.length)
}

const toChip = (label: string, text: string, address: string): Html =>
  html`<li><a href="${address}" aria-label="${label}">${text} <b aria-hidden="true">×</b></a></li>`

const without = (filters: Filters, names: readonly FilterName[]): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name as FilterName)))

/** All filters, first those that a sentence can set, in the order of the answer. */
const CHIP_ORDER: readonly FilterName[] = [...new Set<FilterName>([...CONSTRAINT_NAMES, ...FILTER_NAMES])]

function chipsOf<Name extends FilterName>(
  { words }: View,
  names: readonly Name[],
  conditions: Filters | Constraints,
  isBelow = false,
): Chip<Name | 'currency'>[] {
  const values: Partial<Record<FilterName, unknown>> = conditions
  return names.flatMap((name): Chip<Name | 'currency'>[] => {
    const value = values[name]
    if (value === undefined || value === false) return []
    const { value: atMost, below = atMost } = words.filters[name]
    const toText = isBelow ? below : atMost
    if (Array.isArray(value)) return [{ text: value.map(toText).join(' / '), names: [name] }]
    if (values.maxPricePerRequest === undefined || values.currency === undefined)
      return [{ text: toText(String(value)), names: [name] }]
    // An amount and its currency are one condition.
    if (name === 'currency') return []
    if (name !== 'maxPricePerRequest') return [{ text: toText(String(value)), names: [name] }]
    const code = words.filters.currency.value(String(values.currency))
    const sum = words.money[code]?.(String(value)) ?? `${value} ${code}`
    return [{ text: toText(sum), names: [name, 'currency'] }]
  })
}
