// Long URLs are shown by their host and their end. The middle stays in the page for whoever copies it, searches for it or listens to it.
import { type Html, html } from './html.ts'
import { toBreakable } from './layout.ts'

/** Three lines on a telephone. */
const MAX_SHOWN = 96
const MAX_TAIL = 32
const MIN_TAIL = 12
const ORIGIN = /^https?:\/\/[^/?#]*/i

/** A shorter one is whole. The host always is: it is what a reader must not mistake. */
export function toShortUrl(url: string): Html {
  const signs = Array.from(url)
  const origin = Array.from(ORIGIN.exec(url)?.[0] ?? '').length
  const most = Math.max(MAX_SHOWN - MAX_TAIL, origin)
  if (signs.length <= most + MAX_TAIL) return toBreakable(url)
  // After a part of the path or a parameter, if there is one.
  const head = Math.max(signs.slice(0, most).findLastIndex(isBorder) + 1, origin)
  const tail = tailOf(signs.slice(-MAX_TAIL))
  const [start, middle, end] = [signs.slice(0, head), signs.slice(head, -tail), signs.slice(-tail)]
  return html`<span class="long url" title="${url}">${toBreakable(start.join(''))}<span>${middle.join('')}</span><i aria-hidden="true">…</i>${end.join('')}</span>`
}

const isBorder = (sign: string): boolean => '/?&'.includes(sign)

/** The length of the end that is shown: from a part of the path or a parameter on. */
function tailOf(last: readonly string[]): number {
  const border = last.findIndex(isBorder)
  const length = last.length - border
  return border < 0 || length < MIN_TAIL ? last.length : length
}
