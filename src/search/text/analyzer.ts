// Cuts text into words: case, width and punctuation folded, camelCase and hyphens split, numbers kept, Japanese by its
// words, other languages by theirs. A hand-written scanner, since a catalog of a million entries is read through it at boot.
import { toEnglishStem } from './languages/english/words.ts'
import { toJapaneseParts, toJapaneseStem, toJapaneseWords } from './languages/japanese/words.ts'

/** How a word was found: as written, as a piece of a compound (getWeather → get), or as its pieces joined (e-mail → email). */
export type WordKind = 'word' | 'piece' | 'joined'
export type WordVisitor = {
  /** `text[start, end)` is a word of ASCII letters and digits alone, in any case; a visitor may read it without cutting it out. */
  plain(text: string, start: number, end: number): void
  word(word: string, kind: WordKind): void
}

const MAX_WORD = 64

const SEPARATOR = 1
const LOWER = 2
const UPPER = 3
const DIGIT = 4
const JAPANESE = 5
/** Scripts that put no space between words. */
const UNSPACED = 6

const classes = new Uint8Array(0x10000)
const LETTER = /[\p{L}\p{N}\p{M}]/u

function classify(unit: number): number {
  const char = String.fromCharCode(unit)
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆]/u.test(char)) return JAPANESE
  if (/[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(char)) return UNSPACED
  if (/\p{Nd}/u.test(char)) return DIGIT
  if (/\p{Lu}/u.test(char)) return UPPER
  return LETTER.test(char) ? LOWER : SEPARATOR
}

function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  if (unit >= 0xd800 && unit < 0xe000) return surrogateClass(text, at, unit)
  if (classes[unit] === 0) classes[unit] = classify(unit)
  return classes[unit]!
}

function surrogateClass(text: string, at: number, unit: number): number {
  const pair = unit < 0xdc00 ? text.slice(at, at + 2) : text.slice(at - 1, at + 1)
  if (!pair.isWellFormed()) return SEPARATOR
  if (/\p{Script=Han}/u.test(pair)) return JAPANESE
  return LETTER.test(pair) ? LOWER : SEPARATOR
}

const isLatin = (kind: number): boolean => kind === LOWER || kind === UPPER || kind === DIGIT
const isHyphen = (unit: number): boolean => unit === 0x2d || unit === 0x2010 || unit === 0x2011
const isApostrophe = (unit: number): boolean => unit === 0x27 || unit === 0x2019
const isPointInNumber = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  return (
    (unit === 0x2e || unit === 0x2c) &&
    classAt(text, at - 1) === DIGIT &&
    at + 1 < text.length &&
    classAt(text, at + 1) === DIGIT
  )
}

/** Half and full width, ligatures and the like in one form. */
export const foldWidth = (text: string): string => (/[^\x00-\x7f]/.test(text) ? text.normalize('NFKC') : text)

const unspaced = new Intl.Segmenter('th', { granularity: 'word' })

/** Lets a visitor that only wants strings be a function. */
export const eachWord = (visit: (word: string, kind: WordKind) => void): WordVisitor => ({
  plain: (text, start, end) => visit(text.slice(start, end).toLowerCase(), 'word'),
  word: visit,
})

/** What an ASCII character does to a word of small letters and digits: goes on with it, ends it, or asks for a closer look. */
const GOES_ON = 1
const ENDS = 2
const effects = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const char = String.fromCharCode(unit)
  if (/[a-z0-9]/.test(char)) return GOES_ON
  return /[A-Z'.,-]/.test(char) ? 0 : ENDS
})
const effectAt = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  return unit < 0x80 ? effects[unit]! : 0
}

/** Where the word that starts here ends, if it is one of ASCII letters and digits that nothing is tied to; else -1. */
function endOfPlain(text: string, start: number): number {
  const limit = Math.min(text.length, start + MAX_WORD)
  let at = start + 1
  while (at < limit && effectAt(text, at) === GOES_ON) at++
  if (at === text.length) return at
  const effect = effectAt(text, at)
  if (effect === ENDS) return at
  // A full stop, comma, hyphen or apostrophe ties only what follows at once; a capital begins another piece.
  const isMark = text.charCodeAt(at) < 0x41 && effect !== GOES_ON
  return isMark && (at + 1 === text.length || effectAt(text, at + 1) === ENDS) ? at : -1
}

/** Visits the words of a text in order; `text` comes through foldWidth. */
export function forEachWord(text: string, visitor: WordVisitor): void {
  for (let at = 0; at < text.length; ) {
    if (effectAt(text, at) === ENDS) {
      at++
      continue
    }
    const kind = classAt(text, at)
    if (isLatin(kind) && text.charCodeAt(at) < 0x80) {
      const end = endOfPlain(text, at)
      if (end > 0) {
        visitor.plain(text, at, end)
        at = end
        continue
      }
    }
    if (isLatin(kind)) at = visitCompound(text, at, visitor)
    else if (kind === JAPANESE || kind === UNSPACED) {
      let end = at + 1
      while (end < text.length && classAt(text, end) === kind) end++
      const run = text.slice(at, end)
      if (kind === JAPANESE) for (const word of toJapaneseWords(run)) visitor.word(word, 'word')
      else for (const { segment } of unspaced.segment(run)) visitor.word(segment, 'word')
      at = end
    } else at++
  }
}

/** A word and what hyphens tie to it; answers where it ends. */
function visitCompound(text: string, start: number, visitor: WordVisitor): number {
  let parts = 0
  for (let at = start; ; at++) {
    at = visitLatin(text, at, visitor)
    parts++
    if (isHyphen(text.charCodeAt(at)) && at + 1 < text.length && isLatin(classAt(text, at + 1))) continue
    if ((parts === 2 || parts === 3) && at - start <= MAX_WORD) {
      visitor.word(toPlain(text.slice(start, at).replace(/[-‐‑]/g, '')), 'joined')
    }
    return at
  }
}

function visitLatin(text: string, start: number, visitor: WordVisitor): number {
  let at = start
  let camel = 0
  let previous = SEPARATOR
  let simple = true
  for (; at < text.length; at++) {
    const kind = classAt(text, at)
    if (!isLatin(kind)) {
      const inside =
        at > start &&
        at + 1 < text.length &&
        isApostrophe(text.charCodeAt(at)) &&
        isLatin(classAt(text, at + 1))
      if (!inside && !isPointInNumber(text, at)) break
      simple = false
    }
    if (text.charCodeAt(at) > 0x7f) simple = false
    if (kind === UPPER && startsPiece(text, at, previous)) camel++
    previous = kind
  }
  const end = Math.min(at, start + MAX_WORD)
  if (simple) visitor.plain(text, start, end)
  else visitor.word(toPlain(text.slice(start, end)), 'word')
  if (camel > 0) visitPieces(text.slice(start, end), visitor)
  return at
}

/** An upper-case letter after a lower-case one, or the last of several before a lower-case one: get|Weather, PDF|Reader. */
const startsPiece = (text: string, at: number, previous: number): boolean =>
  previous === LOWER ||
  (previous === UPPER &&
    at + 1 < text.length &&
    classAt(text, at + 1) === LOWER &&
    text.charCodeAt(at + 1) !== 0x73)

function visitPieces(written: string, visitor: WordVisitor): void {
  let start = 0
  let previous = SEPARATOR
  for (let at = 0; at <= written.length; at++) {
    const kind = at < written.length ? classAt(written, at) : SEPARATOR
    if (at === written.length || (kind === UPPER && startsPiece(written, at, previous))) {
      if (at > start) visitor.word(toPlain(written.slice(start, at)), 'piece')
      start = at
    }
    previous = kind
  }
}

/** Lower case, without possessive and apostrophes, without separators of thousands. */
const toPlain = (word: string): string =>
  word
    .toLowerCase()
    .replace(/['’]s$/, '')
    .replace(/['’,]/g, '')

const withoutAccents = (word: string): string =>
  /[^\x00-\x7f]/.test(word)
    ? word
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .normalize('NFC')
    : word

const JAPANESE_CHARACTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
export const hasJapanese = (text: string): boolean => JAPANESE_CHARACTER.test(text)

const STARTS_JAPANESE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

export const isJapaneseWord = (word: string): boolean => STARTS_JAPANESE.test(word)

/** What the forms of one word share, by its script. */
export const toTerm = (word: string): string =>
  isJapaneseWord(word) ? toJapaneseStem(word) : toEnglishStem(withoutAccents(word))

/** Further terms under which a compound is found. */
export const toParts = (term: string): string[] => (isJapaneseWord(term) ? toJapaneseParts(term) : [])
