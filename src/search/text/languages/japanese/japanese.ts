// Japanese: written in its own characters and without spaces.

import { categoryLabels } from '../../../../domain/listing/categories.ts'
import type { Language } from '../language.ts'
import { JAPANESE_CHAIN, JAPANESE_LISTED_CHAIN } from './chain.ts'
import { JAPANESE_EMBEDDING } from './embedding.ts'
import { JAPANESE_LEXICON } from './lexicon.ts'
import { JAPANESE_EXCLUSION, JAPANESE_NEGATION } from './negation.ts'
import { JAPANESE_MONEY, toJapaneseCurrency, toJapanesePrice } from './price.ts'
import { JAPANESE_REASONS } from './reasons.ts'
import {
  JAPANESE_FREE,
  JAPANESE_PROTOCOL,
  JAPANESE_STATUS,
  JAPANESE_WISHES,
  toJapaneseCategory,
} from './standing.ts'
import {
  continuesJapanese,
  findJapaneseForm,
  isJapaneseFiller,
  isJapaneseQuantity,
  isVagueJapanese,
  toJapaneseParts,
  toJapaneseStem,
  toJapaneseSteps,
  toJapaneseWords,
} from './words.ts'

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
    lexicon: JAPANESE_LEXICON,
    continues: continuesJapanese,
    // Two characters are a whole word.
    minFuzzyLength: 0,
    isVague: isVagueJapanese,
    joint: '',
    findForm: findJapaneseForm,
  },
  sentence: {
    isFiller: isJapaneseFiller,
    generic: ['サービス', 'エージェント'],
    toSteps: toJapaneseSteps,
    isQuantity: isJapaneseQuantity,
    money: JAPANESE_MONEY,
    negation: JAPANESE_NEGATION,
    constraints: shared => ({
      price: toJapanesePrice(shared),
      currency: toJapaneseCurrency(shared),
      status: JAPANESE_STATUS,
      free: JAPANESE_FREE,
      protocol: JAPANESE_PROTOCOL,
      category: toJapaneseCategory(shared),
      wish: JAPANESE_WISHES,
      chain: JAPANESE_CHAIN,
      listed: JAPANESE_LISTED_CHAIN,
      exclusion: JAPANESE_EXCLUSION,
    }),
  },
  reasons: JAPANESE_REASONS,
  embedding: { runs: JAPANESE_EMBEDDING },
  categoryLabel: id => categoryLabels(id).ja,
}
