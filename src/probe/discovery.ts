/** Finds payable resources in what an origin says about itself: `/.well-known/x402` and `/openapi.json`. */

import { isRecord } from './strangers-json.ts'

/** Nothing else is ever sent: an unpaid PUT or DELETE would do harm where the merchant forgot to ask for money. */
export type Method = 'GET' | 'POST'

/** As long as an endpoint may be: it is kept, and asked first next time. */
const MAX_URL = 2048

/** What is asked in place of a base URL that answers no 402 itself. */
export type Resource = {
  readonly url: string
  /** Absent where the document does not say: GET is tried, then POST. */
  readonly method?: Method
}

/** Asks whether the resource belongs to the service at the endpoint: same origin, same path or below it. */
export function isUnder(resource: string, endpoint: string): boolean {
  const [url, base] = [URL.parse(resource), URL.parse(endpoint)]
  if (!url || !base || url.origin !== base.origin) return false
  const path = base.pathname.replace(/\/+$/, '')
  return url.pathname === path || url.pathname.startsWith(`${path}/`)
}

/** Manifests have no single form: lists named `resources`, `endpoints` or `items` hold URLs, paths or objects with either. */
export function resourcesOfManifest(document: unknown, endpoint: string): Resource[] {
  if (!isRecord(document)) return []
  const entries = [document.resources, document.endpoints, document.items].flatMap(list =>
    Array.isArray(list) ? list : [],
  )
  return payable(
    entries.flatMap(entry => {
      if (typeof entry === 'string') return toResource(entry)
      if (!isRecord(entry)) return []
      const place = [entry.url, entry.resource, entry.path, entry.endpoint].find(
        value => typeof value === 'string',
      )
      return typeof place === 'string' ? toResource(place, entry.method) : []
    }),
    endpoint,
  )
}

/** Operations that carry `x-payment-info`. */
export function resourcesOfOpenApi(document: unknown, endpoint: string): Resource[] {
  if (!isRecord(document) || !isRecord(document.paths)) return []
  const server: unknown = Array.isArray(document.servers) ? document.servers[0] : undefined
  const prefix = isRecord(server) && typeof server.url === 'string' ? server.url.replace(/\/+$/, '') : ''
  return payable(
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(isRecord(operations) ? operations : {})
        .filter(([, operation]) => isRecord(operation) && takesX402(operation['x-payment-info']))
        .flatMap(([method]) => toResource(`${prefix}${path}`, method)),
    ),
    endpoint,
  )
}

function takesX402(info: unknown): boolean {
  if (!isRecord(info)) return false
  const { protocols } = info
  return !Array.isArray(protocols) || protocols.length === 0 || protocols.some(isX402)
}

/** By name, or as an object that has the name as a key or a value. */
const isX402 = (protocol: unknown): boolean =>
  isRecord(protocol) ? Object.entries(protocol).flat().some(isX402Name) : isX402Name(protocol)

const isX402Name = (name: unknown): boolean => typeof name === 'string' && /x402/i.test(name)

/** Some lists write `POST /v1/forecast`. */
function toResource(text: string, method?: unknown): Resource[] {
  const [, verb, url] = /^\s*(?:([A-Za-z]+)\s+)?(\S+)\s*$/.exec(text) ?? []
  const said = (typeof method === 'string' ? method : (verb ?? '')).toUpperCase()
  if (url === undefined) return []
  if (said === '') return [{ url }]
  return said === 'GET' || said === 'POST' ? [{ url, method: said }] : []
}

/** Absolute, under the endpoint, without placeholders; what can be asked by GET comes first. */
function payable(resources: readonly Resource[], endpoint: string): Resource[] {
  return resources
    .filter(({ url }) => !/[{}<>*]|\/:[A-Za-z]/.test(url.replace(/^https?:\/\//i, '')))
    .map(resource => ({ ...resource, url: URL.parse(resource.url, endpoint)?.href ?? '' }))
    .filter(({ url }) => url.length <= MAX_URL && isUnder(url, endpoint))
    .sort((a, b) => rank(a) - rank(b))
}

const rank = ({ method }: Resource) => (method === 'GET' ? 0 : method === undefined ? 1 : 2)
