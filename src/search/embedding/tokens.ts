// Cuts a text into rows of the embedding. The rows are trained on exactly these cuts (model/prepare.ts calls this
// file), so any change here asks for a new training run.
import { toStem } from '../text/languages/english/stem.ts'
import { type EmbeddingVocabulary, hashUnits } from './vocabulary.ts'

/** Rows 0 … HASHED_ROWS-1 belong to hashed character n-grams; the vocabulary's words follow. */
export const HASHED_ROWS = 8192
/** Enough for any query and for the part of a description that says what a service does; bounds hostile input. */
export const MAX_TOKENS = 96

const GRAM = 4
const MAX_GRAMS = 9
const MAX_LATIN_LENGTH = 30
/** Longer numbers have no row. */
export const MAX_NUMBER_LENGTH = 4
const LONGEST_PART = 8
/** From this length on a Japanese word is also read as its parts: 為替相場 is 為替 and 相場 too. */
const COMPOUND_LENGTH = 4

const JAPANESE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々〆'
const OTHER = `(?![${JAPANESE}])`
const RUNS = new RegExp(`[${JAPANESE}]+|${OTHER}[\\p{L}\\p{N}](?:${OTHER}[\\p{L}\\p{N}\\p{M}])*`, 'gu')
const STARTS_JAPANESE = new RegExp(`^[${JAPANESE}]`, 'u')
const HIRAGANA_ONLY = /^\p{Script=Hiragana}+$/u
const KATAKANA_ONLY = /^[\p{Script=Katakana}ー]+$/u
const KANJI = /\p{Script=Han}/u
const DIGITS_ONLY = /^\d+$/

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

export const isJapanese = (word: string): boolean => STARTS_JAPANESE.test(word)
export const isHiragana = (word: string): boolean => HIRAGANA_ONLY.test(word)

function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
}

/** サーバー and サーバ are one word; short ones (キー, バー) keep the mark, which tells them apart. */
function withoutLongVowel(word: string): string {
  return word.length >= 4 && word.endsWith('ー') && KATAKANA_ONLY.test(word) ? word.slice(0, -1) : word
}

/** The stretches of a text that are cut into words, normalised: of Japanese script, or letters and digits of others. */
export function* toRuns(text: string): Generator<string> {
  for (const [run] of normalize(text).matchAll(RUNS)) yield run
}

function* toWords(run: string): Generator<string> {
  if (isJapanese(run)) {
    for (const { segment } of segmenter.segment(run)) yield withoutLongVowel(segment)
  } else if (run.length <= MAX_LATIN_LENGTH && !(run.length > MAX_NUMBER_LENGTH && DIGITS_ONLY.test(run))) {
    yield toStem(run)
  }
}

/** The words of a text in order: English stems, Japanese segments, runs of other scripts. */
export function* toEmbeddingWords(text: string): Generator<string> {
  for (const run of toRuns(text)) yield* toWords(run)
}

function addGrams(word: string, rows: Set<number>): void {
  const marked = `<${word}>`
  const last = Math.min(Math.max(1, marked.length - GRAM + 1), MAX_GRAMS)
  for (let i = 0; i < last; i++) {
    rows.add(hashUnits(marked, i, Math.min(i + GRAM, marked.length)) % HASHED_ROWS)
  }
}

/** Adds the longest known words inside `word`, left to right; single characters count when they are kanji. */
function addParts(word: string, vocabulary: EmbeddingVocabulary, rows: Set<number>, proper: boolean): void {
  for (let at = 0; at < word.length; ) {
    let length = Math.min(LONGEST_PART, word.length - at)
    if (proper && length === word.length) length--
    for (; length > 0; length--) {
      if (length === 1 && !KANJI.test(word[at]!)) length = 0
      const index = length === 0 ? -1 : vocabulary.find(word, at, at + length)
      if (index >= 0) rows.add(HASHED_ROWS + index)
      if (index >= 0 || length === 0) break
    }
    at += Math.max(1, length)
  }
}

function addWord(word: string, vocabulary: EmbeddingVocabulary, rows: Set<number>): void {
  const index = vocabulary.find(word)
  const japanese = isJapanese(word)
  if (index >= 0) {
    rows.add(HASHED_ROWS + index)
    if (japanese && word.length >= COMPOUND_LENGTH && !isHiragana(word))
      addParts(word, vocabulary, rows, true)
  } else if (!japanese) {
    addGrams(word, rows)
  } else if (!isHiragana(word) || word.length > 2) {
    // Unknown hiragana of one or two characters are particles cut in an odd place.
    addParts(word, vocabulary, rows, false)
  }
}

/** The distinct rows that stand for one run, at most MAX_TOKENS. */
export function toRunRows(run: string, vocabulary: EmbeddingVocabulary): number[] {
  const rows = new Set<number>()
  for (const word of toWords(run)) {
    addWord(word, vocabulary, rows)
    if (rows.size >= MAX_TOKENS) break
  }
  return [...rows].slice(0, MAX_TOKENS)
}

/** The distinct rows that stand for a text, in order of first appearance, at most `limit`. */
export function toEmbeddingRows(text: string, vocabulary: EmbeddingVocabulary, limit = MAX_TOKENS): number[] {
  const rows = new Set<number>()
  for (const word of toEmbeddingWords(text)) {
    addWord(word, vocabulary, rows)
    if (rows.size >= limit) break
  }
  const all = [...rows]
  return all.length > limit ? all.slice(0, limit) : all
}
