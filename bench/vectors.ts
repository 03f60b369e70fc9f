// How long the search for the nearest vectors takes, and how much of the exact answer it finds.
//   bun bench/vectors.ts [--entries 100000] [--queries 500] [--texts <file, one description a line>]
// Without texts, entries and queries are mixtures of words that lie near each other, as descriptions are.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Embedder, openEmbedder } from '../src/search/embedding/model.ts'
import { VectorIndex } from '../src/search/embedding/vectors.ts'

/** As many as a sentence asks for. */
const K = 20
const DEPTHS = [1, 10, K] as const
const COMMON_WORDS = 12_000
const TOPICS = 3_000
const NEIGHBOURS = 40
const EXACT_QUERIES = 200

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '500' },
    texts: { type: 'string' },
  },
})
const entries = Number(values.entries)
const queries = Number(values.queries)

function createDice(seed: number): (sides: number) => number {
  let state = seed
  return sides => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}
const dice = createDice(1)

const order = (a: number, b: number) => a - b

/** Draws vectors of invented descriptions: words of two topics and a few of none, in both languages. */
function createMixer(embedder: Embedder): (words: number) => Float32Array {
  const list = readFileSync(new URL('../data/embedding.txt', import.meta.url), 'utf8').split('\n')
  const japanese = list.findIndex(word => /[\u3040-\u30ff\u4e00-\u9fff]/.test(word))
  const common = [...list.slice(0, COMMON_WORDS), ...list.slice(japanese, japanese + COMMON_WORDS)]
  const vectors = common.map(word => embedder.embed(word))
  const words = new VectorIndex(embedder.dimensions)
  for (const [slot, vector] of vectors.entries()) words.set(slot, words.encode(vector))
  const topics = Array.from({ length: TOPICS }, () =>
    words
      .nearest(words.toQuery(vectors[200 + dice(common.length - 200)]!), NEIGHBOURS, order)
      .map(({ slot }) => slot),
  )
  return count => {
    const [first, second] = [topics[dice(TOPICS)]!, topics[dice(TOPICS)]!]
    const sum = new Float32Array(embedder.dimensions)
    for (let i = 0; i < count; i++) {
      const from = dice(10)
      const slot =
        from < 6 ? first[dice(first.length)]! : from < 9 ? second[dice(second.length)]! : dice(common.length)
      for (let d = 0; d < sum.length; d++) sum[d]! += vectors[slot]![d]!
    }
    return sum
  }
}

function createSource(embedder: Embedder) {
  if (values.texts === undefined) {
    const mix = createMixer(embedder)
    return { entry: () => mix(6 + dice(20)), query: () => mix(2 + dice(4)) }
  }
  const lines = readFileSync(values.texts, 'utf8').split('\n').filter(Boolean)
  let at = 0
  const opening = (line: string) => line.slice(0, 40 + dice(60))
  return {
    entry: () => embedder.embed(lines[at++ % lines.length]!),
    query: () => embedder.embed(opening(lines[dice(lines.length)]!)),
  }
}

const us = (ms: number, count: number) => `${((ms * 1000) / count).toFixed(1)} µs`
const embedder = openEmbedder()
const source = createSource(embedder)
const vectors = new VectorIndex(embedder.dimensions)
let settingMs = 0
for (let slot = 0; slot < entries; slot++) {
  const vector = source.entry()
  const began = performance.now()
  vectors.set(slot, vectors.encode(vector))
  settingMs += performance.now() - began
}
console.log(
  `${vectors.size} entries, ${(vectors.bytes / vectors.size).toFixed(0)} bytes each, set in ${us(settingMs, entries)}`,
)

const asked = Array.from({ length: queries }, () => vectors.toQuery(source.query()))
const judged = asked.slice(0, EXACT_QUERIES)
const slots = Array.from({ length: entries }, (_, slot) => slot)
/** The least score that is among the exact first so many of each query. */
const floors = judged.map(query => {
  const scores = Float32Array.from(vectors.cosines(query, slots)).sort()
  return DEPTHS.map(depth => scores[entries - depth]!)
})

/** How much of the exact first 1, 10 and K are found, on average. */
function recalls(): number[] {
  const sums = DEPTHS.map(() => 0)
  for (const [i, query] of judged.entries()) {
    const nearest = vectors.nearest(query, K, order)
    for (const [place, depth] of DEPTHS.entries()) {
      // By score, so that equal vectors count whichever of them is returned.
      const found = nearest.filter(({ cosine }) => Math.fround(cosine) >= floors[i]![place]!).length
      sums[place]! += Math.min(depth, found) / depth
    }
  }
  return sums.map(sum => sum / judged.length)
}

for (const query of asked) vectors.nearest(query, K, order)
const times = asked.map(query => {
  const began = performance.now()
  vectors.nearest(query, K, order)
  return performance.now() - began
})
times.sort((a, b) => a - b)
const at = (share: number) => `${times[Math.floor((times.length - 1) * share)]!.toFixed(3)} ms`
const found = recalls().map(share => share.toFixed(3))
console.log(
  `p50 ${at(0.5)}, p99 ${at(0.99)}; of the exact first ${DEPTHS.join(' / ')}, ${found.join(' / ')} are found`,
)
