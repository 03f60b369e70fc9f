// Names and descriptions that strangers wrote: what is accepted, since when an entry has them, and which can be mistaken for each other.
import { z } from 'zod'
import { memoize } from '../../memory/memoize.ts'
import type { Word } from '../../messages/kinds.ts'
import { LANGUAGE_CODES, LANGUAGES } from '../languages/languages.ts'
import { expecting } from '../problems.ts'
import { hiddenIn, hiddenInName, isBlank, isStacked, toCode } from './invisible.ts'

// Rules for untrusted text that others will read.

/** Control characters, lone surrogates, and what changes the order in which text is displayed: a name could pose as another. */
const CONTROL = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u
const CONTROL_BUT_NEWLINE_AND_TAB = /(?![\n\t])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u
const BIDI_CONTROL = /[\u202a-\u202e\u2066-\u2069]/
/** Such text contains nothing hidden or blank, and its length is its number of code points. */
const PLAIN = /^[\x21-\x7e]+$/
const VISIBLE = /^[^\p{Z}\p{C}]+$/u
const VISIBLE_WORDS = /^[^\p{Z}\p{C}]+( [^\p{Z}\p{C}]+)*$/u

const tidy = (text: string) => text.replace(/\r\n?/g, '\n').trim()

export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** The sort key of names: capitals do not sort first. */
export const lowerCaseName = (name: string): string => name.toLowerCase()

/** Negative where `a` sorts first by code points, which is also the order of the bytes in UTF-8. */
export const compareCodePoints = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Cuts to at most this many UTF-16 units; a character that does not fit is dropped as a whole. */
export function truncate(text: string, units: number): string {
  const isSplit = /[\ud800-\udbff]/.test(text[units - 1] ?? '') && /[\udc00-\udfff]/.test(text[units] ?? '')
  return text.slice(0, isSplit ? units - 1 : units)
}

/** There are never more code points than UTF-16 units, so few texts have to be counted. */
export const hasAtMost = (max: number, text: string): boolean =>
  text.length <= max || countCodePoints(text) <= max

/** Well-formed Unicode; line ends become LF, surrounding white space is trimmed; lengths count code points. */
export function prose(max: number, { lines }: { lines: boolean }) {
  const [control, hidden] = lines ? [CONTROL_BUT_NEWLINE_AND_TAB, hiddenIn] : [CONTROL, hiddenInName]
  const flaw = (text: string) => toCode(control.exec(text)?.[0]) ?? hidden(text)
  return z
    .string({ error: expecting('text_expected', { max }) })
    .overwrite(tidy)
    .refine(text => !isBlank(text) || flaw(text), { error: expecting('text_expected', { max }), abort: true })
    .refine(text => hasAtMost(max, text), { error: expecting('text_too_long', { max }) })
    .refine(text => !isStacked(text), { error: expecting('text_with_marks') })
    .refine(text => flaw(text) === undefined, {
      error: ({ input }) => expecting('text_with_invisible', { character: flaw(input as string) ?? '' }),
    })
    .meta({ minLength: 1, maxLength: max })
}

/** A fast path: visible ASCII characters within the limit are always valid. */
export const isPlainText = (max: number, text: string): boolean => text.length <= max && PLAIN.test(text)

/** Visible characters, stored exactly as given; `spaced` allows single spaces between words. */
export function visible(max: number, what: Word<'visible_text'>, { spaced = false } = {}) {
  const expected = expecting('visible_text_expected', { what, max })
  return z
    .string({ error: expected })
    .refine(
      text =>
        isPlainText(max, text) ||
        ((spaced ? VISIBLE_WORDS : VISIBLE).test(text) &&
          !isBlank(text) &&
          !BIDI_CONTROL.test(text) &&
          !isStacked(text) &&
          hiddenInName(text) === undefined &&
          hasAtMost(max, text)),
      {
        error: expected,
      },
    )
    .meta({ minLength: 1, maxLength: max })
}

// Since when an entry has its name and description. The age of the entry is not that of its words: an old entry that is edited to the
// name and text of another must not gain precedence by its age.

/** When the texts of an entry were written, if they are younger than the entry. */
export type Wording = {
  /** Since when it has its name; absent: since it came to its present endpoint. */
  readonly nameSince?: string
  /** Since when it has its description, apart from case, white space and punctuation; absent: since it came to its present endpoint. */
  readonly textSince?: string
}
type Words = { readonly name: string; readonly description: string }

/** Returns the times of the words after an edit; undefined if they are as old as the entry. */
export function updateWording(
  before: Words & { readonly worded?: Wording },
  after: Words,
  at: string,
): Wording | undefined {
  const { nameSince, textSince } = before.worded ?? {}
  const name = isSameName(before.name, after.name) ? nameSince : at
  const text = isSpeltAlike(before.description, after.description) ? textSince : at
  if (name === undefined && text === undefined) return undefined
  return { ...(name !== undefined && { nameSince: name }), ...(text !== undefined && { textSince: text }) }
}

const isSameName = (a: string, b: string): boolean => skeletonOf(a) === skeletonOf(b) || isSpeltAlike(a, b)

/** Returns whether two texts differ only in case, white space and punctuation. */
const isSpeltAlike = (a: string, b: string): boolean => lettersOf(a) === lettersOf(b)

/** Returns a text without case, white space and punctuation. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{Z}\p{C}]+/gu, '') || text

/** Since when an entry has its words, in milliseconds since 1970. @param hereMs since when it is at its present endpoint */
export function wordsSince(
  hereMs: number,
  { nameSince, textSince }: Wording = {},
): { readonly nameMs: number; readonly textMs: number } {
  const laterOf = (since: string | undefined) =>
    since === undefined ? hereMs : Math.max(hereMs, Date.parse(since))
  return { nameMs: laterOf(nameSince), textMs: laterOf(textSince) }
}

// The skeleton of a name: look-alike characters are mapped to one, so that two names with the same skeleton can be mistaken for each
// other. The idea is from Unicode TR39; the tables here only have the letters that names are forged with.

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

/** NFKD would decompose them to letters. */
const SIGNS = /[™℠]/gu

/**
 * Equal for names that readers mistake for each other. Full-width, mathematical and joined letters are normalized by NFKD. A listing's
 * is asked for by several indexes in turn.
 */
export const skeletonOf = memoize(16, (text: string): string => {
  const name = text.replace(CLAIM_WORDS, '') || text
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
  return skeleton || name
})

/** Two letters that look like one. */
const toPair = (first: string, second: string): string | undefined =>
  first === 'r' && second === 'n' ? 'm' : first === 'v' && second === 'v' ? 'w' : undefined

/** All names together have few characters, and a start reads a million names. */
const MAX_REMEMBERED = 4_096

/** The prototype of a character in the sense of TR39: the one that it is mistaken for; empty if it is invisible. */
const prototypeOf = memoize(MAX_REMEMBERED, (character: string): string => {
  if (DROPPED.test(character)) return ''
  const small =
    CAPITALS.get(isSmallCherokee(character) ? character.toUpperCase() : character) ?? character.toLowerCase()
  return SMALL.get(small) ?? small
})

/** Lower-case Cherokee letters look like their capitals, which look like Latin letters. */
const isSmallCherokee = (character: string): boolean => /^[\uab70-\uabbf]$/.test(character)

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
