// The reference of the HTTP API, rendered from its OpenAPI document: an overview, and a page for each group of operations.

import { toShell } from '../domain/call/payer.ts'
import { renderMissing } from './failure-page.ts'
import { Html, html, type Value } from './html.ts'
import { SOURCE_LANGUAGE } from './languages/page-languages.ts'
import { toCopyable, toDocument, toTable } from './layout.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { createView, type View } from './view.ts'

type Ref = { readonly $ref?: string }
type Schema = Ref & {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly 'x-event-data'?: Schema
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
  readonly example?: unknown
}
type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly security?: readonly object[]
  readonly responses: Readonly<Record<string, Response>>
}

type Document = {
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

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

function toType(schema: Schema): Html {
  if (schema.$ref) return html`<a href="#schema-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`
  if (schema.anyOf) return html`${schema.anyOf.map((one, i) => html`${i > 0 ? ' or ' : ''}${toType(one)}`)}`
  if (schema['x-event-data']) return html`events with ${toType(schema['x-event-data'])} as data`
  if (schema.items) return html`array of ${toType(schema.items)}`
  if (schema.enum) return html`${schema.enum.map((one, i) => html`${i > 0 ? ' | ' : ''}<code>${one}</code>`)}`
  return html`${schema.format ?? [schema.type ?? 'any'].flat().join(' or ')}${toBounds(schema)}`
}

function toBounds({ minimum, maximum, maxLength }: Schema): string {
  if (maxLength !== undefined) return `, at most ${maxLength} characters`
  // The safe integers are not meaningful bounds.
  const top = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (minimum !== undefined && top !== undefined) return `, ${minimum} to ${top}`
  return minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? '' : `, from ${minimum}`
}

const toParameters = ({ language, words }: View, parameters: readonly Parameter[]): Html =>
  html`<h3 lang="${language}">${words.docs.parameters}</h3>${toTable(
    Object.values(words.service.fieldHeads),
    parameters.map(({ name, in: place, required, schema, description }) => [
      html`<code>${name}</code>${required ? ' (required)' : ''}`,
      html`${toType(schema)}, in the ${place}`,
      toProse(description),
    ]),
  )}`

function toResponseRow([status, given]: [string, Response]): readonly Value[] {
  const { description, headers = {}, content = {} } = given
  const named = Object.keys(headers).filter(header => !COMMON_HEADERS.includes(header))
  return [
    html`<code>${status}</code>`,
    toProse(description),
    Object.values(content).map(({ schema }) => toType(schema)),
    named.map((header, i) => html`${i > 0 ? ', ' : ''}<code>${header}</code>`),
  ]
}

/** What nearly every operation answers is described once, in the overview. */
const COMMON_HEADERS = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']
const COMMON_ERRORS = ['invalid_request', 'rate_limited', 'internal', 'store_unavailable']
const isCommon = ([status, { content = {} }]: [string, Response]): boolean =>
  status === '503' && 'application/problem+json' in content

/** Takes the place of the address of the directory, which differs by request. */
const HOME = '{directory}'

/** A request that works when pasted, but for the key. */
function toCurl([path, method, { parameters = [], requestBody, security = [] }]: Listed): string {
  const required = parameters.filter(({ required }) => required)
  const exampleOf = (name: string) => String(required.find(each => each.name === name)?.example)
  const query = required.filter(each => each.in === 'query')
  const [[type, { example }] = ['', { example: undefined }]] = Object.entries(requestBody?.content ?? {})
  const needsKey = security.length > 0 && security.every(each => 'apiKey' in each)
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${HOME}${path.replace(/{(\w+)}/g, (_, name) => exampleOf(name))}'`,
    ...(query.length > 0 ? ['-G'] : []),
    ...query.map(({ name }) => `--data-urlencode ${toShell(`${name}=${exampleOf(name)}`)}`),
    ...(needsKey ? [`-H 'Authorization: Bearer API_KEY'`] : []),
    ...(example ? [`-H 'Content-Type: ${type}'`, `-d ${toShell(JSON.stringify(example))}`] : []),
  ].join(' \\\n  ')
}

const toExample = (title: string, content: Content | undefined): Html[] =>
  Object.values(content ?? {}).flatMap(({ example }) =>
    example === undefined
      ? []
      : [
          html`<details><summary>${title}</summary><pre tabindex="0">${typeof example === 'string' ? example : JSON.stringify(example, null, 2)}</pre></details>`,
        ],
  )

function toOperation(view: View, shared: Responses, listed: Listed): Html {
  const [path, method, operation] = listed
  const { operationId, summary, description, parameters = [] } = operation
  const responses = Object.entries(operation.responses)
  const success = responses.find(([status]) => status.startsWith('2'))
  // Errors are described in a section of their own.
  const errors = responses.flatMap(([status, { $ref }]) =>
    $ref && shared[nameOf($ref)] && !COMMON_ERRORS.includes(nameOf($ref)) ? [[status, nameOf($ref)]] : [],
  )
  return html`<section id="${operationId}">
<h2><code>${method.toUpperCase()} ${path}</code></h2>
<p>${toProse(`${summary}.${description ? ` ${description}` : ''}`)}</p>
<p class="curl">${toCopyable(view, toCurl(listed), summary)}</p>
${parameters.length > 0 ? toParameters(view, parameters) : undefined}
<h3 lang="${view.language}">${view.words.docs.responses}</h3>
${toTable(
  view.words.docs.responseHeads,
  responses.filter(each => !isCommon(each) && !shared[nameOf(each[1].$ref ?? '')]).map(toResponseRow),
)}
<p class="note">Errors: ${errors.map(([status, name]) => html`${status} <a href="/docs#error-${name}"><code>${name}</code></a> · `)}<a href="/docs#errors">the common ones</a></p>
${toExample('Example response', success?.[1].content)}
</section>
`
}

function toFields(schema: Schema, prefix = ''): (readonly Value[])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    [
      html`<code>${prefix}${name}</code>${schema.required?.includes(name) ? '' : ' (optional)'}`,
      toType(field),
      toProse(field.description),
    ],
    ...toFields(field, `${prefix}${name}.`),
  ])
}

const toSchema = ({ words }: View, [name, schema]: [string, Schema]): Html =>
  html`<section id="schema-${name}"><h3>${name}</h3><p>${schema.title}</p>${toTable(Object.values(words.service.fieldHeads), toFields(schema))}</section>
`

const toError = ([code, { value }]: [string, ProblemExample]): readonly Value[] => [
  html`<code id="error-${code}">${code}</code>`,
  value.status,
  value.title,
  value.detail,
]

type Listed = [path: string, method: string, operation: Operation]

/** A server has one document for its lifetime, so each part of the reference is rendered once in a language. */
const rendered = new WeakMap<object, Map<string, Html>>()

export function renderDocs(request: PageRequest): Rendered {
  const given = request.document as Document
  const view = createView(request)
  const { docs, footer } = view.words
  const document = {
    ...given,
    info: { ...given.info, description: docs.intro ?? given.info.description },
    tags: given.tags.map(({ name, description }) => ({
      name,
      description: docs.groups[name] ?? description,
    })),
  }
  const group = document.tags.find(({ name }) => name === request.id)
  if (!group && request.id !== '') return renderMissing(request)
  const parts = rendered.get(given) ?? new Map<string, Html>()
  rendered.set(given, parts)
  const key = `${view.language} ${request.id}`
  const part = parts.get(key) ?? (group ? toGroup(document, view, group.name) : toOverview(document, view))
  parts.set(key, part)
  const title = group?.description ?? footer.reference
  return toRendered(toDocument(view, { title, main: toMain(view, document, title, part), place: 'api' }))
}

/** A side with all groups, and what to try first before the overview. */
function toMain(view: View, { tags }: Document, title: string, part: Html): Html {
  const { words, language, href, request } = view
  const { reference } = words.footer
  const toLink = (id: string, text: string) =>
    html`<li><a href="${href(id === '' ? '/docs' : `/docs/${id}`)}"${id === request.id ? html` aria-current="page"` : undefined}>${text}</a></li>`
  return html`<div class="reference"><nav aria-label="${reference}"><ul>${toLink('', reference)}${tags.map(({ name, description }) => toLink(name, description))}</ul></nav>
<article><h1>${title}</h1>${language === SOURCE_LANGUAGE ? undefined : html`<p class="note">${words.docs.inEnglish}</p>`}
${request.id === '' ? toQuickStart(view) : undefined}
<div lang="${SOURCE_LANGUAGE}">
${new Html(part.text.replaceAll(HOME, () => Bun.escapeHTML(request.origin)))}
</div></article></div>`
}

/** Of the steps that are operations. */
const STEP_TARGETS: Readonly<Record<string, string>> = {
  search: '/docs/search#searchByIntent',
  call: '/docs/payment#getServiceCall',
  resolve: '/docs/payment#resolvePayment',
}

function toQuickStart(view: View): Html {
  const { docs } = view.words
  const { origin } = view.request
  const commands = {
    search: `curl -G '${origin}/api/services/search/intent' \\\n  --data-urlencode 'q=weather on Base'`,
    call: `curl '${origin}/api/services/ID/call?for=typescript'`,
    resolve: `curl -G '${origin}/api/resolve' \\\n  --data-urlencode 'url=https://api.example.com/v1'`,
    mcp: `${origin}/mcp`,
  }
  const toCaption = (text: string, to = '') => (to ? html`<a href="${view.href(to)}">${text}</a>` : text)
  return html`<section><h2>${docs.quickStart}</h2>${Object.entries(docs.steps).map(([name, text]) => html`<p class="curl"><span>${toCaption(text, STEP_TARGETS[name])}</span>${toCopyable(view, commands[name as keyof typeof commands], text)}</p>`)}</section>`
}

const operationsOf = (paths: Document['paths'], tag: string): Listed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]): Listed => [path, method, operation]),
  )

function toFirstPaths({ language, words }: View, operations: readonly Listed[]): Html {
  const paths = [...new Set(operations.map(([path]) => path))]
  const left = paths.length - 3
  return html`${paths.slice(0, 3).join(' · ')}${left > 0 ? html` <span lang="${language}">${words.docs.furtherPaths(String(left))}</span>` : undefined}`
}

function toOverview({ info, tags, paths, components }: Document, view: View): Html {
  const { docs, service } = view.words
  const { responses, examples, headers, schemas } = components
  return html`<p class="lead" lang="${view.language}">${info.description}</p>
<p class="note" lang="${view.language}">${docs.version(info.version)} <a href="/openapi.json">${docs.openapi}</a></p>
<div class="folds">${tags.map(
    ({
      name,
      description,
    }) => html`<details><summary><h2 lang="${view.language}">${description}</h2> <span>${toFirstPaths(view, operationsOf(paths, name))}</span></summary><p lang="${view.language}"><a href="/docs/${name}">${docs.whole}</a></p>
<ul class="lines">${operationsOf(paths, name).map(([path, method, { operationId, summary }]) => html`<li><a href="/docs/${name}#${operationId}"><code>${method.toUpperCase()} ${path}</code></a><br>${summary}</li>`)}</ul></details>
`,
  )}</div>
<h2 id="errors" lang="${view.language}">${docs.errors}</h2>
${toTable(docs.errorHeads, Object.entries(examples).map(toError))}
<h2 id="headers" lang="${view.language}">${docs.headers}</h2>
${toTable(
  [docs.headers, service.fieldHeads.about],
  Object.entries(headers).map(([name, { description }]) => [
    html`<code>${name}</code>`,
    toProse(description),
  ]),
)}
${toShapes(view, shapesOf(responses, schemas))}`
}

function toGroup(document: Document, view: View, name: string): Html {
  const { paths, webhooks = {}, components } = document
  const operations = operationsOf(paths, name)
  const named = [operations, operationsOf(webhooks, name)]
  return html`${operations.map(listed => toOperation(view, components.responses, listed))}
${toShapes(view, shapesOf(named, components.schemas))}`
}

type Shapes = [name: string, schema: Schema][]

const toShapes = (view: View, shapes: Shapes): Html | undefined =>
  shapes.length > 0
    ? html`<h2 id="schemas" lang="${view.language}">${view.words.docs.schemas}</h2>${shapes.map(shape => toSchema(view, shape))}`
    : undefined

/** Schemas that it references, directly or through others, in the order of the document. */
function shapesOf(part: unknown, schemas: Document['components']['schemas']): Shapes {
  const named = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [field, inner] of Object.entries(value)) {
      if (field === '$ref' && typeof inner === 'string' && inner.includes('/schemas/')) add(nameOf(inner))
      else if (field !== 'example') look(inner)
    }
  }
  const add = (name: string): void => {
    if (named.has(name)) return
    named.add(name)
    look(schemas[name])
  }
  look(part)
  return Object.entries(schemas).filter(([name]) => named.has(name))
}
