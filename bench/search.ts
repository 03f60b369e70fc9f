// How fast is keyword search in the process, and how does it compare with SQLite's FTS5 on the same queries?
// bun bench/search.ts [entries] [queries]
import { Database } from 'bun:sqlite'
import { createSearchIndex } from '../src/search/search-index.ts'
import { createInventedCatalog } from './invented-catalog.ts'

const entries = Number(process.argv[2] ?? 100_000)
const queries = Number(process.argv[3] ?? 20_000)
const COUNT = 20
const FTS_QUERIES = Math.min(queries, 500)

const { documents, twoWords, wordsOfOne } = createInventedCatalog(entries, 1)
const order = (a: number, b: number) => a - b

const beganLoad = performance.now()
const index = createSearchIndex()
for (const [slot, document] of documents.entries()) index.set(slot, document)
const loadMs = performance.now() - beganLoad

type Timing = { readonly mean: number; readonly p50: number; readonly p99: number }
function time(count: number, run: (query: string) => unknown, draw: () => string): Timing {
  const micros = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const query = draw()
    const began = Bun.nanoseconds()
    run(query)
    micros[i] = (Bun.nanoseconds() - began) / 1000
  }
  const mean = micros.reduce((sum, value) => sum + value, 0) / count
  micros.sort()
  return { mean, p50: micros[count >> 1]!, p99: micros[Math.floor(count * 0.99)]! }
}

const keyword = (query: string) => index.retrieverOfAny(query, order)(COUNT)
time(2000, keyword, twoWords)
const ours = time(queries, keyword, twoWords)
const byCount = [1, 2, 4, 8].map(count => [count, time(queries, keyword, () => wordsOfOne(count))] as const)
const complete = time(queries, query => index.retrieverOfAll(query, order)(COUNT), twoWords)
const prefix = time(
  2000,
  query => index.retrieverOfAny(query.slice(0, -2), order, { prefix: true })(COUNT),
  twoWords,
)
const typo = time(
  2000,
  query => index.retrieverOfAny(`${query.slice(0, -3)}q${query.slice(-2)}`, order)(COUNT),
  twoWords,
)

const database = new Database(':memory:')
database.run('create virtual table entry using fts5(name, description, category)')
const insert = database.prepare('insert into entry(rowid, name, description, category) values (?, ?, ?, ?)')
database.transaction(() => {
  for (const [slot, { name, description, category }] of documents.entries())
    insert.run(slot + 1, name, description, category)
})()
const page = database.prepare(
  `select rowid from entry where entry match ? order by bm25(entry) limit ${COUNT}`,
)
const count = database.prepare('select count(*) from entry where entry match ?')
const asMatch = (query: string) =>
  query
    .split(' ')
    .map(word => `"${word}"`)
    .join(' OR ')
const fts = time(FTS_QUERIES, query => [page.values(asMatch(query)), count.values(asMatch(query))], twoWords)

const beganChange = performance.now()
for (let i = 0; i < 1000; i++) {
  const slot = (i * 7919) % entries
  index.set(slot, documents[(i * 104_729) % entries]!, { before: documents[slot] })
}
const replaceMicros = performance.now() - beganChange

const row = (name: string, { mean, p50, p99 }: Timing) =>
  console.log(
    `${name.padEnd(34)} mean ${mean.toFixed(1).padStart(8)} µs   p50 ${p50.toFixed(1).padStart(8)}   p99 ${p99.toFixed(1).padStart(8)}`,
  )
console.log(
  `${entries} entries indexed in ${(loadMs / 1000).toFixed(2)} s, ${(index.bytes / entries).toFixed(0)} bytes each`,
)
for (const [count, timing] of byCount) row(`${count} words, any, 20 and total`, timing)
row('two words, any, 20 and total', ours)
row('two words, all, 20 and total', complete)
row('last word unfinished', prefix)
row('second word with a typo', typo)
row('SQLite FTS5, any, 20 and total', fts)
console.log(
  `${(fts.mean / ours.mean).toFixed(0)} times FTS5; replacing an entry takes ${replaceMicros.toFixed(0)} µs`,
)
