// Prints nDCG@10 of plain BM25, of the model alone and of both, on judged sets.
//   bun model/evaluate.ts <folder of X.catalog.jsonl and X.queries.jsonl> [--model data/embedding.bin] [--weight 0.5] [set …]
import { parseArgs } from 'node:util'
import { openEmbedder, toCosine } from '../src/search/embedding/model.ts'
import { createBm25 } from './bm25.ts'
import { listJudgedSets, readJudgedSet } from './judged-set.ts'

const DEPTH = 10

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { model: { type: 'string' }, weight: { type: 'string', default: '0.5' } },
})
const [folder, ...chosen] = positionals
if (folder === undefined) throw new Error('Give the folder of judged sets.')
const weight = Number(values.weight)
const embedder = openEmbedder(values.model)

const discount = Array.from({ length: DEPTH }, (_, i) => 1 / Math.log2(i + 2))
const gainOf = (hits: readonly boolean[]) => hits.reduce((sum, hit, i) => (hit ? sum + discount[i]! : sum), 0)

function ndcg(scores: Float32Array, relevant: readonly number[]): number {
  const best = [...scores.keys()].sort((x, y) => scores[y]! - scores[x]! || x - y).slice(0, DEPTH)
  const ideal = gainOf(Array(Math.min(DEPTH, relevant.length)).fill(true))
  return gainOf(best.map(doc => scores[doc]! > 0 && relevant.includes(doc))) / ideal
}

console.log(
  `${'nDCG@10'.padEnd(20)}${['queries', 'bm25', 'model', 'both'].map(head => head.padStart(9)).join('')}`,
)
for (const name of listJudgedSets(folder)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  const { entries, queries } = readJudgedSet(folder, name)
  const bm25 = createBm25(entries.map(({ text }) => text))
  const vectors = entries.map(({ text }) => embedder.embed(text))
  const sums = [0, 0, 0]
  let count = 0
  for (const { query, relevant } of queries) {
    if (relevant.length === 0) continue
    count++
    const vector = embedder.embed(query)
    const words = bm25.score(query)
    const meaning = Float32Array.from(vectors, other => toCosine(vector, other))
    const both = words.map((score, doc) => score + weight * meaning[doc]!)
    for (const [i, scores] of [words, meaning, both].entries()) sums[i]! += ndcg(scores, relevant)
  }
  const cells = [String(count), ...sums.map(sum => (sum / count).toFixed(3))]
  console.log(name.padEnd(20) + cells.map(cell => cell.padStart(9)).join(''))
}
