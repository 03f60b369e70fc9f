// The words of a provider in full: long URLs are shortened, and Japanese lines break between phrases.
import { type Html, html } from './html.ts'
import { toShortUrl } from './long-urls.ts'
import { toForeignPhrases } from './phrases.ts'

/** Not the punctuation of a sentence that a URL stands in. */
const URLS = /(https?:\/\/[^\s<>"「」『』（）、。]+)/iu

export const toProviderText = (text: string): Html =>
  html`${text.split(URLS).map((part, i) => (i % 2 === 1 ? toShortUrl(part) : toForeignPhrases(part)))}`
