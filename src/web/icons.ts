// The drawings: the mark of the house and the few signs beside words. All of them repeat what the words say.
import type { Status } from '../domain/standing.ts'
import { type Html, html } from './html.ts'

const icon = (kind: 'line' | 'solid', drawing: Html): Html =>
  html`<svg class="icon ${kind}" viewBox="0 0 16 16" aria-hidden="true">${drawing}</svg>`

/** A signpost: a post, and a board that points onwards. */
const SIGNPOST = html`<path d="M14.5 3.5h3v25h-3z"/><path d="M5 6.5h17.2l4.8 4.5-4.8 4.5H5z"/><path d="M10 18h14v6H10l-3.2-3z" opacity=".45"/>`

export const MARK = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">${SIGNPOST}</svg>`

export const MARK_FILE = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0e6650"/><g fill="#fff" transform="translate(3.2 3.2) scale(.8)">${SIGNPOST}</g></svg>`

/** Told apart by shape: a tick, an open ring, a crossed one. */
export const STATUS_ICONS: Readonly<Record<Status, Html>> = {
  verified: icon(
    'solid',
    html`<circle cx="8" cy="8" r="7"/><path class="cut" d="m4.8 8.3 2.2 2.2 4.3-4.6"/>`,
  ),
  unverified: icon('line', html`<circle cx="8" cy="8" r="6" stroke-dasharray="2.6 2.1"/>`),
  inactive: icon('line', html`<circle cx="8" cy="8" r="6"/><path d="m4.2 11.8 7.6-7.6"/>`),
}

export const SEARCH_ICON = icon('line', html`<circle cx="7" cy="7" r="4.6"/><path d="m10.6 10.6 4 4"/>`)
export const ARROW_ICON = icon('line', html`<path d="M2.5 8h10M9 4.5 12.7 8 9 11.5"/>`)

/** A bar from 0 to 100, as a picture of the number beside it. */
export const toMeter = (value: number, most = 100): Html =>
  html`<svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><path class="track" d="M0 3h100"/>${value > 0 ? html`<path class="fill" d="M0 3h${Math.round((1000 * value) / Math.max(most, 1)) / 10}"/>` : undefined}</svg>`
