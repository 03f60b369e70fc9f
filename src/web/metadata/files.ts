// Files at well-known paths for crawlers and browsers: robots.txt, sitemaps, OpenSearch, web app manifest, security.txt.
import type { LocalDirectory } from '../../directory/directory.ts'
import { LANGUAGE_CODES } from '../../domain/languages/languages.ts'
import { systemClock } from '../../runtime/clock.ts'
import { html } from '../html.ts'
import type { PageRequest, Rendered } from '../page.ts'
import { createView, toAddress } from '../view.ts'

/** A sitemap may have 50,000 URLs and 50 MiB. This many services are read in a few milliseconds. */
const SERVICES_IN_A_PART = 10_000
const DAY_MS = 86_400_000
const PAGES = ['/', '/catalog', '/register', '/about', '/docs']

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
  manifest: file(toManifest),
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
  const parts = 1 + Math.ceil(directory.reads.verified(0, 0).total / SERVICES_IN_A_PART)
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
  const ids = part === 0 ? [] : directory.reads.verified(from, SERVICES_IN_A_PART).ids
  if (part > 0 && ids.length === 0) return undefined
  // Samples are not for search engines.
  const real = ids.filter(id => !directory.reads.isSample(id))
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

function toManifest(request: PageRequest): string {
  const { words, language } = createView(request)
  return JSON.stringify({
    name: `${words.name} · ${words.tagline}`,
    short_name: words.name,
    lang: language,
    start_url: '/',
    display: 'minimal-ui',
    background_color: '#ffffff',
    theme_color: '#0e6650',
    icons: [{ src: '/mark.svg', sizes: 'any', type: 'image/svg+xml' }],
  })
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
