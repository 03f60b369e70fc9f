// Two nodes with the same store answer every question alike: one that followed each change, with its caches filled, and one that was
// opened afterwards.
import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/app/config.ts'
import { openOperator } from '../../src/app/operator.ts'
import { type App, openApp } from '../../src/app/server.ts'
import { type OperationName, WIRE } from '../../src/directory/wire.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { createDatabase } from '../postgres.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { draft, settleGoodProbes, WALLET } from './directory.ts'

const MINUTE_MS = 60_000
const WEEK_MS = 7 * 86_400_000
const HEADERS = ['content-type', 'etag', 'link', 'x-total-count', 'x-notice']

/** All but the overview, which tells how a process is, too. */
type Reads = Exclude<
  { [N in OperationName]: (typeof WIRE)[N] extends { method: 'GET' } ? N : never }[OperationName],
  'overview'
>
const COLLECTION = 'chosen'
/** The queries of each read; those of a service are asked of every one. */
const QUERIES: Readonly<Record<Reads, readonly string[]>> = {
  list: [
    '',
    '?category=weather&chain=base&sortBy=price',
    '?sortBy=trustScore&limit=3&offset=2',
    '?query=tide',
  ],
  get: [''],
  status: [''],
  history: ['', '?limit=1'],
  trust: [''],
  purchases: ['', '?limit=1'],
  allPurchases: ['', '?limit=1'],
  catalog: [''],
  terms: [''],
  call: ['', '?for=python'],
  provenance: [''],
  backing: [''],
  resolve: [draft.endpoint, 'https://tides.example/unknown'].map(
    url => `?${new URLSearchParams({ url, payTo: WALLET, network: 'base' })}`,
  ),
  search: ['?q=tides', '?q=weather%20api&limit=3', '?q=no-such-word'],
  searchByIntent: ['?q=tide%20tables%20under%20one%20cent', `?q=${encodeURIComponent('日本の天気予報')}`],
  rank: ['?q=tide%20tables%20under%20one%20cent', ''],
  categories: [''],
  ownServices: [''],
  listKeys: [''],
  listReports: [''],
  followedSources: [''],
  hiddenList: [''],
  collections: [''],
  collection: [''],
  allKeys: [''],
  spending: [''],
  spendingCsv: ['', '?from=2026-01-01'],
  ownPurchases: [''],
  acts: ['', '?limit=1'],
  backups: [''],
  settings: [''],
  changes: ['?since=0&limit=1000', '?since=3'],
  events: [''],
  listWebhooks: [''],
  resources: ['', '?network=base&limit=2&offset=1'],
  searchResources: ['?query=weather'],
  export: [''],
}

type Answers = Record<string, readonly [status: number, headers: readonly (string | null)[], body: string]>

/** The response to each read, without what belongs to the request alone. */
async function answersOf(url: string, ids: readonly string[], key: string): Promise<Answers> {
  const answers: Answers = {}
  for (const name of Object.keys(QUERIES) as Reads[]) {
    const paths = WIRE[name].path.includes(':id')
      ? [...ids, COLLECTION].map(id => WIRE[name].path.replace(':id', id))
      : [WIRE[name].path]
    for (const path of paths.flatMap(path => QUERIES[name].map(query => path + query))) {
      const headers = { Authorization: `Bearer ${key}`, 'Last-Event-ID': '0' }
      const response = await fetch(url + path, { headers })
      const body = name === 'events' ? await readEvents(response, ids.length) : await response.text()
      answers[`${name} ${path}`] = [response.status, HEADERS.map(each => response.headers.get(each)), body]
    }
  }
  return answers
}

/** As much of an endless stream as holds the first events. */
async function readEvents(response: Response, count: number): Promise<string> {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.split('\nevent: ').length > count) break
  }
  return text.split('\n\n').slice(0, count).join('\n\n')
}

describe.each(['SQLite', 'PostgreSQL'])('two nodes on %s', engine => {
  test('answer every read alike', async () => {
    await using parts = new AsyncDisposableStack()
    const config = readConfig({
      DATABASE_URL: engine === 'SQLite' ? `sqlite:${temporaryPath('nodes.db')}` : await createDatabase(),
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
      PROBE: 'off',
      RATE_LIMIT: '0',
      PUBLIC_URL: 'https://directory.example',
    })
    // In the middle of a minute: what is asked shortly before and after a time of day falls into the same one.
    const startMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - MINUTE_MS / 2
    let aheadMs = 0
    const clock: Clock = {
      now: () => new Date(startMs + aheadMs),
      sleep: (ms, signal) => systemClock.sleep(ms, signal),
    }
    const open = async () => {
      const app = parts.use(await openApp(config, { clock }))
      await app.caughtUp
      return app
    }
    const early = await open()
    const { directory } = early
    const operator = parts.use(await openOperator(config))
    const by = await operator.keys.create({ name: 'both', scopes: ['register', 'admin'], expiresAt: null })
    const ids: string[] = []
    for (const name of ['Tides of Japan', 'Tides of Korea', 'Retired tides', 'Removed tides', 'Weather API'])
      ids.push((await directory.register({ ...draft, name }, by)).service.decode().id)
    await directory.collect(COLLECTION, { items: [{ kind: 'service', value: ids[0] }] }, by)
    const [first, second, retired, removed] = ids as [string, string, string, string]
    await using store = await openStore(config.databaseUrl, { clock })
    await settleGoodProbes(store, directory, first, 3, startMs + 1)
    const ask = (app: App) => answersOf(app.urls[0]!, ids, by.key)
    await ask(early)
    await directory.edit(second, { description: 'Weather and tides of Busan.' }, by)
    await directory.retire(retired, { message: 'Over.' }, by)
    await directory.remove(removed, by)
    await directory.report(first, { kind: 'other', text: 'It is down.' }, by)
    for (let times = 0; times < 2; times++) await ask(early)
    const late = await open()
    // An answer may change with time as well, soon after the first node has given it.
    for (const ms of [0, WEEK_MS]) {
      aheadMs = ms - 20_000
      await ask(early)
      aheadMs = ms + 20_000
      const answers = await ask(early)
      expect(await ask(late)).toEqual(answers)
      // Each read has found something.
      const found = Object.keys(answers).filter(asked => answers[asked]![0] === 200)
      expect(new Set(found.map(asked => asked.split(' ')[0]))).toEqual(new Set(Object.keys(QUERIES)))
    }
  }, 120_000)
})
