// A JSON Schema as a table: a row for each field, also within objects and lists, and the example below.

import { toJson } from '../../domain/call/literals.ts'
import { asRecord } from '../../domain/json/json-record.ts'
import { toOneLine } from '../../domain/text/unseen.ts'
import { type Html, html } from '../html.ts'
import type { View } from '../view.ts'

export type Schema = Readonly<Record<string, unknown>>

type Field = { readonly path: string; readonly field: Schema; readonly isRequired: boolean }

/** Further or more deeply nested fields are left to the JSON. */
const MAX_FIELDS = 50
const MAX_DEPTH = 4
const MAX_TEXT = 300
const MAX_EXAMPLE = 4_000

export function toSchemaTable(view: View, title: string, schema: Schema | undefined): Html | undefined {
  if (!schema) return undefined
  const { words } = view
  const fields = fieldsOf(schema, '', 0).take(MAX_FIELDS).toArray()
  const example = schema.example === undefined ? undefined : toJson(schema.example)
  if (fields.length === 0 && example === undefined) return undefined
  const rows = fields.map(
    each =>
      html`<tr><th scope="row"><code>${short(each.path)}</code></th><td>${short(typeOf(each.field))}</td><td>${short(notesOf(view, each).join(' · '))}</td></tr>`,
  )
  const { field, type, about } = words.service.fieldHeads
  return html`<h3>${title}</h3>
${rows.length > 0 ? html`<div class="scrolled"><table><thead><tr><th scope="col">${field}</th><th scope="col">${type}</th><th scope="col">${about}</th></tr></thead><tbody>${rows}</tbody></table></div>` : undefined}
${example === undefined || example.length > MAX_EXAMPLE ? undefined : html`<p class="note">${words.service.example}</p><pre tabindex="0"><code>${example}</code></pre>`}`
}

/** A generator, so that no more of a large schema is read than is shown. */
function* fieldsOf(schema: Schema, path: string, depth: number): Generator<Field> {
  if (depth > MAX_DEPTH) return
  const required = Array.isArray(schema.required) ? schema.required : []
  for (const [name, property] of Object.entries(asRecord(schema.properties))) {
    const field = asRecord(property)
    const own = path === '' ? name : `${path}.${name}`
    yield { path: own, field, isRequired: required.includes(name) }
    yield* fieldsOf(field, own, depth + 1)
  }
  if (schema.items !== undefined) yield* fieldsOf(asRecord(schema.items), `${path}[]`, depth + 1)
}

function notesOf({ words }: View, { field, isRequired }: Field): string[] {
  const { description, example, minimum, maximum } = field
  return [
    ...(isRequired ? [words.service.required] : []),
    ...(typeof field['x-in'] === 'string' ? [field['x-in']] : []),
    ...(Array.isArray(field.enum) ? [field.enum.map(each => JSON.stringify(each)).join(', ')] : []),
    ...(field.const === undefined ? [] : [JSON.stringify(field.const)]),
    ...rangeOf(minimum, maximum),
    ...(typeof description === 'string' ? [description] : []),
    ...(example === undefined
      ? []
      : [
          `${words.service.example}${words.service.example.endsWith(':') ? ' ' : ''}${JSON.stringify(example)}`,
        ]),
  ]
}

function rangeOf(minimum: unknown, maximum: unknown): string[] {
  const [hasLeast, hasMost] = [typeof minimum === 'number', typeof maximum === 'number']
  if (hasLeast && hasMost) return [`${minimum} – ${maximum}`]
  return hasLeast ? [`≥ ${minimum}`] : hasMost ? [`≤ ${maximum}`] : []
}

function typeOf({ type, format, items, anyOf, oneOf }: Schema): string {
  const choices = [anyOf, oneOf].find(Array.isArray)
  if (choices) return [...new Set(choices.map(each => typeOf(asRecord(each))))].join(' | ')
  if (type === 'array') return `${typeOf(asRecord(items)) || 'array'}${items === undefined ? '' : '[]'}`
  const name = Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : ''
  return typeof format === 'string' ? `${name} (${format})` : name
}

const short = (text: string): string => {
  const line = toOneLine(text)
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line
}
