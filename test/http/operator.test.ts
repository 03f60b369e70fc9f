// What operators do over HTTP: who may, what happens twice, and what the server does about it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/app/config.ts'
import { openOperator } from '../../src/app/operator.ts'
import { WIRE } from '../../src/directory/wire.ts'
import { v2 } from '../sync/followed-list.ts'
import { at, serve } from '../sync/json-server.ts'
import { ask, body, KEY, openTestServer, type TestServer } from './directory-server.ts'

const WALLET = '0x1111111111111111111111111111111111111aB1'
const folder = await mkdtemp(join(tmpdir(), 'shirube-operator-'))
const settings = {
  DATABASE_URL: `sqlite:${join(folder, 'directory.db')}`,
  ALLOW_PRIVATE_ENDPOINTS: 'on',
  RATE_LIMIT: '0',
}
const list = serve(
  at('/list', { items: [v2('https://a.example/x'), v2('https://b.example/y')], pagination: { total: 2 } }),
)
const listUrl = `${list.url}/list`
let server: TestServer
let admin: string
beforeAll(async () => {
  server = await openTestServer(settings)
  await using operator = await openOperator(readConfig(settings))
  admin = (await operator.keys.create({ name: 'operator', scopes: ['admin'], expiresAt: null })).key
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  list[Symbol.dispose]()
  await rm(folder, { recursive: true, force: true })
})

type Send = { readonly key?: string | undefined; readonly json?: unknown }

const send = (method: string, path: string, { key, json }: Send = {}) =>
  ask(`${server.url}/api/operator/${path}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
const read = async (path: string) => (await send('GET', path, { key: admin })).json()
const register = async (changes: object = {}): Promise<string> =>
  (await (await server.register(body(changes))).json()).id
const statusOf = async (id: string) => (await server.get(`/api/services/${id}`)).status
const until = async (work: () => Promise<boolean>) => {
  while (!(await work())) await Bun.sleep(20)
}
const sourceOf = async () => (await read('sources')).find(({ url }: { url: string }) => url === listUrl)

/** Each act with its status the first and the second time, and the entry of the log that the first one leaves. */
type Case = {
  readonly act: string
  readonly run: (key?: string) => ReturnType<typeof send>
  readonly statuses: readonly [number, number]
  readonly noted: string | undefined
}

describe('an act of an operator', () => {
  const ids: Record<string, string> = {}
  const item = (kind: string, value: string, why?: string) => ({
    items: [{ kind, value, ...(why && { why }) }],
  })
  const cases: readonly Case[] = [
    {
      act: 'preview a source',
      run: key => send('POST', 'sources', { key, json: { url: listUrl, preview: true } }),
      statuses: [200, 200],
      noted: undefined,
    },
    {
      act: 'add a source',
      run: key => send('POST', 'sources', { key, json: { url: listUrl } }),
      statuses: [200, 200],
      noted: 'source_added',
    },
    {
      act: 'pause a source',
      run: key => send('PATCH', `sources/${ids.source}`, { key, json: { paused: true } }),
      statuses: [200, 200],
      noted: 'source_paused',
    },
    {
      act: 'resume a source',
      run: key => send('PATCH', `sources/${ids.source}`, { key, json: { paused: false } }),
      statuses: [200, 200],
      noted: 'source_resumed',
    },
    {
      act: 'remove a source with its entries',
      run: key => send('DELETE', `sources/${ids.source}?entries=remove`, { key }),
      statuses: [200, 404],
      noted: 'source_removed',
    },
    {
      act: 'create a key',
      run: key => send('POST', 'keys', { key, json: { name: 'made', scopes: ['register'], days: 1 } }),
      statuses: [201, 201],
      noted: 'key_created',
    },
    {
      act: 'revoke a key',
      run: key => send('DELETE', `keys/${ids.key}`, { key }),
      statuses: [204, 404],
      noted: 'key_revoked',
    },
    {
      act: 'hide a service',
      run: key => send('POST', 'hidden', { key, json: item('service', ids.service!, 'An impostor.') }),
      statuses: [200, 200],
      noted: 'hidden',
    },
    {
      act: 'show a service',
      run: key => send('POST', 'hidden/show', { key, json: item('service', ids.service!) }),
      statuses: [200, 200],
      noted: 'shown',
    },
    {
      act: 'settle a report',
      run: key => send('POST', `reports/${ids.report}/resolve`, { key }),
      statuses: [204, 404],
      noted: 'report_settled',
    },
    {
      act: 'back up',
      run: key => send('POST', 'backups', { key }),
      statuses: [201, 201],
      noted: 'backed_up',
    },
  ]

  beforeAll(async () => {
    ids.service = await register({ endpoint: 'https://once.example/v1' })
    const report = await ask(`${server.url}/api/services/${ids.service}/reports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'impostor', text: 'It is not theirs.' }),
    })
    ids.report = (await report.json()).id
    const made = await send('POST', 'keys', { key: admin, json: { name: 'other', scopes: ['register'] } })
    ids.key = (await made.json()).id
  })

  test.each(cases)('is refused without a key of an operator: $act', async ({ run }) => {
    const before = await read('overview')
    expect([(await run()).status, (await run('no-such-key')).status, (await run(KEY)).status]).toEqual([
      401, 401, 403,
    ])
    expect((await read('overview')).acts).toEqual(before.acts)
  })

  test.each(cases)('is done once, and logged with who did it: $act', async ({ run, statuses, noted }) => {
    const before: { id: string }[] = (await read('overview')).acts
    expect([(await run(admin)).status, (await run(admin)).status]).toEqual([...statuses])
    const source = await sourceOf()
    if (source) {
      ids.source = source.id
      // It is read at once, and nobody removes it meanwhile.
      await until(async () => (await sourceOf()).entries === 2)
    }
    const [self] = (await read('keys')).filter(({ name }: { name: string }) => name === 'operator')
    const isNew = ({ id }: { id: string }) => !before.some(old => old.id === id)
    const acts = (await read('overview')).acts.filter(isNew)
    expect(acts.at(-1)).toEqual(
      noted && {
        id: expect.any(String),
        at: expect.any(String),
        who: self.id,
        act: noted,
        about: expect.any(String),
      },
    )
  })

  test('every read of operators is refused to others', async () => {
    const reads = Object.values(WIRE).filter(
      ({ method, path }) => method === 'GET' && path.startsWith('/api/operator/'),
    )
    expect(reads.map(({ path }) => path.slice('/api/operator/'.length)).toSorted()).toEqual([
      ...['hidden', 'keys', 'overview', 'reports', 'settings', 'sources'],
    ])
    for (const { path } of reads) {
      expect((await server.get(path)).status).toBe(401)
      expect((await server.get(path, { authorization: `Bearer ${KEY}` })).status).toBe(403)
      expect((await server.get(path, { authorization: `Bearer ${admin}` })).status).toBe(200)
    }
  })
})

test('a source is followed by the server itself, tells what it dropped, and leaves its services behind', async () => {
  const two = [v2('https://c.example/x'), v2('https://d.example/y')]
  using other = serve(at('/list', { items: two }))
  const url = `${other.url}/list`
  const preview = await (await send('POST', 'sources', { key: admin, json: { url, preview: true } })).json()
  expect(preview).toMatchObject({
    url,
    kind: 'list',
    names: [expect.any(String), expect.any(String)],
    source: null,
  })
  expect((await read('sources')).map((source: { url: string }) => source.url)).not.toContain(url)
  const { source } = await (await send('POST', 'sources', { key: admin, json: { url } })).json()
  const now = async () => (await read('sources')).find(({ id }: { id: string }) => id === source.id)
  await until(async () => (await now()).succeededAt !== null)
  expect(await now()).toMatchObject({
    kind: 'list',
    entries: 2,
    failures: 0,
    problem: null,
    pausedAt: null,
    dropped: 0,
  })
  other.change(at('/list', { items: two.slice(1) }))
  await using operator = await openOperator(readConfig(settings))
  expect(await operator.sync(url)).toMatchObject({ vanished: 1 })
  expect(await now()).toMatchObject({ entries: 2, dropped: 1 })
  const removed = await send('DELETE', `sources/${source.id}`, { key: admin })
  expect(await removed.json()).toEqual({ removed: 0 })
  expect(await now()).toBeUndefined()
  expect(await server.json('/api/services?query=c.example')).not.toEqual([])
  const nowhere = await send('POST', 'sources', { key: admin, json: { url: `${other.url}/none` } })
  expect([nowhere.status, (await nowhere.json()).detail]).toEqual([400, expect.stringContaining('neither')])
  const malformed = await send('POST', 'sources', { key: admin, json: { url: 'ftp://a.example' } })
  expect(malformed.status).toBe(400)
})

test('a hidden wallet or host hides what it has and what comes later, until it is shown; the list can be sent back', async () => {
  const at = { paymentAddress: WALLET, network: 'base' }
  const wallet = await register({ endpoint: 'https://w.example/v1', x402Config: at })
  const host = await register({ endpoint: 'https://api.hosted.example/v1' })
  const items = [
    { kind: 'wallet', value: WALLET, why: 'It took money for nothing.' },
    { kind: 'host', value: 'Hosted.example', why: 'Malware.' },
    { kind: 'service', value: 'svc_none', why: 'Gone.' },
  ]
  const hidden = await (await send('POST', 'hidden', { key: admin, json: { items } })).json()
  expect(hidden).toEqual({ services: 2, unknown: ['svc_none'] })
  expect([await statusOf(wallet), await statusOf(host)]).toEqual([410, 410])
  const later = await register({ endpoint: 'https://other.hosted.example/v1' })
  expect(await statusOf(later)).toBe(410)
  const moving = await register({ endpoint: 'https://harmless.example/v1' })
  await ask(`${server.url}/api/services/${moving}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint: 'https://hosted.example/v1' }),
  })
  await until(async () => (await statusOf(moving)) === 410)
  const exported = await read('hidden')
  expect(exported).toMatchObject([
    { kind: 'host', value: 'hosted.example', why: 'Malware.' },
    { kind: 'wallet', value: WALLET.toLowerCase() },
  ])
  const shown = await (await send('POST', 'hidden/show', { key: admin, json: { items: exported } })).json()
  expect(shown).toEqual({ services: 4, unknown: [] })
  expect(await Promise.all([wallet, host, later, moving].map(statusOf))).toEqual([200, 200, 200, 200])
  const again = await (await send('POST', 'hidden', { key: admin, json: { items: exported } })).json()
  expect(again).toEqual({ services: 4, unknown: [] })
})

test('settings tell where they come from, and unknown names', async () => {
  const { settings: told, unknown } = await read('settings')
  expect(told).toContainEqual({ name: 'RATE_LIMIT', value: '6000', from: 'default' })
  expect(unknown).toEqual([])
})
