// Renders operations, errors and schemas of an OpenAPI document.
import { type Html, html } from './html.ts'

type Ref = { readonly $ref?: string }
export type Schema = Ref & {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}
type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
type Response = Ref & {
  readonly description: string
  readonly headers?: Readonly<Record<string, Ref>>
  readonly content?: Content
}
type Parameter = {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
}
export type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

export type Document = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Document['paths']
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Responses
    readonly examples: Readonly<Record<string, ProblemExample>>
    readonly headers: Readonly<Record<string, { readonly description: string }>>
  }
}
type ProblemExample = {
  readonly value: { readonly status: number; readonly title: string; readonly detail: string }
}
type Responses = Readonly<Record<string, Response>>

/** Descriptions are CommonMark, of which they use code alone. */
export const toProse = (text = ''): Html =>
  html`${text.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

function toType(schema: Schema): Html {
  if (schema.$ref) return html`<a href="#schema-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`
  if (schema.anyOf) return html`${schema.anyOf.map((one, i) => html`${i > 0 ? ' or ' : ''}${toType(one)}`)}`
  if (schema.items) return html`array of ${toType(schema.items)}`
  if (schema.enum) return html`${schema.enum.map((one, i) => html`${i > 0 ? ' | ' : ''}<code>${one}</code>`)}`
  return html`${schema.format ?? schema.type ?? 'any'}${toBounds(schema)}`
}

function toBounds({ minimum, maximum, maxLength }: Schema): string {
  if (maxLength !== undefined) return `, at most ${maxLength} characters`
  // The largest safe integer is not a meaningful bound.
  const top = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (minimum !== undefined && top !== undefined) return `, ${minimum} to ${top}`
  return minimum === undefined ? '' : `, from ${minimum}`
}

export const toTable = (heads: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${heads.join(', ')}"><table><thead><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${rows}</tbody></table></div>`

const toParameters = (parameters: readonly Parameter[]): Html =>
  toTable(
    ['Parameter', 'In', 'Type', 'Description'],
    parameters.map(
      ({ name, in: place, required, schema, description }) =>
        html`<tr><td><code>${name}</code>${required ? ' (required)' : ''}</td><td>${place}</td><td>${toType(schema)}</td><td>${toProse(description)}</td></tr>
`,
    ),
  )

function toResponseRow(shared: Responses, status: string, given: Response): Html {
  const name = given.$ref && nameOf(given.$ref)
  const { description, headers: named = {}, content = {} } = (name && shared[name]) || given
  // Errors are described in a section of their own.
  const types = name ? [] : Object.values(content).map(({ schema }) => toType(schema))
  const shown = name ? [] : Object.keys(named)
  return html`<tr><td><code>${status}</code></td><td>${name ? html`<a href="/docs#error-${name}">${description}</a>` : toProse(description)}</td><td>${types}</td><td>${shown.map((header, i) => html`${i > 0 ? ', ' : ''}<code>${header}</code>`)}</td></tr>
`
}

const toExample = (title: string, content: Content | undefined): Html[] =>
  Object.values(content ?? {}).flatMap(({ example }) =>
    example === undefined
      ? []
      : [
          html`<details><summary>${title}</summary><pre tabindex="0">${typeof example === 'string' ? example : JSON.stringify(example, null, 2)}</pre></details>`,
        ],
  )

export function toOperation(shared: Responses, [path, method, operation]: Listed): Html {
  const { operationId, summary, description, parameters = [], requestBody } = operation
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))
  return html`<section id="${operationId}">
<h2><code>${method.toUpperCase()} ${path}</code></h2>
<p>${toProse(`${summary}.${description ? ` ${description}` : ''}`)}</p>
${parameters.length > 0 ? toParameters(parameters) : undefined}
${toExample('Example body', requestBody?.content)}
${toTable(
  ['Status', 'Description', 'Body', 'Headers'],
  Object.entries(operation.responses).map(([status, given]) => toResponseRow(shared, status, given)),
)}
${toExample('Example response', success?.[1].content)}
</section>
`
}

function toFields(schema: Schema, prefix = ''): Html[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    html`<tr><td><code>${prefix}${name}</code>${schema.required?.includes(name) ? '' : ' (optional)'}</td><td>${toType(field)}</td><td>${toProse(field.description)}</td></tr>
`,
    ...toFields(field, `${prefix}${name}.`),
  ])
}

export const toSchema = ([name, schema]: [string, Schema]): Html =>
  html`<section id="schema-${name}"><h3>${name}</h3><p>${schema.title}</p>${toTable(['Field', 'Type', 'Description'], toFields(schema))}</section>
`

export const toError = ([code, { value }]: [string, ProblemExample]): Html =>
  html`<tr id="error-${code}"><td><code>${code}</code></td><td><code>${value.status}</code></td><td>${value.title}</td><td>${value.detail}</td></tr>
`

export type Listed = [path: string, method: string, operation: Operation]
