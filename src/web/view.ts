// What a page is rendered with: language, words, and addresses, within the pages and given by strangers.
import type { LanguageCode } from '../domain/languages/languages.ts'
import { chooseLanguage, isLanguage, toDayText, toNumberText, toTimeText } from './language.ts'
import type { Words } from './languages/english/words.ts'
import { PAGE_LANGUAGES, SOURCE_LANGUAGE } from './languages/page-languages.ts'
import type { PageRequest } from './page.ts'

export type Query = Readonly<Record<string, string | number | true | undefined>>

/** Leaves out empty parameters. */
export function toAddress(path: string, query: Query = {}): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value!)}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** A URL given by a stranger becomes a link only with http or https, never with `javascript:` or `data:`. */
export function toOuterLink(address: string): string | undefined {
  const protocol = URL.parse(address)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? address : undefined
}

// What every part of a page needs: the language, its words, formats and links.

export type View = {
  readonly language: LanguageCode
  readonly words: Words
  readonly request: PageRequest
  /** A URL within the pages; it keeps a language that was chosen by hand. */
  href(path: string, query?: Query): string
  /** A URL for programs, like a feed reader: they do not send the language of the reader, so it names that of the page. */
  hrefForPrograms(path: string, query?: Query): string
  number(value: number): string
  time(iso: string): string
  /** Without the year, which is clear from the context. */
  day(iso: string): string
}

export function createView(request: PageRequest): View {
  const { lang } = request.parameters
  const chosen = isLanguage(lang) ? lang : undefined
  const language = chosen ?? chooseLanguage(request.acceptLanguage)
  return {
    language,
    words: PAGE_LANGUAGES[language].words,
    request,
    href: (path, query) => toAddress(path, { ...query, lang: chosen }),
    hrefForPrograms: (path, query) =>
      toAddress(path, { ...query, lang: language === SOURCE_LANGUAGE ? chosen : language }),
    number: value => toNumberText(value, language),
    time: iso => toTimeText(iso, language),
    day: iso => toDayText(iso, language),
  }
}

/** The version in the OpenAPI document of the server. */
export const versionOf = ({ request }: View): string =>
  (request.document as { readonly info: { readonly version: string } }).info.version
