// Names of up to 255 characters, which must not fill a telephone: a heading shows them whole in smaller letters, lists cut them.
import { type Html, html } from './html.ts'
import { toForeignPhrases } from './phrases.ts'

/** Longer ones are set smaller. */
const MAX_HEADING = 60
/** Enough to distinguish one from another. */
const MAX_LISTED = 80

export const toCutName = (name: string, most = MAX_LISTED): string => {
  const letters = Array.from(name)
  return letters.length > most ? `${cutAtWord(letters.slice(0, most).join(''), letters[most]!)}…` : name
}

/** Without the beginning of a word that is cut, if it is short. @param next the letter that follows */
const cutAtWord = (text: string, next: string): string =>
  next === ' ' ? text.trimEnd() : text.replace(/ \S{1,20}$/u, '').trimEnd()

/** @param mark attributes of the heading */
export const toNameHeading = (name: string, mark?: Html): Html =>
  html`<h1${name.length > MAX_HEADING ? html` class="lengthy"` : undefined}${mark}>${toForeignPhrases(name)}</h1>`
