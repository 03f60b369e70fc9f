// How to call a service: text to paste in the reader's language, and what it takes and gives, with its example. The tabs are
// disclosures of one group: they work without a script.
import { CALL_LANGUAGES, resourceToCall, toCall } from '../domain/call/call.ts'
import { toJson } from '../domain/call/literals.ts'
import type { Service } from '../domain/service.ts'
import type { TermsAnswer } from '../domain/terms.ts'
import { toOneLine } from '../domain/unseen.ts'
import { type Html, html } from './html.ts'
import { toCopyButton } from './layout.ts'
import type { View } from './view.ts'

type Schema = Readonly<Record<string, unknown>>

/** More fields than this are read in the data. */
const MAX_FIELDS = 50
const MAX_TEXT = 300
const MAX_EXAMPLE = 4_000

export function toCallBlock(view: View, service: Service, terms: TermsAnswer | undefined): Html | undefined {
  const resource = terms && resourceToCall(terms)
  if (!resource) return undefined
  const { words } = view
  const texts = CALL_LANGUAGES.map(language => ({ language, text: toCall(service, terms, language) }))
  return html`<section id="call"><h2>${words.service.call}</h2>
<p>${words.service.callNote}</p>
<div class="tabs">${texts.map(
    ({ language, text }, i) =>
      html`<details name="call"${i === 0 ? html` open` : undefined}><summary>${words.service.callFor[language]}</summary><div class="code"><pre tabindex="0"><code>${text}</code></pre>${toCopyButton(view, text, words.service.callFor[language])}</div></details>`,
  )}</div>
${toFields(view, words.service.input, resource.input)}
${toFields(view, words.service.output, resource.output)}
</section>`
}

function toFields(view: View, title: string, schema: Schema | undefined): Html | undefined {
  if (!schema) return undefined
  const { words } = view
  const required = Array.isArray(schema.required) ? schema.required : []
  const fields = Object.entries(asSchema(schema.properties)).slice(0, MAX_FIELDS)
  const example = schema.example === undefined ? undefined : toJson(schema.example)
  if (fields.length === 0 && example === undefined) return undefined
  const rows = fields.map(([name, property]) => {
    const field = asSchema(property)
    const notes = [
      ...(required.includes(name) ? [words.service.required] : []),
      ...(typeof field['x-in'] === 'string' ? [field['x-in']] : []),
      ...(Array.isArray(field.enum) ? [field.enum.map(each => JSON.stringify(each)).join(', ')] : []),
      ...(typeof field.description === 'string' ? [field.description] : []),
    ]
    return html`<tr><th scope="row"><code>${short(name)}</code></th><td>${short(typeOf(field))}</td><td>${short(notes.join(' · '))}</td></tr>`
  })
  const { field, type, about } = words.service.fieldHeads
  return html`<h3>${title}</h3>
${rows.length > 0 ? html`<div class="scrolled"><table><thead><tr><th scope="col">${field}</th><th scope="col">${type}</th><th scope="col">${about}</th></tr></thead><tbody>${rows}</tbody></table></div>` : undefined}
${example === undefined || example.length > MAX_EXAMPLE ? undefined : html`<p class="note">${words.service.example}</p><pre tabindex="0"><code>${example}</code></pre>`}`
}

function typeOf({ type, format }: Schema): string {
  const name = Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : ''
  return typeof format === 'string' ? `${name} (${format})` : name
}

const short = (text: string): string => {
  const line = toOneLine(text)
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line
}

const asSchema = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {}
