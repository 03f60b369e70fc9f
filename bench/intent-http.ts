// How close do intent and keyword search over HTTP come to a bare server that sends the same number of bytes, no query twice, and what do hostile ones cost beside ordinary ones? Options: entries (100000), seconds (4), rounds (5).
import { createRandom, word, zipfRank } from './catalog.ts'
import { createHostileQueries } from './hostile-queries.ts'
import { BESIDE_BARE, besideBare, type Load, median, sendLoad } from './load.ts'
import { importCatalog, startBare, startShirube, temporaryFolder } from './processes.ts'

const [entries = 100_000, seconds = 4, rounds = 5] = process.argv.slice(2).map(Number)
/** Before anything is counted: what is compiled as it runs must have come to rest, as in a server that has been up for a minute. */
const WARMING = { queries: 30_000, seconds: 14 }
const WARMING_STEP_SECONDS = 2
/** More than answers are kept. */
const HOSTILE_QUERIES = 5_000
const folder = temporaryFolder()
const { databaseUrl } = await importCatalog(folder, entries)
using server = await startShirube(databaseUrl)
const random = createRandom(11)
/** Drawn as often and as seldom as the catalog says it. */
const thing = () => word(zipfRank(random))

const ENGLISH = [
  () => `I am looking for an API with ${thing()} and ${thing()}`,
  () => `${thing()} ${thing()} service that returns ${thing()}`,
  () => `How can I get the ${thing()} of a ${thing()}?`,
  () => `cheap ${thing()} ${thing()}`,
  () => `Which one tells me the ${thing()} for every ${thing()} in my ${thing()}`,
]
const ENGLISH_CONDITIONS = [
  () => `${thing()} for ${thing()} under 0.05 USDC on Base`,
  () => `verified ${thing()} with ${thing()} on Solana`,
  () => `${thing()} ${thing()} with a free tier, less than 1 cent`,
  () => `reliable ${thing()} of ${thing()} paid in EURC`,
]
const JAPANESE = [
  () => `${thing()}と${thing()}を調べられるAPIを探しています`,
  () => `${thing()}の${thing()}を取得したい`,
  () => `今日の${thing()}と${thing()}を教えてください`,
  () => `安い${thing()}の${thing()}`,
  () => `画像の${thing()}を${thing()}に翻訳するサービスはありますか`,
]
const JAPANESE_CONDITIONS = [
  () => `Baseで使える${thing()}の${thing()}、0.05ドル以下`,
  () => `検証済みで${thing()}と${thing()}を調べられるもの`,
  () => `無料枠のある${thing()}の${thing()}`,
  () => `信頼できる${thing()}の${thing()}、1円未満`,
]

/** A plain sentence four times, then one with conditions. */
const mixed = (plain: readonly (() => string)[], conditions: readonly (() => string)[]) => () => {
  const from = random(5) === 0 ? conditions : plain
  return from[random(from.length)]!()
}
const questions: Readonly<Record<string, { readonly path: string; readonly draw: () => string }>> = {
  'intent, English': { path: '/api/services/search/intent', draw: mixed(ENGLISH, ENGLISH_CONDITIONS) },
  'intent, Japanese': { path: '/api/services/search/intent', draw: mixed(JAPANESE, JAPANESE_CONDITIONS) },
  'keyword, two words': { path: '/api/catalog/search', draw: () => `${thing()} ${thing()}` },
}

const toPath = (path: string, query: string) => `${path}?q=${encodeURIComponent(query)}`

const asked = new Set<string>()
/** So many questions that nobody asked before. */
function draw(count: number, { path, draw }: (typeof questions)[string]): string[] {
  const paths: string[] = []
  while (paths.length < count) {
    const question = toPath(path, draw())
    if (asked.has(question)) continue
    asked.add(question)
    paths.push(question)
  }
  return paths
}

async function warm(question: (typeof questions)[string]): Promise<number> {
  let most = 5_000
  for (let sent = 0, seconds = 0; sent < WARMING.queries || seconds < WARMING.seconds; ) {
    const { perSecond } = sendLoad(folder, server, draw(most, question), WARMING_STEP_SECONDS)
    most = Math.ceil(2 * perSecond * WARMING_STEP_SECONDS)
    sent += perSecond * WARMING_STEP_SECONDS
    seconds += WARMING_STEP_SECONDS
  }
  const lengths = draw(20, question).map(
    async path => (await (await fetch(server.url + path)).bytes()).length,
  )
  return median(await Promise.all(lengths))
}

console.log(`${entries} entries, ready after ${server.readySeconds.toFixed(1)} s; no query twice`)
console.log(BESIDE_BARE)
for (const [name, question] of Object.entries(questions)) {
  using bare = await startBare(await warm(question))
  const pairs: (readonly [Load, Load])[] = []
  let most = 5_000
  for (let round = 0; round < rounds; round++) {
    const ours = sendLoad(folder, server, draw(most, question), seconds)
    pairs.push([ours, sendLoad(folder, bare, ['/'], seconds)])
    most = Math.ceil(2 * ours.perSecond * seconds)
  }
  console.log(besideBare(name, pairs, 3))
}

const keywords = questions['keyword, two words']!
const vocabulary = {
  twoWords: keywords.draw,
  frequentWords: (count: number) => Array.from({ length: count }, (_, rank) => word(rank)).join(' '),
}
/** Signs in front say nothing, and make it a query that nobody asked before. */
const unlike = (query: string) =>
  (Array.from({ length: 8 }, () => ' ,;!'[random(4)]).join('') + query).slice(0, 500).toWellFormed()

for (const [kind, ordinary] of [
  ['keywords', keywords],
  ['sentences', questions['intent, English']!],
] as const) {
  console.log(`${`hostile ${kind}`.padEnd(33)}µs of the server   times an ordinary request`)
  // Alternately: whatever slows the machine down meanwhile slows both.
  for (const [name, hostile] of Object.entries(createHostileQueries(vocabulary))) {
    const paths = Array.from({ length: HOSTILE_QUERIES }, () => toPath(ordinary.path, unlike(hostile())))
    const pairs = Array.from({ length: rounds }, () => [
      sendLoad(folder, server, paths, 1).perCpuSecond,
      sendLoad(folder, server, draw(15_000, ordinary), 1).perCpuSecond,
    ])
    const micros = median(pairs.map(([costly]) => 1e6 / costly!))
    const times = median(pairs.map(([costly, usual]) => usual! / costly!))
    console.log(name.padEnd(33) + micros.toFixed(0).padStart(16) + times.toFixed(1).padStart(28))
  }
}
console.log(`resident memory ${(server.residentBytes() / entries / 1024).toFixed(2)} KiB an entry`)
