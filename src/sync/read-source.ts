// Recognises the kind of source at a URL (another Shirube or one of its collections, an x402 discovery list, an export document, or an origin's manifest) and
// reads a list or an origin whole.
import { asRecord } from '../domain/json.ts'
import { say, tellInEnglish } from '../messages/message.ts'
import { orderNamed, readManifest, toProbeRequests } from '../probe/documents/documents.ts'
import { readOpenApi } from '../probe/documents/openapi.ts'
import type { SafeFetch } from '../probe/requests/safe-fetch.ts'
import type { ParsedRequirements } from '../probe/terms/payment-requirements.ts'
import { readTerms } from '../probe/terms/x402.ts'
import type { Clock } from '../runtime/clock.ts'
import {
  checkEntries,
  checkPages,
  SourceFailure,
  type SourceReader,
  type SyncBounds,
  type SyncProgress,
} from './source-reader.ts'

export type RecognisedSource =
  | { readonly kind: 'shirube'; readonly base: string }
  | { readonly kind: 'collection'; readonly document: unknown }
  | { readonly kind: 'list'; readonly url: string; readonly first: unknown }
  | { readonly kind: 'export'; readonly document: unknown }
  | { readonly kind: 'origin'; readonly base: string; readonly document: unknown }
  | { readonly kind: 'services'; readonly document: unknown }

const CHANGES = '/api/changes'
const LISTS = ['items', 'resources', 'data'] as const

/** Paths tried if the URL itself is not a document, the richest first. A manifest of ARD leads to all of them. */
const ARD = ['/.well-known/ard.json', '/.well-known/ai-catalog.json']
const PATHS = ['/discovery/resources', '/.well-known/x402', '/openapi.json', ...ARD]

/** @throws SourceFailure */
export async function recognise(source: SourceReader, given: string): Promise<RecognisedSource> {
  const manifest = ARD.find(path => given.endsWith(path)) ?? ''
  const address = given.slice(0, given.length - manifest.length)
  const url = URL.parse(address)
  if (!url) throw new SourceFailure(`${JSON.stringify(address.slice(0, 200))} is not an address.`)
  const base = address.replace(/[?#].*$/, '').replace(/\/+$/, '')
  if (base.endsWith(CHANGES)) return { kind: 'shirube', base: base.slice(0, -CHANGES.length) }
  if (url.pathname !== '/') {
    const recognised = read(await source.maybeJson(address), address)
    if (recognised) return recognised
  }
  if (isFeed(await source.maybeJson(`${base}${CHANGES}?since=0&limit=1`))) return { kind: 'shirube', base }
  for (const path of PATHS) {
    const recognised = read(await source.maybeJson(base + path), base + path)
    if (recognised) return recognised
  }
  throw new SourceFailure(`${address} cannot be read.`, say('source_unrecognised'))
}

const isFeed = (document: unknown): boolean => {
  const { changes, next } = asRecord(document)
  return Array.isArray(changes) && typeof next === 'string'
}

function read(document: unknown, url: string): RecognisedSource | undefined {
  if (document === undefined) return undefined
  const fields = asRecord(document)
  const origin = new URL(url).origin
  // The manifest of a Shirube contains the URL of its feed.
  const feed = typeof fields.changes === 'string' ? URL.parse(fields.changes, url) : null
  if (feed && fields.x402Version !== undefined)
    return { kind: 'shirube', base: feed.href.replace(/\/api\/changes$/, '') }
  if (typeof fields.collection === 'string' && Array.isArray(fields.items))
    return { kind: 'collection', document }
  if (Array.isArray(fields.endpoints) && typeof fields.exportedAt === 'string')
    return { kind: 'export', document }
  // The form of mpp.dev: services with their paid endpoints.
  if (servicesOf(document).some(({ endpoints }) => Array.isArray(endpoints)))
    return { kind: 'services', document }
  if (itemsOf(document).some(item => Array.isArray(asRecord(item).accepts)))
    return { kind: 'list', url, first: document }
  const isArd = Array.isArray(fields.entries) && typeof asRecord(fields.host).displayName === 'string'
  if (typeof fields.paths === 'object' || isArd || LISTS.some(name => Array.isArray(fields[name])))
    return { kind: 'origin', base: origin, document }
  return undefined
}

/** The items of a list, in any of the known envelopes. */
export function itemsOf(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document
  const fields = asRecord(document)
  for (const holder of [fields, asRecord(fields.data)]) {
    for (const name of LISTS) if (Array.isArray(holder[name])) return holder[name]
  }
  return []
}

// Reads all pages of an x402 discovery list, with or without pagination metadata.

/** A page size that every known list accepts. */
const PAGE = 100

/** @throws SourceFailure on any failed page: an incomplete list must not be taken for a shorter one */
export async function readList(
  source: SourceReader,
  url: string,
  bounds: SyncBounds,
  onPage?: SyncProgress,
): Promise<unknown[]> {
  const all: unknown[] = []
  let next: Record<string, string> | undefined = {}
  let previous: string | undefined
  for (let pages = 1; next; pages++) {
    checkPages(pages, url)
    const page = await source.json(pageAddress(url, next))
    const items = itemsOf(page)
    const first = firstText(items)
    // A server without pagination returns the same page again.
    if (items.length === 0 || first === previous) break
    checkEntries(all.length + items.length, url, bounds)
    for (const item of items) all.push(item)
    previous = first
    const { total } = paginationOf(page)
    await onPage?.(all.length, typeof total === 'number' && total > 0 ? all.length / total : undefined)
    next = nextPage(page, items.length, all.length)
  }
  return all
}

/** Beyond it JSON.stringify takes seconds (4 s at 40,000 levels), and then overflows the stack. */
const MAX_LEVELS = 1_000

/** The first item that can be written: one nested too deep is skipped by itself, not with its list. */
const firstText = (items: readonly unknown[]): string =>
  JSON.stringify(items.find(item => !isTooDeep(item))) ?? ''

function isTooDeep(item: unknown): boolean {
  let level = [item]
  for (let depth = 0; level.length > 0 && depth <= MAX_LEVELS; depth++)
    level = level.flatMap(each => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  return level.length > 0
}

export function paginationOf(page: unknown): Readonly<Record<string, unknown>> {
  const fields = asRecord(page)
  return { ...asRecord(asRecord(fields.data).pagination), ...asRecord(fields.pagination) }
}

function nextPage(page: unknown, count: number, readCount: number): Record<string, string> | undefined {
  const { cursor, nextCursor, total, offset } = paginationOf(page)
  const more = cursor ?? nextCursor
  if (typeof more === 'string' && more !== '') return { cursor: more }
  if (typeof total !== 'number') return { offset: String(readCount) }
  const reached = (typeof offset === 'number' ? offset : readCount - count) + count
  return reached < total ? { offset: String(reached) } : undefined
}

function pageAddress(url: string, next: Readonly<Record<string, string>>): string {
  const address = new URL(url)
  if (!address.searchParams.has('limit')) address.searchParams.set('limit', String(PAGE))
  for (const [name, value] of Object.entries(next)) address.searchParams.set(name, value)
  return address.href
}

// Reads the resources that the manifest or OpenAPI document of an origin names, and requests the payment terms of each.

/** Resources requested per origin; further ones are not listed. */
const MAX_RESOURCES = 25
const PAUSE_MS = 1_000

type AskingDeps = {
  readonly fetch: SafeFetch
  readonly userAgent: string
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
}

type Asked = { items: unknown[]; problems: string[] }

/** Requests the terms of each resource, one after the other. Returns items in the format of a discovery list. */
async function askEach(
  { fetch, userAgent, clock, signal }: AskingDeps,
  resources: readonly { readonly about: object; readonly resource: Parameters<typeof toProbeRequests>[0] }[],
  onItem?: (read: number) => unknown,
): Promise<Asked> {
  const items: unknown[] = []
  const problems: string[] = []
  let hasRequested = false
  for (const [index, { about, resource }] of resources.entries()) {
    const failures: string[] = []
    for (const request of toProbeRequests(resource)) {
      if (hasRequested) await clock.sleep(PAUSE_MS, signal)
      hasRequested = true
      const { url, method, place, body = '{}', contentType = 'application/json' } = request
      const headers = { 'user-agent': userAgent, accept: 'application/json' }
      const sent =
        method === 'POST' ? { headers: { ...headers, 'content-type': contentType }, body } : { headers }
      const response = await fetch(url, { method, ...sent, ...(signal && { signal }) })
      const terms = response.ok ? readTerms(response) : undefined
      if (terms?.readable) {
        failures.length = 0
        items.push({ ...about, resource: place?.url ?? url, accepts: terms.payments.map(toAccepted) })
        break
      }
      const why = response.ok ? (terms?.problems ?? []) : [response.message]
      failures.push(`${method} ${url}: ${why.map(tellInEnglish).join(' ')}`)
    }
    if (failures.length > 0) problems.push(failures.join(' '))
    await onItem?.(index + 1)
  }
  return { items, problems }
}

export function readOrigin(deps: AskingDeps, base: string, document: unknown): Promise<Asked> {
  const about = describe(document)
  const named = orderNamed([...readManifest(document, base), ...readOpenApi(document, base)], base)
  return askEach(
    deps,
    named.slice(0, MAX_RESOURCES).map(resource => ({ about, resource })),
  )
}

/** Services read of one directory, each with a request. */
const MAX_SERVICES = 1_000

const servicesOf = (document: unknown): readonly Readonly<Record<string, unknown>>[] => {
  const { services } = asRecord(document)
  return Array.isArray(services) ? services.map(asRecord) : []
}

/** The directory does not name the wallets that are paid: a paid endpoint of each service does. */
export function readServices(
  deps: AskingDeps,
  document: unknown,
  onItem: (read: number) => unknown,
): Promise<Asked> {
  const resources = servicesOf(document).flatMap(service => {
    const { serviceUrl, url, name, description, categories: tags, endpoints } = service
    const base = [serviceUrl, url].find(each => typeof each === 'string' && URL.canParse(each))
    const paid = (Array.isArray(endpoints) ? endpoints : []).map(asRecord).find(isPlainPaid)
    if (base === undefined || !paid) return []
    const address = `${String(base).replace(/\/+$/, '')}${paid.path}`
    const method = paid.method === 'GET' || paid.method === 'POST' ? paid.method : undefined
    return [
      {
        about: { name, description, tags },
        resource: { url: address, ...(method && { method }) },
      },
    ]
  })
  return askEach(deps, resources.slice(0, MAX_SERVICES), onItem)
}

/** Paid, and at a path without parameters. */
const isPlainPaid = ({ path, payment }: Readonly<Record<string, unknown>>): boolean =>
  typeof path === 'string' && /^\/[^:{]*$/.test(path) && typeof payment === 'object' && payment !== null

const toAccepted = ({ scheme, network, amount, asset, payTo }: ParsedRequirements) => ({
  scheme,
  network,
  amount: amount.toString(),
  asset,
  payTo,
})

function describe(document: unknown): Readonly<Record<string, unknown>> {
  const fields = asRecord(document)
  const info = asRecord(fields.info)
  const name = info.title ?? fields.name ?? asRecord(fields.host).displayName
  const description = info.description ?? fields.description ?? info.summary
  // The document of an origin that is paid by MPP names its categories.
  const { categories: tags } = asRecord(fields['x-service-info'])
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags }),
  }
}
