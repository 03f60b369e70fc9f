// Which language a page speaks, and how it writes numbers and times.

export type Language = 'en' | 'ja'
export const LANGUAGES: readonly Language[] = ['en', 'ja']

export const isLanguage = (text: string | undefined): text is Language =>
  LANGUAGES.some(language => language === text)

/** Japanese where it is wanted more than English (RFC 9110, 12.5.4). */
export function chooseLanguage(acceptLanguage: string | null): Language {
  const qualities = { en: 0, ja: 0 }
  for (const item of (acceptLanguage ?? '').toLowerCase().split(',')) {
    const [tag = '', ...parameters] = item.split(';').map(part => part.trim())
    const language = tag.split('-')[0]
    if (!isLanguage(language)) continue
    const given = parameters.find(parameter => parameter.startsWith('q='))
    qualities[language] = Math.max(qualities[language], given ? Number(given.slice(2)) || 0 : 1)
  }
  if (qualities.ja !== qualities.en) return qualities.ja > qualities.en ? 'ja' : 'en'
  return /^\s*ja\b/i.test(acceptLanguage ?? '') && qualities.ja > 0 ? 'ja' : 'en'
}

const numbers = { en: new Intl.NumberFormat('en'), ja: new Intl.NumberFormat('ja') }
const dates = (options: Intl.DateTimeFormatOptions) => ({
  en: new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }),
  ja: new Intl.DateTimeFormat('ja', { ...options, timeZone: 'UTC' }),
})
const times = dates({ dateStyle: 'long', timeStyle: 'short' })
const days = dates({ month: 'short', day: 'numeric' })

export const toNumberText = (number: number, language: Language): string => numbers[language].format(number)

export const toTimeText = (iso: string, language: Language): string =>
  `${times[language].format(new Date(iso))} UTC`

export const toDayText = (iso: string, language: Language): string => days[language].format(new Date(iso))
