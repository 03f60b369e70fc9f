// The language of a page, and its formats of numbers and times.

import { forEachLanguage, LANGUAGE_CODES, type LanguageCode } from '../domain/languages/languages.ts'
import { readQualities } from '../domain/quality-list.ts'
import { PAGE_LANGUAGES } from './languages/page-languages.ts'

export const isLanguage = (text: string | undefined): text is LanguageCode =>
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

export const toNumberText = (number: number, language: LanguageCode): string =>
  numbersOf(language).format(number)

/** A line breaks neither between a day and its month nor between an hour and its time zone. */
const unbroken = (text: string): string => text.replace(/(?<=\d) (?=\p{L})|(?<=\p{L}) (?=\d)/gu, '\u00a0')

/** Hours have two digits in every language, so that times stand below each other. */
export const toTimeText = (iso: string, language: LanguageCode): string =>
  unbroken(
    `${timesOf(language)
      .format(new Date(iso))
      .replace(/(?<= )(?=\d:)/, '0')} UTC`,
  )

export const toDayText = (iso: string, language: LanguageCode): string =>
  unbroken(daysOf(language).format(new Date(iso)))
