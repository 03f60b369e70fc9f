// The pronunciation of katakana, so that a name is found in either script: コインゲッコー and CoinGecko.
import { toRoman } from './lexicon.ts'

const KATAKANA = /^[ァ-ヶー]{3,}$/

export const toKatakanaLetters = (word: string): string | undefined =>
  KATAKANA.test(word)
    ? toRoman(word.replace(/[ァ-ヶ]/g, kana => String.fromCharCode(kana.charCodeAt(0) - 0x60)))
    : undefined
