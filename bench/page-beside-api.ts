// How long does the page of a constrained search take until its first byte, beside the API's answer? Options: entries (10000), requests of each (600).
import { createRandom, word, zipfRank } from './catalog.ts'
import { median } from './load.ts'
import { importCatalog, startShirube, stayOnCore, temporaryFolder } from './processes.ts'

const [entries = 10_000, requests = 600] = process.argv.slice(2).map(Number)
/** Of each, until what is compiled as it runs has come to rest. */
const WARMING = 400
const random = createRandom(7)
const thing = () => word(zipfRank(random))
const SENTENCES = [
  () => `${thing()} ${thing()} under 0.05 USDC on Base`,
  () => `${thing()} for ${thing()} on Solana under 10 cents`,
  () => `${thing()}の${thing()}、Baseで0.05ドル以下`,
]
const PATHS = {
  'API, 10 results': '/api/services/search/intent?limit=10&',
  'API, 20 results': '/api/services/search/intent?limit=20&',
  'API, 40 results': '/api/services/search/intent?limit=40&',
  page: '/?',
}
const names = Object.keys(PATHS) as (keyof typeof PATHS)[]

const { databaseUrl } = await importCatalog(temporaryFolder(), entries)
using server = await startShirube(databaseUrl)
stayOnCore('1')

const asked = new Set<string>()
/** A sentence that nobody asked before. */
function draw(): string {
  for (;;) {
    const question = SENTENCES[random(SENTENCES.length)]!()
    if (asked.has(question)) continue
    asked.add(question)
    return question
  }
}

/** Milliseconds until the first byte. */
async function ask(name: keyof typeof PATHS): Promise<number> {
  const address = `${server.url}${PATHS[name]}${new URLSearchParams({ q: draw() })}`
  const began = performance.now()
  const response = await fetch(address, { headers: { 'Accept-Encoding': 'gzip' } })
  const taken = performance.now() - began
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  return taken
}

const taken = Object.fromEntries(names.map(name => [name, [] as number[]]))
for (let i = 0; i < WARMING + requests; i++)
  // In turn: who comes after the page finds less at hand.
  for (const name of [...names.slice(i % names.length), ...names.slice(0, i % names.length)]) {
    const ms = await ask(name)
    if (i >= WARMING) taken[name]!.push(ms)
  }

const base = median(taken['API, 10 results']!)
console.log(`${entries} entries, ${requests} requests of each, no sentence twice`)
console.log('                    median ms   of the API with 10')
for (const name of names) {
  const ms = median(taken[name]!)
  console.log(name.padEnd(20) + ms.toFixed(2).padStart(9) + (ms / base).toFixed(2).padStart(21))
}
