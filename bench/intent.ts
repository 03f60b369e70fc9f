// How fast is intent search in the process, in both languages, and what do hostile sentences and keywords cost beside ordinary ones?
// bun bench/intent.ts [entries] [queries]
import { openEmbedder } from '../src/search/embedding/model.ts'
import { createSemanticIndex } from '../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../src/search/search-index.ts'
import { createSentenceReader } from '../src/search/sentence/intent.ts'
import { createHostileQueries } from './hostile-queries.ts'
import { createInventedCatalog } from './invented-catalog.ts'

const readIntent = createSentenceReader()

const entries = Number(process.argv[2] ?? 100_000)
const queries = Number(process.argv[3] ?? 2_000)
const { documents, sentence, twoWords, frequentWords } = createInventedCatalog(entries, 1)
const order = (a: number, b: number) => a - b

const index = createSearchIndex({ semantic: createSemanticIndex(openEmbedder()) })
const beganLoad = performance.now()
for (const [slot, document] of documents.entries()) index.set(slot, document)
const loadMs = performance.now() - beganLoad
const embeddings = documents.map(document => index.embedDocument(document))
const kept = createSearchIndex({ semantic: createSemanticIndex(openEmbedder()) })
const beganKept = performance.now()
for (const [slot, document] of documents.entries()) kept.set(slot, document, { embedding: embeddings[slot] })
const keptMs = performance.now() - beganKept

function time(name: string, count: number, draw: () => string, run: (query: string) => unknown) {
  const micros = new Float64Array(count)
  for (let i = -200; i < count; i++) {
    const query = draw()
    const began = Bun.nanoseconds()
    run(query)
    if (i >= 0) micros[i] = (Bun.nanoseconds() - began) / 1000
  }
  const mean = micros.reduce((sum, value) => sum + value, 0) / count
  micros.sort()
  const cell = (value: number) => value.toFixed(0).padStart(7)
  const middle = micros[count >> 1]!
  console.log(
    `${name.padEnd(36)} mean ${cell(mean)} µs   p50 ${cell(middle)}   p99 ${cell(micros[Math.floor(count * 0.99)]!)}`,
  )
  return { mean, middle }
}

const isJapanese = (text: string) => /[ぁ-ん]/.test(text)
const draw = (japanese: boolean) => () => {
  let query = sentence()
  while (isJapanese(query) !== japanese) query = sentence()
  return query
}
const rank = (query: string) => index.rankIntent(readIntent(query), 10, order).hits
const keyword = (query: string) => index.retrieverOfAny(query, order)(20)

console.log(
  `${entries} entries indexed in ${(loadMs / 1000).toFixed(2)} s, with kept vectors in ${(keptMs / 1000).toFixed(2)} s, ${(index.bytes / entries).toFixed(0)} bytes each`,
)
time('reading the sentence, English', queries, draw(false), readIntent)
time('reading the sentence, Japanese', queries, draw(true), readIntent)
const ordinary = {
  sentence: time('ranking, English', queries, draw(false), rank),
  keywords: time('two keywords', queries, twoWords, keyword),
}
time('ranking, Japanese', queries, draw(true), rank)
const HOSTILE = createHostileQueries({ twoWords, frequentWords })
for (const [kind, ask] of [
  ['sentence', rank],
  ['keywords', keyword],
] as const) {
  console.log(`as ${kind}, beside an ordinary one:`)
  for (const [name, query] of Object.entries(HOSTILE)) {
    const { mean, middle } = time(name, Math.min(queries, 200), query, ask)
    const times = (mean / ordinary[kind].mean).toFixed(1)
    console.log(
      `${''.padEnd(36)} ${times} times by mean, ${(middle / ordinary[kind].middle).toFixed(1)} by p50`,
    )
  }
}
