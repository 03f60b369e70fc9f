// The frame of every page: head, navigation, languages, footer.

import { LANGUAGE_CODES, LANGUAGES } from '../domain/languages/languages.ts'
import { SCRIPT_ADDRESS, STYLE_ADDRESS } from './assets.ts'
import { type Html, html } from './html.ts'
import { MARK } from './icons.ts'
import { toAddress } from './links.ts'
import { FEEDS } from './metadata/feeds.ts'
import { type PageMetadata, toHead } from './metadata/head.ts'
import { toBreakable } from './provider-text.ts'
import type { View } from './view.ts'

export type Body = PageMetadata & {
  readonly main: Html
  /** The entry of the navigation that is current. */
  readonly place?: 'search' | 'catalog' | 'register' | 'about' | 'api'
  /** URL of an additional script. */
  readonly script?: string
}

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
<link rel="manifest" href="/manifest.webmanifest">
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
${toLanguages(view)}
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer>
<nav aria-label="${words.footer.label}"><a href="${href('/yours')}">${words.owner.title}</a><a href="${href('/status')}">${words.status.title}</a><a href="/docs">${words.footer.reference}</a><a href="/openapi.json">${words.footer.document}</a><a href="/api/export">${words.footer.exported}</a></nav>
<p>${words.footer.note}</p>
</footer>
</body>
</html>
`
}

function toLanguages({ language, words, request }: View): Html {
  return html`<div class="languages" role="group" aria-label="${words.languages}">${LANGUAGE_CODES.map(
    each =>
      each === language
        ? html`<span lang="${each}" aria-current="true">${LANGUAGES[each].ownName}</span>`
        : html`<a lang="${each}" hreflang="${each}" href="${toAddress(request.path, { ...request.parameters, lang: each })}">${LANGUAGES[each].ownName}</a>`,
  )}</div>`
}

/** Text with a copy button, which a script reveals. */
export const toCopyable = (view: View, text: string, what: string, shown = toBreakable(text)): Html =>
  html`<span class="copyable"><code>${shown}</code>${toCopyButton(view, text, what)}</span>`

/** @param label where what it copies is not beside it */
export const toCopyButton = ({ words }: View, text: string, what: string, label = words.copy): Html =>
  html`<button type="button" class="copy" data-copy="${text}" data-done="${words.copied}" aria-label="${words.copyWhat(what)}" hidden>${label}</button>`

/** A time, readable for people and programs. */
export const toTime = (view: View, iso: string): Html =>
  html`<time datetime="${iso}">${view.time(iso)}</time>`
