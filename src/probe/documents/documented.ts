// What a document of an origin declares about one resource: a hint what to request, never a proof.
import type { JsonRecord } from '../../domain/json.ts'
import type { ProbeRequest } from '../../domain/standing/judge.ts'

export type DocumentedResource = {
  /** Absolute, under the endpoint; may contain placeholders. */
  readonly url: string
  /** As declared; any HTTP method. */
  readonly method?: string
  readonly tool?: string
  /** The document marks it as paid. */
  readonly isPaid: boolean
  readonly description?: string
  readonly mimeType?: string
  readonly input?: JsonRecord
  readonly output?: JsonRecord
  /** Entries of payment requirements, not parsed. */
  readonly accepts: readonly unknown[]
  readonly price?: { readonly amount: string; readonly currency: string }
  readonly source: 'openapi' | 'manifest'
}

/** The limit of an endpoint: the URL is stored, and requested first by the next probe. */
const MAX_URL = 2048

/** The prober sends no other method: an unpaid PUT or DELETE does harm if the provider forgot the payment check. */
export type Method = ProbeRequest['method']

export const isSendable = (method: string | undefined): method is Method | undefined =>
  method === undefined || method === 'GET' || method === 'POST'

/** Whether the resource belongs to the service at the endpoint: same origin, same path or below it. */
export function isUnder(resource: string, endpoint: string): boolean {
  const [url, base] = [URL.parse(resource), URL.parse(endpoint)]
  if (!url || !base || url.origin !== base.origin) return false
  const path = fixedPathOf(base)
  return url.pathname === path || url.pathname.startsWith(`${path}/`)
}

/** An endpoint may be a template; its fixed part ends before the first placeholder. */
function fixedPathOf(base: URL): string {
  const segments = base.pathname.split('/')
  const first = segments.findIndex(segment => /^:[A-Za-z_]|%7B|[{<]/i.test(segment))
  return (first < 0 ? segments : segments.slice(0, first)).join('/').replace(/\/+$/, '')
}

/** @returns undefined if the URL is not under the endpoint, or too long to store */
export function toUrlUnder(text: string, endpoint: string): string | undefined {
  // Parsing encodes the braces of placeholders; they are restored below.
  const url = URL.parse(text, endpoint)
  if (url?.username !== '' || url.password !== '') return undefined
  url.hash = ''
  const href = url.href.replace(/%7B/gi, '{').replace(/%7D/gi, '}')
  // To many servers a trailing slash makes another URL: the registered one is used.
  if (!isTemplate(href) && url.search === '' && fitsEndpoint(href, endpoint) && isUnder(href, endpoint))
    return endpoint
  return href.length <= MAX_URL && isUnder(href, endpoint) ? href : undefined
}

/** Whether a documented URL, which may contain placeholders, matches the endpoint itself. */
export function fitsEndpoint(documented: string, endpoint: string): boolean {
  const [a, b] = [segmentsOf(documented), segmentsOf(endpoint)]
  return a.length === b.length && a.every((segment, i) => segment === b[i] || isPlaceholder(segment))
}

const segmentsOf = (url: string): string[] =>
  (URL.parse(url)?.pathname ?? '')
    .replace(/%7B/gi, '{')
    .replace(/%7D/gi, '}')
    .split('/')
    .filter(segment => segment !== '')

const isPlaceholder = (segment: string): boolean =>
  /^(\{[^{}]+\}|:[A-Za-z_]\w*|<[^<>]+>|%3C.+%3E)$/i.test(segment)

/** Whether the URL has placeholders to fill in. */
export const isTemplate = (url: string): boolean =>
  segmentsOf(url).some(segment => /[{}*]/.test(segment) || isPlaceholder(segment))

/** @returns the path with its placeholders; undefined if it has none */
export const toTemplate = (url: string): string | undefined =>
  isTemplate(url) ? `/${segmentsOf(url).join('/')}` : undefined
