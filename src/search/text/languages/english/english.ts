// English, and any other language in Latin letters with spaces between words.

import { categoryLabels } from '../../../../domain/listing/categories.ts'
import type { Language } from '../language.ts'
import { ENGLISH_CHAIN } from './chain.ts'
import { ENGLISH_LEXICON } from './lexicon.ts'
import { ENGLISH_EXCLUSION, ENGLISH_NEGATION } from './negation.ts'
import { ENGLISH_MONEY, toEnglishCurrency, toEnglishPrice } from './price.ts'
import { ENGLISH_REASONS } from './reasons.ts'
import {
  ENGLISH_FREE,
  ENGLISH_PROTOCOL,
  ENGLISH_STATUS,
  ENGLISH_WISHES,
  toEnglishCategory,
} from './standing.ts'
import { toStem } from './stem.ts'
import { toEnglishSteps } from './steps.ts'
import {
  findEnglishForm,
  isEnglishEnding,
  isEnglishFiller,
  isEnglishQuantity,
  isVagueEnglish,
  splitEnglishCompound,
  toEnglishTerm,
} from './words.ts'

const LATIN = /\p{Script=Latin}/u
const STARTS_LATIN = /^\p{Script=Latin}/u

export const ENGLISH: Language = {
  code: 'en',
  recognises: text => LATIN.test(text),
  owns: word => STARTS_LATIN.test(word),
  text: {
    toStem: toEnglishTerm,
    toParts: () => [],
    lexicon: ENGLISH_LEXICON,
    continues: (_word, _edge, neighbour) => /[a-z0-9]/.test(neighbour),
    splitCompound: splitEnglishCompound,
    minFuzzyLength: 6,
    isEnding: isEnglishEnding,
    isVague: isVagueEnglish,
    joint: ' ',
    findForm: findEnglishForm,
  },
  sentence: {
    isFiller: isEnglishFiller,
    generic: ['api', 'apis', 'service', 'services', 'endpoint', 'endpoints', 'provider', 'providers', 'x402'],
    toSteps: toEnglishSteps,
    isQuantity: isEnglishQuantity,
    money: ENGLISH_MONEY,
    negation: ENGLISH_NEGATION,
    constraints: shared => ({
      price: toEnglishPrice(shared),
      currency: toEnglishCurrency(shared),
      status: ENGLISH_STATUS,
      free: ENGLISH_FREE,
      protocol: ENGLISH_PROTOCOL,
      category: toEnglishCategory(shared),
      wish: ENGLISH_WISHES,
      chain: ENGLISH_CHAIN,
      exclusion: ENGLISH_EXCLUSION,
    }),
  },
  reasons: ENGLISH_REASONS,
  embedding: { toStem },
  categoryLabel: id => categoryLabels(id).en,
}
