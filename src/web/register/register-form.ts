// The registration form: the URL first, the other fields filled in from the endpoint or by hand.
import { type Html, html } from '../html.ts'
import { type Owner, toTokenField, toWho } from '../owner/frame.ts'
import type { Token } from '../owner/session.ts'
import type { View } from '../view.ts'
import {
  type Filled,
  type Form,
  toEndpointField,
  toFieldsets,
  toKeyField,
  toSummary,
} from './register-fields.ts'

/** Prefix of the hidden fields with the values that the endpoint names. */
const ENDPOINT_VALUE = 'endpoint.'

/** Reads what the endpoint said from the hidden fields of the form, so that it is shown again when a field is wrong. */
export const readEndpointValues = (form: Form): Form | undefined => {
  const fields = Object.entries(form).filter(([name]) => name.startsWith(ENDPOINT_VALUE))
  if (fields.length === 0) return undefined
  return Object.fromEntries(fields.map(([name, value]) => [name.slice(ENDPOINT_VALUE.length), value]))
}

/** @param filled undefined for an empty form */
export function toForm(view: View, owner: Owner | undefined, filled: Filled | undefined, token: Token): Html {
  const { register } = view.words
  // Whoever has signed in meanwhile finds the URL again.
  const shown: Filled = filled ?? { form: { endpoint: view.request.parameters.endpoint ?? '' }, problems: [] }
  const { form, problems, isChecked, endpointValues } = shown
  const fields = html`${toFieldsets(view, shown)}<p class="buttons"><button name="action" value="register">${register.submit}</button></p>`
  return html`<form id="register" class="register" action="${view.href('/register')}" method="post" novalidate>
${isChecked ? undefined : toSummary(view, problems)}${toTokenField(token)}
<input type="hidden" name="once" value="${form.once || crypto.randomUUID()}">
${Object.entries(endpointValues ?? {}).map(([name, value]) => html`<input type="hidden" name="${ENDPOINT_VALUE}${name}" value="${value}">`)}
<fieldset class="first">${toEndpointField(view, shown)}${owner ? undefined : toKeyField(view, shown)}
<p class="buttons"><button class="${endpointValues ? 'quiet' : 'strong'}" name="action" value="check" data-busy="${register.checking}">${endpointValues ? register.again : register.check}</button></p></fieldset>
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
  return html`<p class="ways"><a class="button quiet" href="${href('/sign-in', { to: 'register', endpoint: endpoint?.trim() || undefined })}">${said.signIn.title}</a> <span>${register.orKey}</span></p>`
}
