// The part of the head that search engines and link previews read.
import { LANGUAGE_CODES } from '../../domain/languages/languages.ts'
import { PICTURE } from '../assets.ts'
import { Html, html } from '../html.ts'
import { PAGE_LANGUAGES } from '../languages/page-languages.ts'
import { type Query, toAddress } from '../links.ts'
import type { View } from '../view.ts'

export type PageMetadata = {
  /** Title of the page; the name of the directory is appended. */
  readonly title: string
  /** One or two sentences; by default, what the directory is. */
  readonly description?: string
  /** Structured data in the vocabulary of schema.org. */
  readonly data?: Readonly<Record<string, unknown>>
  /** Whether search engines are told not to index it. */
  readonly isUnlisted?: boolean
  /** Parameters that the page depends on, apart from its language. */
  readonly query?: Query
  /** A feed of this page, in addition to those that every page links to. */
  readonly feed?: { readonly title: string; readonly path: string }
}

const MAX_DESCRIPTION = 300

export function toHead(
  view: View,
  { title, description = view.words.tagline, data, isUnlisted, query, feed }: PageMetadata,
): Html {
  const { words, language, request } = view
  const { publicUrl, path, parameters } = request
  const short = cut(description)
  const heading = title === '' ? words.name : title
  return html`<meta name="description" content="${short}">
<title>${title === '' ? `${words.name} · ${words.tagline}` : `${title} · ${words.name}`}</title>
${isUnlisted ? html`<meta name="robots" content="noindex">` : undefined}
<meta property="og:site_name" content="${words.name}">
<meta property="og:type" content="website">
<meta property="og:locale" content="${PAGE_LANGUAGES[language].openGraphLocale}">
<meta property="og:title" content="${heading}">
<meta property="og:description" content="${short}">
${publicUrl === undefined ? undefined : toAddresses(publicUrl, path, query, parameters.lang === language ? language : undefined)}
${publicUrl === undefined ? undefined : toPicture(publicUrl + PICTURE.path, heading)}
${feed && html`<link rel="alternate" type="application/atom+xml" title="${feed.title}" href="${feed.path}">`}
${data && toData(data)}`
}

/** Only if the public address is configured: the Host header is chosen by the caller. */
function toAddresses(
  publicUrl: string,
  path: string,
  query: Query | undefined,
  lang: string | undefined,
): Html {
  const address = (lang?: string) => publicUrl + toAddress(path, { ...query, lang })
  return html`<link rel="canonical" href="${address(lang)}">
<meta property="og:url" content="${address(lang)}">
${LANGUAGE_CODES.map(each => html`<link rel="alternate" hreflang="${each}" href="${address(each)}">\n`)}<link rel="alternate" hreflang="x-default" href="${address()}">`
}

const toPicture = (
  address: string,
  title: string,
): Html => html`<meta property="og:image" content="${address}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${PICTURE.width}">
<meta property="og:image:height" content="${PICTURE.height}">
<meta property="og:image:alt" content="${title}">
<meta name="twitter:card" content="summary_large_image">`

/** A data block, which browsers do not execute. `<` is escaped so that no text of a provider can end it. */
const toData = (data: Readonly<Record<string, unknown>>): Html =>
  new Html(
    `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c')}</script>`,
  )

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= MAX_DESCRIPTION) return line
  return `${line
    .slice(0, MAX_DESCRIPTION - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}
