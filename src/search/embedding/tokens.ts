// Tokenizes a text into rows of the embedding. The rows are trained on exactly these tokens (model/prepare.ts uses this
// file), so a change here requires a new training run.

import { hashUnits } from '../../memory/fnv1a.ts'
import type { EmbeddedRuns } from '../text/languages/language.ts'
import { SEARCH_LANGUAGES } from '../text/languages/languages.ts'
import type { EmbeddingVocabulary } from './vocabulary.ts'

/** Rows 0 … HASHED_ROWS-1 are hashed character n-grams; the words of the vocabulary follow. */
export const HASHED_ROWS = 8192
/** Enough for any query and for the part of a description that says what a service does. Bounds hostile input. */
export const MAX_TOKENS = 96

const GRAM = 4
const MAX_GRAMS = 9
const MAX_SPACED_LENGTH = 30
/** Longer numbers have no row. */
export const MAX_NUMBER_LENGTH = 4
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
export const toRuns = (text: string): readonly string[] => normalize(text).match(RUN) ?? []

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
export function toRunRows(run: string, vocabulary: EmbeddingVocabulary): number[] {
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
