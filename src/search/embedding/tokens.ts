// Tokenizes a text into rows of the embedding. The rows are trained on exactly these tokens (model/prepare.ts uses this file), so a
// change here requires a new training run.
import { addUnit, FNV_START, hashUnits, mixed } from '../../memory/hash-table.ts'
import type { EmbeddedRuns } from '../text/languages/language.ts'
import { SEARCH_LANGUAGES } from '../text/languages/languages.ts'

export type EmbeddingVocabulary = {
  readonly size: number
  readonly bytes: number
  /** Returns the index of the word `text[start, end)` in the list, or -1. */
  find(text: string, start?: number, end?: number): number
  wordAt(index: number): string
}

const NEW_LINE = 10

/** The start of each line, with the end of the last, and the hash of each line. One pass, since it is part of every start. */
function readLines(list: string) {
  const starts = new Uint32Array((list.length >> 1) + 2)
  const hashes = new Uint32Array(starts.length)
  let size = 0
  let hash = FNV_START
  for (let at = 0; at < list.length; at++) {
    const unit = list.charCodeAt(at)
    if (unit === NEW_LINE) {
      hashes[size++] = mixed(hash)
      starts[size] = at + 1
      hash = FNV_START
    } else hash = addUnit(hash, unit)
  }
  return { size, starts: starts.slice(0, size + 1), hashes }
}

function isSame(list: string, from: number, text: string, start: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (list.charCodeAt(from + i) !== text.charCodeAt(start + i)) return false
  return true
}

/** `list` has one word per line, each line terminated and none empty. */
export function createEmbeddingVocabulary(list: string): EmbeddingVocabulary {
  const { size, starts, hashes } = readLines(list)
  let mask = 1
  while (mask < size * 2) mask *= 2
  mask -= 1
  const table = new Int32Array(mask + 1).fill(-1)
  for (let index = 0; index < size; index++) {
    let position = hashes[index]! & mask
    while (table[position] !== -1) position = (position + 1) & mask
    table[position] = index
  }
  return {
    size,
    bytes: list.length * 2 + starts.byteLength + table.byteLength,
    find(text, start = 0, end = text.length) {
      const length = end - start
      for (let at = hashUnits(text, start, end) & mask; ; at = (at + 1) & mask) {
        const index = table[at]!
        if (index < 0) return -1
        const from = starts[index]!
        if (starts[index + 1]! - from - 1 === length && isSame(list, from, text, start, length)) return index
      }
    },
    wordAt: index => list.slice(starts[index], starts[index + 1]! - 1),
  }
}

/** Rows 0 … HASHED_ROWS-1 are hashed character n-grams; the words of the vocabulary follow. */
export const HASHED_ROWS = 8192
/** Enough for any query and for the part of a description that says what a service does. Bounds hostile input. */
export const MAX_TOKENS = 96

const GRAM = 4
const MAX_GRAMS = 9
const MAX_SPACED_LENGTH = 30
/** Longer numbers have no row. */
const MAX_NUMBER_LENGTH = 4
const LONGEST_PART = 8

const toStem = SEARCH_LANGUAGES.all[0]!.embedding?.toStem ?? (word => word)
const RUNS: readonly EmbeddedRuns[] = SEARCH_LANGUAGES.all.flatMap(({ embedding }) => embedding?.runs ?? [])
const runsOf = (word: string): EmbeddedRuns | undefined => RUNS.find(runs => runs.owns(word))

const OTHER = RUNS.map(({ characters }) => `(?![${characters}])`).join('')
const RUN = new RegExp(
  [
    ...RUNS.map(({ characters }) => `[${characters}]+`),
    `${OTHER}[\\p{L}\\p{N}](?:${OTHER}[\\p{L}\\p{N}\\p{M}])*`,
  ].join('|'),
  'gu',
)
const DIGITS_ONLY = /^\d+$/

function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
}

/** The normalised runs of a text that are tokenized: of a script without spaces, or letters and digits of others. */
const toRuns = (text: string): readonly string[] => normalize(text).match(RUN) ?? []

function* toWords(run: string): Generator<string> {
  const runs = runsOf(run)
  if (runs) yield* runs.words(run)
  else if (run.length <= MAX_SPACED_LENGTH && !(run.length > MAX_NUMBER_LENGTH && DIGITS_ONLY.test(run))) {
    yield toStem(run)
  }
}

/** The words of a text in order: stems, or segments in scripts without spaces. */
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

/** Adds the longest known words inside `word`, left to right. @param proper whether to exclude the word itself */
function addParts(
  word: string,
  { isWord }: EmbeddedRuns,
  vocabulary: EmbeddingVocabulary,
  rows: Set<number>,
  proper: boolean,
): void {
  for (let at = 0; at < word.length; ) {
    let length = Math.min(LONGEST_PART, word.length - at)
    if (proper && length === word.length) length--
    for (; length > 0; length--) {
      if (length === 1 && !isWord(word[at]!)) length = 0
      const index = length === 0 ? -1 : vocabulary.find(word, at, at + length)
      if (index >= 0) rows.add(HASHED_ROWS + index)
      if (index >= 0 || length === 0) break
    }
    at += Math.max(1, length)
  }
}

function addWord(word: string, vocabulary: EmbeddingVocabulary, rows: Set<number>): void {
  const index = vocabulary.find(word)
  const isKnown = index >= 0
  const runs = runsOf(word)
  if (isKnown) rows.add(HASHED_ROWS + index)
  else if (!runs) addGrams(word, rows)
  if (runs?.isCompound(word, isKnown)) addParts(word, runs, vocabulary, rows, isKnown)
}

/** Returns the distinct rows of one run, at most MAX_TOKENS. */
function toRunRows(run: string, vocabulary: EmbeddingVocabulary): number[] {
  const rows = new Set<number>()
  for (const word of toWords(run)) {
    addWord(word, vocabulary, rows)
    if (rows.size >= MAX_TOKENS) break
  }
  return [...rows].slice(0, MAX_TOKENS)
}

/** Returns the distinct rows of a text, in order of first appearance, at most `limit`. */
export function toEmbeddingRows(text: string, vocabulary: EmbeddingVocabulary, limit = MAX_TOKENS): number[] {
  const rows = new Set<number>()
  for (const word of toEmbeddingWords(text)) {
    addWord(word, vocabulary, rows)
    if (rows.size >= limit) break
  }
  const all = [...rows]
  return all.length > limit ? all.slice(0, limit) : all
}

const MAX_REMEMBERED = 65_536

/** Does the same as toEmbeddingRows, and caches the rows of every run of letters, since a catalog repeats the same words. */
export class TokenReader {
  readonly #vocabulary: EmbeddingVocabulary
  readonly #rowsOf = new Map<string, readonly number[]>()

  constructor(vocabulary: EmbeddingVocabulary) {
    this.#vocabulary = vocabulary
  }

  get bytes(): number {
    return this.#rowsOf.size * 128
  }

  /** Returns the distinct rows of a text in order of first appearance, at most MAX_TOKENS. */
  read(text: string): number[] {
    const rows = new Set<number>()
    for (const run of toRuns(text)) {
      for (const row of this.#read(run)) rows.add(row)
      if (rows.size >= MAX_TOKENS) break
    }
    const all = [...rows]
    return all.length > MAX_TOKENS ? all.slice(0, MAX_TOKENS) : all
  }

  #read(run: string): readonly number[] {
    let rows = this.#rowsOf.get(run)
    if (rows === undefined) {
      rows = toRunRows(run, this.#vocabulary)
      if (this.#rowsOf.size >= MAX_REMEMBERED) this.#rowsOf.clear()
      this.#rowsOf.set(run, rows)
    }
    return rows
  }
}
