// What programs other than API clients read: Atom feeds, robots.txt, sitemaps, OpenSearch, security.txt.

import type { LocalDirectory, RecentEvent } from '../directory/directory.ts'
import { DirectoryError } from '../domain/errors.ts'
import { LANGUAGE_CODES } from '../domain/languages/languages.ts'
import type { Service } from '../domain/listing/service.ts'
import { parseIntentQuery, parseListQuery } from '../domain/queries/queries.ts'
import { DAY_MS, dayOf } from '../domain/time.ts'
import { say, tell } from '../messages/message.ts'
import { systemClock } from '../runtime/clock.ts'
import { type Html, html } from './html.ts'
import { FEEDS } from './layout.ts'
import type { Page, PageRequest, Rendered } from './page.ts'
import { readFigures } from './service/service-reads.ts'
import { toVerdictText, verdictOf } from './verdict.ts'
import { createView, toAddress, type View } from './view.ts'

type FeedName = (typeof FEEDS)[number]

const MAX_ENTRIES = 50
/** Events read from the log for a feed of changes. */
const MAX_EVENTS = 2_000

const CHANGES: readonly string[] = ['updated', 'price', 'pay_to']

type Item = {
  readonly id: string
  readonly title: string
  readonly path: string
  readonly at: string
  readonly text: string
}

export const createFeed =
  (directory: LocalDirectory): Page['render'] =>
  async request => {
    const view = createView(request)
    const name = request.id.replace(/\.atom$/, '')
    if (name === 'search') return toSearchFeed(view, directory)
    const known = FEEDS.find(each => each === name)
    if (!known || !request.id.endsWith('.atom')) throw new DirectoryError('not_found', say('path_unknown'))
    const about = { title: view.words.feeds[known], page: view.href('/') }
    return toFeed(view, about, await readItems(view, directory, known))
  }

/** In order of relevance, without weak matches and samples. Filters do not apply. */
function toSearchFeed(view: View, directory: LocalDirectory): Rendered {
  const { q = '' } = view.request.parameters
  const query = parseIntentQuery({ q, limit: MAX_ENTRIES })
  const { results } = directory.requireCatalog().searchByIntent(query).decode()
  return toFeed(
    view,
    { title: view.words.feeds.search(q), page: view.href('/', { q }) },
    results
      .filter(({ weak, backing }) => !weak && !backing.sample)
      .map(({ service }) => toServiceItem(view, directory, service)),
  )
}

async function readItems(view: View, directory: LocalDirectory, name: FeedName): Promise<Item[]> {
  if (name === 'new') {
    const { services } = directory.requireCatalog().list(parseListQuery({ limit: MAX_ENTRIES }))
    return services
      .decode()
      .filter(({ id }) => !directory.requireCatalog().isSample(id))
      .map(service => toServiceItem(view, directory, service))
  }
  const isWanted = name === 'changed' ? isChange : isBreak
  const events = await directory.recent(MAX_EVENTS)
  return events
    .filter(isWanted)
    .flatMap(event => toEventItem(view, directory, event))
    .slice(0, MAX_ENTRIES)
}

const isChange = ({ type }: RecentEvent): boolean => CHANGES.includes(type)
const isBreak = ({ type, before, after }: RecentEvent): boolean =>
  type === 'status' && before === 'verified' && after !== 'verified'

const toServiceItem = (view: View, directory: LocalDirectory, service: Service): Item => ({
  id: service.id,
  title: service.name,
  path: `/services/${service.id}`,
  at: service.createdAt,
  text: `${toTerms(view, directory, service)} · ${service.description}`,
})

function toTerms(view: View, directory: LocalDirectory, service: Service): string {
  const { pricePerRequest, currency } = service.pricing
  const catalog = directory.requireCatalog()
  const figures = readFigures(catalog, service)
  const verdict = verdictOf(view, service, figures, catalog.marks(service.id))
  return `${toVerdictText(verdict)} · ${figures.asks ?? pricePerRequest} ${currency} ${view.words.perRequest}`
}

/** The fields of a listing that an event has before and after, if they are short enough to be told. */
function toChange({ words }: View, { before, after }: RecentEvent): string {
  if (isPlain(before) && isPlain(after)) return words.service.from(String(before), String(after))
  if (!isRecord(before) || !isRecord(after)) return ''
  return Object.keys({ ...before, ...after })
    .filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map(name =>
      isPlain(before[name]) && isPlain(after[name])
        ? `${name}${words.colon}${words.service.from(String(before[name]), String(after[name]))}`
        : name,
    )
    .join(', ')
}

const MAX_TOLD = 80
const isPlain = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value.length <= MAX_TOLD)
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns nothing for samples, and for services that have since been removed or hidden. */
function toEventItem(view: View, directory: LocalDirectory, event: RecentEvent): Item | [] {
  const reads = directory.requireCatalog()
  const { number, serviceId, type, at, reason } = event
  const service = reads.service(serviceId)?.decode()
  if (!service || reads.isSample(serviceId)) return []
  return {
    id: `${serviceId}-${number}`,
    title: `${service.name}: ${view.words.service.eventTypes[type]}`,
    path: `/services/${serviceId}`,
    at,
    text: [reason && tell(reason, view.language), toChange(view, event), toTerms(view, directory, service)]
      .filter(part => part)
      .join(' · '),
  }
}

/** @param about its title, and the page that shows the same */
function toFeed(
  { words, language, request }: View,
  { title, page }: { readonly title: string; readonly page: string },
  items: readonly Item[],
): Rendered {
  const { home, path, parameters } = request
  const self = home + toAddress(path, { q: parameters.q, lang: parameters.lang })
  // Nothing has happened in an empty feed: it is as of today.
  const today = `${dayOf(systemClock.now().toISOString())}T00:00:00.000Z`
  const newest = items.length === 0 ? today : items.reduce((last, { at }) => (at > last ? at : last), '')
  return {
    text: html`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<title>${toXmlText(title)} · ${words.name}</title>
<id>${self}</id>
<updated>${newest}</updated>
<author><name>${words.name}</name></author>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${home}${page}"/>
${items.map(item => toEntry(home, item))}</feed>
`.text,
  }
}

const toEntry = (home: string, { id, title, path, at, text }: Item): Html => html`<entry>
<id>urn:shirube:${id}</id>
<title>${toXmlText(title)}</title>
<link rel="alternate" type="text/html" href="${home}${path}"/>
<updated>${at}</updated>
<summary>${toXmlText(text)}</summary>
</entry>
`

/** Removes characters that XML 1.0 cannot contain, even escaped. */
const toXmlText = (text: string): string =>
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')

// Files at well-known paths for crawlers and browsers.

/** A sitemap may have 50,000 URLs and 50 MiB. This many services are read in a few milliseconds. */
const SERVICES_IN_A_PART = 10_000
const PAGES = ['/', '/catalog', '/register', '/check', '/about', '/probing', '/docs']

const file =
  (write: (request: PageRequest) => string) =>
  (request: PageRequest): Rendered => ({ text: write(request) })

export const createMetadataFiles = (directory: LocalDirectory, securityContact: string) => ({
  robots: file(toRobots),
  sitemapIndex: file(request => toSitemapIndex(request, directory)),
  sitemap(request: PageRequest): Rendered {
    const text = toSitemap(request, directory)
    return text === undefined ? { text: '', failed: 'not_found' } : { text }
  },
  openSearch: file(toOpenSearch),
  security: file(request => toSecurity(request, securityContact)),
})

/** There are endlessly many searches, and each costs more than a cached page. */
const toRobots = ({ home }: PageRequest): string => `User-agent: *
Disallow: /api/
Disallow: /mcp
Disallow: /discovery/
Disallow: /ard/
Disallow: /*?q=
Disallow: /*&q=

Sitemap: ${home}/sitemap.xml
Agentmap: ${home}/.well-known/ard.json
`

/** The first part has the pages, the others the services by age, so that a service stays in its part. */
function toSitemapIndex({ home }: PageRequest, directory: LocalDirectory): string {
  const parts = 1 + Math.ceil(directory.requireCatalog().verified(0, 0).total / SERVICES_IN_A_PART)
  return html`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${Array.from({ length: parts }, (_, part) => html`<sitemap><loc>${home}/sitemaps/${part}.xml</loc></sitemap>\n`)}</sitemapindex>
`.text
}

function toSitemap({ home, id }: PageRequest, directory: LocalDirectory): string | undefined {
  const [, digits] = /^(0|[1-9]\d{0,5})\.xml$/.exec(id) ?? []
  if (digits === undefined) return undefined
  const part = Number(digits)
  const from = (part - 1) * SERVICES_IN_A_PART
  const ids = part === 0 ? [] : directory.requireCatalog().verified(from, SERVICES_IN_A_PART).ids
  if (part > 0 && ids.length === 0) return undefined
  // Samples are not for search engines.
  const real = ids.filter(id => !directory.requireCatalog().isSample(id))
  const paths = part === 0 ? PAGES : real.map(id => `/services/${id}`)
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${paths.map(
  path =>
    html`<url><loc>${home}${path}</loc>${LANGUAGE_CODES.map(
      lang =>
        html`<xhtml:link rel="alternate" hreflang="${lang}" href="${home}${toAddress(path, { lang })}"/>`,
    )}</url>\n`,
)}</urlset>
`.text
}

/** Lets browsers offer the directory as a search engine. */
function toOpenSearch(request: PageRequest): string {
  const { words } = createView(request)
  return html`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${words.name}</ShortName>
<Description>${words.tagline}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="32" height="32" type="image/svg+xml">${request.home}/mark.svg</Image>
<Url type="text/html" template="${request.home}/?q={searchTerms}"/>
<Url type="application/atom+xml" template="${request.home}/feeds/search.atom?q={searchTerms}"/>
</OpenSearchDescription>
`.text
}

/** RFC 9116 requires a date of expiry within a year; every response has a new one. */
function toSecurity({ home }: PageRequest, contact: string): string {
  const expires = new Date(systemClock.now().getTime() + 30 * DAY_MS)
  expires.setUTCHours(0, 0, 0, 0)
  return `Contact: ${contact}
Expires: ${expires.toISOString()}
Preferred-Languages: ${LANGUAGE_CODES.join(', ')}
Canonical: ${home}/.well-known/security.txt
`
}
