// A part of a page that waits for the result of a probe. The script fetches it until the result is there; without it the reader reloads.
import { type Html, html } from './html.ts'
import type { View } from './view.ts'

export const toWaitingPart = (content: Html, isWaiting: boolean): Html =>
  html`<div id="news"${isWaiting ? html` aria-live="polite" data-waiting` : undefined}>${content}</div>`

/** How the reader gets to see the result. */
export const toResultNote = ({ words: { result } }: View): Html =>
  html`<span data-watched="no">${result.reload}</span><span data-watched="yes" hidden>${result.comes}</span>`
