// Chips for everything that narrows the results, each with a link that removes it: conditions read from the sentence, and filters.

import { chainLabel, findChain } from '../../domain/chains/chains.ts'
import type { Constraints } from '../../domain/queries/answers.ts'
import {
  CONSTRAINT_NAMES,
  FILTER_NAMES,
  type FilterName,
  type Filters,
  type Revocable,
} from '../../domain/queries/filters.ts'
import { type Html, html } from '../html.ts'
import type { View } from '../view.ts'
import type { Found } from './find.ts'
import { type Search, toQuery } from './search-query.ts'

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

/** What the sentence sets for a filter; undefined if it sets nothing, or if the filter itself is set. */
export function toUnderstood(
  view: View,
  { filters }: Search,
  { answer, isBelow, isConverted }: Found,
  name: FilterName,
): string | undefined {
  // A limit that is compared in dollars stands at the field for dollars, and leaves every currency.
  const limit = isConverted ? 'maxUsdPrice' : 'maxPricePerRequest'
  const constraint = name === limit ? 'maxPricePerRequest' : name
  if (isConverted && (name === 'currency' || name === 'maxPricePerRequest')) return undefined
  const known = CONSTRAINT_NAMES.find(each => each === constraint)
  const { currency } = answer?.constraints ?? {}
  if (!known || !answer || filters[name] !== undefined || answer.constraints[known] === undefined)
    return undefined
  // A chip joins it with the amount.
  if (known === 'currency') return view.words.filters.currency.value(String(currency))
  return chipsOf(view, [known], answer.constraints, isBelow)[0]?.text
}

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
