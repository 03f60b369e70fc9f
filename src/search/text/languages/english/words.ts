// Words of English: stems of the embedding, and stop words and stems of the index.

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

// English stop words and stems.

const STOP_WORDS = `a about above after again all also am an and any are as at be because been before being below between both but by
can cannot could couldnt did didnt do does doesnt doing dont down during each either else etc ever every few for from further had
has hasnt have havent having he her here hers him his how however i id if ill im in into is isnt it its itself ive just let lets
many may maybe me might mine more most much must my myself no nor not now of off on once one ones only onto or other our ours out over own
per please quite rather same shall she should so some somebody someone something somehow somewhere such than that thats the their
theirs them then there theres these they theyre this those though through to too under until up upon us use used useful user users
using very via was wasnt we well were werent what whats whatever when whenever where wherever whether which while who whom whose why
will with within without wont would wouldnt yes yet you youd youll your youre yours`

/** The phrasing of a request: "I am looking for…", "can you help me find…", "is there anything like…". */
const REQUEST_WORDS = `able anybody anyone anything find finding get gets getting give given gives gimme got hello help helps hey hi
know like look looking looks make makes making need needed needing needs show showing tell thank thanks there try trying wanna want
wanted wanting wants way wish
asap btw gonna kinda lemme ok okay pls plz smth sth thx ur wats
additionally afterwards finally firstly furthermore lastly moreover secondly thirdly
appreciate assist assistance assisting curious eager grateful hoping interested kindly provide provided provides providing wondering
called including includes include named regarding specifically titled`

const FILLER = new Set(`${STOP_WORDS} ${REQUEST_WORDS}`.split(/\s+/))

/** Returns whether a word is a stop word or phrases a request. `word` is lower-case, without apostrophes. */
export const isEnglishFiller = (word: string): boolean => FILLER.has(word)

/** Words that only look inflected. */
const UNCHANGED = new Set([
  'news',
  'aws',
  'gps',
  'sms',
  'dns',
  'ios',
  'https',
  'css',
  'rss',
  'series',
  'species',
])

/** taxes, boxes, buses: for these, the stem of the embedding keeps the e. */
const SHORT_PLURAL = /^(?:[a-z]{2}xes|buses|gases)$/

/** Words that stripping would make another word: the stats of a player are not the United States. Each is the stem of its plural. */
const DISTINCT = new Set(
  'state plane paste grade globe tense slope spare scare stare prime mission passion portion pension director'.split(
    ' ',
  ),
)

/**
 * Agent and action nouns share the stem of the verb: translator, translation, translate. Stripping further suffixes reduces
 * relevance.
 */
const DERIVED = /^(.*[aeiou].{2,})(?:ion|or)$/
const MIN_DERIVED = 7

const ENDINGS =
  'es ed ing ings ion ions or ors er ers ment able ably al ally ly ful ness ity ive ist ic ance'.split(' ')
/** The endings, and each with a letter missing: translat|on. */
const SPELT = [
  ...new Set(
    ENDINGS.flatMap(each => [each, ...[...each].map((_, i) => each.slice(0, i) + each.slice(i + 1))]),
  ),
]

/** Returns whether a word with this after its stem may be a form of it: translat|io is, text|ure is not. */
export const isEnglishEnding = (ending: string): boolean => SPELT.some(each => each.startsWith(ending))

const withoutAccents = (word: string): string =>
  /[^\x00-\x7f]/.test(word)
    ? word
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC')
    : word

/** The last letters of all endings that are stripped: -s, -ed, -ing, -e, -ion, -or. */
const LAST_LETTERS = new Set('sdgenr')

/** Returns the stem: forecasts, forecasting → forecast; translate, translation → translat. */
export function toEnglishTerm(written: string): string {
  const word = withoutAccents(written)
  if (!LAST_LETTERS.has(word.at(-1)!) || UNCHANGED.has(word)) return word
  if (SHORT_PLURAL.test(word)) return word.slice(0, -2)
  const one = word.endsWith('s') ? word.slice(0, -1) : word
  if (DISTINCT.has(one)) return one
  const stem = toStem(word)
  const isDerived = stem.length >= MIN_DERIVED && (stem.endsWith('ion') || stem.endsWith('or'))
  return isDerived ? stem.replace(DERIVED, '$1') : stem
}

const IS_LETTER = /[\p{L}\p{N}]/u
/** The maximum length of a word after its stem: forecast|ing. */
const LONGEST_ENDING = 5

function findWord(text: string, stem: string): string | undefined {
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1)) {
    if (at > 0 && IS_LETTER.test(text[at - 1]!)) continue
    let end = at + stem.length
    while (end < text.length && /[a-z]/.test(text[end]!)) end++
    if (end - at - stem.length <= LONGEST_ENDING) return text.slice(at, end)
  }
  return undefined
}

/** Returns the word of a lower-case text that has the stem. The y of a plural in -ies is not in the text: currenc|ies. */
export const findEnglishForm = (text: string, stem: string): string | undefined =>
  findWord(text, stem) ?? (stem.endsWith('y') ? findWord(text, stem.slice(0, -1)) : undefined)
