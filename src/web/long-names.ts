// Names of up to 255 characters, which must not fill a telephone: a heading shows them whole in smaller letters, lists cut them.
import { type Html, html } from './html.ts'

/** Longer ones are set smaller. */
const MAX_HEADING = 60
/** Enough to distinguish one from another. */
const MAX_LISTED = 80

export const toCutName = (name: string, most = MAX_LISTED): string => {
  const letters = Array.from(name)
  return letters.length > most ? `${letters.slice(0, most).join('').trimEnd()}…` : name
}

/** @param mark attributes of the heading */
export const toNameHeading = (name: string, mark?: Html): Html =>
  html`<h1${name.length > MAX_HEADING ? html` class="lengthy"` : undefined}${mark}>${name}</h1>`
