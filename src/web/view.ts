// What a page is rendered with: its language with words and formats, and addresses, within the pages and given by strangers.

import { readQualities } from '../domain/http-headers.ts'
import { forEachLanguage, LANGUAGE_CODES, type LanguageCode } from '../domain/languages/languages.ts'
import type { Words } from './languages/english/words.ts'
import { PAGE_LANGUAGES, SOURCE_LANGUAGE } from './languages/page-languages.ts'
import type { PageRequest } from './page.ts'

const isLanguage = (text: string | undefined): text is LanguageCode =>
  LANGUAGE_CODES.some(code => code === text)

const toLanguage = (tag: string): string | undefined => tag.split('-')[0]

/** The language with the highest quality (RFC 9110, 12.5.4); of several the one that is named first, else the first of ours. */
export function chooseLanguage(acceptLanguage: string | null): LanguageCode {
  const qualities = forEachLanguage(() => 0)
  const accepted = readQualities(acceptLanguage)
  for (const { name, quality } of accepted) {
    const language = toLanguage(name)
    if (isLanguage(language)) qualities[language] = Math.max(qualities[language], quality)
  }
  const highest = Math.max(...Object.values(qualities))
  const wanted = LANGUAGE_CODES.filter(code => qualities[code] === highest)
  const named = toLanguage(accepted[0]?.name ?? '')
  return wanted.find(code => highest > 0 && code === named) ?? wanted[0]!
}

/** Created on first use, so that the start does not wait for the tables of Intl. */
function perLanguage<T>(make: (code: LanguageCode) => T): (code: LanguageCode) => T {
  const made: Partial<Record<LanguageCode, T>> = {}
  return code => {
    made[code] ??= make(code)
    return made[code]
  }
}

const numbersOf = perLanguage(code => new Intl.NumberFormat(PAGE_LANGUAGES[code].numberLocale))
const dates = (options: Intl.DateTimeFormatOptions) =>
  perLanguage(
    code => new Intl.DateTimeFormat(PAGE_LANGUAGES[code].dateLocale, { ...options, timeZone: 'UTC' }),
  )
const timesOf = dates({ dateStyle: 'medium', timeStyle: 'short' })
const daysOf = dates({ month: 'short', day: 'numeric' })

const toNumberText = (number: number, language: LanguageCode): string => numbersOf(language).format(number)

/** A line breaks neither between a day and its month nor between an hour and its time zone. */
const unbroken = (text: string): string => text.replace(/(?<=\d) (?=\p{L})|(?<=\p{L}) (?=\d)/gu, '\u00a0')

/** Hours have two digits in every language, so that times stand below each other. */
export const toTimeText = (iso: string, language: LanguageCode): string =>
  unbroken(
    `${timesOf(language)
      .format(new Date(iso))
      .replace(/(?<= )(?=\d:)/, '0')} UTC`,
  )

const toDayText = (iso: string, language: LanguageCode): string =>
  unbroken(daysOf(language).format(new Date(iso)))

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

/** To two digits, like the latency that lists show and sort by; in seconds from one second on. */
export function toLatencyText(
  { words: { proof }, number }: Pick<View, 'words' | 'number'>,
  ms: number,
): string {
  const rounded = Math.round(Number(ms.toPrecision(2)))
  return rounded < 1_000 ? proof.ms(number(rounded)) : proof.seconds(number(rounded / 1_000))
}

/** The version in the OpenAPI document of the server. */
export const versionOf = ({ request }: View): string =>
  (request.document as { readonly info: { readonly version: string } }).info.version
