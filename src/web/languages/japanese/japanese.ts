import type { PageLanguage } from '../page-language.ts'
import { JAPANESE_PHRASES } from './phrases.ts'
import { allUnbroken, toGlued, toUnbroken } from './unbroken.ts'
import { JAPANESE_WORDS } from './words.ts'

export const JAPANESE: PageLanguage = {
  words: allUnbroken(JAPANESE_WORDS),
  numberLocale: 'ja',
  dateLocale: 'ja',
  openGraphLocale: 'ja_JP',
  phrases: JAPANESE_PHRASES,
  unbroken: toUnbroken,
  glued: toGlued,
}
