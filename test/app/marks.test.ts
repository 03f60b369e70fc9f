// Who stands behind a service is told beside every result, whichever way somebody came to it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readConfig } from '../../src/app/config.ts'
import { type App, openApp } from '../../src/app/server.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { type Folder, openFolder } from '../cli/shirube.ts'
import { entry } from '../entries.ts'
import { call, connectOverHttp } from '../mcp/connect.ts'

const NAME = 'Dunnart Tides'
const ENDPOINT = 'https://tides.example/v1'
const wallet = (digit: string) => ({ paymentAddress: `0x${digit.repeat(40)}`, network: 'base' })
const description = 'Tide tables of every harbour'
const own: Entry = {
  ...entry(
    { name: NAME, description, endpoint: ENDPOINT, x402Config: wallet('1') },
    { standing: { status: 'verified', trustScore: 40 } },
  ),
  proof: { at: '2026-11-01T00:00:00.000Z', names: 'wallet' },
}
const stranger = entry({
  name: 'Harbour tables',
  description: 'Tide tables for sailors in a hurry, cheaper than elsewhere',
  endpoint: `${ENDPOINT}/`,
  x402Config: wallet('2'),
})
const namesake = entry(
  {
    name: 'DUNNART tides',
    description: 'When the tide comes and when it goes, by the hour',
    endpoint: 'https://elsewhere.example/v1',
    x402Config: wallet('3'),
  },
  { now: new Date(Date.parse(own.createdAt) + 60_000) },
)
const MARKS = {
  // It is backed and had the name first: the copy carries the warning.
  [own.id]: {
    level: 'verified',
    claimed: false,
    domain: true,
    stranger: false,
    namesake: false,
    sample: false,
  },
  [stranger.id]: {
    level: 'listed',
    claimed: false,
    domain: false,
    stranger: true,
    namesake: false,
    sample: false,
  },
  [namesake.id]: {
    level: 'listed',
    claimed: false,
    domain: false,
    stranger: false,
    namesake: true,
    sample: false,
  },
}

let folder: Folder
let app: App
let url: string
beforeAll(async () => {
  folder = await openFolder()
  const DATABASE_URL = `sqlite:${folder.path}/directory.db`
  {
    await using store = await openStore(DATABASE_URL, { clock: systemClock })
    await store.insert([own, stranger, namesake])
  }
  app = await openApp(readConfig({ DATABASE_URL, PORT: '0', LOG_LEVEL: 'silent', PROBE: 'off' }))
  await app.caughtUp
  url = app.urls[0]!
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

type Told = { readonly id: string; readonly backing: unknown }
const byId = (told: readonly Told[]) => Object.fromEntries(told.map(({ id, backing }) => [id, backing]))
// biome-ignore lint/suspicious/noExplicitAny: a test names the fields it expects
const json = async (path: string): Promise<any> => (await fetch(url + path)).json()

test('in the answer to a sentence', async () => {
  const { results } = await json('/api/services/search/intent?q=tide%20tables')
  expect(
    byId(
      results.map(({ service, backing }: { service: Entry; backing: unknown }) => ({
        id: service.id,
        backing,
      })),
    ),
  ).toEqual(MARKS)
})

test.each([
  ['/discovery/resources', 'items'],
  ['/discovery/search?query=tide%20tables', 'resources'],
])('in the lists of x402, at %s', async (path, key) => {
  const items: { extensions: { shirube: Told } }[] = (await json(path))[key]
  expect(byId(items.map(({ extensions }) => extensions.shirube))).toEqual(MARKS)
})

test('by the tools for agents, in data and in words', async () => {
  await using client = await connectOverHttp(url)
  await client.listTools()
  const found = await call(client, 'find_service', { q: 'tide tables' })
  const listed = await call(client, 'search_services', { q: 'tide' })
  const results: { service: { id: string }; backing: unknown }[] = found.content.results
  expect(byId(results.map(({ service, backing }) => ({ id: service.id, backing })))).toEqual(MARKS)
  expect(listed.content.backing).toEqual(MARKS)
  for (const { text } of [found, listed]) {
    const lines = text.split('\n')
    const lineOf = ({ id }: Entry) => lines.find(line => line.includes(id)) ?? ''
    expect(lineOf(own)).toContain('domain proved')
    expect(lineOf(own)).not.toContain('has the name of an entry')
    expect(lineOf(stranger)).toContain('LISTED BY A STRANGER')
    expect(lineOf(namesake)).toContain(
      'not claimed or proved by anyone, has the name of an entry of another owner',
    )
  }
})

test('on the command line', async () => {
  const run = async (...args: string[]) => (await folder.run([...args, '--url', url])).stdout.split('\n')
  for (const lines of [await run('list'), await run('list', '--query', 'tide')]) {
    const lineOf = ({ id }: Entry) => lines.find(line => line.includes(id)) ?? ''
    expect(lineOf(own)).toContain('domain')
    expect(lineOf(own)).not.toContain('namesake')
    expect(lineOf(stranger)).toContain('stranger')
    expect(lineOf(namesake)).toContain('namesake')
  }
  const answer = (await run('search', 'tide', 'tables')).join('\n')
  for (const marks of ['domain', 'stranger', 'namesake']) expect(answer).toContain(`Backed by: ${marks}\n`)
})

test.each(['/', '/?q=tide+tables'])('on the page %s', async path => {
  const text = await (await fetch(url + path, { headers: { 'accept-language': 'en' } })).text()
  const cards = text.split('<li class="card">').slice(1)
  const cardOf = ({ id }: Entry) => cards.find(card => card.includes(id)) ?? ''
  expect(cardOf(own)).toContain('Confirmed by its domain')
  expect(cardOf(own)).not.toContain('Another service has the same or a similar name')
  expect(cardOf(stranger)).toContain('Listed by a stranger')
  expect(cardOf(stranger)).not.toContain('Another service has the same or a similar name')
  expect(cardOf(namesake)).toContain('Another service has the same or a similar name')
})
