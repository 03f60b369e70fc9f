// Links to the pages of a list of services.
import { type Html, html } from './html.ts'
import type { View } from './view.ts'

export const PAGE_SIZE = 20

/** Where the last page begins. */
export const lastOffset = (total: number): number =>
  Math.floor(Math.max(0, total - 1) / PAGE_SIZE) * PAGE_SIZE

/** @param toHref the address of the page that begins at an offset */
export function toPageLinks(
  { words, number }: View,
  { total, offset }: { readonly total: number; readonly offset: number },
  toHref: (offset: number) => string,
): Html | undefined {
  if (total <= PAGE_SIZE) return undefined
  const link = (rel: string, at: number, text: string) =>
    html`<a rel="${rel}" href="${toHref(at)}">${text}</a>`
  return html`<nav class="pages" aria-label="${words.search.pages}">
${offset > 0 ? link('prev', Math.max(0, offset - PAGE_SIZE), words.search.previous) : html`<span></span>`}
<span>${words.search.page(number(Math.floor(offset / PAGE_SIZE) + 1), number(Math.ceil(total / PAGE_SIZE)))}</span>
${offset + PAGE_SIZE < total ? link('next', offset + PAGE_SIZE, words.search.next) : html`<span></span>`}
</nav>`
}
