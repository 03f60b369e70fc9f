// The languages of the pages.
import type { LanguageCode } from '../../domain/languages/languages.ts'
import { ENGLISH } from './english/english.ts'
import { JAPANESE } from './japanese/japanese.ts'
import type { PageLanguage } from './page-language.ts'

export const PAGE_LANGUAGES: Readonly<Record<LanguageCode, PageLanguage>> = { en: ENGLISH, ja: JAPANESE }

/** In which the reference, and what the directory says about services, is written. */
export const SOURCE_LANGUAGE: LanguageCode = 'en'
