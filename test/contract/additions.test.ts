// What it takes to add a filter, an order, an operation, a message and a table, done to a copy of the sources: the compiler names every
// place that the tables of filters and orders leave open, no other file is touched, and every interface has what was added.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entry } from '../../src/domain/listing/service.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { openFolder, type Serving } from '../cli/shirube.ts'
import { entry } from '../entries.ts'

/** @param before a text that the file has once; the addition is put before it */
type Addition = { readonly file: string; readonly before: string; readonly text: string }

type CopiedSources = AsyncDisposable & {
  readonly path: string
  add(additions: readonly Addition[]): Promise<void>
  /**
   * The files in which the compiler finds fault.
   * @param include what is compiled, with all that it imports
   */
  compile(include: readonly string[]): Promise<readonly string[]>
}

const ROOT = join(import.meta.dir, '../..')

const filesOf = (additions: readonly Addition[]): string[] =>
  [...new Set(additions.map(({ file }) => file))].sort()

async function copySources(): Promise<CopiedSources> {
  const path = await mkdtemp(join(tmpdir(), 'shirube-added-'))
  for (const part of ['src', 'bin', 'package.json'])
    await cp(join(ROOT, part), join(path, part), { recursive: true })
  for (const part of ['node_modules', 'data']) await symlink(join(ROOT, part), join(path, part))

  return {
    path,

    async add(additions) {
      for (const { file, before, text } of additions) {
        const target = join(path, 'src', file)
        const source = await Bun.file(target).text()
        expect(source.split(before)).toHaveLength(2)
        await Bun.write(
          target,
          source.replace(before, () => text + before),
        )
      }
    },

    async compile(include) {
      const config = await Bun.file(join(ROOT, 'tsconfig.json')).json()
      await Bun.write(join(path, 'tsconfig.json'), JSON.stringify({ ...config, include }))
      // Several threads would look at the same types again, each for itself.
      const options = ['--noEmit', '--singleThreaded', '--pretty', 'false']
      const compiler = Bun.spawn([join(ROOT, 'node_modules/.bin/tsc'), ...options], {
        cwd: path,
        stdout: 'pipe',
      })
      const faults = await compiler.stdout.text()
      return [...new Set([...faults.matchAll(/^src\/([^(\n]+)\(/gm)].map(([, file]) => file!))].sort()
    },

    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

/** A filter that no order bounds: `charged` leaves out what gives requests away. */
const FILTER: readonly Addition[] = [
  {
    file: 'domain/queries/filters.ts',
    before: '  readonly freeQuota?: true | undefined\n',
    text: '  readonly charged?: true | undefined\n',
  },
  {
    file: 'domain/queries/filters.ts',
    before: "  readonly freeQuota?: 'quota' | 'any'\n",
    text: '  readonly charged?: true\n',
  },
  {
    file: 'domain/queries/filters.ts',
    before: '  freeQuota: {\n    parameter:',
    text: `  charged: {
    parameter: z.preprocess(
      value => (value === 'true' ? true : value),
      z.literal(true, { error: expecting('true_expected') }),
    ).meta({ type: 'boolean' }).describe('true: only services without a free quota'),
    apply: itself,
    control: 'tick',
    section: 'more',
  },
`,
  },
  {
    file: 'catalog/filters.ts',
    before: '  freeQuota: {\n    compile(',
    text: '  charged: { compile: columns => slot => !columns.hasFreeQuota(slot) },\n',
  },
  {
    file: 'web/languages/english/words.ts',
    before: '  freeQuota: {',
    text: "  charged: { label: 'All requests paid', name: 'all paid', value: () => 'all requests paid' },\n",
  },
  {
    file: 'web/languages/japanese/words.ts',
    before: '  freeQuota: {',
    text: "  charged: { label: '無料枠なし', name: '無料枠なし', value: () => '無料枠なし' },\n",
  },
]

const ORDER: readonly Addition[] = [
  {
    file: 'domain/queries/filters.ts',
    before: '  name: { key:',
    text: `  uptime: {
    key: { kind: 'number', max: 10_000, isTotal: true, of: ({ standing }) => Math.round(standing.uptimeScore * 100) },
    direction: 'desc',
  },
`,
  },
  {
    file: 'web/languages/english/words.ts',
    before: '  latency: {',
    text: "  uptime: { desc: 'Highest uptime', asc: 'Lowest uptime' },\n",
  },
  {
    file: 'web/languages/japanese/words.ts',
    before: '  latency: {',
    text: "  uptime: { desc: '稼働率の高い順', asc: '稼働率の低い順' },\n",
  },
]

/** Says hello to a service, by a message of its own. */
const OPERATION: readonly Addition[] = [
  {
    file: 'directory/wire.ts',
    before: "  backing: { method: 'GET',",
    text: "  greet: { method: 'POST', path: '/api/services/:id/greeting', gives: 'value' },\n",
  },
  {
    file: 'directory/reports.ts',
    before: "import { IDS } from './examples.ts'",
    text: "import { tellInEnglish } from '../messages/message.ts'\n",
  },
  {
    file: 'directory/reports.ts',
    before: '  /** For operators, by age.',
    text: '  greet(id: string): Promise<{ readonly greeting: string }>\n',
  },
  {
    file: 'directory/reports.ts',
    before: "  listReports: {\n    id: 'listReports',",
    text: `  greet: {
    id: 'greetService',
    tag: 'services',
    summary: 'Greet a service',
    description: 'It answers nothing.',
    answer: 'The greeting',
    result: z.object({ greeting: z.string().describe('What is said to it') }).meta({ id: 'Greeting' }),
  },
`,
  },
  {
    file: 'directory/reports.ts',
    before: '    listReports: query =>',
    text: `    async greet(id) {
      await get(id)
      return { greeting: tellInEnglish(say('greeted', { id })) }
    },

`,
  },
]

const MESSAGE: readonly Addition[] = [
  { file: 'messages/request.ts', before: '  not_boolean:', text: "  greeted: 'Hello, {id}.',\n" },
]

const TABLE: readonly Addition[] = [
  {
    file: 'store/schema.ts',
    before: ']\n\n/** Versions up to this one',
    text: "  'CREATE TABLE greetings (id TEXT NOT NULL PRIMARY KEY, words TEXT NOT NULL) STRICT;',\n",
  },
]

const isOfTable = ({ file }: Addition) => file.startsWith('domain/')

const ENTRIES: readonly Entry[] = Array.from({ length: 12 }, (_, i) =>
  entry(
    {
      name: `Signpost ${i}`,
      pricing: { currency: 'USDC', pricePerRequest: '0.01', freeQuota: i % 3 === 0 ? 0 : 5 },
    },
    {
      now: new Date(Date.UTC(2026, 9, 1, 0, i)),
      standing: { status: 'verified', trustScore: 50, uptimeScore: (i * 7) % 12 },
    },
  ),
)
const CHARGED = ENTRIES.filter(({ pricing }) => pricing.freeQuota === 0).map(({ id }) => id)
const BY_UPTIME = ENTRIES.toSorted((a, b) => b.standing.uptimeScore - a.standing.uptimeScore).map(
  ({ id }) => id,
)

let copy: CopiedSources
/** Files in which the compiler found fault while what the tables of filters and orders ask for was missing, and after it was there. */
let asked: readonly string[]
let left: readonly string[]
let server: Serving
let launcher: string
const folder = await openFolder()
const DATABASE_URL = `sqlite:${join(folder.path, 'directory.db')}`

beforeAll(async () => {
  copy = await copySources()
  const ofTables = [...FILTER, ...ORDER]
  await copy.add([...ofTables.filter(isOfTable), ...OPERATION, ...MESSAGE, ...TABLE])
  asked = await copy.compile(['src'])
  // What had no fault has none now: only what was asked for is looked at again.
  await copy.add(ofTables.filter(each => !isOfTable(each)))
  left = await copy.compile(asked.map(file => `src/${file}`))

  launcher = join(copy.path, 'bin/shirube.mjs')
  {
    await using store = await openStore(DATABASE_URL, { clock: systemClock })
    await store.insert(ENTRIES)
  }
  server = await folder.serve([], { DATABASE_URL, TRUST_PROXY: '1' }, launcher)
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
  await copy?.[Symbol.asyncDispose]()
})

const get = (path: string) => fetch(server.url + path)
// biome-ignore lint/suspicious/noExplicitAny: a test names the fields it expects, and fails where one is missing
const readJson = (answer: Response): Promise<any> => answer.json()
const idsOf = (services: readonly { readonly id: string }[]) => services.map(({ id }) => id)
const cardsIn = (page: string) =>
  [...page.matchAll(/<h3><a href="\/services\/([^"?]*)/g)].map(([, id]) => id!)

test('a filter takes four files, an order three, an operation two, a message and a table one', () => {
  const files = { FILTER, ORDER, OPERATION, MESSAGE, TABLE }
  expect(Object.values(files).map(additions => filesOf(additions).length)).toEqual([4, 3, 2, 1, 1])
  expect(asked).toEqual(filesOf([...FILTER, ...ORDER].filter(each => !isOfTable(each))))
  expect(left).toEqual([])
})

test('the filter narrows lists and both searches', async () => {
  for (const query of ['', '&query=signpost']) {
    const answer = await get(`/api/services?charged=true&limit=100${query}`)
    expect(idsOf(await readJson(answer)).sort()).toEqual(CHARGED.toSorted())
    expect(answer.headers.get('x-total-count')).toBe(String(CHARGED.length))
  }
  // For its total all services are tested, which counts as ten plain reads.
  const counted = await fetch(`${server.url}/api/services?charged=true`, {
    headers: { 'x-forwarded-for': '192.0.2.1' },
  })
  expect(counted.headers.get('ratelimit')).toContain('r=5990;')
  const { results } = await readJson(await get('/api/services/search/intent?q=signpost&charged=true'))
  expect(idsOf(results.map((hit: { service: { id: string } }) => hit.service)).sort()).toEqual(
    CHARGED.toSorted(),
  )
  const refused = await get('/api/services?charged=perhaps')
  expect(refused.status).toBe(400)
  expect((await readJson(refused)).errors[0].path).toBe('charged')
})

test('pages offer both in every language, and the documents describe them', async () => {
  for (const [lang, words] of [
    ['en', ['All requests paid', 'all requests paid', 'Highest uptime']],
    ['ja', ['無料枠なし', '無料枠なし', '稼働率の高い順']],
  ] as const) {
    const page = await (await get(`/?charged=true&sortBy=uptime&lang=${lang}`)).text()
    expect(cardsIn(page)).toEqual(BY_UPTIME.filter(id => CHARGED.includes(id)))
    // Its control until it is set, then its chip.
    const [label, ...shown] = words
    expect(await (await get(`/?lang=${lang}`)).text()).toContain(label)
    for (const word of shown) expect(page).toContain(word)
  }
  const { paths } = await readJson(await get('/openapi.json'))
  const { parameters } = paths['/api/services'].get
  const named = (name: string) => parameters.find((each: { name: string }) => each.name === name)
  expect(named('charged').description).toBe('true: only services without a free quota')
  expect(named('sortBy').schema.enum).toContain('uptime')
  expect(await (await get('/llms.txt')).text()).toContain('`charged`')
})

test('the operation is answered with the message, and described', async () => {
  const { id } = ENTRIES[0]!
  const greet = (id: string) => fetch(`${server.url}/api/services/${id}/greeting`, { method: 'POST' })
  const answer = await greet(id)
  expect([answer.status, await answer.json()]).toEqual([200, { greeting: `Hello, ${id}.` }])
  expect((await greet('svc_none')).status).toBe(404)
  const { paths } = await readJson(await get('/openapi.json'))
  expect(paths['/api/services/{id}/greeting'].post.operationId).toBe('greetService')
})

test('the table is in a database of the release before, and goes along with a copy', async () => {
  const open = (name: string) => new Database(join(folder.path, name))
  {
    using database = open('directory.db')
    database.run("INSERT INTO greetings VALUES ('a', 'Hello')")
  }
  const main = join(copy.path, 'src/cli/main.ts')
  const { code } = await folder.run(['copy', 'sqlite:copied.db'], { env: { DATABASE_URL }, main })
  using copied = open('copied.db')
  expect([code, copied.query('SELECT * FROM greetings').all()]).toEqual([0, [{ id: 'a', words: 'Hello' }]])
})
