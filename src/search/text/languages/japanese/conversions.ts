// Conversions as Japanese tells them, by particles: PDFをMarkdownに, 日本語から英語へ, 住所から緯度経度を.
import type { Conversion } from '../language.ts'

const WORD = '[\\p{Script=Han}\\p{Script=Katakana}ーA-Za-z0-9+#]{1,20}'
/** What is converted may be told by two words: Excelの表, Word 文書. */
const NAME = `(${WORD}(?:(?:の|\\s)${WORD})?)`
const CONVERSION = new RegExp(`${NAME}(?:を\\s?${NAME}(?:に|へ)|から\\s?${NAME}(?:に|へ|を|の|\\s|$))`, 'gu')
const BETWEEN_WORDS = /の|\s|(?<=[A-Za-z0-9+#])(?=[^A-Za-z0-9+#])|(?<=[^A-Za-z0-9+#])(?=[A-Za-z0-9+#])/u

const toWords = (name: string): string[] =>
  name
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .filter(word => word !== '')

export const toJapaneseConversions = (text: string): Conversion[] =>
  [...text.matchAll(CONVERSION)].map(([, from = '', made, made2]) => ({
    from: toWords(from),
    to: toWords(made ?? made2 ?? ''),
  }))
