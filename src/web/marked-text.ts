// Shortens a description around the matched words, and marks these.
import { memoize } from '../memory/memoize.ts'
import { type Html, html } from './html.ts'
import { breaksOf, toBroken } from './phrases.ts'

/** Words of these scripts have no spaces between them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const WORDS = /[\p{L}\p{N}]+/gu
/** Characters before the first marked word if the beginning is cut off. */
const LEAD = 60
/** A word that begins earlier than this before the end is cut all the same. */
const MAX_WORD = 20

type Span = readonly [start: number, end: number]

/** The same services are found by many searches. */
const recallBreaks = memoize(1_000, breaksOf)

/** Shows at most `most` characters. */
export function toMarkedText(text: string, tokens: readonly string[], most: number): Html {
  const spans = findSpans(text, tokens)
  const [start, end] = toWindow(text, spans[0]?.[0] ?? 0, most)
  const breaks = recallBreaks(text.slice(0, end))
  const parts: Html[] = start > 0 ? [html`… `] : []
  let at = start
  for (const [from, to] of spans) {
    if (from < at || to > end) continue
    const mark = html`<mark>${toBroken(
      text,
      from,
      to,
      breaks?.filter(each => each > from),
    )}</mark>`
    parts.push(
      html`${toBroken(text, at, from, breaks)}${breaks?.includes(from) ? html`<wbr>` : undefined}${mark}`,
    )
    at = to
  }
  parts.push(html`${toBroken(text, at, end, breaks)}${end < text.length ? ' …' : ''}`)
  return breaks ? html`<span class="phrased">${parts}</span>` : html`${parts}`
}

function toWindow(text: string, first: number, most: number): Span {
  if (text.length <= most) return [0, text.length]
  const start = first + LEAD <= most ? 0 : Math.min(first - LEAD, text.length - most)
  return [onWhole(text, start), atWord(text, onWhole(text, start + most))]
}

/** Before a word that would be cut, if it began shortly before. */
function atWord(text: string, at: number): number {
  const isCut = /\S/.test(text[at] ?? ' ') && /\S/.test(text[at - 1] ?? ' ')
  const space = text.lastIndexOf(' ', at)
  return isCut && space > at - MAX_WORD ? space : at
}

/** Not within a surrogate pair. */
const onWhole = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at)

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
  const words = tokens.filter(each => !UNSPACED.test(each))
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
  return short.length >= 4 && long.length - short.length <= 3 && long.startsWith(short)
}
