// Reads the documents of an origin (OpenAPI, x402 manifests) for resources under an endpoint, one after the other
// within the request budget of a probe.

import { isRecord, type JsonRecord } from '../../domain/json.ts'
import { sampleRequest } from '../../domain/samples/sample-request.ts'
import type { ProbeRequest } from '../../domain/standing/judge.ts'
import type { ProbeSession } from '../probe-session.ts'
import { readBazaar, readOutputSchema } from '../terms/declared.ts'
import { cleanName, cleanRecord, cleanWords } from '../untrusted.ts'
import {
  type DocumentedResource,
  fitsEndpoint,
  isSendable,
  isTemplate,
  type Method,
  toTemplate,
  toUrlUnder,
} from './documented.ts'
import { readOpenApi } from './openapi.ts'
import { boundSchema, toSchema } from './schemas.ts'

const READERS = {
  '/.well-known/x402': readManifest,
  '/openapi.json': readOpenApi,
  '/.well-known/x402.json': readManifest,
} as const
type DocumentPath = keyof typeof READERS

/** Manifests usually list a base URL; the input of an endpoint is described by OpenAPI. */
const ORDERS: Readonly<Record<'manifest' | 'openapi', readonly DocumentPath[]>> = {
  manifest: ['/.well-known/x402', '/openapi.json', '/.well-known/x402.json'],
  openapi: ['/openapi.json', '/.well-known/x402', '/.well-known/x402.json'],
}

export class Documents {
  readonly #session: ProbeSession
  readonly #endpoint: string
  readonly #unread: DocumentPath[]
  readonly found: DocumentedResource[] = []
  #isGivenUp = false

  constructor(session: ProbeSession, endpoint: string, first: 'manifest' | 'openapi') {
    this.#session = session
    this.#endpoint = endpoint
    this.#unread = [...ORDERS[first]]
  }

  /** Whether all documents have been read, so that resources not found are no longer declared. */
  get isComplete(): boolean {
    return this.#unread.length === 0 && !this.#isGivenUp
  }

  get isAtEnd(): boolean {
    return this.#unread.length === 0 || this.#isGivenUp
  }

  /** @returns the resources in the next document */
  async readNext(): Promise<DocumentedResource[]> {
    const path = this.#unread.shift()
    if (path === undefined) return []
    const { status, document } = await this.#session.readDocument(new URL(path, this.#endpoint).href)
    // A host that is down or limits our rate gets no further document requests.
    if (status === null || status === 429 || status >= 500) this.#isGivenUp = true
    const named = READERS[path](document, this.#endpoint)
    this.found.push(...named)
    return named
  }
}

/** Filters and sorts resources by likelihood: the endpoint itself, then paid ones, without placeholders, by GET. */
export function orderNamed(named: readonly DocumentedResource[], endpoint: string): DocumentedResource[] {
  return named
    .filter(
      ({ url, method, tool, isPaid }) =>
        isSendable(method) && tool === undefined && (isPaid || fitsEndpoint(url, endpoint)),
    )
    .map(each => ({ each, rank: rankOf(each, endpoint) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ each }) => each)
}

const rankOf = ({ url, method, isPaid }: DocumentedResource, endpoint: string): number =>
  (fitsEndpoint(url, endpoint) ? 0 : 16) +
  (isPaid ? 0 : 8) +
  (isTemplate(url) ? 4 : 0) +
  (method === 'GET' ? 0 : method === undefined ? 1 : 2)

/** @returns one request, or one per method if none is declared */
export function toProbeRequests({
  url,
  method,
  input,
}: Pick<DocumentedResource, 'url' | 'method' | 'input'>): ProbeRequest[] {
  const methods: readonly Method[] = method === 'GET' || method === 'POST' ? [method] : ['GET', 'POST']
  return methods.flatMap(method => {
    const sample = sampleRequest({ url, method, input })
    if (!sample) return isTemplate(url) ? [] : [{ url, method }]
    const place = placeOf(url, sample.url)
    const { fields: _, ...request } = sample
    return [{ ...request, ...(place && { place }) }]
  })
}

/** @returns the URL without the sample query; undefined if nothing was filled in */
function placeOf(documented: string, sampled: string): ProbeRequest['place'] {
  const own = URL.parse(documented)
  const filled = URL.parse(sampled)
  if (!own || !filled || (documented === sampled && !isTemplate(documented))) return undefined
  filled.search = own.search
  const routeTemplate = toTemplate(documented)
  return { url: filled.href, ...(routeTemplate && { routeTemplate }) }
}

// Reads `/.well-known/x402` and `/.well-known/x402.json`. Manifests have no single form: lists named `resources`, `endpoints`, `items`,
// `services` or `routes` contain URLs, paths or objects with either; some are objects keyed by URL or path.

const LISTS = ['resources', 'endpoints', 'items', 'services', 'routes', 'tools', 'entries'] as const
const MAX_ENTRIES = 2_000
const MAX_FOUND = 64
const MAX_DECLARATION = 65_536

export function readManifest(document: unknown, endpoint: string): DocumentedResource[] {
  if (!isRecord(document)) return []
  const found: DocumentedResource[] = []
  for (const entry of LISTS.flatMap(name => entriesOf(document[name])).slice(0, MAX_ENTRIES)) {
    const documented = readManifestEntry(entry, endpoint)
    if (documented) found.push(documented)
    if (found.length === MAX_FOUND) break
  }
  return found
}

function entriesOf(list: unknown): unknown[] {
  if (Array.isArray(list)) return list
  if (!isRecord(list)) return []
  return Object.entries(list).map(([path, entry]) => (isRecord(entry) ? { path, ...entry } : path))
}

function readManifestEntry(entry: unknown, endpoint: string): DocumentedResource | undefined {
  if (typeof entry === 'string') return toDocumented(entry, {}, endpoint)
  if (!isRecord(entry)) return undefined
  const resource = isRecord(entry.resource) ? entry.resource : {}
  const named = [entry.url, resource.url, entry.resource, entry.path, entry.endpoint, entry.route].find(
    value => typeof value === 'string',
  )
  return typeof named === 'string' ? toDocumented(named, { ...resource, ...entry }, endpoint) : undefined
}

/** Some lists contain `POST /v1/forecast`. */
function toDocumented(text: string, entry: JsonRecord, endpoint: string): DocumentedResource | undefined {
  const [, verb, path] = /^\s{0,8}(?:([A-Za-z]{3,7})\s{1,8})?(\S+)\s{0,8}$/.exec(text) ?? []
  const url = path === undefined ? undefined : toUrlUnder(path, endpoint)
  if (url === undefined) return undefined
  const declared = readDeclared(entry)
  const tool = cleanName(entry.toolName ?? entry.tool, 128) ?? declared.tool
  const declaredMethod = typeof entry.method === 'string' ? entry.method : (verb ?? declared.method)
  const method = tool === undefined ? declaredMethod?.toUpperCase() : 'POST'
  const description = cleanWords(entry.description, 1_024) ?? declared.description
  const mimeType = cleanName(entry.mimeType, 128)
  const input = boundSchema(declared.input ?? schemaOf(entry.inputSchema ?? entry.input))
  const output = boundSchema(declared.output ?? schemaOf(entry.output))
  const price = priceOf(entry)
  return {
    url,
    ...(method && { method }),
    ...(tool !== undefined && { tool }),
    isPaid: !isFree(entry),
    ...(description && { description }),
    ...(mimeType && { mimeType }),
    ...(input && { input }),
    ...(output && { output }),
    accepts: Array.isArray(entry.accepts) ? entry.accepts : [],
    ...(price && { price }),
    source: 'manifest',
  }
}

/** Reads the Bazaar extension, or its predecessor in version 1. */
function readDeclared(entry: JsonRecord): ReturnType<typeof readBazaar> {
  const { extensions, metadata, accepts, input, output } = entry
  const first = Array.isArray(accepts) ? accepts.find(isRecord) : undefined
  const bazaar = isRecord(extensions) ? extensions.bazaar : undefined
  // `{type: "http", method, queryParams}` is the `input` of the Bazaar extension without its envelope.
  const lifted =
    isRecord(input) && (input.type === 'http' || input.type === 'mcp')
      ? { info: { input, output } }
      : undefined
  const described = [
    readBazaar(bazaar),
    readBazaar(lifted),
    readOutputSchema(metadata),
    readOutputSchema(first?.outputSchema),
  ]
  return Object.assign({}, ...described.toReversed())
}

/** Bounds the value first: deep nesting would exhaust the stack. */
function schemaOf(declared: unknown): JsonRecord | undefined {
  const schema = cleanRecord(declared, MAX_DECLARATION)
  return schema && schema.type !== 'http' && schema.type !== 'mcp' ? toSchema(schema) : undefined
}

const isFree = ({ price, free, paid }: JsonRecord): boolean =>
  free === true ||
  paid === false ||
  (typeof price === 'string' && /^(free|\$?0+(\.0+)?)$/i.test(price)) ||
  price === 0

/** A bare integer may be in the asset's smallest units, and is not read as a price. */
function priceOf({
  price,
  currency,
  priceUsd,
  price_usd: priceInUsd,
}: JsonRecord): DocumentedResource['price'] {
  const dollars = priceUsd ?? priceInUsd
  const declaredPrice = isRecord(price)
    ? price
    : dollars === undefined
      ? { amount: price, currency }
      : { amount: dollars, currency: 'USD' }
  const text = typeof declaredPrice.amount === 'number' ? String(declaredPrice.amount) : declaredPrice.amount
  const [, dollar, amount, unit] =
    typeof text === 'string'
      ? (/^\s?(\$?)(\d{1,18}(?:\.\d{1,18})?)(?: ([A-Za-z0-9.]{2,12}))?\s?$/.exec(text) ?? [])
      : []
  if (amount === undefined) return undefined
  const currencyName =
    unit ?? cleanName(declaredPrice.currency, 32) ?? (dollar || amount.includes('.') ? 'USD' : undefined)
  return currencyName === undefined ? undefined : { amount, currency: currencyName }
}
