// How much longer do lists and searches take under a policy? Options: entries (100000), rounds (2000).

import { loadConfig } from '../src/app/config.ts'
import { openReader } from '../src/app/local.ts'
import { readPolicy } from '../src/domain/policy.ts'
import { parseIntentQuery, parseKeywordQuery, parseListQuery } from '../src/domain/queries/queries.ts'
import { createRandom, word, zipfRank } from './catalog.ts'
import { median } from './load.ts'
import { importCatalog, temporaryFolder } from './processes.ts'

const [entries = 100_000, rounds = 2_000] = process.argv.slice(2).map(Number)
/** Under which an operator starts to wonder. */
const MOST = 1.3
const { databaseUrl } = await importCatalog(temporaryFolder(), entries)
await using reader = await openReader({ ...loadConfig(), databaseUrl })
const { directory } = reader

const random = createRandom(42)
const words = () => `${word(zipfRank(random))} ${word(zipfRank(random))}`
const listed = (await directory.list(parseListQuery({ limit: '100' }))).services.decode()
const hosts = listed.map(({ endpoint }) => new URL(endpoint).hostname)
const POLICIES = {
  'two chains below $0.10': { chains: ['base', 'solana'], maxUsdPrice: '0.1' },
  'a hundred hosts denied': { deny: hosts },
  'a hundred hosts allowed': { allow: hosts },
}
type View = Pick<typeof directory, 'list' | 'search' | 'searchByIntent'>
const QUESTIONS: Readonly<Record<string, () => (view: View) => Promise<unknown>>> = {
  list: () => {
    const query = parseListQuery({ offset: String(random(200) * 20) })
    return view => view.list(query)
  },
  'list by price of a category': () => {
    const query = parseListQuery({ category: 'data', sortBy: 'price', offset: String(random(20) * 20) })
    return view => view.list(query)
  },
  'keyword search': () => {
    const query = parseKeywordQuery({ q: words() })
    return view => view.search(query)
  },
  sentence: () => {
    const query = parseIntentQuery({ q: `${words()} below 0.1 USDC` })
    return view => view.searchByIntent(query)
  },
}

for (const [under, policy] of Object.entries(POLICIES)) {
  const views = [directory, directory.under(readPolicy(policy))]
  for (const [question, draw] of Object.entries(QUESTIONS)) {
    const micros: [number[], number[]] = [[], []]
    for (let i = -100; i < rounds; i++) {
      const ask = draw()
      // In turns, so that neither always finds what the other has read.
      for (const of of i % 2 === 0 ? [0, 1] : [1, 0]) {
        const began = Bun.nanoseconds()
        await ask(views[of]!)
        if (i >= 0) micros[of]!.push((Bun.nanoseconds() - began) / 1_000)
      }
    }
    const [open, narrow] = micros.map(median) as [number, number]
    const ratio = narrow / open
    if (ratio > MOST) process.exitCode = 1
    console.log(
      `${under.padEnd(24)} ${question.padEnd(28)} ${open.toFixed(0).padStart(6)} µs → ${narrow.toFixed(0).padStart(6)} µs   ${ratio.toFixed(2)}`,
    )
  }
}
