// What a document of an origin says of one resource: a hint where and how to ask. Nothing in it proves anything.
import type { Resource } from '../domain/finding.ts'
import type { Json } from './untrusted-json.ts'

export type Documented = {
  /** Absolute, under the endpoint; may have placeholders. */
  readonly url: string
  /** As said; any HTTP method. */
  readonly method?: string
  readonly tool?: string
  /** The document says that it costs money. */
  readonly isPaid: boolean
  readonly description?: string
  readonly mimeType?: string
  readonly input?: Json
  readonly output?: Json
  /** Ways to pay, unread. */
  readonly accepts: readonly unknown[]
  readonly price?: { readonly amount: string; readonly currency: string }
  readonly source: 'openapi' | 'manifest'
}

/** As long as an endpoint may be: it is kept, and asked first next time. */
const MAX_URL = 2048

/** Nothing else is ever sent: an unpaid PUT or DELETE would do harm where the merchant forgot to ask for money. */
export type Method = NonNullable<Resource['method']>

export const isAskable = (method: string | undefined): method is Method | undefined =>
  method === undefined || method === 'GET' || method === 'POST'

/** Asks whether the resource belongs to the service at the endpoint: same origin, same path or below it. */
export function isUnder(resource: string, endpoint: string): boolean {
  const [url, base] = [URL.parse(resource), URL.parse(endpoint)]
  if (!url || !base || url.origin !== base.origin) return false
  const path = fixedPathOf(base)
  return url.pathname === path || url.pathname.startsWith(`${path}/`)
}

/** An endpoint may be a template itself: what it fixes ends before its first placeholder. */
function fixedPathOf(base: URL): string {
  const segments = base.pathname.split('/')
  const first = segments.findIndex(segment => /^:[A-Za-z_]|%7B|[{<]/i.test(segment))
  return (first < 0 ? segments : segments.slice(0, first)).join('/').replace(/\/+$/, '')
}

/** @returns undefined where it does not lie under the endpoint, or is too long to be kept */
export function toUrlUnder(text: string, endpoint: string): string | undefined {
  // Parsing would encode the braces of a placeholder in the path; they are kept as they are told.
  const url = URL.parse(text, endpoint)
  if (url?.username !== '' || url.password !== '') return undefined
  url.hash = ''
  const href = url.href.replace(/%7B/gi, '{').replace(/%7D/gi, '}')
  // A slash more or less at the end is another address to many servers: the registered one is known to be meant.
  if (!isTemplate(href) && url.search === '' && fitsEndpoint(href, endpoint) && isUnder(href, endpoint))
    return endpoint
  return href.length <= MAX_URL && isUnder(href, endpoint) ? href : undefined
}

/** Asks whether a documented place, which may have placeholders, is the endpoint itself. */
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

/** Whether something is to be filled in before it can be asked. */
export const isTemplate = (url: string): boolean =>
  segmentsOf(url).some(segment => /[{}*]/.test(segment) || isPlaceholder(segment))

/** The path with its placeholders; undefined where it has none. */
export const toTemplate = (url: string): string | undefined =>
  isTemplate(url) ? `/${segmentsOf(url).join('/')}` : undefined
