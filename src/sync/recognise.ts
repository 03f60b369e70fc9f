// Recognises the kind of source at a URL: another Shirube, an x402 discovery list, an export document, or an origin's manifest.
import { asRecord } from '../domain/json.ts'
import { SourceFailure, type SourceReader } from './source-reader.ts'

export type RecognisedSource =
  | { readonly kind: 'shirube'; readonly base: string }
  | { readonly kind: 'list'; readonly url: string; readonly first: unknown }
  | { readonly kind: 'export'; readonly document: unknown }
  | { readonly kind: 'origin'; readonly base: string; readonly document: unknown }

const CHANGES = '/api/changes'
/** Addresses of one Shirube: its feed has everything that is in its lines of JSON. */
const FEEDS = [CHANGES, '/api/export.ndjson']
const LISTS = ['items', 'resources', 'data'] as const

/** Paths tried if the URL itself is not a document, the richest first. */
const PATHS = ['/discovery/resources', '/.well-known/x402', '/openapi.json']

/** @throws SourceFailure */
export async function recognise(source: SourceReader, address: string): Promise<RecognisedSource> {
  const url = URL.parse(address)
  if (!url) throw new SourceFailure(`${JSON.stringify(address.slice(0, 200))} is not an address.`)
  const base = address.replace(/[?#].*$/, '').replace(/\/+$/, '')
  for (const feed of FEEDS)
    if (base.endsWith(feed)) return { kind: 'shirube', base: base.slice(0, -feed.length) }
  if (url.pathname !== '/') {
    const recognised = read(await source.maybeJson(address), address)
    if (recognised) return recognised
  }
  if (isFeed(await source.maybeJson(`${base}${CHANGES}?since=0&limit=1`))) return { kind: 'shirube', base }
  for (const path of PATHS) {
    const recognised = read(await source.maybeJson(base + path), base + path)
    if (recognised) return recognised
  }
  throw new SourceFailure(
    `${address} is neither another Shirube nor a Bazaar list, an export document or an origin with paid resources.`,
  )
}

const isFeed = (document: unknown): boolean => {
  const { changes, next } = asRecord(document)
  return Array.isArray(changes) && (typeof next === 'string' || typeof next === 'number')
}

function read(document: unknown, url: string): RecognisedSource | undefined {
  if (document === undefined) return undefined
  const fields = asRecord(document)
  const origin = new URL(url).origin
  // The manifest of a Shirube contains the URL of its feed.
  const feed = typeof fields.changes === 'string' ? URL.parse(fields.changes, url) : null
  if (feed && fields.x402Version !== undefined)
    return { kind: 'shirube', base: feed.href.replace(/\/api\/changes$/, '') }
  if (Array.isArray(fields.endpoints) && typeof fields.exportedAt === 'string')
    return { kind: 'export', document }
  if (itemsOf(document).some(item => Array.isArray(asRecord(item).accepts)))
    return { kind: 'list', url, first: document }
  if (typeof fields.paths === 'object' || LISTS.some(name => Array.isArray(fields[name])))
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
