// What pages are drawn with: the files that they load, whose URLs contain a hash of the content so that browsers cache them
// permanently, and the logo and icons, which are within the page.
import { readFileSync } from 'node:fs'
import type { Status } from '../domain/standing/standing.ts'
import { codeFile } from '../package/files.ts'
import { type Html, html } from './html.ts'

const read = (name: string): string => readFileSync(codeFile(`web/${name}`), 'utf8')
const versioned = (path: string, text: string): string => `${path}?v=${Bun.hash(text).toString(36)}`

/** In this order: later rules win. */
const STYLES = ['base', 'parts', 'search', 'service', 'forms']

export const STYLE = STYLES.map(name => read(`style/${name}.css`)).join('\n')
export const SCRIPT = read('script.js')
/** Only for the sign-in page. */
export const WALLET_SCRIPT = read('wallet.js')
export const FAVICON = readFileSync(codeFile('web/favicon.ico'))
/** For link previews, in the size that consumers of Open Graph recommend. */
export const PICTURE = { path: '/picture.png', width: 1200, height: 630 } as const
export const PICTURE_FILE = readFileSync(codeFile('web/picture.png'))

export const STYLE_ADDRESS = versioned('/style.css', STYLE)
export const SCRIPT_ADDRESS = versioned('/script.js', SCRIPT)
export const WALLET_ADDRESS = versioned('/wallet.js', WALLET_SCRIPT)

// The logo and the icons. Every icon repeats the text beside it.

const icon = (kind: 'line' | 'solid', drawing: Html): Html =>
  html`<svg class="icon ${kind}" viewBox="0 0 16 16" aria-hidden="true">${drawing}</svg>`

/** A signpost: a post, and a board that points onwards. */
const SIGNPOST = html`<path d="M14.5 3.5h3v25h-3z"/><path d="M5 6.5h17.2l4.8 4.5-4.8 4.5H5z"/><path d="M10 18h14v6H10l-3.2-3z" opacity=".45"/>`

export const MARK = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">${SIGNPOST}</svg>`

export const MARK_FILE = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0e6650"/><g fill="#fff" transform="translate(3.2 3.2) scale(.8)">${SIGNPOST}</g></svg>`

/** They differ in shape: a tick, an open ring, a crossed ring. */
export const STATUS_ICONS: Readonly<Record<Status, Html>> = {
  verified: icon(
    'solid',
    html`<circle cx="8" cy="8" r="7"/><path class="cut" d="m4.8 8.3 2.2 2.2 4.3-4.6"/>`,
  ),
  unverified: icon('line', html`<circle cx="8" cy="8" r="6" stroke-dasharray="2.6 2.1"/>`),
  inactive: icon('line', html`<circle cx="8" cy="8" r="6"/><path d="m4.2 11.8 7.6-7.6"/>`),
}

/** How a purchase ended: a tick, a cross, a dash. */
export const OUTCOME_ICONS = {
  good: STATUS_ICONS.verified,
  bad: icon(
    'solid',
    html`<circle cx="8" cy="8" r="7"/><path class="cut" d="m5.4 5.4 5.2 5.2M10.6 5.4l-5.2 5.2"/>`,
  ),
  open: icon('line', html`<circle cx="8" cy="8" r="6"/><path d="M5.2 8h5.6"/>`),
} as const

/** Beside what stands for the status of a sample: a page with a folded corner. */
export const SAMPLE_ICON = icon('line', html`<path d="M3.5 1.8h6l3 3v9.4h-9zM9.5 1.8v3h3"/>`)

/** They differ in shape: an octagon, a triangle, a circle. */
export const LEVEL_ICONS = {
  stop: icon(
    'solid',
    html`<path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z"/><path class="cut" d="M8 4.4v4.4M8 11.4h0"/>`,
  ),
  care: icon('solid', html`<path d="M8 1.2 15.4 14.4H.6z"/><path class="cut" d="M8 5.8v4M8 12.2h0"/>`),
  note: icon('line', html`<circle cx="8" cy="8" r="6.4"/><path d="M8 7.4v3.9M8 4.8h0"/>`),
} as const

export const SEARCH_ICON = icon('line', html`<circle cx="7" cy="7" r="4.6"/><path d="m10.6 10.6 4 4"/>`)
export const ARROW_ICON = icon('line', html`<path d="M2.5 8h10M9 4.5 12.7 8 9 11.5"/>`)
