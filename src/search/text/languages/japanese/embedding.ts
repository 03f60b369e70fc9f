// How the embedding tokenizes Japanese. Its rows are trained on exactly these tokens: a change here requires a new training
// run.
import type { EmbeddedRuns } from '../language.ts'

const CHARACTERS = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々〆'
const STARTS_WITH_ONE = new RegExp(`^[${CHARACTERS}]`, 'u')
const HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u
const KATAKANA_ONLY = /^[\p{Script=Katakana}ー]+$/u
const KANJI = /\p{Script=Han}/u
/** Known words from this length on are also split into their parts: 為替相場 is also 為替 and 相場. */
const COMPOUND_LENGTH = 4

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

export const isJapanese = (word: string): boolean => STARTS_WITH_ONE.test(word)
export const isHiragana = (word: string): boolean => HIRAGANA_ONLY.test(word)

/** サーバー and サーバ are one word. Short words (キー, バー) keep the mark, which distinguishes them. */
const withoutLongVowel = (word: string): string =>
  word.length >= 4 && word.endsWith('ー') && KATAKANA_ONLY.test(word) ? word.slice(0, -1) : word

export const JAPANESE_EMBEDDING: EmbeddedRuns = {
  characters: CHARACTERS,
  owns: isJapanese,
  *words(run) {
    for (const { segment } of segmenter.segment(run)) yield withoutLongVowel(segment)
  },
  // Unknown hiragana of one or two characters are wrongly segmented particles.
  isCompound: (word, isKnown) =>
    isKnown ? word.length >= COMPOUND_LENGTH && !isHiragana(word) : !isHiragana(word) || word.length > 2,
  isWord: character => KANJI.test(character),
}
