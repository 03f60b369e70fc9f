// The tokenizer: folds case, width and punctuation, splits camelCase and hyphens, keeps numbers whole, and segments scripts
// without spaces by the rules of their language. Hand-written, because it reads a catalog of a million entries at startup.
import type { Unspaced } from './languages/language.ts'
import { type Languages, SEARCH_LANGUAGES } from './languages/languages.ts'

const SEPARATOR = 1
const LOWER = 2
const UPPER = 3
const DIGIT = 4
/** Scripts without spaces whose language is unknown. */
const UNSPACED = 5
/** The characters of the first language with its own segmenter; further languages follow. */
const FIRST_OWN = 6

const LETTER = /[\p{L}\p{N}\p{M}]/u
const UNSPACED_SCRIPTS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const segmenter = new Intl.Segmenter('th', { granularity: 'word' })

/** Returns whether words of this class have spaces between them. */
const isSpaced = (kind: number): boolean => kind === LOWER || kind === UPPER || kind === DIGIT

class CharacterClasses {
  readonly #classes = new Uint8Array(0x10000)
  readonly #unspaced: readonly Unspaced[]

  constructor({ all }: Languages) {
    this.#unspaced = all.flatMap(({ text }) => text.unspaced ?? [])
  }

  at(text: string, at: number): number {
    const unit = text.charCodeAt(at)
    if (unit >= 0xd800 && unit < 0xe000) return this.#ofPair(text, at, unit)
    if (this.#classes[unit] === 0) this.#classes[unit] = this.#classify(String.fromCharCode(unit))
    return this.#classes[unit]!
  }

  /** Returns the words of a run of one class, which is neither spaced nor a separator. */
  segment(kind: number, run: string): readonly string[] {
    return kind === UNSPACED
      ? Array.from(segmenter.segment(run), ({ segment }) => segment)
      : this.#unspaced[kind - FIRST_OWN]!.segment(run)
  }

  #classify(character: string): number {
    const own = this.#unspaced.findIndex(({ isOwn }) => isOwn(character))
    if (own >= 0) return FIRST_OWN + own
    if (UNSPACED_SCRIPTS.test(character)) return UNSPACED
    if (/\p{Nd}/u.test(character)) return DIGIT
    if (/\p{Lu}/u.test(character)) return UPPER
    return LETTER.test(character) ? LOWER : SEPARATOR
  }

  #ofPair(text: string, at: number, unit: number): number {
    const pair = unit < 0xdc00 ? text.slice(at, at + 2) : text.slice(at - 1, at + 1)
    if (!pair.isWellFormed()) return SEPARATOR
    const own = this.#unspaced.findIndex(({ isOwn }) => isOwn(pair))
    if (own >= 0) return FIRST_OWN + own
    return LETTER.test(pair) ? LOWER : SEPARATOR
  }
}

/** How a word was found: as written, as a piece of a compound (getWeather → get), or as the joined pieces (e-mail → email). */
export type WordKind = 'word' | 'piece' | 'joined'
export type WordVisitor = {
  /**
   * `text[start, end)` is a word of ASCII letters and digits only, in any case. A visitor can read it without allocating a
   * string.
   */
  plain(text: string, start: number, end: number): void
  word(word: string, kind: WordKind): void
}

const MAX_WORD = 64

const isHyphen = (unit: number): boolean => unit === 0x2d || unit === 0x2010 || unit === 0x2011
const isApostrophe = (unit: number): boolean => unit === 0x27 || unit === 0x2019
const isPointInNumber = (classes: CharacterClasses, text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  return (
    (unit === 0x2e || unit === 0x2c) &&
    classes.at(text, at - 1) === DIGIT &&
    at + 1 < text.length &&
    classes.at(text, at + 1) === DIGIT
  )
}

/** Folds half and full width, ligatures and similar (NFKC). */
export const foldWidth = (text: string): string => (/[^\x00-\x7f]/.test(text) ? text.normalize('NFKC') : text)

/** Returns a plain word in lower case. Most are lower-case already, and checking that is cheaper than converting. */
export function toLowerPlain(text: string, start: number, end: number): string {
  const word = text.slice(start, end)
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at)
    if (unit >= 0x41 && unit <= 0x5a) return word.toLowerCase()
  }
  return word
}

/** Makes a visitor of a function that takes strings. */
export const eachWord = (visit: (word: string, kind: WordKind) => void): WordVisitor => ({
  plain: (text, start, end) => visit(toLowerPlain(text, start, end), 'word'),
  word: visit,
})

/**
 * The effect of an ASCII character on a word of lower-case letters and digits: it continues the word, ends it, or needs the
 * slow path (0).
 */
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

/**
 * Returns the end of the word that starts here, if it is a plain word that no punctuation connects to another; otherwise
 * -1.
 */
function endOfPlain(text: string, start: number): number {
  const limit = Math.min(text.length, start + MAX_WORD)
  let at = start + 1
  while (at < limit && effectAt(text, at) === GOES_ON) at++
  if (at === text.length) return at
  const effect = effectAt(text, at)
  if (effect === ENDS) return at
  // A full stop, comma, hyphen or apostrophe connects words only without a space after it. A capital begins another piece.
  const isMark = text.charCodeAt(at) < 0x41 && effect !== GOES_ON
  return isMark && (at + 1 === text.length || effectAt(text, at + 1) === ENDS) ? at : -1
}

function forEachWord(classes: CharacterClasses, text: string, visitor: WordVisitor): void {
  for (let at = 0; at < text.length; ) {
    if (effectAt(text, at) === ENDS) {
      at++
      continue
    }
    const kind = classes.at(text, at)
    if (isSpaced(kind) && text.charCodeAt(at) < 0x80) {
      const end = endOfPlain(text, at)
      if (end > 0) {
        visitor.plain(text, at, end)
        at = end
        continue
      }
    }
    if (isSpaced(kind)) at = visitCompound(classes, text, at, visitor)
    else if (kind === SEPARATOR) at++
    else {
      let end = at + 1
      while (end < text.length && classes.at(text, end) === kind) end++
      for (const word of classes.segment(kind, text.slice(at, end))) visitor.word(word, 'word')
      at = end
    }
  }
}

/** Visits a word and the words that hyphens connect to it. Returns where it ends. */
function visitCompound(classes: CharacterClasses, text: string, start: number, visitor: WordVisitor): number {
  let parts = 0
  for (let at = start; ; at++) {
    at = visitSpaced(classes, text, at, visitor)
    parts++
    if (isHyphen(text.charCodeAt(at)) && at + 1 < text.length && isSpaced(classes.at(text, at + 1))) continue
    if ((parts === 2 || parts === 3) && at - start <= MAX_WORD) {
      visitor.word(toPlain(text.slice(start, at).replace(/[-‐‑]/g, '')), 'joined')
    }
    return at
  }
}

function visitSpaced(classes: CharacterClasses, text: string, start: number, visitor: WordVisitor): number {
  let at = start
  let camel = 0
  let previous = SEPARATOR
  let simple = true
  for (; at < text.length; at++) {
    const kind = classes.at(text, at)
    if (!isSpaced(kind)) {
      const inside =
        at > start &&
        at + 1 < text.length &&
        isApostrophe(text.charCodeAt(at)) &&
        isSpaced(classes.at(text, at + 1))
      if (!inside && !isPointInNumber(classes, text, at)) break
      simple = false
    }
    if (text.charCodeAt(at) > 0x7f) simple = false
    if (kind === UPPER && startsPiece(classes, text, at, previous)) camel++
    previous = kind
  }
  const end = Math.min(at, start + MAX_WORD)
  if (simple) visitor.plain(text, start, end)
  else visitor.word(toPlain(text.slice(start, end)), 'word')
  if (camel > 0) visitPieces(classes, text.slice(start, end), visitor)
  return at
}

/** An upper-case letter after a lower-case one, or the last of several before a lower-case one: get|Weather, PDF|Reader. */
const startsPiece = (classes: CharacterClasses, text: string, at: number, previous: number): boolean =>
  previous === LOWER ||
  (previous === UPPER &&
    at + 1 < text.length &&
    classes.at(text, at + 1) === LOWER &&
    text.charCodeAt(at + 1) !== 0x73)

function visitPieces(classes: CharacterClasses, written: string, visitor: WordVisitor): void {
  let start = 0
  let previous = SEPARATOR
  for (let at = 0; at <= written.length; at++) {
    const kind = at < written.length ? classes.at(written, at) : SEPARATOR
    if (at === written.length || (kind === UPPER && startsPiece(classes, written, at, previous))) {
      if (at > start) visitor.word(toPlain(written.slice(start, at)), 'piece')
      start = at
    }
    previous = kind
  }
}

/** Lower case, without possessive, apostrophes and thousands separators. */
const toPlain = (word: string): string =>
  word
    .toLowerCase()
    .replace(/['’]s$/, '')
    .replace(/['’,]/g, '')

export interface Analyzer {
  readonly languages: Languages
  /** Visits the words of a text in order. `text` must be folded by foldWidth. */
  forEachWord(text: string, visitor: WordVisitor): void
  /** Returns the stem of a word. */
  toTerm(word: string): string
  /** Returns further terms that a compound is indexed by. */
  toParts(term: string): string[]
}

export function createAnalyzer(languages: Languages = SEARCH_LANGUAGES): Analyzer {
  const classes = new CharacterClasses(languages)
  return {
    languages,
    forEachWord: (text, visitor) => forEachWord(classes, text, visitor),
    toTerm: word => languages.ofWord(word).text.toStem(word),
    toParts: term => languages.ofWord(term).text.toParts(term),
  }
}
