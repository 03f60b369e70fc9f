// What it takes to add an operation, done to a copy of the sources: its form over HTTP in the table, and its statement and work in the
// file of its subject. Routes, document and client follow from the two.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { openFolder, type Serving } from '../cli/shirube.ts'
import { entry } from '../entries.ts'
import { type Addition, type CopiedSources, copySources, filesOf } from './copied-sources.ts'

/** `relatives` names the services that are paid to the same address. */
const IN_TABLE: readonly Addition[] = [
  {
    file: 'directory/wire.ts',
    before: '  backing: {',
    text: `  relatives: { method: 'GET', path: '/api/services/:id/relatives', takes: 'query', gives: 'encoded' },
`,
  },
]
const IN_SUBJECT: readonly Addition[] = [
  {
    file: 'directory/service-records.ts',
    before: '/** Each @throws DirectoryError `not_found`, `hidden` */\nexport interface ServiceRecords {',
    text: `const relativesQuerySchema = z.object({
  limit: z.preprocess(wholeNumber, z.int().min(1)).default(10).describe('How many at most'),
})
type RelativesQuery = z.output<typeof relativesQuerySchema>
const relativesSchema = z
  .object({ ids: z.array(z.string()).describe('Their ids') })
  .meta({ id: 'Relatives', title: 'Services with one payee' })
type Relatives = z.output<typeof relativesSchema>

`,
  },
  {
    file: 'directory/service-records.ts',
    before: '  /** Where the entry came from. */\n',
    text: '  relatives(id: string, query: RelativesQuery): Promise<Encoded<Relatives>>\n',
  },
  {
    file: 'directory/service-records.ts',
    before: "  backing: {\n    id: 'getServiceBacking',",
    text: `  relatives: {
    id: 'getServiceRelatives',
    tag: 'proof',
    summary: 'List services with the same payee',
    description: 'Paid to the same address.',
    query: { schema: relativesQuerySchema, parse: createQueryReader(relativesQuerySchema) },
    answer: 'Their ids',
    result: relativesSchema,
    example: { ids: [] },
    errors: ['invalid_request', 'not_found', 'hidden'],
  },
`,
  },
  {
    file: 'directory/service-records.ts',
    before: '    backing: async id =>',
    text: `    async relatives(id, { limit }) {
      const { x402Config } = finder.requireVisible(await store.find(id), id).entry
      const others = ready().soldBy(x402Config.paymentAddress)
      return Encoded.of({ ids: others.map(each => each.decode().id).filter(each => each !== id).slice(0, limit) })
    },
`,
  },
  {
    file: 'directory/service-records.ts',
    before: "import { type SeenTerms, type TermsAnswer, termsSchema } from '../domain/terms/terms.ts'\n",
    text: `import { z } from 'zod'
import { createQueryReader, wholeNumber } from '../domain/problems.ts'
`,
  },
]

const ENTRIES = [1, 2, 3].map(i =>
  entry({ name: `Signpost ${i}` }, { now: new Date(Date.UTC(2026, 9, 1, 0, i)) }),
)
const [first, ...others] = ENTRIES.map(({ id }) => id) as [string, ...string[]]

let copy: CopiedSources
/** Files in which the compiler found fault after the table was extended, and after everything was. */
let asked: readonly string[]
let left: readonly string[]
let server: Serving
const folder = await openFolder()

beforeAll(async () => {
  copy = await copySources()
  await copy.add(IN_TABLE)
  asked = await copy.compile(['src'])
  await copy.add(IN_SUBJECT)
  left = await copy.compile(['src'])
  const DATABASE_URL = `sqlite:${join(folder.path, 'directory.db')}`
  {
    await using store = await openStore(DATABASE_URL, { clock: systemClock })
    await store.insert(ENTRIES)
  }
  server = await folder.serve([], { DATABASE_URL, RATE_LIMIT: '0' }, join(copy.path, 'bin/shirube.mjs'))
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
  await copy?.[Symbol.asyncDispose]()
})

test('it takes two files, and the compiler asks for what the table alone leaves open', () => {
  expect(filesOf([...IN_TABLE, ...IN_SUBJECT])).toHaveLength(2)
  // Those that every operation of the table must fit: the directory's interface, its statement, and the client.
  expect(asked).toContain('directory/directory.ts')
  expect(left).toEqual([])
})

test('the server routes it, parses its query, and answers with its errors', async () => {
  const get = (path: string) => fetch(`${server.url}/api/services/${path}`)
  const answer = await get(`${first}/relatives?limit=1`)
  const { ids } = (await answer.json()) as { ids: string[] }
  expect(ids).toHaveLength(1)
  expect(others).toEqual(expect.arrayContaining(ids))
  expect(answer.headers.get('etag')).toBeString()
  const refusals = [`${first}/relatives?limit=none`, `${first}/relatives?size=1`, 'svc_none/relatives']
  expect(await Promise.all(refusals.map(async path => (await get(path)).status))).toEqual([400, 400, 404])
})

test('the document describes it, and the client calls it', async () => {
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields it expects, and fails where one is missing
  const { paths, components } = (await (await fetch(`${server.url}/openapi.json`)).json()) as any
  const { operationId, parameters, responses } = paths['/api/services/{id}/relatives'].get
  expect([operationId, parameters.map((each: { name: string }) => each.name)]).toEqual([
    'getServiceRelatives',
    ['id', 'limit', 'If-None-Match'],
  ])
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '304', '400', '404', '410']))
  expect(components.schemas).toHaveProperty('Relatives')
  const { createClient } = await import(join(copy.path, 'src/http/client/client.ts'))
  const relatives = await createClient({ url: server.url }).relatives(first, { limit: 5 })
  expect(relatives.decode().ids.toSorted()).toEqual(others.toSorted())
})
