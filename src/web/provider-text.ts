// Words that others wrote: names, descriptions, URLs, addresses. They may be very long and in any language; they are shortened, marked and
// escaped here.
import { endpointHost } from '../domain/hosts/endpoint.ts'
import { type Html, html } from './html.ts'
import { PAGE_LANGUAGES } from './languages/page-languages.ts'
import { toOuterLink, type View } from './view.ts'

/** Attributes of an element with a provider's words: their direction, and their language if its lines break in another way than those of the page. */
export function toForeign({ language }: View, text: string): Html {
  const found = Object.entries(PAGE_LANGUAGES).find(
    ([code, { script }]) => code !== language && script?.test(text),
  )
  return html` dir="auto"${found && html` lang="${found[0]}"`}`
}

/** Not the punctuation of a sentence that a URL stands in. */
const URLS = /(https?:\/\/[^\s<>"「」『』（）、。]+)/iu

export const toProviderText = (text: string): Html =>
  html`${text.split(URLS).map((part, i) => (i % 2 === 1 ? toShortUrl(part) : part))}`

/** In a narrow column a URL breaks after a slash or before a parameter. */
export const toBreakable = (text: string): Html =>
  html`${text
    .split(/(?<=[^/]\/)(?=[^/\s])|(?=[?&])/)
    .map((piece, i) => html`${i > 0 ? html`<wbr>` : undefined}${piece}`)}`

// Names have up to 255 characters and must not fill a telephone: a heading shows them whole in smaller letters, lists cut them.

/** Longer ones are set smaller. */
const MAX_HEADING = 60
/** Enough to distinguish one from another. */
const MAX_LISTED = 80

export const toCutName = (name: string, most = MAX_LISTED): string => {
  if (name.length <= most) return name
  const letters = Array.from(name)
  return letters.length > most ? `${cutAtWord(letters.slice(0, most).join(''), letters[most]!)}…` : name
}

/** Without the beginning of a word that is cut, if it is short. @param next the letter that follows */
const cutAtWord = (text: string, next: string): string =>
  next === ' ' ? text.trimEnd() : text.replace(/ \S{1,20}$/u, '').trimEnd()

/** @param mark attributes of the heading */
export const toNameHeading = (name: string, mark?: Html): Html =>
  html`<h1${name.length > MAX_HEADING ? html` class="lengthy"` : undefined}${mark}>${name}</h1>`

// Long URLs are shown by their host and their end. The middle stays in the page for whoever copies it, searches for it or listens to it.

/** Three lines on a telephone. */
const MAX_SHOWN = 96
const URL_TAIL = 32
const ORIGIN = /^https?:\/\/[^/?#]*/i

/** A shorter one is whole. The host always is: it is what a reader must not mistake. */
export function toShortUrl(url: string): Html {
  const signs = Array.from(url)
  const origin = Array.from(ORIGIN.exec(url)?.[0] ?? '').length
  const head = Math.max(MAX_SHOWN - URL_TAIL, origin)
  if (signs.length <= head + URL_TAIL) return toBreakable(url)
  const part = (from: number, to?: number) => signs.slice(from, to).join('')
  return html`<span class="long url" title="${url}">${toBreakable(part(0, head))}<span>${part(head, -URL_TAIL)}</span><i aria-hidden="true">…</i>${part(-URL_TAIL)}</span>`
}

// Hashes and addresses in running text are shown by their ends. The middle stays in the page, and only takes no room.

const HEAD = 6
const TAIL = 4
/** Hexadecimal, or base58 with a digit in it, which no word has; not as a part of a URL. */
const LONG =
  /(?<![\w/=-]|\w\.)(?:0x[0-9a-fA-F]{32,}|(?=[A-Za-z]*\d)[1-9A-HJ-NP-Za-km-z]{32,88})(?![\w/=-]|\.\w)/g

/** The first and last characters, as wallets show an address. */
export const toEnds = (text: string): string =>
  text.length > 16 ? `${text.slice(0, HEAD)}…${text.slice(-TAIL)}` : text

export function toShortened(text: string): Html {
  const found = [...text.matchAll(LONG)]
  // Somebody may have made an address whose ends are those of another: then only the whole tells them apart.
  const values = new Set(found.map(([value]) => value))
  if (found.length === 0 || new Set([...values].map(toEnds)).size < values.size) return html`${text}`
  let end = 0
  const parts = found.map(({ 0: value, index }) => {
    const before = text.slice(end, index)
    end = index + value.length
    return html`${before}<span class="long" title="${value}">${value.slice(0, HEAD)}<span>${value.slice(HEAD, -TAIL)}</span><i aria-hidden="true">…</i>${value.slice(-TAIL)}</span>`
  })
  return html`${parts}${text.slice(end)}`
}

/** Where the reader is asked to compare: a look-alike has the same ends. */
export const toWhole = (text: string): Html =>
  html`${text.split(new RegExp(`(${LONG.source})`)).map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`

// The words that were searched for are marked.

/** Words of these scripts have no spaces between them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const WORDS = /[\p{L}\p{N}]+/gu
/** Shorter words have no forms. */
const MIN_FORM = 4
type Span = readonly [start: number, end: number]

/** Shows at most `most` characters. */
export function toMarkedText(text: string, tokens: readonly string[], most: number): Html {
  const shown = toCutName(text, most)
  let at = 0
  const parts = findSpans(shown, tokens).map(([from, to]) => {
    const before = shown.slice(at, from)
    at = to
    return html`${before}<mark>${shown.slice(from, to)}</mark>`
  })
  return html`${parts}${shown.slice(at)}`
}

/** Positions of the tokens, sorted and disjoint. Tokens of scripts without spaces match anywhere, others as forms of whole words. */
function findSpans(text: string, tokens: readonly string[]): Span[] {
  const lower = text.toLowerCase()
  // A few letters change their length with their case, so that positions would differ.
  if (tokens.length === 0 || lower.length !== text.length) return []
  const spans: Span[] = []
  for (const token of tokens.filter(each => UNSPACED.test(each))) {
    for (let at = lower.indexOf(token); at >= 0; at = lower.indexOf(token, at + token.length))
      spans.push([at, at + token.length])
  }
  // Forms of a word begin alike.
  const words = tokens.filter(each => !UNSPACED.test(each) && lower.includes(each.slice(0, MIN_FORM)))
  if (words.length > 0) {
    for (const { 0: word, index } of lower.matchAll(WORDS))
      if (words.some(token => isForm(word, token))) spans.push([index, index + word.length])
  }
  return joined(spans.sort((a, b) => a[0] - b[0]))
}

/** Spans that touch become one: 天気 and 予報 are one word to the eye. */
function joined(spans: readonly Span[]): Span[] {
  const apart: Span[] = []
  for (const [start, end] of spans) {
    const last = apart.at(-1)
    if (last && start <= last[1]) apart[apart.length - 1] = [last[0], Math.max(last[1], end)]
    else apart.push([start, end])
  }
  return apart
}

/** forecast, forecasts and forecasting, but not port and portrait. */
function isForm(word: string, token: string): boolean {
  if (word === token) return true
  const [short, long] = word.length < token.length ? [word, token] : [token, word]
  return short.length >= MIN_FORM && long.length - short.length <= 3 && long.startsWith(short)
}

/** In a narrow column it breaks before a dot rather than within a label. */
export const toHost = (endpoint: string): Html =>
  html`${(endpointHost(endpoint) || endpoint)
    .split(/(?=\.)/)
    .map((label, i) => html`${i > 0 ? html`<wbr>` : undefined}${label}`)}`

export function toHostLink(endpoint: string): Html {
  const address = toOuterLink(endpoint)
  const host = toHost(endpoint)
  return address === undefined
    ? host
    : html`<a href="${address}" rel="nofollow noopener noreferrer external">${host}</a>`
}
