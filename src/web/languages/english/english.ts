import type { PageLanguage } from '../page-language.ts'
import { ENGLISH_WORDS } from './words.ts'

export const ENGLISH: PageLanguage = {
  words: ENGLISH_WORDS,
  numberLocale: 'en',
  dateLocale: 'en-GB',
  openGraphLocale: 'en_GB',
}
