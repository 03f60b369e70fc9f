// What every part of a page needs to know: the language, its words, and how to lead on.
import { chooseLanguage, isLanguage, type Language, toNumberText, toTimeText } from './language.ts'
import { ENGLISH, type Words } from './languages/english/words.ts'
import { JAPANESE } from './languages/japanese/words.ts'
import { type Query, toAddress } from './links.ts'
import type { PageRequest } from './page.ts'

const WORDS: Readonly<Record<Language, Words>> = { en: ENGLISH, ja: JAPANESE }

export type View = {
  readonly language: Language
  readonly words: Words
  readonly request: PageRequest
  /** An address within the pages; a language that was chosen by hand goes along. */
  href(path: string, query?: Query): string
  number(value: number): string
  time(iso: string): string
}

export function createView(request: PageRequest): View {
  const { lang } = request.parameters
  const chosen = isLanguage(lang) ? lang : undefined
  const language = chosen ?? chooseLanguage(request.acceptLanguage)
  return {
    language,
    words: WORDS[language],
    request,
    href: (path, query) => toAddress(path, { ...query, lang: chosen }),
    number: value => toNumberText(value, language),
    time: iso => toTimeText(iso, language),
  }
}

/** What the server says about itself in its OpenAPI document. */
export const versionOf = ({ request }: View): string =>
  (request.document as { readonly info: { readonly version: string } }).info.version
