// How the embedding cuts Japanese. Its rows are trained on exactly these cuts: a change here asks for a new training run.
import type { EmbeddedRuns } from '../language.ts'

const CHARACTERS = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々〆'
const STARTS_WITH_ONE = new RegExp(`^[${CHARACTERS}]`, 'u')
const HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u
const KATAKANA_ONLY = /^[\p{Script=Katakana}ー]+$/u
const KANJI = /\p{Script=Han}/u
/** From this length on a known word is also read as its parts: 為替相場 is 為替 and 相場 too. */
const COMPOUND_LENGTH = 4

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

export const isJapanese = (word: string): boolean => STARTS_WITH_ONE.test(word)
export const isHiragana = (word: string): boolean => HIRAGANA_ONLY.test(word)

/** サーバー and サーバ are one word; short ones (キー, バー) keep the mark, which tells them apart. */
const withoutLongVowel = (word: string): string =>
  word.length >= 4 && word.endsWith('ー') && KATAKANA_ONLY.test(word) ? word.slice(0, -1) : word

export const JAPANESE_EMBEDDING: EmbeddedRuns = {
  characters: CHARACTERS,
  owns: isJapanese,
  *words(run) {
    for (const { segment } of segmenter.segment(run)) yield withoutLongVowel(segment)
  },
  // Unknown hiragana of one or two characters are particles cut in an odd place.
  isCompound: (word, isKnown) =>
    isKnown ? word.length >= COMPOUND_LENGTH && !isHiragana(word) : !isHiragana(word) || word.length > 2,
  isWord: character => KANJI.test(character),
}
