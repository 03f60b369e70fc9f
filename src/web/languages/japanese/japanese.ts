import type { PageLanguage } from '../page-language.ts'
import { JAPANESE_PHRASES } from './phrases.ts'
import { JAPANESE_WORDS } from './words.ts'

export const JAPANESE: PageLanguage = {
  words: JAPANESE_WORDS,
  numberLocale: 'ja',
  dateLocale: 'ja',
  openGraphLocale: 'ja_JP',
  phrases: JAPANESE_PHRASES,
}
