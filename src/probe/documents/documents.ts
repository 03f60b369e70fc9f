// Reads the documents of an origin for resources under an endpoint, one after the other within the request budget of a probe.
import { sampleRequest } from '../../domain/samples/sample-request.ts'
import { type ProbeRequest, parseJson } from '../probe-response.ts'
import type { ProbeSession } from '../probe-session.ts'
import { parseYaml } from '../untrusted/untrusted-yaml.ts'
import {
  type DocumentedResource,
  fitsEndpoint,
  isSendable,
  isTemplate,
  type Method,
  toTemplate,
} from './documented.ts'
import { readManifest } from './manifest.ts'
import { readOpenApi } from './openapi-document.ts'

const READERS = {
  '/.well-known/x402': readManifest,
  '/openapi.json': readOpenApi,
  '/.well-known/x402.json': readManifest,
  '/openapi.yaml': readOpenApi,
} as const
/** Requested if there is no JSON document and requests are left; some servers serve YAML under either name. */
const YAML_PATH = '/openapi.yaml'
export type DocumentPath = keyof typeof READERS

/** Manifests usually list a base URL; the input of an endpoint is described by OpenAPI. */
const ORDERS: Readonly<Record<'manifest' | 'openapi', readonly DocumentPath[]>> = {
  manifest: ['/.well-known/x402', '/openapi.json', '/.well-known/x402.json'],
  openapi: ['/openapi.json', '/.well-known/x402', '/.well-known/x402.json'],
}

export class Documents {
  readonly #session: ProbeSession
  readonly #endpoint: string
  readonly #unread: DocumentPath[]
  readonly #first: 'manifest' | 'openapi'
  readonly found: DocumentedResource[] = []
  #isGivenUp = false

  constructor(session: ProbeSession, endpoint: string, first: 'manifest' | 'openapi') {
    this.#session = session
    this.#endpoint = endpoint
    this.#first = first
    this.#unread = [...ORDERS[first]]
  }

  /** Whether all documents have been read, so that resources not found are no longer declared. */
  get isComplete(): boolean {
    return this.#unread.every(path => path === YAML_PATH) && !this.#isGivenUp
  }

  get isAtEnd(): boolean {
    return this.#unread.length === 0 || this.#isGivenUp
  }

  /** @returns the resources in the next document */
  async readNext(): Promise<DocumentedResource[]> {
    const path = this.#unread.shift()
    if (path === undefined) return []
    const isOpenApi = READERS[path] === readOpenApi
    const { status, document } = await this.#session.readDocument(
      new URL(path, this.#endpoint).href,
      isOpenApi ? body => parseJson(body) ?? parseYaml(body) : undefined,
    )
    if (path === '/openapi.json' && status === 404) this.#lookForYaml()
    // A host that is down or limits our rate gets no further document requests.
    if (status === null || status === 429 || status >= 500) this.#isGivenUp = true
    const named = READERS[path](document, this.#endpoint)
    this.found.push(...named)
    return named
  }

  /** Next if the endpoint needs the input that OpenAPI describes, else after the more common documents. */
  #lookForYaml(): void {
    if (this.#first === 'openapi') this.#unread.unshift(YAML_PATH)
    else this.#unread.push(YAML_PATH)
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
export function toProbeRequests({ url, method, input }: DocumentedResource): ProbeRequest[] {
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
