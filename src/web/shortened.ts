// Hashes and addresses in running text, shown by their ends. The middle stays in the page for whoever copies it, searches for it or
// listens to it; it only takes no room.
import { type Html, html } from './html.ts'

const HEAD = 6
const TAIL = 4
/** Hexadecimal, or base58 with a digit in it, which no word has; not as a part of a URL. */
const LONG =
  /(?<![\w/=-]|\w\.)(?:0x[0-9a-fA-F]{32,}|(?=[A-Za-z]*\d)[1-9A-HJ-NP-Za-km-z]{32,88})(?![\w/=-]|\.\w)/g

/** The first and last characters, as wallets show an address. */
export const toEnds = (text: string): string =>
  text.length > 16 ? `${text.slice(0, HEAD)}…${text.slice(-TAIL)}` : text

/** @param glue keeps a text in the line of the value before it, where the language wants that */
export function toShortened(text: string, glue: (text: string) => string = itself): Html {
  const found = [...text.matchAll(LONG)]
  // Somebody may have made an address whose ends are those of another: then only the whole tells them apart.
  const values = new Set(found.map(([value]) => value))
  if (found.length === 0 || new Set([...values].map(toEnds)).size < values.size) return html`${text}`
  let end = 0
  const parts = found.map(({ 0: value, index }) => {
    const before = end > 0 ? glue(text.slice(end, index)) : text.slice(0, index)
    end = index + value.length
    return html`${before}<span class="long" title="${value}">${value.slice(0, HEAD)}<span>${value.slice(HEAD, -TAIL)}</span><i aria-hidden="true">…</i>${value.slice(-TAIL)}</span>`
  })
  return html`${parts}${glue(text.slice(end))}`
}

const itself = (text: string): string => text
