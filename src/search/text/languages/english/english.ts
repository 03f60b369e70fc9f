// English, and whatever other language is written in letters with spaces between its words.
import type { Language } from '../language.ts'
import { toEnglishTerm } from './words.ts'

const LATIN = /\p{Script=Latin}/u
const STARTS_LATIN = /^\p{Script=Latin}/u

export const ENGLISH: Language = {
  code: 'en',
  recognises: text => LATIN.test(text),
  owns: word => STARTS_LATIN.test(word),
  text: {
    toStem: toEnglishTerm,
    toParts: () => [],
    minFuzzyLength: 6,
  },
}
