// English words: which ones say nothing about what is wanted, and what the forms of one word have in common.

const STOP_WORDS = `a about above after again all also am an and any are as at be because been before being below between both but by
can cannot could couldnt did didnt do does doesnt doing dont down during each either else etc ever every few for from further had
has hasnt have havent having he her here hers him his how however i id if ill im in into is isnt it its itself ive just let lets
may maybe me might mine more most much must my myself no nor not now of off on once one ones only onto or other our ours out over own
per please quite rather same shall she should so some somebody someone something somehow somewhere such than that thats the their
theirs them then there theres these they theyre this those though through to too under until up upon us use used useful user users
using very via was wasnt we well were werent what whats whatever when whenever where wherever whether which while who whom whose why
will with within without wont would wouldnt yes yet you youd youll your youre yours`

/** How a request is dressed: "I am looking for…", "can you help me find…", "is there anything like…". */
const REQUEST_WORDS = `able anybody anyone anything find finding get gets getting give given gives gimme got hello help helps hey hi
know like look looking looks make makes making need needed needing needs show showing tell thank thanks there try trying wanna want
wanted wanting wants way wish`

const FILLER = new Set(`${STOP_WORDS} ${REQUEST_WORDS}`.split(/\s+/))

/** Stop words and the phrasing of a request; `word` is lower-case, without apostrophes. */
export const isEnglishFiller = (word: string): boolean => FILLER.has(word)

/** Words whose ending only looks like one. */
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
  'status',
  'analysis',
])

const VOWELS = 'aeiou'
const isVowel = (word: string, at: number): boolean =>
  VOWELS.includes(word[at]!) || (word[at] === 'y' && at > 0 && !isVowel(word, at - 1))

/** How many times a run of vowels is followed by a run of consonants. */
function measure(stem: string): number {
  let count = 0
  for (let i = 1; i < stem.length; i++) if (isVowel(stem, i - 1) && !isVowel(stem, i)) count++
  return count
}

function hasVowel(stem: string): boolean {
  for (let i = 0; i < stem.length; i++) if (isVowel(stem, i)) return true
  return false
}

const endsDoubled = (word: string): boolean =>
  word.length > 1 && word.at(-1) === word.at(-2) && !isVowel(word, word.length - 1)

/** Consonant, vowel, consonant other than w, x, y: where a silent e was dropped. */
const endsShort = (word: string): boolean =>
  word.length > 2 &&
  !isVowel(word, word.length - 3) &&
  isVowel(word, word.length - 2) &&
  !isVowel(word, word.length - 1) &&
  !'wxy'.includes(word.at(-1)!)

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us') ? word.slice(0, -1) : word
}

function withoutPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const suffix = word.endsWith('ing') ? 3 : word.endsWith('ed') ? 2 : 0
  const stem = word.slice(0, word.length - suffix)
  if (suffix === 0 || !hasVowel(stem)) return word
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsDoubled(stem) && !'lsz'.includes(stem.at(-1)!)) return stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

/** Derived endings and what they go back to, where at least `over + 1` syllables stay. */
const DERIVED: readonly (readonly [over: number, endings: readonly (readonly [string, string])[]])[] = [
  [
    0,
    Object.entries({
      ational: 'ate',
      tional: 'tion',
      enci: 'ence',
      anci: 'ance',
      izer: 'ize',
      abli: 'able',
      alli: 'al',
      entli: 'ent',
      eli: 'e',
      ousli: 'ous',
      ization: 'ize',
      ation: 'ate',
      ator: 'ate',
      alism: 'al',
      iveness: 'ive',
      fulness: 'ful',
      ousness: 'ous',
      aliti: 'al',
      iviti: 'ive',
      biliti: 'ble',
    }),
  ],
  [0, Object.entries({ icate: 'ic', ative: '', alize: 'al', iciti: 'ic', ical: 'ic', ful: '', ness: '' })],
  [
    1,
    Object.entries({
      al: '',
      ance: '',
      ence: '',
      er: '',
      ic: '',
      able: '',
      ible: '',
      ant: '',
      ement: '',
      ment: '',
      ent: '',
      sion: 's',
      tion: 't',
      ou: '',
      ism: '',
      ate: '',
      iti: '',
      ous: '',
      ive: '',
      ize: '',
      or: '',
    }),
  ],
].map(([over, endings]) => [
  over as number,
  (endings as [string, string][]).sort((a, b) => b[0].length - a[0].length),
])

function withoutDerived(word: string): string {
  for (const [over, endings] of DERIVED) {
    const ending = endings.find(([suffix]) => word.endsWith(suffix))
    if (!ending) continue
    const [suffix, back] = ending
    if (measure(word.slice(0, -suffix.length) + (over === 1 ? back : '')) > over)
      word = word.slice(0, -suffix.length) + back
  }
  return word
}

function withoutFinalE(word: string): string {
  if (word.endsWith('e')) {
    const stem = word.slice(0, -1)
    if (measure(stem) > 1 || (measure(stem) === 1 && !endsShort(stem))) word = stem
  }
  return word.endsWith('ll') && measure(word) > 1 ? word.slice(0, -1) : word
}

/** What the forms of one word share (Porter's rules): translate, translation, translating → translat. */
export function toEnglishStem(word: string): string {
  if (word.length < 4 || UNCHANGED.has(word) || !/^[a-z]+$/.test(word)) return word
  let stem = withoutPast(withoutPlural(word))
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`
  return withoutFinalE(withoutDerived(stem))
}
