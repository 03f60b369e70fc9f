// The skeleton of a name: look-alike characters are mapped to one, so that two names with the same skeleton can be mistaken for each
// other. The idea is from Unicode TR39; the tables here only have the letters that names are forged with.
import { LANGUAGE_CODES, LANGUAGES } from '../languages/languages.ts'

/** Capitals whose lower-case form looks like another letter. */
const CAPITALS = toMap({
  h: 'ΗНҺᎻꓧ',
  i: 'ΙІӀƖᎥ',
  m: 'ΜᎷꓟ',
  n: 'Νꓠ',
  y: 'ΥУҮᎩᎽꓬ',
  b: 'ΒВЬᏴᏏꓐ',
  t: 'ΤТꓔᎢ',
  a: 'Ꭺꓮ',
  c: 'Ꮯꓚ',
  d: 'Ꭰꓓ',
  e: 'ΕᎬꓰ',
  g: 'ᏀꓖԌ',
  j: 'Ꭻꓙ',
  k: 'Ꮶꓗ',
  l: 'Ꮮꓡ',
  o: 'ꓳ',
  p: 'Ꮲꓑ',
  r: 'ᎡᏒꓣ',
  s: 'ՏᏚᏕꓢ',
  u: 'ꓴ',
  v: 'Ꮩꓦ',
  w: 'ᎳᏔꓪ',
  x: 'ꓫ',
  z: 'ΖᏃꓜ',
})

/** Lower-case letters and digits; those of one line look alike. */
const SMALL = toMap({
  a: 'αаɑᴀ',
  b: 'βвьƅʙ',
  c: 'сςᴄ',
  d: 'ԁđɖɗᴅ',
  e: 'еҽ℮ᴇ',
  f: 'ғƒꜰք',
  g: 'ɡցɢǥ',
  h: 'нһհʜħ',
  j: 'јϳȷյᴊ',
  k: 'κкқҝҡᴋ',
  // A single stroke.
  l: 'i1|ιіıɩӏłɪʟǀ∣',
  m: 'мᴍ',
  n: 'ηпոռɴ',
  o: '0οσоөøօᴏ〇',
  p: 'ρрᴘ',
  q: 'ԛգզ',
  r: 'гʀ',
  s: '5ѕꜱ',
  t: 'τтŧᴛ',
  u: 'υսᴜʋ',
  v: 'νѵᴠ',
  w: 'ωԝѡաɯᴡ',
  x: 'χхҳ×',
  y: 'γуүყʏ',
  z: 'ᴢ',
  '3': 'зӡʒ',
  '6': 'б',
  // Kana and ideographs.
  ー: '一',
  ニ: '二',
  ロ: '口囗',
  カ: '力',
  ト: '卜',
  エ: '工',
  ハ: '八',
  タ: '夕',
  ヘ: 'へ',
  リ: 'り',
})

/** Invisible characters, separators between words or their parts, and decoration around a name. */
const DROPPED =
  /^[\p{Default_Ignorable_Code_Point}\p{C}\p{Z}\p{Pd}\p{Pc}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{So}\p{Sk}.,:!"'’`´·・\u2800]$/u
const CLAIMS = LANGUAGE_CODES.map(code => LANGUAGES[code].claims)
const anyOf = (words: readonly (readonly string[])[]) => `(?:${words.flat().join('|')})`
/** Words that make a name pass for the one without them. */
const CLAIM_WORDS = new RegExp(
  [
    String.raw`[\s([【（「:–—-]+${anyOf(CLAIMS.map(({ after }) => after))}(?:\s*${anyOf(CLAIMS.map(({ things }) => things))})?[\s)\]】）」!\p{So}\p{Mn}]*$`,
    ...CLAIMS.map(({ before }) => `^${before}`),
  ].join('|'),
  'giu',
)
const MARK = /^\p{M}$/u
const ASCII = 0x80

/** Equal for names that readers mistake for each other. */
export function skeletonOf(text: string): string {
  const name = text.replace(CLAIM_WORDS, '') || text
  let skeleton = ''
  let last = ''
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    if (code >= ASCII) return skeletonOfPlain(name) || name
    const prototype = ASCII_PROTOTYPES[code]!
    if (prototype === '') continue
    const pair = toPair(last, prototype)
    skeleton = pair === undefined ? skeleton + prototype : skeleton.slice(0, -1) + pair
    last = pair ?? prototype
  }
  return skeleton || name
}

/** NFKD would decompose them to letters. */
const SIGNS = /[™℠]/gu

/** Full-width, mathematical and joined letters are normalized by NFKD. */
function skeletonOfPlain(name: string): string {
  let skeleton = ''
  let last = ''
  for (const character of name.replace(SIGNS, '').normalize('NFKD')) {
    const prototype = prototypeOf(character)
    // Drops accents of letters that are ASCII by now; in other scripts a mark makes another letter.
    if (prototype === '' || (last.charCodeAt(0) < ASCII && MARK.test(prototype))) continue
    const pair = toPair(last, prototype)
    skeleton = pair === undefined ? skeleton + prototype : skeleton.slice(0, -1) + pair
    last = pair ?? prototype
  }
  return skeleton
}

/** Two letters that look like one. */
const toPair = (first: string, second: string): string | undefined =>
  first === 'r' && second === 'n' ? 'm' : first === 'v' && second === 'v' ? 'w' : undefined

/** The prototype of a character in the sense of TR39: the one that it is mistaken for; empty if it is invisible. */
function prototypeOf(character: string): string {
  if (DROPPED.test(character)) return ''
  const small =
    CAPITALS.get(isSmallCherokee(character) ? character.toUpperCase() : character) ?? character.toLowerCase()
  return SMALL.get(small) ?? small
}

/** Lower-case Cherokee letters look like their capitals, which look like Latin letters. */
const isSmallCherokee = (character: string): boolean => /^[\uab70-\uabbf]$/.test(character)

const ASCII_PROTOTYPES = Array.from({ length: ASCII }, (_, code) => prototypeOf(String.fromCharCode(code)))

function toMap(lines: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(
    Object.entries(lines).flatMap(([one, others]) =>
      [...others].map((other): [string, string] => [other, one]),
    ),
  )
}

// The key by which names are compared that readers mistake for each other at a glance.

/** Shorter words become other words when letters change places. */
const MIN_LETTERS = 8
const LETTERS = /^[a-z]+$/
/** Several digits at the edge of a word. A single digit, or digits between letters, can stand for letters: 0penWeather, G00gle. */
const NUMBER = /(?<![\p{L}\d])\d{2,}|\d{2,}(?![\p{L}\d])/u

/**
 * Equal for names with the same skeleton, and for longer names in which inner letters are transposed, which readers overlook. A
 * dropped letter does not count, because plurals drop one; nor do transposed digits, because they make another number.
 */
export function lookalikeKey(name: string): string {
  const skeleton = skeletonOf(name)
  if (skeleton.length < MIN_LETTERS || !LETTERS.test(skeleton) || NUMBER.test(name)) return skeleton
  return `${skeleton[0]}${[...skeleton.slice(1, -1)].sort().join('')}${skeleton.at(-1)}`
}
