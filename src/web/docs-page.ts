// The reference of the HTTP API, rendered from its OpenAPI document: an overview, and a page for each group of operations.

import {
  type Document,
  type Listed,
  nameOf,
  type Schema,
  toError,
  toOperation,
  toProse,
  toSchema,
  toTable,
} from './docs-parts.ts'
import { renderMissing } from './failure-page.ts'
import { Html, html } from './html.ts'
import { ARROW_ICON } from './icons.ts'
import { SOURCE_LANGUAGE } from './languages/page-languages.ts'
import { toDocument } from './layout.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { createView, type View } from './view.ts'

/** A server has one document for its lifetime, so each part of the reference is rendered once. */
export function createDocsPage(): (request: PageRequest) => Rendered {
  const rendered = new WeakMap<object, Map<string, Html>>()
  return request => {
    const document = request.document as Document
    const parts = rendered.get(document) ?? new Map<string, Html>()
    rendered.set(document, parts)
    const part = parts.get(request.id) ?? withWholeNames(toPart(document, request.id))
    if (!part) return renderMissing(request)
    parts.set(request.id, part)
    const view = createView(request)
    const title = view.words.footer.reference
    const group = document.tags.find(({ name }) => name === request.id)?.description
    return toRendered(toDocument(view, { title, main: toMain(view, group, part), place: 'api' }))
  }
}

/** Browsers break a line after any hyphen, also inside of a name. */
const withWholeNames = (part: Html | undefined): Html | undefined =>
  part && new Html(part.text.replaceAll('UTF-8', '<span class="whole">UTF-8</span>'))

/** @param group undefined for the overview */
function toMain({ words, language, href }: View, group: string | undefined, part: Html): Html {
  const { reference } = words.footer
  return html`<article class="reference">
${group === undefined ? html`<h1>${reference}</h1>` : html`<p class="crumbs"><a href="${href('/docs')}">${reference}</a> ${ARROW_ICON} <span lang="${SOURCE_LANGUAGE}">${group}</span></p>`}
${language === SOURCE_LANGUAGE ? undefined : html`<p class="note">${words.docs.inEnglish}</p>`}
<div lang="${SOURCE_LANGUAGE}">
${part}
</div></article>`
}

/** undefined for an unknown group. */
function toPart(document: Document, id: string): Html | undefined {
  if (id === '') return toOverview(document)
  const group = document.tags.find(({ name }) => name === id)
  return group && toGroup(document, group)
}

const operationsOf = (paths: Document['paths'], tag: string): Listed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]): Listed => [path, method, operation]),
  )

function toOverview({ info, tags, paths, components }: Document): Html {
  const { responses, examples, headers, schemas } = components
  return html`<p class="lead">${info.description}</p>
<p class="note">Version ${info.version}. The same as an <a href="/openapi.json">OpenAPI document</a>.</p>
<div class="groups">${tags.map(
    ({ name, description }) => html`<section><h2><a href="/docs/${name}">${description}</a></h2>
<ul class="plain">${operationsOf(paths, name).map(([path, method, { operationId, summary }]) => html`<li><a href="/docs/${name}#${operationId}"><code>${method.toUpperCase()} ${path}</code></a><br>${summary}</li>`)}</ul></section>
`,
  )}</div>
<h2 id="errors">Errors</h2>
${toTable(['Code', 'Status', 'Title', 'Example'], Object.entries(examples).map(toError))}
<h2 id="headers">Headers</h2>
${toTable(
  ['Header', 'Description'],
  Object.entries(headers).map(
    ([name, { description }]) => html`<tr><td><code>${name}</code></td><td>${toProse(description)}</td></tr>
`,
  ),
)}
${toShapes(shapesOf(responses, schemas))}`
}

function toGroup(document: Document, { name, description }: Document['tags'][number]): Html {
  const { paths, webhooks = {}, components } = document
  const operations = operationsOf(paths, name)
  const named = [operations, operationsOf(webhooks, name)]
  return html`<h1>${description}</h1>
${operations.map(listed => toOperation(components.responses, listed))}
${toShapes(shapesOf(named, components.schemas))}`
}

type Shapes = [name: string, schema: Schema][]

const toShapes = (shapes: Shapes): Html | undefined =>
  shapes.length > 0 ? html`<h2 id="schemas">Schemas</h2>${shapes.map(toSchema)}` : undefined

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
