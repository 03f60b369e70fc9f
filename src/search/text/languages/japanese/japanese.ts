// Japanese: written in its own characters and without spaces.
import type { Language } from '../language.ts'
import { toJapaneseParts, toJapaneseStem, toJapaneseWords } from './words.ts'

const CHARACTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const STARTS_WITH_ONE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const CHARACTER_OR_MARK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆]/u

export const JAPANESE: Language = {
  code: 'ja',
  recognises: text => CHARACTER.test(text),
  owns: word => STARTS_WITH_ONE.test(word),
  text: {
    unspaced: { isOwn: character => CHARACTER_OR_MARK.test(character), segment: toJapaneseWords },
    toStem: toJapaneseStem,
    toParts: toJapaneseParts,
    // Two characters are a whole word.
    minFuzzyLength: 0,
  },
}
