// What search engines and link previews read in the head of a page.
import { LANGUAGE_CODES } from '../../domain/languages/languages.ts'
import { Html, html } from '../html.ts'
import { PAGE_LANGUAGES } from '../languages/page-languages.ts'
import { toAddress } from '../links.ts'
import type { View } from '../view.ts'

export type About = {
  /** Of the window; the name of the house follows it. */
  readonly title: string
  /** In one sentence or two; without it, what the directory is. */
  readonly description?: string
  /** The same for programs, in the words of schema.org. */
  readonly data?: Readonly<Record<string, unknown>>
  /** Not for search engines: one of endlessly many pages, or what nobody has verified. */
  readonly isUnlisted?: boolean
}

const MAX_DESCRIPTION = 300

export function toHead(
  view: View,
  { title, description = view.words.tagline, data, isUnlisted }: About,
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
${publicUrl === undefined ? undefined : toPlaces(publicUrl, path, parameters.lang === language ? language : undefined)}
${data && toData(data)}`
}

/** Only where the public address is known: what a caller wrote into the Host header is never an address of ours. */
function toPlaces(publicUrl: string, path: string, lang: string | undefined): Html {
  const address = (lang?: string) => publicUrl + toAddress(path, { lang })
  return html`<link rel="canonical" href="${address(lang)}">
<meta property="og:url" content="${address(lang)}">
${LANGUAGE_CODES.map(each => html`<link rel="alternate" hreflang="${each}" href="${address(each)}">\n`)}<link rel="alternate" hreflang="x-default" href="${address()}">`
}

/** A block of data is no script and never run; `<` is written so that no text of a stranger ends it. */
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
