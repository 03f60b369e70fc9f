// Maps the inflected forms of an English word to one row of the embedding: plural, past and -ing endings, and a final e.
// The rows are trained on exactly these stems: a change requires a new training run.

const VOWEL = /[aeiouy]/
const DOUBLED = /([^aeiouylsz])\1$/
/** Where English drops an e before -ing and -ed: creat(e), enabl(e), pric(e), chang(e), remov(e), measur(e). */
const LOST_E = /(at|bl|iz|uc|as|ag|eg|iv|ang|arg|erg|uir|ur|ut|ot|ap|[aeiou]c|rc|nc)$/
const SHORT_SYLLABLE = /^[^aeiou]*[aeiouy][^aeiouwxy]$/

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word
  if (!word.endsWith('s') || /(ss|us|is)$/.test(word)) return word
  return word.slice(0, -1)
}

function withoutSuffix(word: string): string {
  if (word.endsWith('eed')) return word
  let base = word
  if (word.endsWith('ed') && word.length > 4) base = word.slice(0, -2)
  else if (word.endsWith('ing') && word.length > 5) base = word.slice(0, -3)
  if (base === word || !VOWEL.test(base)) return word
  if (base.length > 2 && LOST_E.test(base)) return `${base}e`
  if (DOUBLED.test(base)) return base.slice(0, -1)
  return SHORT_SYLLABLE.test(base) ? `${base}e` : base
}

/** Returns the stem of a lower-case word. Words with digits and words of up to three letters are unchanged. */
export function toStem(word: string): string {
  if (word.length < 4 || /[0-9]/.test(word)) return word
  const base = withoutSuffix(withoutPlural(word))
  // The e is dropped rather than restored, so that forms whose e cannot be guessed get the same stem.
  return base.length > 4 && base.endsWith('e') ? base.slice(0, -1) : base
}
