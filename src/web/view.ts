// What every part of a page needs to know: the language, its words, and how to lead on.
import type { LanguageCode } from '../domain/languages/languages.ts'
import { chooseLanguage, isLanguage, toDayText, toNumberText, toTimeText } from './language.ts'
import type { Words } from './languages/english/words.ts'
import { PAGE_LANGUAGES } from './languages/page-languages.ts'
import { type Query, toAddress } from './links.ts'
import type { PageRequest } from './page.ts'

export type View = {
  readonly language: LanguageCode
  readonly words: Words
  readonly request: PageRequest
  /** An address within the pages; a language that was chosen by hand goes along. */
  href(path: string, query?: Query): string
  number(value: number): string
  time(iso: string): string
  /** Without the year, which the time around it tells. */
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
    number: value => toNumberText(value, language),
    time: iso => toTimeText(iso, language),
    day: iso => toDayText(iso, language),
  }
}

/** What the server says about itself in its OpenAPI document. */
export const versionOf = ({ request }: View): string =>
  (request.document as { readonly info: { readonly version: string } }).info.version
