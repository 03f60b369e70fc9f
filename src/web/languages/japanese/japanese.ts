import type { PageLanguage } from '../page-language.ts'
import { allUnbroken, toGlued, toUnbroken } from './unbroken.ts'
import { JAPANESE_WORDS } from './words.ts'

export const JAPANESE: PageLanguage = {
  words: allUnbroken(JAPANESE_WORDS),
  numberLocale: 'ja',
  dateLocale: 'ja',
  openGraphLocale: 'ja_JP',
  // Kana: a text of Han characters alone may be Chinese.
  script: /[\p{sc=Hiragana}\p{sc=Katakana}]/u,
  unbroken: toUnbroken,
  glued: toGlued,
}
