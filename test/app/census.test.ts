// The census over time, through a whole directory whose days the test makes.
import { expect, test } from 'bun:test'
import type { Census } from '../../src/domain/census.ts'
import { openStore } from '../../src/store/open.ts'
import { draft } from '../entries.ts'
import { openTestServer, type TestServer } from '../http/directory-server.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { temporaryPath } from '../store/temporary-path.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** What is kept in the background is kept soon. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setImmediate(resolve))
}

const open = (clock: ManualClock, settings: Record<string, string> = {}) =>
  openTestServer({ TRUST_PROXY: '1', UNMET_MIN_CALLERS: '3', RATE_LIMIT: '0', ...settings }, { clock })

const censusOf = (server: TestServer, query = ''): Promise<Census> => server.json(`/api/census${query}`)

/** As so many callers behind a proxy. */
async function ask(server: TestServer, path: string, callers: number): Promise<void> {
  for (let caller = 0; caller < callers; caller++)
    await server.get(path, { 'x-forwarded-for': `192.0.2.${caller}` })
}

test('past days are stored as last counted, and today is computed live', async () => {
  const clock = new ManualClock('2026-11-01T12:00:00.000Z')
  const databaseUrl = `sqlite:${temporaryPath('directory.db')}`
  await using server = await open(clock, { DATABASE_URL: databaseUrl })
  await using store = await openStore(databaseUrl, { clock })
  expect((await censusOf(server)).days.map(({ services }) => services)).toEqual([0])
  await server.register(draft())
  const [today] = (await censusOf(server)).days
  expect([today!.day, today!.services, today!.verified]).toEqual(['2026-11-01', 1, 0])
  await server.register(draft({ name: 'Osaka Weather' }))
  clock.advance(HOUR_MS)
  await until(async () => (await store.census.before('2026-11-02', 1))[0]?.services === 2)
  clock.advance(DAY_MS)
  const { days } = await censusOf(server)
  expect(days.map(({ day, services }) => [day, services])).toEqual([
    ['2026-11-02', 2],
    ['2026-11-01', 2],
  ])
  expect((await censusOf(server, '?days=1')).days).toHaveLength(1)
  const page = (await (await server.get('/census')).text()).replaceAll('\u00a0', ' ')
  for (const text of ['1 Nov: 2 listed, 0 answering, 0 verified', '2 Nov: 2 listed', '31 Oct: not counted'])
    expect(page).toContain(text)
  expect(page.match(/<tr><th scope="row">/g)).toHaveLength(2)
  expect(await (await server.get('/census?lang=ja')).text()).toContain('11月1日：2件（応答0件、検証済み0件）')
  expect((await server.get('/api/census?days=400')).status).toBe(400)
})

test('the page starts at the first service, without the empty days before it', async () => {
  const clock = new ManualClock('2026-11-01T12:00:00.000Z')
  const databaseUrl = `sqlite:${temporaryPath('directory.db')}`
  await using server = await open(clock, { DATABASE_URL: databaseUrl })
  await using store = await openStore(databaseUrl, { clock })
  // As a directory of samples alone stores it.
  await store.census.put((await censusOf(server)).days[0]!)
  clock.advance(DAY_MS)
  expect((await censusOf(server)).days).toHaveLength(2)
  expect(await (await server.get('/census')).text()).not.toContain('class="chart"')
  await server.register(draft())
  const page = (await (await server.get('/census')).text()).replaceAll('\u00a0', ' ')
  for (const text of ['1 Nov: not counted', '2 Nov: 1 listed', 'Counting started today'])
    expect(page).toContain(text)
})

test('empty searches of enough callers are reported after the end of the day in every interface', async () => {
  const clock = new ManualClock('2026-11-01T12:00:00.000Z')
  await using server = await open(clock)
  await server.register(draft())
  const mcp = (words: string, from: string) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-forwarded-for': from,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'find_service', arguments: { q: words } },
      }),
    })
  await ask(server, '/api/services/search/intent?q=flight%20prices', 3)
  await ask(server, '/api/catalog/search?q=tractor', 3)
  await ask(server, '/?q=volcano', 3)
  for (const from of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
    expect((await mcp('orchestra', from)).status).toBe(200)
  // Too few, a filter beside it, something that is found, a secret.
  await ask(server, '/api/services/search/intent?q=telescope', 2)
  await ask(server, '/api/services/search/intent?q=bakery&category=nothing', 3)
  await ask(server, '/api/services/search/intent?q=forecast', 3)
  await ask(server, '/api/services/search/intent?q=sk-live-51H8xk2Qe9', 3)
  expect((await censusOf(server)).unmet).toEqual({ since: '2026-10-02', minCallers: 3, searches: [] })
  clock.advance(DAY_MS)
  let told: Census['unmet'] | undefined
  await until(async () => {
    clock.advance(60_000)
    told = (await censusOf(server)).unmet
    return told.searches.length > 0
  })
  expect(told!.searches.map(({ words, callers }) => [words, callers]).sort()).toEqual([
    ['flight prices', 3],
    ['orchestra', 3],
    ['tractor', 3],
    ['volcano', 3],
  ])
})

test('The census states when the operator counts no searches', async () => {
  await using server = await open(new ManualClock(), { UNMET_MIN_CALLERS: '0' })
  await ask(server, '/api/services/search/intent?q=flight%20prices', 9)
  expect((await censusOf(server)).unmet.minCallers).toBe(0)
})
