// What training is watched by and must not have seen: a part of some sources, and judged sets.

import { hashUnits } from '../src/memory/hash-table.ts'
import { type EmbeddingVocabulary, toEmbeddingRows } from '../src/search/embedding/tokens.ts'
import { createBm25 } from './bm25.ts'
import { listJudgedSets, readJudgedSet } from './judged-set.ts'
import type { Pair, PairSources } from './pair.ts'

/** Rows of texts and queries; `bm25` gives each query's best texts by plain BM25, to see what the model adds to it. */
export type Watched = {
  readonly docs: number[][]
  readonly queries: number[][]
  readonly relevant: number[][]
  readonly bm25: [number[], number[]][]
}

/** One document in this many is kept out of training, with all its queries. */
const HELD_OUT_EVERY = 40
const HELD_OUT_AT_MOST = 600
const HELD_OUT_OF = new Set([
  'debian_ja',
  'debian_ja_mono',
  'debian_summary',
  'libreoffice_help',
  'k8s_ja',
  'automation_ja',
  'tools_ja',
  'php_entry_ja',
  'mdn_title_ja',
  'tldr',
  'bfcl',
  'api_ops',
])
/** Enough texts by BM25 that the rest cannot reach the first ten. */
const BM25_BEST = 150

type Query = { readonly query: string; readonly relevant: number[] }

function toWatched(
  texts: readonly string[],
  queries: readonly Query[],
  vocabulary: EmbeddingVocabulary,
): Watched {
  const bm25 = createBm25(texts)
  const toBest = (query: string): [number[], number[]] => {
    const scores = bm25.score(query)
    const docs = [...scores.keys()].filter(doc => scores[doc]! > 0)
    const best = docs.sort((x, y) => scores[y]! - scores[x]!).slice(0, BM25_BEST)
    return [best, best.map(doc => Math.round(scores[doc]! * 1000))]
  }
  return {
    docs: texts.map(text => toEmbeddingRows(text, vocabulary)),
    queries: queries.map(({ query }) => toEmbeddingRows(query, vocabulary)),
    relevant: queries.map(({ relevant }) => relevant),
    bm25: queries.map(({ query }) => toBest(query)),
  }
}

const isHeldOut = ({ b }: Pair) => hashUnits(b) % HELD_OUT_EVERY === 0

/** Takes the held-out pairs out of their sources and returns them as sets of their own. */
export function takeHeldOut(sources: PairSources, vocabulary: EmbeddingVocabulary): Record<string, Watched> {
  const watched: Record<string, Watched> = {}
  for (const [name, pairs] of sources) {
    if (!HELD_OUT_OF.has(name)) continue
    const held = pairs.filter(isHeldOut).slice(0, HELD_OUT_AT_MOST)
    const texts = [...new Set(held.map(({ b }) => b))]
    const queries = held.map(({ a, b }) => ({ query: a, relevant: [texts.indexOf(b)] }))
    watched[name] = toWatched(texts, queries, vocabulary)
    sources.set(
      name,
      pairs.filter(pair => !isHeldOut(pair)),
    )
  }
  return watched
}

/** Takes out of all sources the pairs that would teach the answers of the judged sets. */
export function withoutJudged(sources: PairSources, folder: string): void {
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
    const left = pairs.length - kept.length
    if (left > 0) console.log(`${name}: left out ${left} pairs of judged texts`)
    sources.set(name, kept)
  }
}

export function readWatchedSets(folder: string, vocabulary: EmbeddingVocabulary): Record<string, Watched> {
  const watched: Record<string, Watched> = {}
  for (const name of listJudgedSets(folder)) {
    const { entries, queries } = readJudgedSet(folder, name)
    watched[`judged_${name}`] = toWatched(
      entries.map(({ text }) => text),
      queries,
      vocabulary,
    )
  }
  return watched
}
