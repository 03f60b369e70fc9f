// The registration form: the URL first, the other fields filled in from the endpoint or by hand.

import { chainLabel, knownChains } from '../../domain/chains/chains.ts'
import type { Problem } from '../../domain/errors.ts'
import { LANGUAGE_CODES, type LanguageCode } from '../../domain/languages/languages.ts'
import {
  categoryLabels,
  findCategoryByLabel,
  isKnownCategory,
  KNOWN_CATEGORIES,
} from '../../domain/listing/categories.ts'
import { toDraft } from '../../domain/listing/edit.ts'
import type { Service } from '../../domain/listing/service.ts'
import { type Html, html } from '../html.ts'
import { toProblemText, toWrong } from '../message-text.ts'
import { type Owner, type Token, toTokenField, toWho } from '../owner/session.ts'
import { toTypedCode, toTypedNumber, toTypedUrl } from '../search/search-query.ts'
import type { View } from '../view.ts'

/** @param filled undefined for an empty form */
export function toForm(view: View, owner: Owner | undefined, filled: Filled | undefined, token: Token): Html {
  const { register } = view.words
  // Whoever has signed in meanwhile finds the URL again.
  const shown: Filled = filled ?? { form: { endpoint: view.request.parameters.endpoint ?? '' }, problems: [] }
  const { form, problems, isChecked } = shown
  const fields = html`${toFieldsets(view, shown)}<p class="buttons"><button name="action" value="register">${register.submit}</button></p>`
  return html`<form id="register" class="register" action="${view.href('/register')}" method="post" novalidate>
${isChecked ? undefined : toSummary(view, problems)}${toTokenField(token)}
<input type="hidden" name="once" value="${form.once || crypto.randomUUID()}">
<fieldset class="first">${toEndpointField(view, shown)}${owner ? undefined : toKeyField(view, shown)}
<p class="buttons"><button class="${isChecked ? 'quiet' : 'strong'}" name="action" value="check" data-busy="${register.checking}">${isChecked ? register.again : register.check}</button></p></fieldset>
${filled ? fields : html`<details class="by-hand"><summary>${register.byHand}</summary>${fields}</details>`}
</form>`
}

/** The signed-in owner, or a link to sign in. @param endpoint which the form is still to have afterwards */
export function toRegistrant(
  view: View,
  owner: Owner | undefined,
  endpoint: string | undefined,
  token: Token,
): Html {
  const { words, href } = view
  const { register, owner: said } = words
  if (owner) return html`${toWho(view, owner, token)}<p><a href="${href('/yours')}">${said.title}</a></p>`
  return html`<p class="buttons"><a class="button quiet" href="${href('/sign-in', { to: 'register', endpoint: endpoint?.trim() || undefined })}">${said.signIn.title}</a> <span>${register.orKey}</span></p>`
}

// The fields of a listing: the value of each, its problem, and what the endpoint itself says.

export type Form = Readonly<Record<string, string>>

type Field = {
  /** The path in the registration body, or `key`. */
  readonly name: string
  readonly kind?: 'long' | 'secret' | 'address'
  readonly optional?: boolean
  readonly list?: string
  /** How people see a value that programs write otherwise. */
  readonly named?: Named
  readonly attributes?: Html
}

type Named = {
  toName(value: string, language: LanguageCode): string
  /** Returns the value for a name; anything else is a value itself. */
  toValue(name: string): string
}

const CATEGORY: Named = {
  toName: (id, language) => (isKnownCategory(id) ? categoryLabels(id)[language] : id),
  toValue: name => findCategoryByLabel(name) ?? name,
}
/** The network that a field names; anything but a known name is returned as it is. */
export function toNetwork(entered: string): string {
  return knownChains().find(({ label }) => label === entered)?.name ?? entered
}

/** An address wraps, so that it is seen whole on a phone too. */
export const toAddressInput = (attributes: Html, value: string, name = ''): Html =>
  html`<textarea${name === 'name' ? undefined : html` class="address"`} rows="2" ${attributes}>\n${value}</textarea>`

const NETWORK: Named = {
  toName: chainLabel,
  toValue: toNetwork,
}

// No maxlength: a browser would cut a pasted text without a word, and another URL or address would be listed.
const ENDPOINT: Field = { name: 'endpoint', attributes: html`type="url"` }
const KEY: Field = { name: 'key', kind: 'secret' }

const GROUPS: readonly {
  readonly title: 'about' | 'pricing' | 'payment'
  readonly fields: readonly Field[]
}[] = [
  {
    title: 'about',
    fields: [
      { name: 'name' },
      { name: 'description', kind: 'long' },
      { name: 'category', list: 'categories', named: CATEGORY },
    ],
  },
  {
    title: 'pricing',
    fields: [
      { name: 'pricing.pricePerRequest', attributes: html`inputmode="decimal"` },
      { name: 'pricing.currency', list: 'currencies' },
      { name: 'pricing.freeQuota', optional: true, attributes: html`inputmode="numeric"` },
    ],
  },
  {
    title: 'payment',
    fields: [
      { name: 'x402Config.network', list: 'networks', named: NETWORK },
      { name: 'x402Config.paymentAddress', kind: 'address', attributes: html`spellcheck="false"` },
    ],
  },
]

const CURRENCIES = ['USDC', 'USDT', 'USD', 'EURC', 'JPYC']

/** Hidden fields with the values whose names are shown. */
const VALUE = 'value.'

/** Returns the value of a field that shows names: the one that it was filled with, unless another name was entered. */
function registeredValue(form: Form, name: string, { toName, toValue }: Named): string | undefined {
  const entered = form[name]?.trim()
  if (!entered) return undefined
  const filled = form[VALUE + name]
  const isUnchanged = filled !== undefined && LANGUAGE_CODES.some(code => toName(filled, code) === entered)
  return isUnchanged ? filled : toValue(entered)
}

/** Builds the registration body. Empty fields are left out, so that they are reported as missing. */
export function toBody(form: Form): Readonly<Record<string, unknown>> {
  const text = (name: string) => (form[name]?.trim() ? form[name] : undefined)
  const typed = (name: string, read: (text: string) => string) => {
    const given = text(name)
    return given === undefined ? undefined : read(given)
  }
  const quota = typed('pricing.freeQuota', toTypedNumber)
  return {
    name: text('name')?.replace(/\s*[\r\n]\s*/g, ' '),
    description: text('description'),
    endpoint: typed('endpoint', toTypedUrl),
    category: registeredValue(form, 'category', CATEGORY),
    pricing: {
      currency: typed('pricing.currency', toTypedCode),
      pricePerRequest: typed('pricing.pricePerRequest', toTypedNumber),
      freeQuota: quota !== undefined && /^\d+$/.test(quota) ? Number(quota) : quota,
    },
    x402Config: {
      network: registeredValue(form, 'x402Config.network', NETWORK),
      paymentAddress: typed('x402Config.paymentAddress', toTypedCode),
    },
  }
}

/** Part of a registration body, by the names of the form fields. */
export const toFlat = (draft: object, prefix = ''): Form =>
  Object.fromEntries(
    Object.entries(draft).flatMap(([name, value]) => {
      if (value === undefined) return []
      return typeof value === 'object' && value !== null
        ? Object.entries(toFlat(value, `${prefix}${name}.`))
        : [[`${prefix}${name}`, String(value)]]
    }),
  )

/** The form of a listing. */
export const toListingForm = (service: Service): Form => ({
  ...toFlat(toDraft(service)),
  'pricing.freeQuota': service.pricing.freeQuota > 0 ? String(service.pricing.freeQuota) : '',
})

/** Values and problems of the fields, by name. */
export type Filled = {
  readonly form: Form
  /** Why the form was refused, or what a check found at fields other than the endpoint. */
  readonly problems: readonly Problem[]
  /** Whether the problems are those of a check, which has a summary of its own. */
  readonly isChecked?: boolean
}

const fieldOf = (view: View, { form, problems }: Filled, field: Field): Html =>
  toField(
    view,
    field,
    (field.named ? registeredValue(form, field.name, field.named) : form[field.name]) ?? '',
    problems.find(({ path }) => path === field.name),
  )

export const toEndpointField = (view: View, filled: Filled): Html => fieldOf(view, filled, ENDPOINT)
const toKeyField = (view: View, filled: Filled): Html => fieldOf(view, filled, KEY)

/** All fields except the endpoint, which is placed separately. */
export const toFieldsets = (view: View, filled: Filled): Html =>
  html`${GROUPS.map(
    ({ title, fields }) =>
      html`<fieldset><legend>${view.words.register[title]}</legend><div class="${title}">${fields.map(field => fieldOf(view, filled, field))}</div></fieldset>`,
  )}
<datalist id="categories">${Object.values(KNOWN_CATEGORIES).map(labels => html`<option value="${labels[view.language]}"></option>`)}</datalist>
<datalist id="currencies">${CURRENCIES.map(id => html`<option value="${id}"></option>`)}</datalist>
<datalist id="networks">${knownChains()
    .filter(({ testnet }) => !testnet)
    .map(({ label }) => html`<option value="${label}"></option>`)}</datalist>`

/** Names in the order of the page, which is also the order of the summary. */
const PLACES = [ENDPOINT, KEY, ...GROUPS.flatMap(({ fields }) => fields)].map(({ name }) => name)
const placeOf = ({ path }: Problem): number => {
  const place = PLACES.indexOf(path)
  return place < 0 ? PLACES.length : place
}

/** All problems at once, with a link to each field. */
export function toSummary(view: View, found: readonly Problem[]): Html | undefined {
  if (found.length === 0) return undefined
  const problems = found.toSorted((a, b) => placeOf(a) - placeOf(b))
  const { fields } = view.words.register
  return toWrong(view, { problems }, path => fields[path] && [path, fields[path][0]])
}

/** Longer ones wrap like an address; the line breaks of a name are taken for spaces. */
const ONE_LINE: Readonly<Record<string, number>> = { name: 24, endpoint: 60 }

function toField(view: View, field: Field, value: string, problem: Problem | undefined): Html {
  const { words } = view
  const wrong = problem === undefined ? undefined : toProblemText(view, problem)
  const { name, kind, optional, list, named, attributes } = field
  const toName = (value: string) => (named ? named.toName(value, view.language) : value)
  const [label, help] = words.register.fields[name]!
  const described = problem === undefined ? `${name}-help` : `${name}-problem ${name}-help`
  const common = html`id="${name}" name="${name}" aria-describedby="${described}"${problem === undefined ? undefined : html` aria-invalid="true"`}${optional ? undefined : html` required`}`
  return html`<div class="field"><label for="${name}">${label}${optional ? html`<small>${words.register.optional}</small>` : undefined}</label>
${
  kind === 'long'
    ? html`<textarea ${common} ${attributes} rows="4">\n${value}</textarea>`
    : kind === 'secret'
      ? html`<input type="password" ${common} autocomplete="off" maxlength="128" spellcheck="false">`
      : kind === 'address' || value.length > (ONE_LINE[name] ?? Number.POSITIVE_INFINITY)
        ? toAddressInput(html`${common} ${kind && attributes} autocomplete="off"`, value, name)
        : html`<input ${common} ${attributes}${list ? html` list="${list}"` : undefined} autocomplete="off" value="${toName(value)}">${named && html`<input type="hidden" name="${VALUE}${name}" value="${value}">`}`
}
${wrong && html`<p class="problem" id="${name}-problem"${wrong.mark}>${wrong.text}</p>`}<p class="help" id="${name}-help">${help}</p></div>`
}
