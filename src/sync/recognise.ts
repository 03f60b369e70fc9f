// Finds out what stands at an address: another Shirube, a list of x402, an export document, or what an origin says about itself.
import { type AskSource, fieldsOf, SourceFailure } from './ask-source.ts'

export type Recognised =
  | { readonly kind: 'shirube'; readonly base: string }
  | { readonly kind: 'list'; readonly url: string; readonly first: unknown }
  | { readonly kind: 'export'; readonly document: unknown }
  | { readonly kind: 'origin'; readonly base: string; readonly document: unknown }

const CHANGES = '/api/changes'
const LISTS = ['items', 'resources', 'data'] as const

/** What is worth asking for at an address that is no document itself, the richest first. */
const PLACES = ['/discovery/resources', '/.well-known/x402', '/openapi.json']

/** @throws SourceFailure */
export async function recognise(ask: AskSource, address: string): Promise<Recognised> {
  const url = URL.parse(address)
  if (!url) throw new SourceFailure(`${JSON.stringify(address.slice(0, 200))} is not an address.`)
  const base = address.replace(/[?#].*$/, '').replace(/\/+$/, '')
  if (base.endsWith(CHANGES)) return { kind: 'shirube', base: base.slice(0, -CHANGES.length) }
  if (url.pathname !== '/') {
    const known = read(await ask.maybeJson(address), address)
    if (known) return known
  }
  if (isFeed(await ask.maybeJson(`${base}${CHANGES}?since=0&limit=1`))) return { kind: 'shirube', base }
  for (const place of PLACES) {
    const known = read(await ask.maybeJson(base + place), base + place)
    if (known) return known
  }
  throw new SourceFailure(`Nothing that can be followed was found at ${address}.`)
}

const isFeed = (document: unknown): boolean => {
  const { changes, next } = fieldsOf(document)
  return Array.isArray(changes) && (typeof next === 'string' || typeof next === 'number')
}

function read(document: unknown, url: string): Recognised | undefined {
  if (document === undefined) return undefined
  const fields = fieldsOf(document)
  const origin = new URL(url).origin
  // The manifest of a Shirube leads to its feed; what is no address leads nowhere.
  const feed = typeof fields.changes === 'string' ? URL.parse(fields.changes, url) : null
  if (feed && fields.x402Version !== undefined)
    return { kind: 'shirube', base: feed.href.replace(/\/api\/changes$/, '') }
  if (Array.isArray(fields.endpoints) && typeof fields.exportedAt === 'string')
    return { kind: 'export', document }
  if (itemsOf(document).some(item => Array.isArray(fieldsOf(item).accepts)))
    return { kind: 'list', url, first: document }
  if (typeof fields.paths === 'object' || LISTS.some(name => Array.isArray(fields[name])))
    return { kind: 'origin', base: origin, document }
  return undefined
}

/** The items of a list, in whatever envelope it comes. */
export function itemsOf(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document
  const fields = fieldsOf(document)
  for (const holder of [fields, fieldsOf(fields.data)]) {
    for (const name of LISTS) if (Array.isArray(holder[name])) return holder[name]
  }
  return []
}
