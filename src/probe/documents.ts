// What the documents of an origin name under an endpoint: read one after the other, as far as the requests of a probe go.
import { sampleRequest } from '../domain/sample-request.ts'
import { type Ask, parseJson } from './asked.ts'
import type { Asking } from './asking.ts'
import {
  type Documented,
  fitsEndpoint,
  isAskable,
  isTemplate,
  type Method,
  toTemplate,
} from './documented.ts'
import { readManifest } from './manifest.ts'
import { readOpenApi } from './openapi-document.ts'
import { parseYaml } from './untrusted-yaml.ts'

const READERS = {
  '/.well-known/x402': readManifest,
  '/openapi.json': readOpenApi,
  '/.well-known/x402.json': readManifest,
  '/openapi.yaml': readOpenApi,
} as const
/** Asked for where the same is not there as JSON, and requests are left for it; some serve YAML under either name. */
const YAML_PATH = '/openapi.yaml'
export type DocumentPath = keyof typeof READERS

/** A base URL is more often told of by a manifest; what it takes to ask an endpoint stands in its OpenAPI document. */
const ORDERS: Readonly<Record<'manifest' | 'openapi', readonly DocumentPath[]>> = {
  manifest: ['/.well-known/x402', '/openapi.json', '/.well-known/x402.json'],
  openapi: ['/openapi.json', '/.well-known/x402', '/.well-known/x402.json'],
}

export class Documents {
  readonly #asking: Asking
  readonly #endpoint: string
  readonly #unread: DocumentPath[]
  readonly #first: 'manifest' | 'openapi'
  readonly found: Documented[] = []
  #isGivenUp = false

  constructor(asking: Asking, endpoint: string, first: 'manifest' | 'openapi') {
    this.#asking = asking
    this.#endpoint = endpoint
    this.#first = first
    this.#unread = [...ORDERS[first]]
  }

  /** Whether all that the origin may say has been read, so that what is not there is not named any more. */
  get isComplete(): boolean {
    return this.#unread.every(path => path === YAML_PATH) && !this.#isGivenUp
  }

  get isAtEnd(): boolean {
    return this.#unread.length === 0 || this.#isGivenUp
  }

  /** @returns what the next of them names */
  async readNext(): Promise<Documented[]> {
    const path = this.#unread.shift()
    if (path === undefined) return []
    const isOpenApi = READERS[path] === readOpenApi
    const { status, document } = await this.#asking.readDocument(
      new URL(path, this.#endpoint).href,
      isOpenApi ? body => parseJson(body) ?? parseYaml(body) : undefined,
    )
    if (path === '/openapi.json' && status === 404) this.#lookForYaml()
    // A host that is away, or asks for peace, is asked for no more documents.
    if (status === null || status === 429 || status >= 500) this.#isGivenUp = true
    const named = READERS[path](document, this.#endpoint)
    this.found.push(...named)
    return named
  }

  /** At once where the endpoint wants input that such a document tells, else after what is more common. */
  #lookForYaml(): void {
    if (this.#first === 'openapi') this.#unread.unshift(YAML_PATH)
    else this.#unread.push(YAML_PATH)
  }
}

/** What can be asked of what was named, the likeliest first: the endpoint itself, then what is paid, without placeholders, by GET. */
export function orderNamed(named: readonly Documented[], endpoint: string): Documented[] {
  return named
    .filter(
      ({ url, method, tool, isPaid }) =>
        isAskable(method) && tool === undefined && (isPaid || fitsEndpoint(url, endpoint)),
    )
    .map(each => ({ each, rank: rankOf(each, endpoint) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ each }) => each)
}

const rankOf = ({ url, method, isPaid }: Documented, endpoint: string): number =>
  (fitsEndpoint(url, endpoint) ? 0 : 16) +
  (isPaid ? 0 : 8) +
  (isTemplate(url) ? 4 : 0) +
  (method === 'GET' ? 0 : method === undefined ? 1 : 2)

/** One request, or one by each method where none is named. */
export function toAsks({ url, method, input }: Documented): Ask[] {
  const methods: readonly Method[] = method === 'GET' || method === 'POST' ? [method] : ['GET', 'POST']
  return methods.flatMap(method => {
    const sample = sampleRequest({ url, method, input })
    if (!sample) return isTemplate(url) ? [] : [{ url, method }]
    const place = placeOf(url, sample.url)
    const { fields: _, ...ask } = sample
    return [{ ...ask, ...(place && { place }) }]
  })
}

/** Without the query that was filled in; undefined where nothing was. */
function placeOf(documented: string, asked: string): Ask['place'] {
  const own = URL.parse(documented)
  const filled = URL.parse(asked)
  if (!own || !filled || (documented === asked && !isTemplate(documented))) return undefined
  filled.search = own.search
  const routeTemplate = toTemplate(documented)
  return { url: filled.href, ...(routeTemplate && { routeTemplate }) }
}
