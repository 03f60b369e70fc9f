// What every page has: the head that browsers, search engines and link previews read, navigation, footer, and parts shared by pages.

import { LANGUAGE_CODES, LANGUAGES } from '../domain/languages/languages.ts'
import { OWN_COMMAND } from '../package/files.ts'
import { MARK, PICTURE, SCRIPT_ADDRESS, SEARCH_ICON, STYLE_ADDRESS } from './assets.ts'
import { Html, html, type Value } from './html.ts'
import { PAGE_LANGUAGES } from './languages/page-languages.ts'
import { OPERATOR_COOKIE, SESSION_COOKIE } from './page.ts'
import { toBreakable } from './provider-text.ts'
import { type Query, toAddress, type View } from './view.ts'

type PageMetadata = {
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
}

const MAX_DESCRIPTION = 300
const MAX_QUESTION = 500

function toHead(
  view: View,
  { title, description = view.words.tagline, data, isUnlisted, query }: PageMetadata,
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

// The frame of every page: head, navigation, languages, footer.

type Body = PageMetadata & {
  readonly main: Html
  /** The entry of the navigation that is current. */
  readonly place?: keyof typeof PLACES | 'operator'
  /** URL of an additional script. */
  readonly script?: string
}

/** The feeds that every page links to. */
export const FEEDS = ['new', 'changed', 'broken'] as const

const PLACES = {
  search: '/',
  catalog: '/catalog',
  register: '/register',
  about: '/about',
  api: '/docs',
} as const

export function toDocument(view: View, { main, place, script, ...about }: Body): Html {
  const { language, words, href, hrefForPrograms } = view
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${toHead(view, about)}
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/mark.svg" type="image/svg+xml">
<link rel="ard" type="application/ai-catalog+json" href="/.well-known/ard.json">
<link rel="search" type="application/opensearchdescription+xml" title="${words.name}" href="/opensearch.xml">
${FEEDS.map(name => html`<link rel="alternate" type="application/atom+xml" title="${words.feeds[name]}" href="${hrefForPrograms(`/feeds/${name}.atom`)}">\n`)}<link rel="stylesheet" href="${STYLE_ADDRESS}">
<script src="${SCRIPT_ADDRESS}" defer></script>
${script && html`<script src="${script}" defer></script>`}
</head>
<body>
<a class="skip" href="#main">${words.skip}</a>
<header class="top">
<a class="brand" href="${href('/')}">${MARK}<span>Shirube <span lang="ja">標</span></span></a>
<nav aria-label="${words.nav.label}">${(Object.keys(PLACES) as (keyof typeof PLACES)[]).map(
    name =>
      html`<a href="${href(PLACES[name])}"${name === place ? html` aria-current="page"` : undefined}>${words.nav[name]}</a>`,
  )}</nav>
<div class="reader">${toOwn(view, place)}${toLanguages(view)}</div>
</header>
<main id="main" tabindex="-1">
${view.request.isSample ? html`<p class="sample">${words.sampleNote} <code>${OWN_COMMAND} serve</code></p>` : undefined}
${main}
</main>
<footer>
<nav aria-label="${words.footer.label}"><a href="${href('/status')}">${words.status.title}</a><a href="/docs">${words.footer.reference}</a><a href="/openapi.json">${words.footer.document}</a><a href="/api/export">${words.footer.exported}</a></nav>
<p>${words.footer.note}</p>
</footer>
</body>
</html>
`
}

/** The pages of who is signed in, apart from the others. */
function toOwn({ words, href, request: { cookies } }: View, place: Body['place']): Html {
  const { owner, operator } = words
  const isOperator = place === 'operator' || Boolean(cookies[OPERATOR_COOKIE])
  const isOwner = Boolean(cookies[SESSION_COOKIE])
  const link = (path: string, text: string, isCurrent: boolean) =>
    html`<a href="${href(path)}"${isCurrent ? html` aria-current="page"` : undefined}>${text}</a>`
  return html`${isOperator ? link('/operator', operator.title, place === 'operator') : undefined}${isOwner || !isOperator ? link('/yours', isOwner ? owner.title : owner.signIn.title, false) : undefined}`
}

/** For an operator: leads to the form that adds a service to the collection that policies of agents name. */
export const toApproval = ({ words, href, request: { cookies } }: View, id: string): Html | undefined =>
  cookies[OPERATOR_COOKIE]
    ? html`<a class="button quiet small" href="${href('/operator/collections', { approve: id })}">${words.operator.approve}</a>`
    : undefined

/** The same page in the other languages. */
const toLanguages = ({ language, request: { path, parameters } }: View): Html =>
  html`${LANGUAGE_CODES.filter(each => each !== language).map(
    lang =>
      html`<a lang="${lang}" hreflang="${lang}" href="${toAddress(path, { ...parameters, lang })}">${LANGUAGES[lang].ownName}</a>`,
  )}`

/** Text with a copy button, which a script reveals. */
export const toCopyable = (view: View, text: string, what: string, shown = toBreakable(text)): Html =>
  html`<span class="copyable"><code>${shown}</code>${toCopyButton(view, text, what)}</span>`

/** @param label where what it copies is not beside it. @param kind main: what a page is for */
export const toCopyButton = (
  { words }: View,
  text: string,
  what: string,
  label = words.copy,
  kind: 'main' | 'small' = 'small',
): Html =>
  html`<button type="button" class="copy ${kind}" data-copy="${text}" data-done="${words.copied}" aria-label="${words.copyWhat(what)}" hidden>${label}</button>`

/** The search box. @param id of the form, on the page whose script shows results while typing */
export function toSearchBox({ words, request }: View, question = '', id?: string): Html {
  const { lang, without = '' } = request.parameters
  return html`<form${id && html` id="${id}"`} class="box" action="/" method="get" role="search">
<label class="unseen" for="q">${words.search.box}</label>
${SEARCH_ICON}<input id="q" type="search" name="q" value="${question}" placeholder="${words.search.box}" maxlength="${MAX_QUESTION}" autocomplete="off" enterkeyhint="search">
${lang ? html`<input type="hidden" name="lang" value="${lang}">` : undefined}${without ? html`<input type="hidden" name="without" value="${without}">` : undefined}
<button>${SEARCH_ICON}<span>${words.search.button}</span></button>
</form>`
}

/** Names with what is said of each. */
export const toRows = (
  rows: readonly (readonly [name: Html | string, value: Html | string | undefined])[],
): Html =>
  html`<dl class="rows">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

/** Names above figures. */
export const toTiles = (facts: readonly (readonly [name: string, value: string | Html])[]): Html =>
  html`<dl class="tiles panel">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

/** A table, whose first cells name the rows. On a phone the others stand below them, each with the head of its column. */
export const toTable = (heads: readonly string[], rows: readonly (readonly Value[])[]): Html =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="${heads.join(', ')}"><table class="stacked"><thead><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows.map(
    ([
      name,
      ...cells
    ]) => html`<tr><th scope="row">${name}</th>${cells.map((cell, i) => html`<td data-head="${heads[i + 1]}">${cell}</td>`)}</tr>
`,
  )}</tbody></table></div>`

/** A part of a page that opens, with what is in it in one line. @param id of its content, so that a link to it opens it */
export const toFold = (id: string, title: string, summary: Html | string, content: Html): Html =>
  html`<details><summary><h2>${title}</h2> <span>${summary}</span></summary><div id="${id}">${content}</div></details>
`

/** A time, readable for people and programs. */
export const toTime = (view: View, iso: string): Html =>
  html`<time datetime="${iso}">${view.time(iso)}</time>`

// Links to the pages of a list of services.

export const PAGE_SIZE = 20

/** Where the last page begins. */
export const lastOffset = (total: number, size = PAGE_SIZE): number =>
  Math.floor(Math.max(0, total - 1) / size) * size

type Place = { readonly total: number; readonly offset: number; readonly size?: number }

/** Which page it is. */
export const toPlace = ({ words, number }: View, { total, offset, size = PAGE_SIZE }: Place): string =>
  words.search.page(number(Math.floor(offset / size) + 1), number(Math.ceil(total / size)))

/** @param toHref the address of the page that begins at an offset */
export function toPageLinks(view: View, place: Place, toHref: (offset: number) => string): Html | undefined {
  const { words } = view
  const { total, offset, size = PAGE_SIZE } = place
  if (total <= size) return undefined
  const link = (rel: string, at: number, text: string) =>
    html`<a rel="${rel}" href="${toHref(at)}">${text}</a>`
  return html`<nav class="pages" aria-label="${words.search.pages}">
${offset > 0 ? link('prev', Math.max(0, offset - size), words.search.previous) : html`<span></span>`}
<span>${toPlace(view, place)}</span>
${offset + size < total ? link('next', offset + size, words.search.next) : html`<span></span>`}
</nav>`
}

// A part of a page that waits for the result of a probe. The script fetches it until the result is there; without it the reader reloads.

export const toWaitingPart = (content: Html, isWaiting: boolean): Html =>
  html`<div id="news"${isWaiting ? html` aria-live="polite" data-waiting` : undefined}>${content}</div>`

/** How the reader gets to see the result. */
export const toResultNote = ({ words: { result } }: View): Html =>
  html`<span data-watched="no">${result.reload}</span><span data-watched="yes" hidden>${result.comes}</span>`

// How to reach the operator, where that is configured.

/** @param contact a mailto:, https: or tel: address; empty if there is none */
export function toOperatorContact({ words: { owner, colon } }: View, contact: string): Html | undefined {
  if (contact === '') return undefined
  const shown = contact.replace(/^(?:mailto|tel):([^?]*).*$/s, '$1')
  return html`<p>${owner.operatorContact}${colon}<a href="${contact}">${shown}</a></p>`
}

// What an empty directory shows: an invitation to register a service.

export const toNothingYet = (view: View, head: Html): Html =>
  html`<div class="catalog">${head}<div class="empty"><h2>${view.words.search.noneYet}</h2>${toInvitation(view)}</div></div>`

export const toInvitation = ({ words, href }: View): Html =>
  html`<p>${words.owner.noneHint}</p><p><a class="button" href="${href('/register')}">${words.register.title}</a></p><p class="note">${words.operator.way} <a href="${href('/operator')}">${words.operator.title}</a></p>`
