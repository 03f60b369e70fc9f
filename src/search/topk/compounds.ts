// Compounds that a query and an entry spell differently: e-mail and email, geo coding and geocoding, QR code and qrcode,
// getTokenPrice and its words.
import type { Language } from '../text/languages/language.ts'

type WrittenWord = { readonly word: string; readonly language: Language }

const MIN_JOINED = 5
const MAX_JOINED = 24

const CONVERSION = /^([a-z]{2,})[24]([a-z]{2,})$/

/** Returns the words of a conversion in its short form: text2speech. */
export const splitConversion = (word: string): string[] => CONVERSION.exec(word)?.slice(1) ?? []

/** Joins two words; undefined when their language does not put spaces between words. */
export function joinWords(first: WrittenWord, second: WrittenWord): string | undefined {
  const length = first.word.length + second.word.length
  if (length < MIN_JOINED || length > MAX_JOINED) return undefined
  const isSpaced = ({ language }: WrittenWord) => language.text.unspaced === undefined
  return isSpaced(first) && isSpaced(second) ? first.word + second.word : undefined
}
