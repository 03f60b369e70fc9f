// Turns the sources into what train.py reads: a vocabulary, token rows of every pair, start vectors, a dictionary of
// token pairs, and judged sets to watch while training.
//   bun model/prepare.ts <sources> <out> [--pairs <folder of .jsonl>] [--judged <folder>]
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'bun'
import { HASHED_ROWS, toEmbeddingRows, toEmbeddingWords } from '../src/search/embedding-tokens.ts'
import {
  createEmbeddingVocabulary,
  type EmbeddingVocabulary,
  hashUnits,
} from '../src/search/embedding-vocabulary.ts'
import { createBm25 } from './bm25.ts'
import { listJudgedSets, readJudgedSet } from './judged-set.ts'
import { type Pair, type PairSources, readLines } from './pair.ts'
import { addLocalePairs } from './read-cldr.ts'
import { addDebianPairs } from './read-debian.ts'
import { addDictionaryPairs, type DictionaryEntry, readDictionary } from './read-edict.ts'
import { addLibreOfficePairs } from './read-libreoffice.ts'
import { addWordNetPairs } from './read-wordnet.ts'
import { REQUEST_PHRASES } from './request-phrases.ts'
import { type Glove, readGlove, toStartVectors } from './start-vectors.ts'
import { countWords, toWordList } from './word-list.ts'

const A_TOKENS = 48
const B_TOKENS = 64
/** Japanese translations kept for an English word, best first. */
const TRANSLATIONS = 6
/** One document in this many is kept out of training, with all its queries, to watch progress on. */
const HELD_OUT_EVERY = 40
const HELD_OUT_AT_MOST = 600
/** Enough texts by BM25 that the rest cannot reach the first ten. */
const BM25_BEST = 150
const WATCHED = [
  'debian_ja',
  'debian_ja_mono',
  'debian_summary',
  'libreoffice_help',
  'k8s',
  'tldr',
  'bfcl',
  'api_ops',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string' }, judged: { type: 'string' } },
})
const [sourceFolder, out] = positionals
if (sourceFolder === undefined || out === undefined) {
  throw new Error('Give the folder of sources and the folder to write to.')
}

function readSources(folder: string, dictionary: readonly DictionaryEntry[]): PairSources {
  const sources: PairSources = new Map()
  addDictionaryPairs(dictionary, sources)
  addWordNetPairs(folder, sources)
  addLocalePairs(folder, sources)
  addDebianPairs(folder, sources)
  addLibreOfficePairs(folder, sources)
  for (const file of values.pairs === undefined ? [] : readdirSync(values.pairs).sort()) {
    const name = file.match(/^(\w+)\.jsonl$/)?.[1]
    if (name !== undefined)
      sources.set(
        name,
        readLines(join(values.pairs!, file)).map(line => JSON.parse(line)),
      )
  }
  return sources
}

/** Takes out the pairs that would teach the answers of the judged sets. */
function withoutJudged(sources: PairSources, folder: string): void {
  const texts = new Set<string>()
  for (const name of listJudgedSets(folder)) {
    const { entries, queries } = readJudgedSet(folder, name)
    for (const { query, relevant } of queries) {
      texts.add(query)
      for (const entry of relevant) texts.add(entries[entry]!.text)
    }
  }
  for (const [name, pairs] of sources) {
    const kept = pairs.filter(({ a, b }) => !texts.has(a) && !texts.has(b))
    if (kept.length < pairs.length)
      console.log(`${name}: left out ${pairs.length - kept.length} judged pairs`)
    sources.set(name, kept)
  }
}

const isHeldOut = ({ b }: Pair) => hashUnits(b, 0, b.length) % HELD_OUT_EVERY === 0

/** `bm25` gives each query's best texts by plain BM25, to see what the model adds to it. */
type Watched = { docs: number[][]; queries: number[][]; relevant: number[][]; bm25: [number[], number[]][] }

function toBest(scores: Float32Array): [number[], number[]] {
  const docs = [...scores.keys()].filter(doc => scores[doc]! > 0).sort((x, y) => scores[y]! - scores[x]!)
  const best = docs.slice(0, BM25_BEST)
  return [best, best.map(doc => Math.round(scores[doc]! * 1000))]
}

function takeHeldOut(pairs: readonly Pair[], vocabulary: EmbeddingVocabulary): Watched {
  const docs = new Map<string, number>()
  const held = pairs.filter(isHeldOut).slice(0, HELD_OUT_AT_MOST)
  for (const { b } of held) if (!docs.has(b)) docs.set(b, docs.size)
  const bm25 = createBm25([...docs.keys()])
  return {
    docs: [...docs.keys()].map(b => toEmbeddingRows(b, vocabulary)),
    bm25: held.map(({ a }) => toBest(bm25.score(a))),
    queries: held.map(({ a }) => toEmbeddingRows(a, vocabulary)),
    relevant: held.map(({ b }) => [docs.get(b)!]),
  }
}

function takeJudged(folder: string, name: string, vocabulary: EmbeddingVocabulary): Watched {
  const { entries, queries } = readJudgedSet(folder, name)
  const bm25 = createBm25(entries.map(({ text }) => text))
  return {
    bm25: queries.map(({ query }) => toBest(bm25.score(query))),
    docs: entries.map(entry => toEmbeddingRows(entry.text, vocabulary)),
    queries: queries.map(({ query }) => toEmbeddingRows(query, vocabulary)),
    relevant: queries.map(({ relevant }) => relevant),
  }
}

/** Count of pairs, count of rows; a length for each side (u8), then the rows in three bytes each. */
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

/** For each English row the Japanese rows that the dictionary gives for it, or -1. */
function toTranslations(
  dictionary: readonly DictionaryEntry[],
  vocabulary: EmbeddingVocabulary,
  english: number,
  counts: Float32Array,
): Int32Array {
  const only = (text: string) => {
    const words = [...toEmbeddingWords(text)]
    return words.length === 1 ? vocabulary.find(words[0]!) : -1
  }
  const weights = new Map<number, Map<number, number>>()
  for (const { headwords, glosses, isCommon } of dictionary) {
    const japanese = only(headwords[0]!)
    if (japanese < english) continue
    glosses.slice(0, 4).forEach((gloss, rank) => {
      const word = only(gloss.replace(/^(to|a|an|the)\s+/, ''))
      if (word < 0 || word >= english) return
      const weight = ((isCommon ? 3 : 0.3) / (rank + 1)) * Math.log(2 + counts[HASHED_ROWS + japanese]!)
      const found = weights.get(word) ?? new Map<number, number>()
      weights.set(word, found.set(japanese, (found.get(japanese) ?? 0) + weight))
    })
  }
  const table = new Int32Array(english * TRANSLATIONS).fill(-1)
  for (const [word, found] of weights) {
    const best = [...found].sort((x, y) => y[1] - x[1]).slice(0, TRANSLATIONS)
    best.forEach(([japanese], i) => {
      table[word * TRANSLATIONS + i] = HASHED_ROWS + japanese
    })
  }
  return table
}

const save = (name: string, bytes: ArrayBufferView | Buffer) =>
  writeFileSync(
    join(out, `${name}.gz`),
    gzipSync(new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)),
  )

mkdirSync(out, { recursive: true })
const dictionary = readDictionary(sourceFolder)
const sources = readSources(sourceFolder, dictionary)
if (values.judged !== undefined) withoutJudged(sources, values.judged)
const glove: Glove = readGlove(sourceFolder)
const { words, english } = toWordList(countWords(sources), glove, dictionary)
const list = `${words.join('\n')}\n`
const vocabulary = createEmbeddingVocabulary(list)
writeFileSync(join(out, 'vocabulary.txt'), list)

const watched: Record<string, Watched> = {}
for (const name of WATCHED) {
  const pairs = sources.get(name)
  if (pairs === undefined) continue
  watched[name] = takeHeldOut(pairs, vocabulary)
  sources.set(
    name,
    pairs.filter(pair => !isHeldOut(pair)),
  )
}
for (const name of values.judged === undefined ? [] : listJudgedSets(values.judged)) {
  watched[`judged_${name}`] = takeJudged(values.judged!, name, vocabulary)
}
writeFileSync(join(out, 'watched.json'), JSON.stringify(watched))

const counts = new Float32Array(HASHED_ROWS + words.length)
for (const [name, pairs] of sources) {
  save(`pairs-${name}`, encodePairs(pairs, vocabulary, counts))
  console.log(name.padEnd(24), String(pairs.length).padStart(7))
}
save('counts', counts)
save('start', toStartVectors(glove, vocabulary, english))
save('translations', toTranslations(dictionary, vocabulary, english, counts))
const toPhrases = (phrases: readonly string[]) => phrases.map(phrase => toEmbeddingRows(phrase, vocabulary))
const meta = {
  rows: HASHED_ROWS + words.length,
  hashed: HASHED_ROWS,
  english,
  sources: [...sources.keys()],
  phrases: { en: toPhrases(REQUEST_PHRASES.en), ja: toPhrases(REQUEST_PHRASES.ja) },
}
writeFileSync(join(out, 'meta.json'), JSON.stringify(meta))
console.log(
  `${words.length} words, ${english} of them English; ${readFileSync(join(out, 'vocabulary.txt')).length} bytes`,
)
