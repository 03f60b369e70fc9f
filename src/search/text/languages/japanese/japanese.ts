// Japanese: written in its own characters and without spaces.

import { categoryLabels } from '../../../../domain/listing/categories.ts'
import type { Language } from '../language.ts'
import { toJapaneseAsides } from './asides.ts'
import { JAPANESE_CHAIN, JAPANESE_LISTED_CHAIN } from './chain.ts'
import { JAPANESE_LANGUAGE_NAMES, JAPANESE_NAMED_CONVERSIONS, toJapaneseConversions } from './conversions.ts'
import { JAPANESE_EMBEDDING } from './embedding.ts'
import { JAPANESE_LEXICON } from './lexicon.ts'
import { JAPANESE_EXCLUSION, JAPANESE_NEGATION } from './negation.ts'
import { JAPANESE_PAIRS } from './pairs.ts'
import { isJapaneseQuantity, JAPANESE_PHRASING_HINT, JAPANESE_PHRASINGS } from './phrasings.ts'
import { JAPANESE_MONEY, toJapaneseCurrency, toJapanesePrice } from './price.ts'
import { JAPANESE_REASONS } from './reasons.ts'
import { withoutRequest, withoutRomanFillers } from './requests.ts'
import { JAPANESE_SERVICE_NAMES } from './service-names.ts'
import { toKatakanaLetters } from './sound.ts'
import { withLetters } from './spelt-letters.ts'
import {
  JAPANESE_FREE,
  JAPANESE_MEASURE,
  JAPANESE_STATUS,
  JAPANESE_WISHES,
  toJapaneseCategory,
} from './standing.ts'
import { toJapaneseSteps } from './steps.ts'
import {
  continuesJapanese,
  findJapaneseForm,
  isJapaneseFiller,
  isVagueJapanese,
  toJapaneseParts,
  toJapaneseStem,
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
    toLetters: toKatakanaLetters,
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
    withoutRequest,
    respell: withLetters,
    withoutRomanFillers,
    toSteps: toJapaneseSteps,
    toAsides: toJapaneseAsides,
    toConversions: toJapaneseConversions,
    serviceNames: JAPANESE_SERVICE_NAMES,
    namedConversions: JAPANESE_NAMED_CONVERSIONS,
    namedPairs: JAPANESE_PAIRS,
    phrasings: JAPANESE_PHRASINGS,
    phrasingHint: JAPANESE_PHRASING_HINT,
    isLanguageOf: (word, text) => JAPANESE_LANGUAGE_NAMES.includes(word) && text.includes(`${word}で`),
    isQuantity: isJapaneseQuantity,
    money: JAPANESE_MONEY,
    negation: JAPANESE_NEGATION,
    constraints: shared => ({
      price: toJapanesePrice(shared),
      currency: toJapaneseCurrency(shared),
      measure: JAPANESE_MEASURE,
      status: JAPANESE_STATUS,
      free: JAPANESE_FREE,
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
