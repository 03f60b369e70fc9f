// Detects the language of a description by its letters and commonest words. For statistics only: nothing is ranked, filtered or
// refused by it.

/** ISO 639-1; `und` (undetermined) for every other language and for ambiguous texts. */
export const TEXT_LANGUAGES = ['und', 'en', 'ja', 'zh', 'ko', 'es', 'fr', 'de', 'pt'] as const
export type TextLanguage = (typeof TEXT_LANGUAGES)[number]

/** Words that nearly every sentence of the language contains, and that few other languages have. */
const COMMON_WORDS: Partial<Readonly<Record<TextLanguage, readonly string[]>>> = {
  en: ['the', 'and', 'of', 'for', 'with', 'from', 'to', 'by', 'your', 'any', 'is', 'as', 'in', 'on', 'a'],
  es: ['el', 'los', 'las', 'del', 'para', 'con', 'una', 'por', 'y', 'su', 'más', 'según', 'en', 'la', 'de'],
  fr: ['le', 'les', 'des', 'du', 'pour', 'avec', 'une', 'par', 'et', 'vos', 'sur', 'dans', 'la', 'de', 'en'],
  de: [
    'der',
    'die',
    'das',
    'und',
    'für',
    'mit',
    'von',
    'ein',
    'eine',
    'den',
    'dem',
    'zu',
    'ist',
    'auf',
    'in',
  ],
  pt: [
    'os',
    'as',
    'dos',
    'das',
    'para',
    'com',
    'uma',
    'por',
    'e',
    'seu',
    'mais',
    'não',
    'em',
    'do',
    'da',
    'de',
  ],
}
const NONE: readonly TextLanguage[] = []
const VOTES = new Map<string, TextLanguage[]>()
for (const [language, words] of Object.entries(COMMON_WORDS))
  for (const word of words) VOTES.set(word, [...(VOTES.get(word) ?? []), language as TextLanguage])

/** In characters: the first sentences are sufficient. */
const MAX_READ = 200
/** An ideograph carries about as much as two letters. */
const IDEOGRAPH_WEIGHT = 2
/** Latin letters and the punctuation between them. */
const LATIN_ONLY = /^[\x00-\u024f\u2000-\u2bff]*$/
const BETWEEN_WORDS = /[^a-z\u00df-\u024f]+/

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Must take only a few microseconds: it runs for every entry at a start. */
export function languageOfText(text: string): TextLanguage {
  const start = text.slice(0, MAX_READ)
  if (LATIN_ONLY.test(start)) return ofLatin(start)
  const latin = countOf(start, /[a-z\u00c0-\u024f]/gi)
  const kana = countOf(start, /[\u3041-\u30ff]/g)
  const han = countOf(start, /[\u3400-\u9fff]/g)
  const hangul = countOf(start, /[\uac00-\ud7a3]/g)
  const others = countOf(start, /\p{L}/gu) - latin - kana - han - hangul
  const max = Math.max(latin, others, IDEOGRAPH_WEIGHT * (kana + han), IDEOGRAPH_WEIGHT * hangul)
  if (max === 0 || max === others) return 'und'
  if (max === latin) return ofLatin(start)
  if (max === IDEOGRAPH_WEIGHT * hangul) return 'ko'
  return kana > 0 ? 'ja' : 'zh'
}

/** The language with the most common words; undetermined where two are tied or none occurs. */
function ofLatin(text: string): TextLanguage {
  const votes = new Map<TextLanguage, number>()
  for (const word of text.toLowerCase().split(BETWEEN_WORDS))
    for (const language of VOTES.get(word) ?? NONE) votes.set(language, (votes.get(language) ?? 0) + 1)
  let [max, best, isTied]: [number, TextLanguage, boolean] = [0, 'und', false]
  for (const [language, count] of votes) {
    isTied = count === max || (count < max && isTied)
    if (count > max) [max, best] = [count, language]
  }
  return isTied ? 'und' : best
}
